// section: 2.1 Scalar Data Types
// construct: the smallest halves survive a conversion
// grid: 3
// in: a float 5.960464477539063e-08 8.940696716308594e-08 6.103515625e-05
// out: o half 5.960464477539063e-08 1.1920928955078125e-07 6.103515625e-05
// out: p float 5.960464477539063e-08 1.1920928955078125e-07 6.103515625e-05
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device half *o [[buffer(1)]], device float *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  half h = half(a[i]);
  o[i] = h;
  p[i] = float(h);
}
