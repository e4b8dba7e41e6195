#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float j = 1; x[i] = x[j];
}
// expect: 4: p[uint(f)]
