// section: 2.2 Vector Data Types
// construct: writing to a swizzle
// grid: 1
// in: a float4 1 2 3 4
// out: out float4 4 2 1 9
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float4 v = a[i];
  v.xz = v.wx;
  v.w = 9;
  out[i] = v;
}
