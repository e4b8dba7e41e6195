// section: 6.14 Pack and Unpack Functions
// construct: pack_float_to_snorm2x16
// grid: 1
// in: a float2 1 -1
// out: out uint 2147581951
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pack_float_to_snorm2x16(a[i]);
}
