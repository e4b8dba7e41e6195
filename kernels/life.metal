#include <metal_stdlib>
using namespace metal;

// One generation of Conway's game of life. A cell lives on with two or three
// neighbours, and comes to life with three. The world is a torus: what leaves
// on the right comes back on the left.
kernel void life(device const uchar *cells [[buffer(0)]],
                 device uchar       *next  [[buffer(1)]],
                 constant uint &rows    [[buffer(2)]],
                 constant uint &columns [[buffer(3)]],
                 uint2 at [[thread_position_in_grid]]) {
  if (at.x >= columns || at.y >= rows) return;
  uint up = (at.y == 0 ? rows : at.y) - 1;
  uint down = at.y + 1 == rows ? 0 : at.y + 1;
  uint left = (at.x == 0 ? columns : at.x) - 1;
  uint right = at.x + 1 == columns ? 0 : at.x + 1;
  uint neighbours =
      cells[up * columns + left] + cells[up * columns + at.x] +
      cells[up * columns + right] + cells[at.y * columns + left] +
      cells[at.y * columns + right] + cells[down * columns + left] +
      cells[down * columns + at.x] + cells[down * columns + right];
  uchar alive = cells[at.y * columns + at.x];
  next[at.y * columns + at.x] = neighbours == 3 || (alive && neighbours == 2);
}
