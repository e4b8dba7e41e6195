// section: 6.3 Integer Functions
// construct: madsat
// grid: 3
// in: a int 100000 -100000 3
// in: b int 100000 100000 4
// in: c int 5 5 5
// out: out int 2147483647 -2147483648 17
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device const int *c [[buffer(2)]],
                 device int *out [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = madsat(a[i], b[i], c[i]);
}
