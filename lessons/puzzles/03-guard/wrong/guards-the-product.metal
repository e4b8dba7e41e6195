#include <metal_stdlib>
using namespace metal;

kernel void negate(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &rows    [[buffer(2)]],
                   constant uint      &columns [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]]) {
  uint i = p.y * columns + p.x;
  if (i < rows * columns) y[i] = -x[i];
}
