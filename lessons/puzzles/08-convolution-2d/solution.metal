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
  threadgroup float tile[10][10];
  for (uint i = t.y * 8 + t.x; i < 100; i += 64) {
    int r = int(g.y * 8 + i / 10) - 1, c = int(g.x * 8 + i % 10) - 1;
    bool inside = r >= 0 && r < int(rows) && c >= 0 && c < int(columns);
    tile[i / 10][i % 10] = inside ? x[r * columns + c] : 0;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (p.x >= columns || p.y >= rows) return;
  float sum = 0;
  for (uint j = 0; j < 3; j++)
    for (uint k = 0; k < 3; k++) sum += tile[t.y + j][t.x + k] * w[j * 3 + k];
  y[p.y * columns + p.x] = sum;
}
