// section: 6.3 Integer Functions
// construct: subsat of uint
// grid: 3
// in: a uint 5 2 0
// in: b uint 2 5 1
// out: out uint 3 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = subsat(a[i], b[i]);
}
