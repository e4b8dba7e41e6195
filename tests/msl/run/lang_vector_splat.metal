// section: 2.2 Vector Data Types
// construct: float3(1) and implicit splats
// grid: 1
// in: a float 2
// out: out float3 3 3 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float3 v = a[i];
  out[i] = v + float3(1);
}
