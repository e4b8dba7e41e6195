// section: 6.3 Integer Functions
// construct: mul24 of int
// grid: 3
// in: a int 1000 -3 8388607
// in: b int 1000 5 2
// out: out int 1000000 -15 16777214
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device int *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mul24(a[i], b[i]);
}
