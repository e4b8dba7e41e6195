// section: 2.5 Alignment of Data Types
// construct: writing packed_float3
// grid: 2
// in: a float 1 2
// out: out packed_float3 1 2 3 2 4 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device packed_float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = packed_float3(a[i], a[i] * 2, a[i] * 3);
}
