// section: 2.1 Scalar Data Types
// construct: >> of a negative int keeps the sign, of a uint does not
// grid: 2
// in: a int -8 8
// out: out int 11 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (a[i] >> 1) + int(uint(a[i]) >> 28);
}
