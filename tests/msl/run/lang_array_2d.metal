// section: 2.12 Aggregate Types
// construct: a two-dimensional array
// grid: 2
// in: a int 0 1
// out: out int 21 31
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  int t[3][2];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 2; c++) t[r][c] = 10 * r + c;
  out[i] = t[1 + a[i]][1] + 10;
}
