#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2 a = 1; float4 v = float4(a); x[i] = v.x;
}
// expect: 4: too few elements
