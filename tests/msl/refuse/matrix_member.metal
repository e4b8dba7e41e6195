#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x2 m = {1, 2, 3, 4}; x[i] = m[1][0]; x[i] = m.x;
}
// expect: 4: has columns
