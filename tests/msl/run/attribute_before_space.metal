// section: 4 Address Spaces
// construct: a function that returns a device pointer, behind __attribute__
// grid: 4
// in: a float 1 2 3 4
// out: a float 2 2 4 4
#include <metal_stdlib>
using namespace metal;
static inline __attribute__((always_inline))
device float *even_or_odd(device float *x, uint i) { return (i & 1) ? &x[i] : x + i; }
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device float *p = even_or_odd(a, i);
  if (i % 2 == 0) *p += 1;
}
