// section: 6.5 Math Functions
// construct: ldexp
// grid: 4
// in: a float 1 0.75 -3 1
// in: e int 4 -2 1 -140
// out: out float 16 0.1875 -6 7.174648137343064e-43
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const int *e [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = ldexp(a[i], e[i]);
}
