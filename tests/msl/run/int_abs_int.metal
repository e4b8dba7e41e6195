// section: 6.3 Integer Functions
// construct: abs of int
// grid: 4
// in: a int -5 5 0 -2147483647
// out: out int 5 5 0 2147483647
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = abs(a[i]);
}
