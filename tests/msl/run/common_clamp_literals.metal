// section: 6.2 Common Functions
// construct: clamp(x, 0, 1) with integer literals
// grid: 3
// in: a float -1 0.25 2
// out: out float 0 0.25 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clamp(a[i], 0, 1);
}
