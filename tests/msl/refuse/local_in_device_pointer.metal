#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = 1; device float *p = &a; x[i] = p[0];
}
// expect: 4: address space
