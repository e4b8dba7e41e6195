#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 v = make_float4(1, 2, 3, 4); x[i] = v.x;
}
// expect: 4: make_float4
