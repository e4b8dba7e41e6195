#include <metal_stdlib>
using namespace metal;

// matmul_tiled with tiles of 32 × 32: half the traffic of 16 × 16, but a
// threadgroup has 1024 threads, the most that Metal allows. A row of the tile
// is now one SIMD-group wide, so all its lanes read the same tile_a[y][t] and
// neighbouring tile_b[t][x]. Whether it pays is a question for sweep.
#define TILE 32

kernel void matmul_tiled32(device const float *a [[buffer(0)]],
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
    uint i = first + local.x, j = first + local.y;
    tile_a[local.y][local.x] = row < m && i < k ? a[row * k + i] : 0;
    tile_b[local.y][local.x] = j < k && column < n ? b[j * n + column] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < TILE; t++)
      sum += tile_a[local.y][t] * tile_b[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
