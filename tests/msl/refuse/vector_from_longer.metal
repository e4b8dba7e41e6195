#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 a = 1; float2 v = float2(a); x[i] = v.x;
}
// expect: 4: too many elements
