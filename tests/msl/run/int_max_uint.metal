// section: 6.3 Integer Functions
// construct: max of uint
// grid: 2
// in: a uint 1 4294967295
// in: b uint 3 2
// out: out uint 3 4294967295
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], b[i]);
}
