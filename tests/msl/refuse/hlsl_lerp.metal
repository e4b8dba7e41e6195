#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = lerp(x[i], 1.0, 0.5);
}
// expect: 4: write mix(a, b, t)
