#include <metal_stdlib>
using namespace metal;

kernel void layer(device const float *x [[buffer(0)]],
                  device const float *w [[buffer(1)]],
                  device const float *b [[buffer(2)]],
                  device float       *y [[buffer(3)]],
                  constant uint &rows    [[buffer(4)]],
                  constant uint &inputs  [[buffer(5)]],
                  constant uint &outputs [[buffer(6)]],
                  uint2 at [[thread_position_in_grid]]) {
  uint column = at.x, row = 4 * at.y;
  if (column >= outputs || row >= rows) return;
  uint last = rows - 1;
  uint4 from = min(row + uint4(0, 1, 2, 3), last) * inputs;
  float4 sum = 0;
  for (uint i = 0; i < inputs; i++) {
    float weight = w[i * outputs + column];
    sum += weight *
           float4(x[from.x + i], x[from.y + i], x[from.z + i], x[from.w + i]);
  }
  float bias = b[column];
  for (uint r = 0; r < 4; r++)
    if (row + r < rows)
      y[(row + r) * outputs + column] = max(sum[r] + bias, 0.0f);
}
