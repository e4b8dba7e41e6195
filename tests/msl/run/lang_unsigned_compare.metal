// section: 2.1 Scalar Data Types
// construct: comparing int with uint is unsigned
// grid: 2
// in: a int -1 1
// out: out int 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (a[i] > 5u) ? 1 : 0;
}
