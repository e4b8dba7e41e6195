// section: 2.1 Scalar Data Types
// repeats: no
// construct: sums of halves are rounded to half each time
// grid: 2
// in: a half 2048 0.1
// out: o half 2048 0.2998046875
#include <metal_stdlib>
using namespace metal;
kernel void k(device const half *a [[buffer(0)]], device half *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  half x = a[i];
  half y = x + (i == 0 ? half(1) : x);
  o[i] = i == 0 ? y : half(y + x);
}
