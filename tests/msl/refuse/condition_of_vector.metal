#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (float2(x[i]) == float2(1)) x[i] = 1;
}
// expect: 4: all(v)
