// section: 6.5 Math Functions
// construct: modf
// grid: 4
// in: a float 3.25 -3.25 7 -0.5
// out: f float 0.25 -0.25 0 -0.5
// out: w float 3 -3 7 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *f [[buffer(1)]],
                 device float *w [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  float whole;
  f[i] = modf(a[i], whole);
  w[i] = whole;
}
