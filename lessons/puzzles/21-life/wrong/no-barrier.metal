#include <metal_stdlib>
using namespace metal;

kernel void life(device const uchar *now  [[buffer(0)]],
                 device uchar       *next [[buffer(1)]],
                 constant uint      &rows    [[buffer(2)]],
                 constant uint      &columns [[buffer(3)]],
                 uint2 p [[thread_position_in_grid]],
                 uint2 t [[thread_position_in_threadgroup]],
                 uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup uchar tile[10][10];
  for (uint i = t.y * 8 + t.x; i < 100; i += 64) {
    uint r = (g.y * 8 + i / 10 + rows - 1) % rows;
    uint c = (g.x * 8 + i % 10 + columns - 1) % columns;
    tile[i / 10][i % 10] = now[r * columns + c];
  }
  if (p.x >= columns || p.y >= rows) return;
  uint alive = 0;
  for (uint j = 0; j < 3; j++)
    for (uint k = 0; k < 3; k++) alive += tile[t.y + j][t.x + k];
  uint self = tile[t.y + 1][t.x + 1];
  alive -= self;
  next[p.y * columns + p.x] = alive == 3 || (alive == 2 && self == 1);
}
