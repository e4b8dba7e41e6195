#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = clamp(x[i], 0.0);
}
// expect: 4: called as clamp(x, low, high)
