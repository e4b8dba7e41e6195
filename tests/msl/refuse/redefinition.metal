#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = 1; float a = 2; x[i] = a;
}
// expect: 4: redefinition of 'a'
