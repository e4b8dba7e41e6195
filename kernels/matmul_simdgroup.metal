#include <metal_stdlib>
using namespace metal;

#include <metal_simdgroup_matrix>

// c = a · b with simdgroup_matrix: a whole SIMD-group multiplies matrices of
// 8 × 8 as one. Four SIMD-groups (128 threads) compute a tile of 64 × 64, each
// 16 rows of it in sixteen accumulators: the more of these, the less is fetched
// for each product. Tiles go through threadgroup memory, which also squares up
// ragged edges: simdgroup_load knows none.
#define TILE 64
#define DEPTH 32
#define THREADS 128

kernel void matmul_simdgroup(device const float *a [[buffer(0)]],
                             device const float *b [[buffer(1)]],
                             device float       *c [[buffer(2)]],
                             constant uint &m [[buffer(3)]],
                             constant uint &n [[buffer(4)]],
                             constant uint &k [[buffer(5)]],
                             uint thread_index [[thread_index_in_threadgroup]],
                             uint simd [[simdgroup_index_in_threadgroup]],
                             uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[TILE * TILE];                // of c, at the end
  threadgroup float *tile_a = tile;                   // 64 rows of 32
  threadgroup float *tile_b = tile + TILE * DEPTH;    // 32 rows of 64
  uint first_row = group.y * TILE, first_column = group.x * TILE;
  uint y = simd * 16;  // the first row of this SIMD-group's part

  simdgroup_float8x8 sum[2][8];
  for (uint r = 0; r < 2; r++)
    for (uint s = 0; s < 8; s++)
      sum[r][s] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);

  for (uint first = 0; first < k; first += DEPTH) {
    for (uint e = thread_index; e < TILE * DEPTH; e += THREADS) {
      uint row = first_row + e / DEPTH, i = first + e % DEPTH;
      tile_a[e] = row < m && i < k ? a[row * k + i] : 0;
      uint j = first + e / TILE, column = first_column + e % TILE;
      tile_b[e] = j < k && column < n ? b[j * n + column] : 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint t = 0; t < DEPTH; t += 8) {
      simdgroup_float8x8 left[2], right[8];
      for (uint r = 0; r < 2; r++)
        simdgroup_load(left[r], tile_a + (y + 8 * r) * DEPTH + t, DEPTH);
      for (uint s = 0; s < 8; s++)
        simdgroup_load(right[s], tile_b + t * TILE + 8 * s, TILE);
      for (uint r = 0; r < 2; r++)
        for (uint s = 0; s < 8; s++)
          simdgroup_multiply_accumulate(sum[r][s], left[r], right[s],
                                        sum[r][s]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  for (uint r = 0; r < 2; r++)
    for (uint s = 0; s < 8; s++)
      simdgroup_store(sum[r][s], tile + (y + 8 * r) * TILE + 8 * s, TILE);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint e = thread_index; e < TILE * TILE; e += THREADS) {
    uint row = first_row + e / TILE, column = first_column + e % TILE;
    if (row < m && column < n) c[row * n + column] = tile[e];
  }
}
