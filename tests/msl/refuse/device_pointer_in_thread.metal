#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread float *p = x; x[i] = p[0];
}
// expect: 4: address space
