#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float t[i]; x[i] = t[0];
}
// expect: 4: size of an array is a constant
