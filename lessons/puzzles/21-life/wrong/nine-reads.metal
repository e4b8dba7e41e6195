#include <metal_stdlib>
using namespace metal;

kernel void life(device const uchar *now  [[buffer(0)]],
                 device uchar       *next [[buffer(1)]],
                 constant uint      &rows    [[buffer(2)]],
                 constant uint      &columns [[buffer(3)]],
                 uint2 p [[thread_position_in_grid]],
                 uint2 t [[thread_position_in_threadgroup]],
                 uint2 g [[threadgroup_position_in_grid]]) {
  if (p.x >= columns || p.y >= rows) return;
  uint alive = 0;
  for (uint j = 0; j < 3; j++)
    for (uint k = 0; k < 3; k++)
      alive += now[(p.y + j + rows - 1) % rows * columns +
                   (p.x + k + columns - 1) % columns];
  uint self = now[p.y * columns + p.x];
  alive -= self;
  next[p.y * columns + p.x] = alive == 3 || (alive == 2 && self == 1);
}
