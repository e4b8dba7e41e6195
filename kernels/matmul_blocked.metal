#include <metal_stdlib>
using namespace metal;

// c = a · b with a block of 4 × 4 elements of c per thread, kept in registers.
// A threadgroup of 16 × 16 threads computes 64 × 64 elements. In matmul_tiled
// each multiply-add reads threadgroup memory twice; here 8 reads feed 16.
#define TILE 64   // of c, rows and columns
#define DEPTH 16  // along k at a time
#define EACH 4    // rows and columns of c per thread
#define SIDE 16   // threads along one side: TILE / EACH

kernel void matmul_blocked(device const float *a [[buffer(0)]],
                           device const float *b [[buffer(1)]],
                           device float       *c [[buffer(2)]],
                           constant uint &m [[buffer(3)]],
                           constant uint &n [[buffer(4)]],
                           constant uint &k [[buffer(5)]],
                           uint2 local [[thread_position_in_threadgroup]],
                           uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile_a[DEPTH][TILE];  // transposed: column of a by row
  threadgroup float tile_b[DEPTH][TILE];
  uint thread_index = local.y * SIDE + local.x;
  uint first_row = group.y * TILE, first_column = group.x * TILE;
  float sum[EACH][EACH] = {};

  for (uint first = 0; first < k; first += DEPTH) {
    // 256 threads fetch 1024 elements of each tile
    for (uint e = thread_index; e < TILE * DEPTH; e += SIDE * SIDE) {
      uint row = first_row + e / DEPTH, i = first + e % DEPTH;
      tile_a[e % DEPTH][e / DEPTH] = row < m && i < k ? a[row * k + i] : 0;
      uint column = first_column + e % TILE, j = first + e / TILE;
      tile_b[e / TILE][e % TILE] = column < n && j < k ? b[j * n + column] : 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint t = 0; t < DEPTH; t++) {
      float from_a[EACH], from_b[EACH];
      for (uint r = 0; r < EACH; r++) from_a[r] = tile_a[t][local.y * EACH + r];
      for (uint s = 0; s < EACH; s++) from_b[s] = tile_b[t][local.x + s * SIDE];
      for (uint r = 0; r < EACH; r++)
        for (uint s = 0; s < EACH; s++) sum[r][s] += from_a[r] * from_b[s];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  for (uint r = 0; r < EACH; r++)
    for (uint s = 0; s < EACH; s++) {
      uint row = first_row + local.y * EACH + r;
      uint column = first_column + local.x + s * SIDE;
      if (row < m && column < n) c[row * n + column] = sum[r][s];
    }
}
