#include <metal_stdlib>
using namespace metal;

// c = a · b, tile by tile. A threadgroup of TILE × TILE threads computes a tile
// of c. For each step along k it fetches one tile of a and one of b to
// threadgroup memory, where each element then serves TILE threads: device
// memory is read TILE times less than in matmul_naive.
#ifndef TILE
#define TILE 16
#endif

kernel void matmul_tiled(device const float *a [[buffer(0)]],
                         device const float *b [[buffer(1)]],
                         device float       *c [[buffer(2)]],
                         constant uint &m [[buffer(3)]],
                         constant uint &n [[buffer(4)]],
                         constant uint &k [[buffer(5)]],
                         uint2 local [[thread_position_in_threadgroup]],
                         uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile_a[TILE][TILE];
  threadgroup float tile_b[TILE][TILE];
  uint row = group.y * TILE + local.y, column = group.x * TILE + local.x;
  float sum = 0;
  for (uint first = 0; first < k; first += TILE) {
    // zeros beyond the edge: they add nothing, and nobody has to ask below
    uint i = first + local.x, j = first + local.y;
    tile_a[local.y][local.x] = row < m && i < k ? a[row * k + i] : 0;
    tile_b[local.y][local.x] = j < k && column < n ? b[j * n + column] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);  // the tiles are there

    for (uint t = 0; t < TILE; t++)
      sum += tile_a[local.y][t] * tile_b[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // nobody needs them more
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
