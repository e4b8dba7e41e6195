#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  try { x[i] = 1; } catch (...) { x[i] = 2; }
}
// expect: 4: 'try'
