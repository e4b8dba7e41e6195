// section: 3.1 Scalar and Vector Operators
// construct: compound assignments
// grid: 2
// in: a int 12 7
// out: out int 15 8
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  int x = a[i];
  x += 3;
  x *= 2;
  x -= 1;
  x /= 2;
  x ^= 1;
  x |= 8;
  out[i] = x;
}
