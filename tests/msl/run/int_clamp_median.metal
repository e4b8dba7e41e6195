// section: 6.3 Integer Functions
// construct: clamp, min3, max3 and median3 of ints
// repeats: no
// grid: 3
// in: a int -5 3 50
// out: o int 0 3 10
// out: p int -5 1 1
// out: q int 1 3 2
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], device int *p [[buffer(2)]], device int *q [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  o[i] = clamp(a[i], 0, 10);
  p[i] = min3(a[i], 1, 2);
  q[i] = i == 0 ? median3(a[i], 1, 2) : i == 1 ? max3(a[i], 1, 2) : median3(a[i], 2, 1);
}
