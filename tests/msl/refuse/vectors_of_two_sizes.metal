#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3 a = float3(1); float4 b = float4(1); x[i] = (a + b).x;
}
// expect: 4: of one size
