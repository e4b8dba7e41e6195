#include <metal_stdlib>
using namespace metal;

// b = a with rows and columns exchanged, by way of threadgroup memory. A group
// reads a tile row by row, and writes it column by column out of the tile, so
// that both sides go through device memory in order. What is left is inside:
// the lanes that read a column of the tile are TILE elements apart, and may all
// fall on the same bank (transpose_padded avoids that).
#ifndef TILE
#define TILE 16
#endif

kernel void transpose_tiled(device const float *a [[buffer(0)]],
                            device float       *b [[buffer(1)]],
                            constant uint &rows    [[buffer(2)]],  // of a
                            constant uint &columns [[buffer(3)]],
                            uint2 local [[thread_position_in_threadgroup]],
                            uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[TILE][TILE];
  uint2 from = group * TILE + local;  // x: column of a, y: row of a
  if (from.x < columns && from.y < rows)
    tile[local.y][local.x] = a[from.y * columns + from.x];

  threadgroup_barrier(mem_flags::mem_threadgroup);

  uint2 to = group.yx * TILE + local;  // x: column of b, y: row of b
  if (to.x < rows && to.y < columns)
    b[to.y * rows + to.x] = tile[local.x][local.y];
}
