// section: 6.5 Math Functions
// construct: a program's own divide beside metal::divide
// grid: 2
// in: a float4 1 2 3 4  8 6 4 2
// out: o float4 2 3 4 5  9 7 5 3
// out: p float 0.25 2
// out: q half 0.5 4
#include <metal_stdlib>
using namespace metal;
float4 divide(float4 base, float4 by);
kernel void k(device const float4 *a [[buffer(0)]], device float4 *o [[buffer(1)]], device float *p [[buffer(2)]],
              device half *q [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  o[i] = divide(a[i], float4(1));
  p[i] = precise::divide(a[i].x, 4);
  q[i] = divide(half(a[i].x), 2.0h);
}
float4 divide(float4 base, float4 by) { return base + by; }
