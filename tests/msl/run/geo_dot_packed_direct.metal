// section: 6.8 Geometric Functions
// construct: dot of two packed_float3
// grid: 1
// in: a packed_float3 1 2 3
// out: out float 14
#include <metal_stdlib>
using namespace metal;

kernel void test(device const packed_float3 *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = dot(a[i], a[i]);
}
