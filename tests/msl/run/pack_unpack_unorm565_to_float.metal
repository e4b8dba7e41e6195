// section: 6.14 Pack and Unpack Functions
// construct: unpack_unorm565_to_float
// grid: 1
// in: a ushort 1055
// out: out float3 within 1e-06: 1 0.507936508 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ushort *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = unpack_unorm565_to_float(a[i]);
}
