#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float t = 0; x[i] = t;
}
// expect: 4: cannot be initialized
