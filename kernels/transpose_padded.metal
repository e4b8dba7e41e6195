#include <metal_stdlib>
using namespace metal;

// transpose_tiled with one column more in the tile, which nobody uses: now the
// elements of a column are TILE + 1 apart and fall on different banks.
#ifndef TILE
#define TILE 16
#endif

kernel void transpose_padded(device const float *a [[buffer(0)]],
                             device float       *b [[buffer(1)]],
                             constant uint &rows    [[buffer(2)]],  // of a
                             constant uint &columns [[buffer(3)]],
                             uint2 local [[thread_position_in_threadgroup]],
                             uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[TILE][TILE + 1];
  uint2 from = group * TILE + local;
  if (from.x < columns && from.y < rows)
    tile[local.y][local.x] = a[from.y * columns + from.x];

  threadgroup_barrier(mem_flags::mem_threadgroup);

  uint2 to = group.yx * TILE + local;
  if (to.x < rows && to.y < columns)
    b[to.y * rows + to.x] = tile[local.x][local.y];
}
