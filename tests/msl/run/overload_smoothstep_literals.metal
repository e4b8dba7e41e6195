// section: 1.5.1 Overloading
// construct: smoothstep(0, 1, x)
// grid: 2
// in: a float 0.5 2
// out: out float 0.5 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = smoothstep(0, 1, a[i]);
}
