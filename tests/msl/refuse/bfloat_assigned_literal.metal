#include <metal_stdlib>
using namespace metal;
kernel void k(device bfloat *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = bfloat(0.5f) + 2.0bf;
  x[i] = 0.5f;
}
// expect: 5: does not become a 'bfloat' by itself
