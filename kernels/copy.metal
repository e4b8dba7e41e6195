#include <metal_stdlib>
using namespace metal;

// y = x. How fast can memory be read and written at once?
kernel void copy(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = x[i];
}
