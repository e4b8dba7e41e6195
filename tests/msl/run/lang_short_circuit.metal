// section: 3.1 Scalar and Vector Operators
// construct: && and || do not evaluate their right side in vain
// grid: 4
// in: a int 0 1 2 3
// out: out int 0 0 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (a[i] > 0 && 6 % a[i] == 0 && a[i] != 3 && a[i] != 1) ? 1 : 0;
}
