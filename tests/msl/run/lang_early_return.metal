// section: 5.1 Functions
// construct: early returns from a function and a kernel
// repeats: no
// grid: 3
// in: a int -3 5 0
// out: out int -1 1 7
#include <metal_stdlib>
using namespace metal;

int sign_of(int x) {
  if (x < 0) return -1;
  if (x > 0) return 1;
  return 7;
}

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  if (i > 100) return;
  out[i] = sign_of(a[i]);
}
