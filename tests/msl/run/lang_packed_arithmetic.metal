// section: 2.5 Alignment of Data Types
// construct: packed_float3 in arithmetic
// grid: 1
// in: a packed_float3 1 2 3
// out: out packed_float3 3 5 7
#include <metal_stdlib>
using namespace metal;

kernel void test(device const packed_float3 *a [[buffer(0)]],
                 device packed_float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] * 2.0f + float3(1);
}
