// section: 4 Address Spaces
// construct: a constant array at program scope
// repeats: no
// grid: 4
// in: a float 1 1 1 1
// out: out float 1 2 4 8
#include <metal_stdlib>
using namespace metal;

constant float weights[4] = {1, 2, 4, 8};
kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = weights[i] * a[i];
}
