// section: 6.14 Pack and Unpack Functions
// construct: pack_float_to_unorm565
// grid: 2
// in: a float3 1 0 1 0 1 0
// out: out ushort 63519 2016
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device ushort *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pack_float_to_unorm565(a[i]);
}
