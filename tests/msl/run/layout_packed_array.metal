// section: 2.2.3 Packed Vector Types
// construct: an array of packed_float3 is read at 12 bytes a step
// grid: 2
// in: a float 1 2 3 4 5 6
// out: o float 6 15
#include <metal_stdlib>
using namespace metal;
kernel void k(device const packed_float3 *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float3 v = a[i];
  o[i] = v.x + v.y + v.z;
}
