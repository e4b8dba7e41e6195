// wrong: its own part eight times
#include <metal_stdlib>
using namespace metal;

kernel void shares(device const float *x  [[buffer(0)]],
                   device float *y        [[buffer(1)]],
                   constant uint &rows    [[buffer(2)]],
                   constant uint &columns [[buffer(3)]],
                   uint2 t [[thread_position_in_threadgroup]],
                   uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup float sums[8][32];
  uint c = g.x * 32 + t.x;
  float sum = 0;
  if (c < columns)
    for (uint r = t.y; r < rows; r += 8) sum += x[r * columns + c];
  sums[t.y][t.x] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (c >= columns) return;
  sum = 0;
  for (uint k = 0; k < 8; k++) sum += sums[t.y][t.x];
  float share = 1 / sum;
  for (uint r = t.y; r < rows; r += 8)
    y[r * columns + c] = x[r * columns + c] * share;
}
