#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// c = a · b with simdgroup_matrix, as fast as it goes with 32 KB of threadgroup
// memory. Four SIMD-groups (128 threads) compute a tile of 64 × 128, each
// 32 × 64 of it in 32 accumulators: 12 matrices are loaded for 32 products,
// where matmul_simdgroup loads 10 for 16. Tiles are fetched by float4, and what
// lies inside of c is stored as matrices. There is one pair of tiles: while its
// threads wait for the next one, another threadgroup multiplies.
#define ROWS 64  // of c's tile
#define COLUMNS 128
#define DEPTH 32  // along k at a time
#define THREADS 128
#define HIGH 32  // one SIMD-group's part of the tile
#define WIDE 64

// Rows in threadgroup memory are longer than their numbers: the elements of a
// matrix of a, which are read in pairs along its rows, and of b, which are read
// along its columns, are then in different banks.
#define PITCH_A (DEPTH + 8)
#define PITCH_B (COLUMNS + 4)

// Four elements of a row, 0 outside of the matrix. ALIGNED: rows begin at
// multiples of a float4.
template <bool ALIGNED>
static float4 load4(device const float *from, uint row, uint column, uint rows,
                    uint columns) {
  float4 v = 0;
  device const float *p = from + row * columns + column;
  if (ALIGNED) {
    if (row < rows && column < columns) v = *(device const float4 *)p;
  } else {
    for (uint j = 0; j < 4; j++)
      if (row < rows && column + j < columns) v[j] = p[j];
  }
  return v;
}

// A tile of HEIGHT × WIDTH from 'row', 'column' on, a float4 for each thread at
// a time.
template <bool ALIGNED, uint HEIGHT, uint WIDTH>
static void fetch(threadgroup float *tile, uint pitch, device const float *from,
                  uint row, uint column, uint rows, uint columns, uint t) {
  constexpr uint across = WIDTH / 4, step = THREADS / across;
#pragma unroll
  for (uint i = 0; i < HEIGHT / step; i++) {
    uint y = t / across + i * step, x = t % across * 4;
    *(threadgroup float4 *)(tile + y * pitch + x) =
        load4<ALIGNED>(from, row + y, column + x, rows, columns);
  }
}

// What one SIMD-group computes.
struct Part {
  simdgroup_float8x8 sum[HIGH / 8][WIDE / 8];

  Part() {
#pragma unroll
    for (uint r = 0; r < HIGH / 8; r++)
#pragma unroll
      for (uint s = 0; s < WIDE / 8; s++)
        sum[r][s] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  }

  // The products of eight columns of a and eight rows of b.
  void add(threadgroup const float *a, threadgroup const float *b) {
    simdgroup_float8x8 left[HIGH / 8], right[WIDE / 8];
#pragma unroll
    for (uint r = 0; r < HIGH / 8; r++)
      simdgroup_load(left[r], a + 8 * r * PITCH_A, PITCH_A);
#pragma unroll
    for (uint s = 0; s < WIDE / 8; s++)
      simdgroup_load(right[s], b + 8 * s, PITCH_B);
#pragma unroll
    for (uint r = 0; r < HIGH / 8; r++)
#pragma unroll
      for (uint s = 0; s < WIDE / 8; s++)
        simdgroup_multiply_accumulate(sum[r][s], left[r], right[s], sum[r][s]);
  }

  void store(device float *c, uint n) {
#pragma unroll
    for (uint r = 0; r < HIGH / 8; r++)
#pragma unroll
      for (uint s = 0; s < WIDE / 8; s++)
        simdgroup_store(sum[r][s], c + 8 * r * n + 8 * s, n);
  }

  // What lies inside of c, by way of threadgroup memory: simdgroup_store knows
  // no edges.
  void store_cut(device float *c, uint row, uint column, uint m, uint n,
                 threadgroup float *spare, uint lane) {
#pragma unroll
    for (uint r = 0; r < HIGH / 8; r++) {
#pragma unroll
      for (uint s = 0; s < WIDE / 8; s++)
        simdgroup_store(sum[r][s], spare + 8 * s, WIDE);
      simdgroup_barrier(mem_flags::mem_threadgroup);
      for (uint e = lane; e < 8 * WIDE; e += 32) {
        uint y = row + 8 * r + e / WIDE, x = column + e % WIDE;
        if (y < m && x < n) c[y * n + x] = spare[e];
      }
      simdgroup_barrier(mem_flags::mem_threadgroup);
    }
  }
};

// Adds the products of k columns of a and k rows of b, of the tile at 'row' and
// 'column', to a SIMD-group's part of it, which lies at 'y' and 'x' there.
template <bool ALIGNED>
static void multiply(thread Part &part, device const float *a,
                     device const float *b, uint m, uint n, uint k, uint row,
                     uint column, uint y, uint x, uint t,
                     threadgroup float *tile_a, threadgroup float *tile_b) {
  for (uint first = 0; first < k; first += DEPTH) {
    fetch<ALIGNED, ROWS, DEPTH>(tile_a, PITCH_A, a, row, first, m, k, t);
    fetch<ALIGNED, DEPTH, COLUMNS>(tile_b, PITCH_B, b, first, column, k, n, t);
    threadgroup_barrier(mem_flags::mem_threadgroup);
#pragma unroll
    for (uint d = 0; d < DEPTH; d += 8)
      part.add(tile_a + y * PITCH_A + d, tile_b + d * PITCH_B + x);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}

kernel void matmul_wide(device const float *a [[buffer(0)]],
                        device const float *b [[buffer(1)]],
                        device float       *c [[buffer(2)]],
                        constant uint &m [[buffer(3)]],
                        constant uint &n [[buffer(4)]],
                        constant uint &k [[buffer(5)]],
                        uint t [[thread_index_in_threadgroup]],
                        uint simd [[simdgroup_index_in_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float4 rows_a[ROWS * PITCH_A / 4], rows_b[DEPTH * PITCH_B / 4];
  threadgroup float *tile_a = (threadgroup float *)rows_a;
  threadgroup float *tile_b = (threadgroup float *)rows_b;
  uint row = group.y * ROWS, column = group.x * COLUMNS;
  uint y = simd / (COLUMNS / WIDE) * HIGH, x = simd % (COLUMNS / WIDE) * WIDE;
  Part part;
  if (n % 4 == 0 && k % 4 == 0)
    multiply<true>(part, a, b, m, n, k, row, column, y, x, t, tile_a, tile_b);
  else
    multiply<false>(part, a, b, m, n, k, row, column, y, x, t, tile_a, tile_b);
  if (row + ROWS <= m && column + COLUMNS <= n)
    part.store(c + (row + y) * n + column + x, n);
  else
    part.store_cut(c, row + y, column + x, m, n, tile_a + simd * 8 * WIDE,
                   lane);
}
