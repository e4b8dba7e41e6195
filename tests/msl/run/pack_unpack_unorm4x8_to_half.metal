// section: 6.14 Pack and Unpack Functions
// construct: unpack_unorm4x8_to_half
// grid: 1
// in: a uint 4278222899
// out: out half4 within 0.001: 0.2 0.501960784 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device half4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = unpack_unorm4x8_to_half(a[i]);
}
