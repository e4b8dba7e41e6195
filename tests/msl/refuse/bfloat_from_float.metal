#include <metal_stdlib>
using namespace metal;
kernel void k(device bfloat *x [[buffer(0)]], constant float &f [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(f);
  b += 1;
  bfloat c = f;
  x[i] = b + c;
}
// expect: 6: bfloat(x)
