// section: 6.3 Integer Functions
// construct: extract_bits of uint
// grid: 3
// in: a uint 2882343476 4294967295 305419896
// out: out uint 35 255 103
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = extract_bits(a[i], 4, 8);
}
