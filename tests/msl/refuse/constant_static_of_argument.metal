#include <metal_stdlib>
using namespace metal;
float f(float x) {
  static constant float y = x * 2;
  return y;
}
kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a[i] = f(a[i]);
}
// expect: 4: a constant must be initialized by a constant expression
