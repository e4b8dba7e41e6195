// section: 6.3 Integer Functions
// construct: absdiff of uint
// grid: 3
// in: a uint 5 2 4294967295
// in: b uint 2 5 0
// out: out uint 3 3 4294967295
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = absdiff(a[i], b[i]);
}
