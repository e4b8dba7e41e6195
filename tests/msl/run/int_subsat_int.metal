// section: 6.3 Integer Functions
// construct: subsat of int
// grid: 3
// in: a int -2147483648 2147483647 5
// in: b int 1 -1 6
// out: out int -2147483648 2147483647 -1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device int *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = subsat(a[i], b[i]);
}
