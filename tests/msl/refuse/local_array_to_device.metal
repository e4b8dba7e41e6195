#include <metal_stdlib>
using namespace metal;
float sum(device float *p) { return p[0]; }
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a[2] = {1, 2}; x[i] = sum(a);
}
// expect: 5: thread address space
