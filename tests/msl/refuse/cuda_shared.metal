#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  __shared__ float s[32]; x[i] = s[0];
}
// expect: 4: __shared__
