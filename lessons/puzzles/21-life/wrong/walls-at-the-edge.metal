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
  for (int j = -1; j < 2; j++)
    for (int k = -1; k < 2; k++) {
      int r = int(p.y) + j, c = int(p.x) + k;
      if ((j != 0 || k != 0) && r >= 0 && r < int(rows) && c >= 0 &&
          c < int(columns))
        alive += now[r * columns + c];
    }
  uint self = now[p.y * columns + p.x];
  next[p.y * columns + p.x] = alive == 3 || (alive == 2 && self == 1);
}
