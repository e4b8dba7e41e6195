// section: 2.1 Scalar Data Types
// construct: % has the sign of the dividend
// grid: 3
// in: a int 7 -7 9
// in: b int 2 2 -4
// out: out int 1 -1 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device const int *b [[buffer(1)]],
                 device int *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] % b[i];
}
