#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint half = i >> 1;
  x[half] = 0;
}
// expect: 4: cannot be the name of a variable
