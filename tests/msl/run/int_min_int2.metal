// section: 6.3 Integer Functions
// construct: min of int2
// grid: 1
// in: a int2 1 -5
// in: b int2 0 3
// out: out int2 0 -5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int2 *a [[buffer(0)]],
                 device const int2 *b [[buffer(1)]],
                 device int2 *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = min(a[i], b[i]);
}
