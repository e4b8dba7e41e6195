#include <metal_stdlib>
using namespace metal;

kernel void life(device const uchar *now  [[buffer(0)]],
                 device uchar       *next [[buffer(1)]],
                 constant uint      &rows    [[buffer(2)]],
                 constant uint      &columns [[buffer(3)]],
                 uint2 p [[thread_position_in_grid]],
                 uint2 t [[thread_position_in_threadgroup]],
                 uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup uchar tile[10][10], three[10][8];
  uint m = t.y * 8 + t.x;
  for (uint i = m; i < 100; i += 64)
    tile[i / 10][i % 10] = now[(g.y * 8 + i / 10 + rows - 1) % rows * columns +
                               (g.x * 8 + i % 10 + columns - 1) % columns];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = m; i < 80; i += 64)
    three[i / 8][i % 8] = tile[i / 8][i % 8] + tile[i / 8][i % 8 + 1] +
                          tile[i / 8][i % 8 + 2];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (p.x < columns && p.y < rows) {
    uint all = three[t.y][t.x] + three[t.y + 1][t.x] + three[t.y + 2][t.x];
    next[p.y * columns + p.x] =
        all == 3 || (all == 4 && tile[t.y + 1][t.x + 1]);
  }
}
