// section: 6.3 Integer Functions
// construct: popcount of uint2
// grid: 2
// in: a uint2 3 7 255 0
// out: out uint2 2 3 8 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint2 *a [[buffer(0)]],
                 device uint2 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = popcount(a[i]);
}
