// section: 6.14 Pack and Unpack Functions
// construct: unpack_snorm4x8_to_float
// grid: 1
// in: a uint 2172714879
// out: out float4 within 1e-06: 1 -0.00787401575 -1 -1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = unpack_snorm4x8_to_float(a[i]);
}
