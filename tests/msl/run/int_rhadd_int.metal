// section: 6.3 Integer Functions
// construct: rhadd of int
// grid: 3
// in: a int 7 -3 2147483647
// in: b int 8 -4 2147483646
// out: out int 8 -3 2147483647
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device int *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = rhadd(a[i], b[i]);
}
