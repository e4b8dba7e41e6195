#include <metal_stdlib>
using namespace metal;

// y[r][c] = sum of w[i][j] · x[r + i][c + j], only where the whole window lies
// in the image: y has size - 1 rows and columns less. The weights are the same
// for all threads at the same time, which is what constant memory is for.
kernel void conv2d(device const float *x [[buffer(0)]],
                   constant float     *w [[buffer(1)]],  // size × size
                   device float       *y [[buffer(2)]],
                   constant uint &rows    [[buffer(3)]],  // of x
                   constant uint &columns [[buffer(4)]],
                   constant uint &size    [[buffer(5)]],
                   uint2 at [[thread_position_in_grid]]) {
  uint out_rows = rows - size + 1, out_columns = columns - size + 1;
  if (at.x >= out_columns || at.y >= out_rows) return;
  float sum = 0;
  for (uint i = 0; i < size; i++)
    for (uint j = 0; j < size; j++)
      sum += w[i * size + j] * x[(at.y + i) * columns + at.x + j];
  y[at.y * out_columns + at.x] = sum;
}
