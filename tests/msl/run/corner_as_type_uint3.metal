// section: 2.21 Type Conversions and Reinterpreting Data
// construct: as_type of three-component vectors
// grid: 1
// in: x float3 1 -2 0.5
// out: a long 1065353216 3221225472 1056964608 6 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float3 *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 3;
  a += i * 5;
  uint3 u = as_type<uint3>(x[0]); a[0] = u.x; a[1] = u.y; a[2] = u.z;
  float3 g = as_type<float3>(int3(0x40400000, 0, 0x3f000000)); a[3] = g.x * 2; a[4] = g.z * 2;
}
