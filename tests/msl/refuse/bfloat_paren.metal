#include <metal_stdlib>
using namespace metal;
kernel void k(device bfloat *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat a(2), b{1.5bf}, e = {x[1]}, f(x[2]), g(bfloat(0.5f));
  bfloat c(1.0f);
  x[i] = a + b + c + e + f + g;
}
// expect: 5: 1.0bf
