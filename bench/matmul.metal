#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// c = a · b by simdgroup_matrix, of halves and of floats, as fast as it goes
// (bench/on_cuda.lua): a threadgroup computes a tile of c, each SIMD-group 64
// rows and some columns of that. While one part of a and b is multiplied, the
// next ones are on their way into other threadgroup memory.
#define TILE 128
#define HEIGHT 64
#define UNROLL _Pragma("unroll")

// So many numbers are 16 bytes.
template <typename T> constant constexpr uint wide = 16 / sizeof(T);

// Rows and columns of a part as 16 bytes each, dealt out to the threads.
template <typename T, uint ROWS, uint COLUMNS, uint THREADS> struct Courier {
  static constant constexpr uint across = COLUMNS / wide<T>;
  static constant constexpr uint step = THREADS / across;
  static constant constexpr uint count = ROWS / step;
  uint4 carried[count];
  uint row, column, pitch;
  device const T *from; // this thread's first 16 bytes

  Courier(uint thread_index, device const T *matrix, uint length)
      : row(thread_index / across), column(thread_index % across * wide<T>),
        pitch(length), from(matrix + row * pitch + column) {}
  // One of 'of' shares of the part that begins 'at' so many numbers, straight
  // to where it shall be: a GPU may do that by itself
  // (devices/cuda/ptx/copies.c).
  void copy(uint share, uint of, uint at, threadgroup T *to) {
    UNROLL for (uint i = share * count / of; i < (share + 1) * count / of; i++)
      *(threadgroup uint4 *)(to + (row + i * step) * COLUMNS + column) =
          *(device const uint4 *)(from + at + i * step * pitch);
  }
  // All of it, by way of registers.
  void take(device const T *matrix) {
    UNROLL for (uint i = 0; i < count; i++)
      carried[i] =
          *(device const uint4 *)(matrix + (row + i * step) * pitch + column);
  }
  void put(threadgroup T *to, uint to_pitch) {
    UNROLL for (uint i = 0; i < count; i++)
      *(threadgroup uint4 *)(to + (row + i * step) * to_pitch + column) =
          carried[i];
  }
};

#define PARAMETERS(T)                                                          \
  device const T *a [[buffer(0)]], device const T *b [[buffer(1)]],            \
      device float *c [[buffer(2)]], constant uint &n [[buffer(3)]],           \
      constant uint &k [[buffer(4)]],                                          \
      uint thread_index [[thread_index_in_threadgroup]],                       \
      uint simd [[simdgroup_index_in_threadgroup]],                            \
      uint2 group [[threadgroup_position_in_grid]]

template <uint WIDTH> struct Sums {
  simdgroup_float8x8 sum[HEIGHT / 8][WIDTH / 8];

  Sums() {
    UNROLL for (uint r = 0; r < HEIGHT / 8; r++)
      UNROLL for (uint s = 0; s < WIDTH / 8; s++)
        sum[r][s] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  }
  template <typename T>
  void add(thread simdgroup_matrix<T, 8, 8> *left,
           thread simdgroup_matrix<T, 8, 8> *right) {
    UNROLL for (uint r = 0; r < HEIGHT / 8; r++)
      UNROLL for (uint s = 0; s < WIDTH / 8; s++)
        simdgroup_multiply_accumulate(sum[r][s], left[r], right[s], sum[r][s]);
  }
  void store(device float *c, uint n) {
    UNROLL for (uint r = 0; r < HEIGHT / 8; r++)
      UNROLL for (uint s = 0; s < WIDTH / 8; s++)
        simdgroup_store(sum[r][s], c + 8 * r * n + 8 * s, n);
  }
};

// Matrices one below the other, and side by side.
template <typename T, uint COUNT>
void load_column(thread simdgroup_matrix<T, 8, 8> *to,
                 threadgroup const T *from, uint row, uint column, uint pitch) {
  UNROLL for (uint r = 0; r < COUNT; r++)
    simdgroup_load(to[r], from + (row + 8 * r) * pitch + column, pitch);
}
template <typename T, uint COUNT>
void load_row(thread simdgroup_matrix<T, 8, 8> *to, threadgroup const T *from,
              uint row, uint column, uint pitch) {
  UNROLL for (uint s = 0; s < COUNT; s++)
    simdgroup_load(to[s], from + row * pitch + column + 8 * s, pitch);
}

// Of halves: a tile of 128 × 256, m and n are multiples of that, k of 256.
// Three parts are on their way while one is multiplied. Each part has variables
// of its own, so that a compiler can tell that nobody reads what is still being
// copied (devices/cuda/ptx/copies.c), and rows that are as long as their
// numbers: rows in different banks are its business
// (devices/cuda/ptx/matrix_banks.c).
#define DEPTH 64
#define CHUNK 16
#define ACROSS 256
#define PART_A TILE * DEPTH
#define PART_B DEPTH * ACROSS
#define BARRIER threadgroup_barrier(mem_flags::mem_threadgroup);
// Of the part at column 'at' of a, one of 'of' shares.
#define FILL(SHARE, OF, A, B, AT)                                              \
  left_courier.copy(SHARE, OF, AT, A);                                         \
  right_courier.copy(SHARE, OF, AT * n, B);
#define MULTIPLY(NUMBER, A, B, NEXT_A, NEXT_B)                                 \
  {                                                                            \
    uint later = first + (NUMBER + 3) * DEPTH, next = later < k ? later : 0;   \
    UNROLL for (uint t = 0; t < DEPTH; t += CHUNK) {                           \
      simdgroup_matrix<half, 8, 8> left[CHUNK / 8][HEIGHT / 8],                \
          right[CHUNK / 8][WIDTH / 8];                                         \
      UNROLL for (uint u = 0; u < CHUNK / 8; u++) {                            \
        load_column<half, HEIGHT / 8>(left[u], A, y, t + 8 * u, DEPTH);        \
        load_row<half, WIDTH / 8>(right[u], B, t + 8 * u, x, ACROSS);          \
      }                                                                        \
      FILL(t / CHUNK, DEPTH / CHUNK, NEXT_A, NEXT_B, next)                     \
      UNROLL for (uint u = 0; u < CHUNK / 8; u++) sums.add(left[u], right[u]); \
    }                                                                          \
    BARRIER                                                                    \
  }

[[max_total_threads_per_threadgroup(256)]]
kernel void matmul_half(PARAMETERS(half),
                        uint2 groups [[threadgroups_per_grid]]) {
  constexpr uint WIDTH = 64, BAND = 8;
  threadgroup half a0[PART_A], a1[PART_A], a2[PART_A], a3[PART_A];
  threadgroup half b0[PART_B], b1[PART_B], b2[PART_B], b3[PART_B];
  // Threadgroups that run at the same time shall need the same rows and
  // columns: bands of eight tiles, one column of tiles after the other.
  uint number = group.y * groups.x + group.x, band = number / (BAND * groups.x);
  uint high = min(BAND, groups.y - band * BAND);
  uint within = number % (BAND * groups.x);
  uint2 tile = uint2(within / high, band * BAND + within % high);
  uint y = simd / (ACROSS / WIDTH) * HEIGHT;
  uint x = simd % (ACROSS / WIDTH) * WIDTH;
  Courier<half, TILE, DEPTH, 256> left_courier(
      thread_index, a + tile.y * TILE * k, k);
  Courier<half, DEPTH, ACROSS, 256> right_courier(
      thread_index, b + tile.x * ACROSS, n);
  Sums<WIDTH> sums;
  FILL(0, 1, a0, b0, 0)
  BARRIER
  FILL(0, 1, a1, b1, DEPTH)
  BARRIER
  FILL(0, 1, a2, b2, 2 * DEPTH)
  BARRIER
  for (uint first = 0; first < k; first += 4 * DEPTH) {
    MULTIPLY(0, a0, b0, a3, b3)
    MULTIPLY(1, a1, b1, a0, b0)
    MULTIPLY(2, a2, b2, a1, b1)
    MULTIPLY(3, a3, b3, a2, b2)
  }
  BARRIER // c might be a or b
  sums.store(c + (tile.y * TILE + y) * n + tile.x * ACROSS + x, n);
}
#undef DEPTH

// Of floats: a tile of 128 × 128, k is a multiple of 16. Rows in threadgroup
// memory are longer than their numbers, so that those that are read together
// lie in different banks.
[[max_total_threads_per_threadgroup(256)]]
kernel void matmul_float(PARAMETERS(float)) {
  constexpr uint DEPTH = 16, WIDTH = 32;
  constexpr uint PITCH_A = DEPTH + 8, PITCH_B = TILE + 4;
  threadgroup float tile_a[2][TILE * PITCH_A];
  threadgroup float tile_b[2][DEPTH * PITCH_B];
  uint y = simd / (TILE / WIDTH) * HEIGHT, x = simd % (TILE / WIDTH) * WIDTH;
  Sums<WIDTH> sums;
  a += group.y * TILE * k;
  b += group.x * TILE;
  Courier<float, TILE, DEPTH, 256> left_courier(thread_index, a, k);
  Courier<float, DEPTH, TILE, 256> right_courier(thread_index, b, n);
  left_courier.take(a);
  right_courier.take(b);
  left_courier.put(tile_a[0], PITCH_A);
  right_courier.put(tile_b[0], PITCH_B);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint now = 0;
  for (uint first = 0; first < k; first += DEPTH) {
    uint next = first + DEPTH < k ? first + DEPTH : 0;
    left_courier.take(a + next);
    right_courier.take(b + next * n);
    UNROLL for (uint t = 0; t < DEPTH; t += 8) {
      simdgroup_matrix<float, 8, 8> left[HEIGHT / 8], right[WIDTH / 8];
      load_column<float, HEIGHT / 8>(left, tile_a[now], y, t, PITCH_A);
      load_row<float, WIDTH / 8>(right, tile_b[now], t, x, PITCH_B);
      sums.add(left, right);
    }
    left_courier.put(tile_a[1 - now], PITCH_A);
    right_courier.put(tile_b[1 - now], PITCH_B);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    now = 1 - now;
  }
  sums.store(c + (group.y * TILE + y) * n + group.x * TILE + x, n);
}
