// section: 6.14 Pack and Unpack Functions
// construct: pack_half_to_snorm4x8
// grid: 1
// in: a half4 0 1 -1 0
// out: out uint 8486656
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half4 *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pack_half_to_snorm4x8(a[i]);
}
