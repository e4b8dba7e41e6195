#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = *(float *)(&x[0]);
}
// expect: 4: pointer type must have explicit address space
