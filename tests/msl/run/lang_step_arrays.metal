// section: 3.1 Scalar and Vector Operators
// construct: ++ and -- on vectors in arrays of arrays, through const and __restrict pointers
// grid: 1
// in: a int 1 2 3 4
// out: a int 3 4 2 3
// out: b int 12 20 32 42
#include <metal_stdlib>
using namespace metal;
struct Grid { int2 cell[2][2]; };
kernel void test(device int2 *__restrict a [[buffer(0)]], device int2 *const b [[buffer(1)]],
                 ::uint i [[thread_position_in_grid]]) {
  int2 v[2][2] = {{10, 20}, {30, 40}};
  Grid grid;
  thread int2 *row[1] = {v[1]};
  grid.cell[1][0] = v[1][1];
  a[0]++, ++a[i];
  --a[1];
  v[0][0]++, ++v[0][0];
  row[0][0]++, ++row[0][0];
  grid.cell[1][0]++, ++grid.cell[1][0];
  b[0] = int2(v[0][0].x, v[0][1].x);
  b[1] = int2(v[1][0].y, grid.cell[1][0].y);
}
