// section: 6.3 Integer Functions
// construct: absdiff of int is unsigned and does not overflow
// grid: 3
// in: a int -2147483648 5 3
// in: b int 2147483647 2 10
// out: out uint 4294967295 3 7
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = absdiff(a[i], b[i]);
}
