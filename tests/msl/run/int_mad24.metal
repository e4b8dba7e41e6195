// section: 6.3 Integer Functions
// construct: mad24
// grid: 2
// in: a uint 1000 3
// in: b uint 1000 5
// in: c uint 7 1
// out: out uint 1000007 16
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device const uint *c [[buffer(2)]],
                 device uint *out [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mad24(a[i], b[i], c[i]);
}
