// section: 6.14 Pack and Unpack Functions
// construct: pack_float_to_unorm4x8
// grid: 2
// in: a float4 0 0.5 1 2 -1 0.25 0.75 1
// out: out uint 4294934528 4290723840
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pack_float_to_unorm4x8(a[i]);
}
