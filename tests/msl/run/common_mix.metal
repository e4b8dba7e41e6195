// section: 6.2 Common Functions
// construct: mix of float
// grid: 3
// in: a float 0 0.25 1
// out: out float 10 12.5 20
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mix(10.0, 20.0, a[i]);
}
