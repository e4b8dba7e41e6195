// section: 6.2 Common Functions
// construct: smoothstep
// grid: 7
// in: a float -1 0 0.25 0.5 0.75 1 2
// out: out float within 1e-06: 0 0 0.15625 0.5 0.84375 1 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = smoothstep(0.0, 1.0, a[i]);
}
