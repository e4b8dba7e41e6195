#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if x[i] > 0: x[i] = 1
}
// expect: 4: stands in parentheses
