#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3 v = float4(1); x[i] = v.x;
}
// expect: 4: as in v.xyz
