#include <metal_stdlib>
using namespace metal;
kernel void k(device packed_float4 *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].yy = float2(2);
}
// expect: 4: not assignable
