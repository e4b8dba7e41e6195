#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x) {
  x[0] = 1;
// expect: *: expected '}'
