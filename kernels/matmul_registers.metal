#include <metal_stdlib>
using namespace metal;

// c = a · b with 8 × 8 elements of c per thread. A threadgroup of 256 threads
// computes 128 × 128 elements; 4 reads of a float4 feed 64 multiply-adds, where
// matmul_blocked has 8 reads for 16. While it computes with one pair of tiles,
// it fetches the next pair into registers and then into a second pair of tiles,
// so that no thread waits for memory and one barrier per step is enough.
#define TILE 128     // of c, rows and columns
#define DEPTH 8      // along k at a time
#define PITCH (TILE + 4)  // of a's tile: its columns are written, not its rows

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

template <bool ALIGNED>
static void store4(device float *to, uint row, uint column, uint rows,
                   uint columns, float4 v) {
  device float *p = to + row * columns + column;
  if (ALIGNED) {
    if (row < rows && column < columns) *(device float4 *)p = v;
  } else {
    for (uint j = 0; j < 4; j++)
      if (row < rows && column + j < columns) p[j] = v[j];
  }
}

template <bool ALIGNED>
static void product(device const float *a, device const float *b,
                    device float *c, uint m, uint n, uint k, uint t,
                    uint2 group,
                    threadgroup float4 (*tile_a)[DEPTH][PITCH / 4],
                    threadgroup float4 (*tile_b)[DEPTH][TILE / 4]) {
  uint first_row = group.y * TILE, first_column = group.x * TILE;
  // where this thread's float4 of each tile comes from, and goes to
  uint a_row = t / 2, a_column = t % 2 * 4;
  uint b_row = t / 32, b_column = t % 32 * 4;
  // A block of 32 threads computes 32 × 64 elements: a thread has two float4
  // of columns, 32 apart, and two times four rows, 16 apart.
  uint block = t / 32, lane = t % 32;
  uint row = block / 2 * 32 + lane / 8 * 4;
  uint column = block % 2 * 64 + lane % 8 * 4;

  float4 sum[8][2] = {};
  uint now = 0;
  for (uint first = 0; first < k + DEPTH; first += DEPTH) {
    // the next tiles on their way; after the last ones these are zeros
    float4 next_a =
        load4<ALIGNED>(a, first_row + a_row, first + a_column, m, k);
    float4 next_b =
        load4<ALIGNED>(b, first + b_row, first_column + b_column, k, n);
    if (first > 0) {  // in the first round the tiles are empty
#pragma unroll
      for (uint d = 0; d < DEPTH; d++) {
        float4 from_a[2] = { tile_a[now][d][row / 4],
                             tile_a[now][d][row / 4 + 4] };
        float4 from_b[2] = { tile_b[now][d][column / 4],
                             tile_b[now][d][column / 4 + 8] };
        for (uint r = 0; r < 8; r++)
          for (uint s = 0; s < 2; s++)
            sum[r][s] += from_a[r / 4][r % 4] * from_b[s];
      }
    }
    now = 1 - now;
    for (uint j = 0; j < 4; j++)
      ((threadgroup float *)tile_a[now][a_column + j])[a_row] = next_a[j];
    tile_b[now][b_row][b_column / 4] = next_b;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  for (uint r = 0; r < 8; r++)
    for (uint s = 0; s < 2; s++)
      store4<ALIGNED>(c, first_row + row + r / 4 * 16 + r % 4,
                      first_column + column + s * 32, m, n, sum[r][s]);
}

kernel void matmul_registers(device const float *a [[buffer(0)]],
                             device const float *b [[buffer(1)]],
                             device float       *c [[buffer(2)]],
                             constant uint &m [[buffer(3)]],
                             constant uint &n [[buffer(4)]],
                             constant uint &k [[buffer(5)]],
                             uint t [[thread_index_in_threadgroup]],
                             uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float4 tile_a[2][DEPTH][PITCH / 4];  // transposed: column by row
  threadgroup float4 tile_b[2][DEPTH][TILE / 4];
  if (n % 4 == 0 && k % 4 == 0)
    product<true>(a, b, c, m, n, k, t, group, tile_a, tile_b);
  else
    product<false>(a, b, c, m, n, k, t, group, tile_a, tile_b);
}
