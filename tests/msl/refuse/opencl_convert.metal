#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 v = convert_float4(int4(1)); x[i] = v.x;
}
// expect: 4: convert_float4
