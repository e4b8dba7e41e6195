#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     constant float     *w [[buffer(1)]],
                     device float       *y [[buffer(2)]],
                     constant uint      &rows    [[buffer(3)]],
                     constant uint      &columns [[buffer(4)]],
                     uint2 p [[thread_position_in_grid]],
                     uint2 t [[thread_position_in_threadgroup]],
                     uint2 g [[threadgroup_position_in_grid]]) {
  if (p.x >= columns || p.y >= rows) return;
  float sum = 0;
  for (uint j = 0; j < 3; j++)
    for (uint k = 0; k < 3; k++) {
      uint r = (p.y + j + rows - 1) % rows;
      uint c = (p.x + k + columns - 1) % columns;
      sum += x[r * columns + c] * w[j * 3 + k];
    }
  y[p.y * columns + p.x] = sum;
}
