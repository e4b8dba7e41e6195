// section: 6.3 Integer Functions
// construct: popcount of uint
// grid: 4
// in: a uint 0 1 255 4294967295
// out: out uint 0 1 8 32
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = popcount(a[i]);
}
