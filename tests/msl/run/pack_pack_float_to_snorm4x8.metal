// section: 6.14 Pack and Unpack Functions
// construct: pack_float_to_snorm4x8
// grid: 1
// in: a float4 0 0.5 1 -1
// out: out uint 2172600320
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pack_float_to_snorm4x8(a[i]);
}
