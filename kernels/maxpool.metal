#include <metal_stdlib>
using namespace metal;

// y = the largest of each square of size × size elements of x. What is left
// over at the right and the bottom is not looked at.
kernel void maxpool(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint &rows    [[buffer(2)]],  // of x
                    constant uint &columns [[buffer(3)]],
                    constant uint &size    [[buffer(4)]],
                    uint2 at [[thread_position_in_grid]]) {
  uint out_rows = rows / size, out_columns = columns / size;
  if (at.x >= out_columns || at.y >= out_rows) return;
  float largest = -INFINITY;
  for (uint i = 0; i < size; i++)
    for (uint j = 0; j < size; j++)
      largest = max(largest, x[(at.y * size + i) * columns + at.x * size + j]);
  y[at.y * out_columns + at.x] = largest;
}
