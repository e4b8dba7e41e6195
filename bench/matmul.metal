#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// c = a · b by simdgroup_matrix, of halves and of floats, as fast as it goes
// (bench/on_cuda.lua): a threadgroup computes 128 × 128 of c, each SIMD-group 64
// rows and WIDTH columns of that. m and n are multiples of 128, k of DEPTH. While
// one part of a and b is multiplied, the next is on its way into other threadgroup
// memory. Rows there are longer than their numbers, so that those that are read
// together lie in different banks.
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
  // One of 'of' shares of the part, straight to where it shall be: a GPU may do that
  // by itself (devices/cuda/ptx/copies.c).
  void copy(uint share, uint of, device const T *from, uint pitch, threadgroup T *to, uint to_pitch) {
    UNROLL for (uint i = share * count / of; i < (share + 1) * count / of; i++)
      *(threadgroup uint4 *)(to + (row + i * step) * to_pitch + column) =
          *(device const uint4 *)(from + (row + i * step) * pitch + column);
  }
  // All of it, by way of registers.
  void take(device const T *from, uint pitch) {
    UNROLL for (uint i = 0; i < count; i++)
      carried[i] = *(device const uint4 *)(from + (row + i * step) * pitch + column);
  }
  void put(threadgroup T *to, uint pitch) {
    UNROLL for (uint i = 0; i < count; i++)
      *(threadgroup uint4 *)(to + (row + i * step) * pitch + column) = carried[i];
  }
};

#define PARAMETERS(T)                                                             \
  device const T *a [[buffer(0)]], device const T *b [[buffer(1)]],               \
      device float *c [[buffer(2)]], constant uint &n [[buffer(3)]],              \
      constant uint &k [[buffer(4)]],                                             \
      uint thread_index [[thread_index_in_threadgroup]],                          \
      uint simd [[simdgroup_index_in_threadgroup]],                               \
      uint2 group [[threadgroup_position_in_grid]]

template <uint WIDTH> struct Sums {
  simdgroup_float8x8 sum[HEIGHT / 8][WIDTH / 8];

  Sums() {
    UNROLL for (uint r = 0; r < HEIGHT / 8; r++)
      UNROLL for (uint s = 0; s < WIDTH / 8; s++)
        sum[r][s] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  }
  template <typename T>
  void add(thread simdgroup_matrix<T, 8, 8> *left, thread simdgroup_matrix<T, 8, 8> *right) {
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
void load_column(thread simdgroup_matrix<T, 8, 8> *to, threadgroup const T *from, uint row, uint column,
                 uint pitch) {
  UNROLL for (uint r = 0; r < COUNT; r++) simdgroup_load(to[r], from + (row + 8 * r) * pitch + column, pitch);
}
template <typename T, uint COUNT>
void load_row(thread simdgroup_matrix<T, 8, 8> *to, threadgroup const T *from, uint row, uint column, uint pitch) {
  UNROLL for (uint s = 0; s < COUNT; s++) simdgroup_load(to[s], from + row * pitch + column + 8 * s, pitch);
}

// Of a part, CHUNK columns of a and rows of b are loaded at a time; then some of the
// next part is sent for.
[[max_total_threads_per_threadgroup(128)]]
kernel void matmul_half(PARAMETERS(half)) {
  constexpr uint DEPTH = 64, CHUNK = 32, WIDTH = 64, SHARES = DEPTH / CHUNK;
  constexpr uint PITCH_A = DEPTH + 8, PITCH_B = TILE + 8;
  threadgroup half tile_a[2][TILE * PITCH_A];
  threadgroup half tile_b[2][DEPTH * PITCH_B];
  uint y = simd / (TILE / WIDTH) * HEIGHT, x = simd % (TILE / WIDTH) * WIDTH;
  Courier<half, TILE, DEPTH, 128> left_courier(thread_index);
  Courier<half, DEPTH, TILE, 128> right_courier(thread_index);
  Sums<WIDTH> sums;
  a += group.y * TILE * k;
  b += group.x * TILE;
  left_courier.copy(0, 1, a, k, tile_a[0], PITCH_A);
  right_courier.copy(0, 1, b, n, tile_b[0], PITCH_B);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint now = 0;
  for (uint first = 0; first < k; first += DEPTH) {
    uint next = first + DEPTH < k ? first + DEPTH : 0;
    UNROLL for (uint t = 0; t < DEPTH; t += CHUNK) {
      simdgroup_matrix<half, 8, 8> left[CHUNK / 8][HEIGHT / 8], right[CHUNK / 8][WIDTH / 8];
      UNROLL for (uint u = 0; u < CHUNK / 8; u++) {
        load_column<half, HEIGHT / 8>(left[u], tile_a[now], y, t + 8 * u, PITCH_A);
        load_row<half, WIDTH / 8>(right[u], tile_b[now], t + 8 * u, x, PITCH_B);
      }
      left_courier.copy(t / CHUNK, SHARES, a + next, k, tile_a[1 - now], PITCH_A);
      right_courier.copy(t / CHUNK, SHARES, b + next * n, n, tile_b[1 - now], PITCH_B);
      UNROLL for (uint u = 0; u < CHUNK / 8; u++) sums.add(left[u], right[u]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    now = 1 - now;
  }
  sums.store(c + (group.y * TILE + y) * n + group.x * TILE + x, n);
}

[[max_total_threads_per_threadgroup(256)]]
kernel void matmul_float(PARAMETERS(float)) {
  constexpr uint DEPTH = 16, WIDTH = 32, PITCH_A = DEPTH + 8, PITCH_B = TILE + 4;
  threadgroup float tile_a[2][TILE * PITCH_A];
  threadgroup float tile_b[2][DEPTH * PITCH_B];
  uint y = simd / (TILE / WIDTH) * HEIGHT, x = simd % (TILE / WIDTH) * WIDTH;
  Courier<float, TILE, DEPTH, 256> left_courier(thread_index);
  Courier<float, DEPTH, TILE, 256> right_courier(thread_index);
  Sums<WIDTH> sums;
  a += group.y * TILE * k;
  b += group.x * TILE;
  left_courier.take(a, k);
  right_courier.take(b, n);
  left_courier.put(tile_a[0], PITCH_A);
  right_courier.put(tile_b[0], PITCH_B);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint now = 0;
  for (uint first = 0; first < k; first += DEPTH) {
    uint next = first + DEPTH < k ? first + DEPTH : 0;
    left_courier.take(a + next, k);
    right_courier.take(b + next * n, n);
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
