// section: 6.3 Integer Functions
// construct: madhi
// grid: 2
// in: a uint 2147483648 1
// in: b uint 4 2
// in: c uint 10 20
// out: out uint 12 20
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device const uint *c [[buffer(2)]],
                 device uint *out [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = madhi(a[i], b[i], c[i]);
}
