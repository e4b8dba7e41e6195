#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// c = a · b by simdgroup_matrix, of halves and of floats, as fast as it goes
// (bench/on_cuda.lua): a threadgroup computes 128 × 128 of c, each SIMD-group 64
// rows and WIDTH columns of that. m and n are multiples of 128, k of DEPTH. While
// one part of a and b is multiplied, the next is on its way into registers, and
// then into other threadgroup memory. Rows there are longer than their numbers, so
// that those that are read together lie in different banks.
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
  uint row, column;

  Courier(uint thread_index)
      : row(thread_index / across), column(thread_index % across * wide<T>) {}
  void take(device const T *from, uint pitch) {
    UNROLL for (uint i = 0; i < count; i++)
      carried[i] = *(device const uint4 *)(from + (row + i * step) * pitch + column);
  }
  void put(threadgroup T *to, uint pitch) {
    UNROLL for (uint i = 0; i < count; i++)
      *(threadgroup uint4 *)(to + (row + i * step) * pitch + column) = carried[i];
  }
};

#define PRODUCT(NAME, T, WIDTH, THREADS, DEPTH, PITCH_A, PITCH_B)                 \
  [[max_total_threads_per_threadgroup(THREADS)]]                                  \
  kernel void NAME(device const T *a [[buffer(0)]],                               \
                   device const T *b [[buffer(1)]],                               \
                   device float *c [[buffer(2)]],                                 \
                   constant uint &n [[buffer(3)]],                                \
                   constant uint &k [[buffer(4)]],                                \
                   uint thread_index [[thread_index_in_threadgroup]],             \
                   uint simd [[simdgroup_index_in_threadgroup]],                  \
                   uint2 group [[threadgroup_position_in_grid]]) {                \
    threadgroup T tile_a[2][TILE * (PITCH_A)];                                    \
    threadgroup T tile_b[2][DEPTH * (PITCH_B)];                                   \
    uint y = simd / (TILE / WIDTH) * HEIGHT, x = simd % (TILE / WIDTH) * WIDTH;   \
    Courier<T, TILE, DEPTH, THREADS> left_courier(thread_index);                  \
    Courier<T, DEPTH, TILE, THREADS> right_courier(thread_index);                 \
    simdgroup_float8x8 sum[HEIGHT / 8][WIDTH / 8];                                \
    UNROLL for (uint r = 0; r < HEIGHT / 8; r++)                                  \
      UNROLL for (uint s = 0; s < WIDTH / 8; s++)                                 \
        sum[r][s] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);              \
    a += group.y * TILE * k;                                                      \
    b += group.x * TILE;                                                          \
    left_courier.take(a, k);                                                      \
    right_courier.take(b, n);                                                     \
    left_courier.put(tile_a[0], PITCH_A);                                         \
    right_courier.put(tile_b[0], PITCH_B);                                        \
    threadgroup_barrier(mem_flags::mem_threadgroup);                              \
    uint now = 0;                                                                 \
    for (uint first = 0; first < k; first += DEPTH) {                             \
      uint next = first + DEPTH < k ? first + DEPTH : 0;                          \
      left_courier.take(a + next, k);                                             \
      right_courier.take(b + next * n, n);                                        \
      UNROLL for (uint t = 0; t < DEPTH; t += 8) {                                \
        simdgroup_matrix<T, 8, 8> left[HEIGHT / 8], right[WIDTH / 8];             \
        UNROLL for (uint r = 0; r < HEIGHT / 8; r++)                              \
          simdgroup_load(left[r], tile_a[now] + (y + 8 * r) * (PITCH_A) + t,      \
                         PITCH_A);                                                \
        UNROLL for (uint s = 0; s < WIDTH / 8; s++)                               \
          simdgroup_load(right[s], tile_b[now] + t * (PITCH_B) + x + 8 * s,       \
                         PITCH_B);                                                \
        UNROLL for (uint r = 0; r < HEIGHT / 8; r++)                              \
          UNROLL for (uint s = 0; s < WIDTH / 8; s++)                             \
            simdgroup_multiply_accumulate(sum[r][s], left[r], right[s],           \
                                          sum[r][s]);                             \
      }                                                                           \
      left_courier.put(tile_a[1 - now], PITCH_A);                                 \
      right_courier.put(tile_b[1 - now], PITCH_B);                                \
      threadgroup_barrier(mem_flags::mem_threadgroup);                            \
      now = 1 - now;                                                              \
    }                                                                             \
    c += (group.y * TILE + y) * n + group.x * TILE + x;                           \
    UNROLL for (uint r = 0; r < HEIGHT / 8; r++)                                  \
      UNROLL for (uint s = 0; s < WIDTH / 8; s++)                                 \
        simdgroup_store(sum[r][s], c + 8 * r * n + 8 * s, n);                     \
  }
PRODUCT(matmul_half, half, 64, 128, 32, 32 + 8, TILE + 8)
PRODUCT(matmul_float, float, 32, 256, 16, 16 + 8, TILE + 4)
