// section: 1.6.3 Math Intrinsics Compiler Options
// construct: in safe math a product of one statement and a sum of the next are rounded twice
// grid: 1
// in: a float 1.000244140625
// out: o float 0
// math: safe
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float x = a[i];
  float square = x * x;  // 1 + 2^-11 + 2^-24, a tie: the last goes
  o[i] = square - 1.00048828125f;
}
