// section: 6.3 Integer Functions
// construct: rotate of uint
// grid: 3
// in: a uint 1 2147483649 305419896
// in: b uint 1 4 32
// out: out uint 2 24 305419896
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = rotate(a[i], b[i]);
}
