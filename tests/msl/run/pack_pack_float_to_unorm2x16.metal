// section: 6.14 Pack and Unpack Functions
// construct: pack_float_to_unorm2x16
// grid: 2
// in: a float2 0 1 0.5 0.25
// out: out uint 4294901760 1073774592
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pack_float_to_unorm2x16(a[i]);
}
