// section: 2.1 Scalar Data Types
// construct: ulong and long to float and back
// grid: 3
// in: a ulong 4611686018427387903 4503599627370497 16777217
// out: o float 4611686018427387904.0 4503599627370496 16777216
// out: p ulong 4611686018427387904 4503599627370496 16777216
#include <metal_stdlib>
using namespace metal;
kernel void k(device const ulong *a [[buffer(0)]], device float *o [[buffer(1)]], device ulong *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float f = float(a[i]);
  o[i] = f;
  p[i] = ulong(f);
}
