// section: 6.3 Integer Functions
// construct: max3 of int
// grid: 4
// in: a int 1 5 3 -1
// in: b int 2 4 3 -2
// in: c int 3 6 1 -3
// out: out int 3 6 3 -1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device const int *c [[buffer(2)]],
                 device int *out [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max3(a[i], b[i], c[i]);
}
