// section: 6.14 Pack and Unpack Functions
// construct: unpack_unorm4x8_srgb_to_float
// grid: 1
// in: a uint 2164228096
// out: out float4 within 1e-05: 0 0.2158605 1 0.501960784
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = unpack_unorm4x8_srgb_to_float(a[i]);
}
