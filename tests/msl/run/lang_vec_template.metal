// section: 2.2 Vector Data Types
// construct: vec<T, N>
// grid: 1
// in: a float3 1 2 3
// out: out float3 2 3 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = vec<float, 3>(1) + a[i];
}
