#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 v = float4(1, 2, 3); x[i] = v.x;
}
// expect: 4: too few elements
