// section: 6.5 Math Functions
// construct: frexp
// grid: 4
// in: a float 8 0.75 -3 0
// out: m float 0.5 0.75 -0.75 0
// out: e int 4 0 2 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *m [[buffer(1)]],
                 device int *e [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  int k;
  m[i] = frexp(a[i], k);
  e[i] = k;
}
