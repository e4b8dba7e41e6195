#include <metal_stdlib>
using namespace metal;
kernel void k(device bfloat *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat a = 2, b = 1.5bf;
  bfloat c = -1.0;
  x[i] = a + b + c;
}
// expect: 5: 1.0bf
