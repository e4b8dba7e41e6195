#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a[3]; a = {1, 2, 3}; x[i] = a[0];
}
// expect: 4: array<T, N>
