// section: 6.3 Integer Functions
// construct: mulhi of int
// grid: 3
// in: a int -1 2147483647 -2147483648
// in: b int 5 2 2
// out: out int -1 0 -1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device int *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mulhi(a[i], b[i]);
}
