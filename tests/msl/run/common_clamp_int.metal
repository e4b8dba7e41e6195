// section: 6.3 Integer Functions
// construct: clamp of int
// grid: 3
// in: a int -5 3 12
// out: out int 0 3 10
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clamp(a[i], 0, 10);
}
