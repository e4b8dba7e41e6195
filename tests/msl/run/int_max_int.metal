// section: 6.3 Integer Functions
// construct: max of int
// grid: 2
// in: a int -1 5
// in: b int 3 2
// out: out int 3 5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device int *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], b[i]);
}
