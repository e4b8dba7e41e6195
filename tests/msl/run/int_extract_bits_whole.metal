// section: 6.3 Integer Functions
// construct: extract_bits of all 32 bits, and of none
// repeats: no
// grid: 2
// in: a uint 2882343476 7
// out: out uint 2882343476 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = extract_bits(a[i], 0, i == 0 ? 32 : 0);
}
