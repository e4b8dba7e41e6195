#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float t[2] = {1, 2}; x[i] = t[0];
}
// expect: 4: cannot be initialized
