#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4x4 m(1.0); float3 v = m * float3(1); x[i] = v.x;
}
// expect: 4: as many components as it has columns
