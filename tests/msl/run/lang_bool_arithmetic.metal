// section: 2.1 Scalar Data Types
// construct: bool in arithmetic
// grid: 2
// in: a int 3 -3
// out: out int 3 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (a[i] > 0) + (a[i] > 1) * 2;
}
