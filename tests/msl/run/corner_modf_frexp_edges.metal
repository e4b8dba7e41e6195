// section: 6.5 Math Functions
// construct: modf and frexp of negative numbers, zero and vectors
// grid: 1
// in: x float -3.75 7.5 1024
// out: a float -0.75 -3 0.5 7 -0.9375 2 0 0 0.5 11 0.5 -0.25 1 -2 0.5 -0.75 4 0 -0.5 -1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 3;
  a += i * 20;
  float w; a[0] = modf(x[0], w); a[1] = w; a[2] = modf(x[1], w); a[3] = w;
  int e; a[4] = frexp(x[0], e); a[5] = e; a[6] = frexp(0.0f, e); a[7] = e; a[8] = frexp(x[2], e); a[9] = e;
  float2 wv; float2 r = modf(float2(1.5, -2.25), wv); a[10] = r.x; a[11] = r.y; a[12] = wv.x; a[13] = wv.y;
  int2 ev; r = frexp(float2(8, -0.75), ev); a[14] = r.x; a[15] = r.y; a[16] = ev.x; a[17] = ev.y;
  half hw; a[18] = modf((half)-1.5h, hw); a[19] = hw;
}
