// section: 2.2 Vector Data Types
// construct: v[k] with a variable index, read and written
// grid: 1
// in: a float4 1 2 3 4
// out: out float4 1 20 3 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float4 v = a[i];
  for (int k = 0; k < 4; k++)
    if (v[k] == 2) v[k] = 20;
  out[i] = v;
}
