/*
** builtins.c - the builtins of docs/ir.md on an NVIDIA GPU.
**
** Clang compiles this file for nvptx64 when Mettle is built, and ptx/ links it
** into every kernel. A SIMD-group is a warp. A builtin that other lanes take
** part in has "_by" after its name, and as its last parameter the mask of the
** lanes that run the call together, which the compiler finds
** (ptx/active_lanes.c): what the GPU runs together is another matter.
**
** Answers are those of the host device bit for bit: reductions combine lanes l
** and l + 16, then l + 8, 4, 2, 1; scans add lane l - 1, then l - 2, 4, 8, 16;
** inactive lanes contribute the operation's neutral value; lanes out of range
** give 0.
*/
#include "devices/cuda/abi/launch.h"

typedef unsigned int u32;
typedef unsigned long u64;
typedef int s32;
typedef long s64;
typedef float f32;
typedef float pair __attribute__((ext_vector_type(2)));

#define LANES 32u
#define ALL 0xffffffffu
#define INLINE static inline __attribute__((always_inline))
#define API __attribute__((always_inline))
#define RARE static __attribute__((noinline))

INLINE u32 lane_id(void) { return (u32)__nvvm_read_ptx_sreg_laneid(); }

/* ----------------------------------------------------------------- barriers */

API void __mt_barrier_threadgroup(u32 flags) {
  (void)flags; /* a barrier orders device memory too, within the group */
  __nvvm_barrier_sync(0);
}

/* The same where all lanes of a warp are known to arrive together. */
API void __mt_barrier_converged(u32 flags) {
  (void)flags;
  __nvvm_bar_sync(0);
}

API void __mt_barrier_simdgroup_by(u32 flags, u32 mask) {
  (void)flags;
  __nvvm_bar_warp_sync(mask);
}

/* ------------------------------------------------------------------- places */

API u32 __mt_simd_lane(void) { return lane_id(); }
API u64 __mt_simd_active_by(u32 mask) { return mask; }
API _Bool __mt_simd_is_first_by(u32 mask) {
  return lane_id() == (u32)__builtin_ctz(mask);
}
API u64 __mt_simd_ballot_by(_Bool v, u32 mask) {
  return __nvvm_vote_ballot_sync(mask, v);
}

/* The quad's lanes of a mask, from bit 0. */
INLINE u32 of_quad(u32 mask) { return mask >> (lane_id() & ~3u) & 15u; }

API u64 __mt_quad_active_by(u32 mask) { return of_quad(mask); }
API _Bool __mt_quad_is_first_by(u32 mask) {
  return (lane_id() & 3u) == (u32)__builtin_ctz(of_quad(mask));
}
API u64 __mt_quad_ballot_by(_Bool v, u32 mask) {
  return of_quad(__nvvm_vote_ballot_sync(mask, v));
}

/* ------------------------------------------------------------ data movement */

/* The value of lane 'from' of the SIMD-group, by lanes that all run this. */
INLINE u32 fetch_u32(u32 mask, u32 v, u32 from) {
  return (u32)__nvvm_shfl_sync_idx_i32(mask, (s32)v, (s32)from, 31);
}
INLINE u64 fetch_u64(u32 mask, u64 v, u32 from) {
  u32 low = fetch_u32(mask, (u32)v, from);
  return (u64)fetch_u32(mask, (u32)(v >> 32), from) << 32 | low;
}

/*
** Where a move reads from: a lane of the block of 'width' lanes that the thread
** is in, 'own' (keep the own value) or 'none' (0). A fill reads its second
** operand where 'second'.
*/
typedef struct Place {
  u32 lane; /* in the block */
  _Bool own, none, second;
} Place;

INLINE Place at_lane(u32 lane, u32 width) {
  return (Place){.lane = lane, .none = lane >= width};
}
INLINE Place at_up(u32 lane, u32 n) {
  return (Place){.lane = lane - n, .own = lane < n};
}
INLINE Place at_down(u32 lane, u32 n, u32 width) {
  return (Place){.lane = lane + n, .own = n >= width - lane};
}
INLINE Place at_fill(u32 lane, u32 delta, u32 modulo, u32 width, _Bool up) {
  if (modulo == 0 || modulo > width) modulo = width;
  u32 place = lane % modulo, start = lane - place;
  Place p = {.none = delta > modulo};
  if (up) {
    p.second = place < delta;
    p.lane = p.second ? start + modulo + place - delta : lane - delta;
  } else {
    p.second = place + delta >= modulo;
    p.lane = p.second ? start + place + delta - modulo : lane + delta;
  }
  if (p.lane >= width) p.none = 1;
  return p;
}

/*
** Move by 'p'. 'cell' has the values that inactive lanes hold, by lane, or is
** NULL; without one an inactive lane gives 0.
*/
#define MOVE(T, S)                                                            \
  INLINE T take_##S(T v, Place p, u32 width, const volatile u64 *cell,        \
                    u32 mask) {                                               \
    u32 base = lane_id() & ~(width - 1);                                      \
    u32 from = base + (p.lane & (width - 1));                                 \
    T got = fetch_##S(mask, v, from);                                         \
    if (!(mask >> from & 1u)) got = cell ? (T)cell[from] : 0;                 \
    return p.own ? v : p.none ? 0 : got;                                      \
  }                                                                           \
  INLINE T take_filled_##S(T v, T fill, Place p, u32 width,                   \
                           const volatile u64 *cell,                          \
                           const volatile u64 *fill_cell, u32 mask) {         \
    T first = take_##S(v, p, width, cell, mask);                              \
    T second = take_##S(fill, p, width, fill_cell, mask);                     \
    return p.second ? second : first;                                         \
  }
MOVE(u32, u32)
MOVE(u64, u64)

/*
** Moves by a distance within the whole SIMD-group, which the GPU has
** instructions for. 'missing': the lane that is read is inactive; where all are
** active, LLVM finds that none is, and the instruction alone is left.
*/
#define DISTANCE(T, S, NAME, GPU, LIMIT, FROM, IN_RANGE, BEYOND)              \
  INLINE u32 GPU##_u32(u32 mask, u32 v, u32 n) {                              \
    return (u32)__nvvm_shfl_sync_##GPU##_i32(mask, (s32)v, (s32)n, LIMIT);    \
  }                                                                           \
  DISTANCE_OF(T, S, NAME, GPU, FROM, IN_RANGE, BEYOND)
#define DISTANCE_OF(T, S, NAME, GPU, FROM, IN_RANGE, BEYOND)                  \
  INLINE T NAME##_##S(T v, u32 n, const volatile u64 *cell, u32 mask) {       \
    u32 l = lane_id(), from = (FROM) & (LANES - 1);                           \
    T got = GPU##_##S(mask, v, n & (LANES - 1));                              \
    _Bool missing = (IN_RANGE) && !(mask >> from & 1u);                       \
    if (missing) got = cell ? (T)cell[from] : 0;                              \
    return n < LANES ? got : BEYOND;                                          \
  }
#define HALVES(GPU)                                                           \
  INLINE u64 GPU##_u64(u32 mask, u64 v, u32 n) {                              \
    u32 low = GPU##_u32(mask, (u32)v, n);                                     \
    return (u64)GPU##_u32(mask, (u32)(v >> 32), n) << 32 | low;               \
  }
DISTANCE(u32, u32, move_up, up, 0, l - n, l >= n, v)
HALVES(up)
DISTANCE_OF(u64, u64, move_up, up, l - n, l >= n, v)
DISTANCE(u32, u32, move_down, down, 31, l + n, l + n < LANES, v)
HALVES(down)
DISTANCE_OF(u64, u64, move_down, down, l + n, l + n < LANES, v)
DISTANCE(u32, u32, move_xor, bfly, 31, l ^ n, 1, 0)
HALVES(bfly)
DISTANCE_OF(u64, u64, move_xor, bfly, l ^ n, 1, 0)

#define BY_DISTANCE(T, S, NAME, MOVE_IT)                                      \
  API T __mt_simd_##NAME##_##S##_by(T v, u32 n, u32 mask) {                   \
    return MOVE_IT##_##S(v, n, 0, mask);                                      \
  }                                                                           \
  API T __mt_simd_##NAME##_##S##_held(T v, u32 n, const volatile u64 *cell,   \
                                      u32 mask) {                             \
    return MOVE_IT##_##S(v, n, cell, mask);                                   \
  }
#define BY_DISTANCES(T, S)                                                    \
  BY_DISTANCE(T, S, shuffle_xor, move_xor)                                    \
  BY_DISTANCE(T, S, shuffle_up, move_up)                                      \
  BY_DISTANCE(T, S, shuffle_down, move_down)
BY_DISTANCES(u32, u32)
BY_DISTANCES(u64, u64)

/* The builtins, and the same with cells (ptx/lower.c), for one block width. */
#define MOVES_AS(PREFIX, T, S, W, NAME, PLACE)                                \
  API T PREFIX##_##NAME##_##S##_by(T v, u32 n, u32 mask) {                    \
    u32 l = lane_id() & (W - 1);                                              \
    (void)l;                                                                  \
    return take_##S(v, PLACE, W, 0, mask);                                    \
  }                                                                           \
  API T PREFIX##_##NAME##_##S##_held(T v, u32 n, const volatile u64 *cell,    \
                                     u32 mask) {                              \
    u32 l = lane_id() & (W - 1);                                              \
    (void)l;                                                                  \
    return take_##S(v, PLACE, W, cell, mask);                                 \
  }
#define FILLS_AS(PREFIX, T, S, W, NAME, UP)                                   \
  API T PREFIX##_##NAME##_##S##_by(T v, T fill, u32 n, u32 modulo, u32 mask) {\
    Place p = at_fill(lane_id() & (W - 1), n, modulo, W, UP);                 \
    return take_filled_##S(v, fill, p, W, 0, 0, mask);                        \
  }                                                                           \
  API T PREFIX##_##NAME##_##S##_held(T v, T fill, u32 n, u32 modulo,          \
                                     const volatile u64 *cell,                \
                                     const volatile u64 *other, u32 mask) {   \
    Place p = at_fill(lane_id() & (W - 1), n, modulo, W, UP);                 \
    return take_filled_##S(v, fill, p, W, cell, other, mask);                 \
  }
#define MOVES(PREFIX, T, S, W)                                                \
  MOVES_AS(PREFIX, T, S, W, shuffle, at_lane(n, W))                           \
  MOVES_AS(PREFIX, T, S, W, broadcast, at_lane(n, W))                         \
  MOVES_AS(PREFIX, T, S, W, shuffle_rotate_up, at_lane((l - n) & (W - 1), W)) \
  MOVES_AS(PREFIX, T, S, W, shuffle_rotate_down,                              \
           at_lane((l + n) & (W - 1), W))                                     \
  FILLS_AS(PREFIX, T, S, W, shuffle_and_fill_up, 1)                           \
  FILLS_AS(PREFIX, T, S, W, shuffle_and_fill_down, 0)
#define QUAD_MOVES(T, S)                                                      \
  MOVES_AS(__mt_quad, T, S, 4u, shuffle_xor, at_lane(l ^ n, 4u))              \
  MOVES_AS(__mt_quad, T, S, 4u, shuffle_up, at_up(l, n))                      \
  MOVES_AS(__mt_quad, T, S, 4u, shuffle_down, at_down(l, n, 4u))
MOVES(__mt_simd, u32, u32, 32u)
MOVES(__mt_simd, u64, u64, 32u)
MOVES(__mt_quad, u32, u32, 4u)
MOVES(__mt_quad, u64, u64, 4u)
QUAD_MOVES(u32, u32)
QUAD_MOVES(u64, u64)

#define FIRST(T, S)                                                           \
  API T __mt_simd_broadcast_first_##S##_by(T v, u32 mask) {                   \
    return fetch_##S(mask, v, (u32)__builtin_ctz(mask));                      \
  }                                                                           \
  API T __mt_quad_broadcast_first_##S##_by(T v, u32 mask) {                   \
    return fetch_##S(mask, v,                                                 \
                     (lane_id() & ~3u) + (u32)__builtin_ctz(of_quad(mask)));  \
  }
FIRST(u32, u32)
FIRST(u64, u64)

/* At the start no lane holds anything, nor do lanes that have no thread: the
** lanes that there are, from 0 on, write for all. */
API void __mt_cells_clear(volatile u64 *cells, u32 count, u32 mask) {
  u32 threads = (u32)__builtin_popcount(mask);
  for (u32 i = lane_id(); i < count * LANES; i += threads) cells[i] = 0;
  __nvvm_bar_warp_sync(mask);
}

/* A value that the lane holds while it is inactive. 'cells' are those of the
** SIMD-group. */
API void __mt_cell_store(volatile u64 *cells, u32 cell, u64 v, u32 mask) {
  __nvvm_bar_warp_sync(mask); /* all have read what they held before */
  cells[cell * LANES + lane_id()] = v;
  __nvvm_bar_warp_sync(mask);
}

/* ----------------------------------------------------- reductions and scans */

INLINE f32 fetch_f32(u32 mask, f32 v, u32 from) {
  return __nvvm_shfl_sync_idx_f32(mask, v, (s32)from, 31);
}
INLINE s32 fetch_s32(u32 mask, s32 v, u32 from) {
  return __nvvm_shfl_sync_idx_i32(mask, v, (s32)from, 31);
}
INLINE s64 fetch_s64(u32 mask, s64 v, u32 from) {
  return (s64)fetch_u64(mask, (u64)v, from);
}

/* The value of the lane whose number differs by 'bit'; all lanes run this. */
INLINE s32 swap_s32(s32 v, u32 bit) {
  return __nvvm_shfl_sync_bfly_i32(ALL, v, (s32)bit, 31);
}
INLINE u32 swap_u32(u32 v, u32 bit) { return (u32)swap_s32((s32)v, bit); }
INLINE f32 swap_f32(f32 v, u32 bit) {
  return __nvvm_shfl_sync_bfly_f32(ALL, v, (s32)bit, 31);
}
INLINE u64 swap_u64(u64 v, u32 bit) {
  u32 low = swap_u32((u32)v, bit);
  return (u64)swap_u32((u32)(v >> 32), bit) << 32 | low;
}
INLINE s64 swap_s64(s64 v, u32 bit) { return (s64)swap_u64((u64)v, bit); }

#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define FMIN(a, b) __builtin_fminf(a, b)
#define FMAX(a, b) __builtin_fmaxf(a, b)

/* Lanes 0 … n - 1 and no others: what a group whose size is not a multiple of
** 32 has at its end. */
INLINE _Bool is_low(u32 mask) { return (mask & (mask + 1)) == 0; }

/*
** By what lanes are active: all, by exchange; the lowest n, down to lane 0;
** any others, each lane with all the values. Only the last is not inlined.
*/
#define REDUCE(T, S, NAME, OP, NEUTRAL)                                       \
  RARE T sparse_##NAME##_##S(T v, u32 mask, u32 first, u32 width) {           \
    T all[LANES];                                                             \
    for (u32 i = 0; i < width; i++) {                                         \
      T got = fetch_##S(mask, v, first + i);                                  \
      all[i] = mask >> (first + i) & 1u ? got : (T)(NEUTRAL);                 \
    }                                                                         \
    for (u32 step = width / 2; step; step /= 2)                               \
      for (u32 i = 0; i < step; i++) all[i] = OP(all[i], all[i + step]);      \
    return all[0];                                                            \
  }                                                                           \
  INLINE T exchange_##NAME##_##S(T v, u32 width) {                            \
    _Pragma("unroll") for (u32 step = width / 2; step; step /= 2) {           \
      T other = swap_##S(v, step);                                            \
      v = OP(v, other);                                                       \
    }                                                                         \
    return v;                                                                 \
  }                                                                           \
  API T __mt_simd_##NAME##_##S##_by(T v, u32 mask) {                          \
    if (mask == ALL) return exchange_##NAME##_##S(v, LANES);                  \
    if (!is_low(mask)) return sparse_##NAME##_##S(v, mask, 0, LANES);         \
    _Pragma("unroll") for (u32 step = LANES / 2; step; step /= 2) {           \
      u32 from = lane_id() + step;                                            \
      T got = fetch_##S(mask, v, from & (LANES - 1));                         \
      T other = from < LANES && (mask >> from & 1u) ? got : (T)(NEUTRAL);     \
      v = OP(v, other);                                                       \
    }                                                                         \
    return fetch_##S(mask, v, 0);                                             \
  }                                                                           \
  API T __mt_quad_##NAME##_##S##_by(T v, u32 mask) {                          \
    if (mask == ALL) return exchange_##NAME##_##S(v, 4);                      \
    return sparse_##NAME##_##S(v, mask, lane_id() & ~3u, 4);                  \
  }

#define SCAN(T, S, NAME, OP, NEUTRAL)                                         \
  RARE T sparse_scan_##NAME##_##S(T v, u32 mask, u32 first, u32 width,        \
                                  _Bool inclusive) {                          \
    T all[LANES + 1];                                                         \
    all[0] = (T)(NEUTRAL);                                                    \
    for (u32 i = 0; i < width; i++) {                                         \
      T got = fetch_##S(mask, v, first + i);                                  \
      all[i + 1] = mask >> (first + i) & 1u ? got : (T)(NEUTRAL);             \
    }                                                                         \
    for (u32 step = 1; step < width; step *= 2)                               \
      for (u32 i = width; i > step; i--) all[i] = OP(all[i - step], all[i]);  \
    return all[lane_id() - first + inclusive];                                \
  }                                                                           \
  INLINE T up_##NAME##_##S(T v, u32 mask, u32 width, _Bool inclusive) {       \
    u32 at = lane_id() & (width - 1);                                         \
    _Pragma("unroll") for (u32 step = 1; step < width; step *= 2) {           \
      T got = fetch_##S(mask, v, lane_id() - step);                           \
      if (at >= step) v = OP(got, v);                                         \
    }                                                                         \
    if (inclusive) return v;                                                  \
    T below = fetch_##S(mask, v, lane_id() - 1);                              \
    return at ? below : (T)(NEUTRAL);                                         \
  }                                                                           \
  SCAN_AS(T, S, NAME, inclusive, 1)                                           \
  SCAN_AS(T, S, NAME, exclusive, 0)
#define SCAN_AS(T, S, NAME, KIND, INCLUSIVE)                                  \
  API T __mt_simd_prefix_##KIND##_##NAME##_##S##_by(T v, u32 mask) {          \
    if (is_low(mask)) return up_##NAME##_##S(v, mask, LANES, INCLUSIVE);      \
    return sparse_scan_##NAME##_##S(v, mask, 0, LANES, INCLUSIVE);            \
  }                                                                           \
  API T __mt_quad_prefix_##KIND##_##NAME##_##S##_by(T v, u32 mask) {          \
    if (is_low(mask)) return up_##NAME##_##S(v, mask, 4, INCLUSIVE);          \
    return sparse_scan_##NAME##_##S(v, mask, lane_id() & ~3u, 4, INCLUSIVE);  \
  }

#define ARITHMETIC(T, S, LEAST, MOST, LESS, MORE)                             \
  REDUCE(T, S, sum, SUM, 0)                                                   \
  REDUCE(T, S, product, PRODUCT, 1)                                           \
  REDUCE(T, S, min, LESS, MOST)                                               \
  REDUCE(T, S, max, MORE, LEAST)                                              \
  SCAN(T, S, sum, SUM, 0)                                                     \
  SCAN(T, S, product, PRODUCT, 1)
#define BITWISE(T, S)                                                         \
  REDUCE(T, S, and, AND, ~(T)0)                                               \
  REDUCE(T, S, or, OR, 0)                                                     \
  REDUCE(T, S, xor, XOR, 0)
ARITHMETIC(f32, f32, -__builtin_inff(), __builtin_inff(), FMIN, FMAX)
ARITHMETIC(s32, s32, -0x7fffffff - 1, 0x7fffffff, MIN, MAX)
ARITHMETIC(u32, u32, 0, ALL, MIN, MAX)
ARITHMETIC(s64, s64, -0x7fffffffffffffffl - 1, 0x7fffffffffffffffl, MIN, MAX)
ARITHMETIC(u64, u64, 0, ~0ul, MIN, MAX)
BITWISE(u32, u32)
BITWISE(u64, u64)

/* ------------------------------------------------------- simdgroup matrices */

/* Lane l = b4 b3 b2 b1 b0 holds row b4 b2 b1 and the columns b3 b0 0 and
** b3 b0 1 (Apple's layout). */
INLINE u32 row(void) {
  u32 l = lane_id();
  return (l >> 2 & 4u) | (l >> 1 & 3u);
}
INLINE u32 column(void) {
  u32 l = lane_id();
  return (l >> 1 & 4u) | (l << 1 & 2u);
}

#define MATRIX_AT(p, stride, transpose)                                       \
  u64 r = row(), c = column();                                                \
  u64 x = transpose ? c * stride + r : r * stride + c;                        \
  u64 y = transpose ? x + stride : x + 1;
#define MATRIX(T, S, LOAD, STORE)                                             \
  API pair __mt_matrix_load_##S(const T *p, u64 stride, _Bool transpose) {    \
    MATRIX_AT(p, stride, transpose)                                           \
    return (pair){LOAD(p[x]), LOAD(p[y])};                                    \
  }                                                                           \
  API void __mt_matrix_store_##S(pair v, T *p, u64 stride, _Bool transpose) { \
    MATRIX_AT(p, stride, transpose)                                           \
    p[x] = STORE(v.x);                                                        \
    p[y] = STORE(v.y);                                                        \
  }
#define AS_FLOAT(h) ((f32)(h))
MATRIX(f32, f32, AS_FLOAT, AS_FLOAT)
MATRIX(_Float16, f16, AS_FLOAT, (_Float16))
MATRIX(__bf16, bf16, AS_FLOAT, (__bf16))

API pair __mt_matrix_multiply_add(pair a, pair b, pair c) {
  u32 l = lane_id();
  _Pragma("unroll") for (u32 k = 0; k < 8; k++) {
    u32 of_a = (l & 0x16u) | (k >> 2) << 3 | (k >> 1 & 1u);
    u32 of_b = (l & 0x09u) | (k >> 2) << 4 | (k & 3u) << 1;
    f32 x = fetch_f32(ALL, k & 1u ? a.y : a.x, of_a);
    c.x = __builtin_fmaf(x, fetch_f32(ALL, b.x, of_b), c.x);
    c.y = __builtin_fmaf(x, fetch_f32(ALL, b.y, of_b), c.y);
  }
  return c;
}

/* ---------------------------------------------------------- on tensor cores */

/*
** Where a kernel cannot tell who holds which element (ptx/matrix.c), matrices
** have the layout of the tensor cores: lane 4 g + t holds row g, columns 2 t
** and 2 t + 1; a right operand column g, rows 2 t and 2 t + 1. One instruction
** multiplies two left matrices by one right one.
*/
INLINE u64 of_four(void) { return lane_id() >> 2; }
INLINE u64 in_four(void) { return 2 * (lane_id() & 3u); }

#define TENSOR_AT(stride, transpose)                   \
  u64 r = of_four(), c = in_four();                    \
  u64 x = transpose ? c * stride + r : r * stride + c; \
  u64 y = transpose ? x + stride : x + 1;
#define TENSOR(T, S, STORE)                                                   \
  API void __mt_tensor_store_##S(pair v, T *p, u64 stride, _Bool transpose) { \
    TENSOR_AT(stride, transpose)                                              \
    p[x] = STORE(v.x);                                                        \
    p[y] = STORE(v.y);                                                        \
  }                                                                           \
  INLINE pair load_each_##S(const T *p, u64 stride, _Bool transpose) {        \
    TENSOR_AT(stride, transpose)                                              \
    return (pair){(f32)p[x], (f32)p[y]};                                      \
  }
TENSOR(f32, f32, AS_FLOAT)
TENSOR(_Float16, f16, (_Float16))
TENSOR(__bf16, bf16, (__bf16))

/* A matrix of 16-bit elements in threadgroup memory whose rows begin at
** multiples of 16 bytes is loaded by one instruction, transposed or not. Where
** LLVM knows all of this, nothing is left of the question. */
typedef __attribute__((address_space(3))) const char shared_char;
u32 load_matrix(shared_char *row) __asm__(
    "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3");
u32 load_turned(shared_char *row) __asm__(
    "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3");

INLINE _Bool has_rows(const void *p, u64 stride) {
  return __nvvm_isspacep_shared(p) &&
         (((u64)(shared_char *)p | 2 * stride) & 15u) == 0;
}
INLINE u32 load_rows(const void *p, u64 stride, _Bool transpose) {
  shared_char *row = (shared_char *)p + 2 * stride * (lane_id() & 7u);
  return transpose ? load_turned(row) : load_matrix(row);
}

typedef _Float16 pair_f16 __attribute__((ext_vector_type(2)));
typedef __bf16 pair_bf16 __attribute__((ext_vector_type(2)));
#define LOAD_HALVES(T, S)                                                   \
  INLINE pair load_##S(const T *p, u64 stride, _Bool transpose) {           \
    if (!has_rows(p, stride)) return load_each_##S(p, stride, transpose);   \
    u32 both = load_rows(p, stride, transpose);                             \
    return __builtin_convertvector(__builtin_bit_cast(pair_##S, both), pair); \
  }
LOAD_HALVES(_Float16, f16)
LOAD_HALVES(__bf16, bf16)
#define load_f32 load_each_f32

/* Two or four of them, whatever their elements are: a register for each. Every
** eight lanes say where the rows of one are. (As assembly: the intrinsics
** return structures that C has no type for.) */
typedef unsigned short u16;
typedef u32 two __attribute__((ext_vector_type(2)));
typedef u32 quad __attribute__((ext_vector_type(4)));

#define JOINED(X, TURNED, N, OUT, LIST, FROM)                                 \
  __asm__ volatile("ldmatrix.sync.aligned.m8n8." X TURNED ".shared.b16 {" LIST \
                   "}, [%" N "];"                                             \
                   : OUT : "l"(FROM) : "memory")
INLINE two load_two(shared_char *row, _Bool turned) {
  u32 a, b;
#define OUT2 "=r"(a), "=r"(b)
  if (turned) JOINED("x2", ".trans", "2", OUT2, "%0,%1", row);
  else JOINED("x2", "", "2", OUT2, "%0,%1", row);
  return (two){a, b};
}
INLINE quad load_four(shared_char *row, _Bool turned) {
  u32 a, b, c, d;
#define OUT4 "=r"(a), "=r"(b), "=r"(c), "=r"(d)
  if (turned) JOINED("x4", ".trans", "4", OUT4, "%0,%1,%2,%3", row);
  else JOINED("x4", "", "4", OUT4, "%0,%1,%2,%3", row);
  return (quad){a, b, c, d};
}
INLINE u32 load_one(const u16 *p, u64 stride, _Bool transpose) {
  if (has_rows(p, stride)) return load_rows(p, stride, transpose);
  TENSOR_AT(stride, transpose)
  return p[x] | (u32)p[y] << 16;
}
/* Which of the matrices is this lane to say the rows of? */
INLINE _Bool lane_bit(u32 bit) { return lane_id() >> bit & 1u; }

/* From the first of them, so that what depends on the lane is the same for all
** that are as far apart, in every round of a loop. */
INLINE u32 apart(const void *p, const void *q) {
  return (u32)(u64)(shared_char *)q - (u32)(u64)(shared_char *)p;
}
INLINE u32 row_bytes(u64 stride) {
  return 2 * (u32)stride * (lane_id() & 7u);
}

API two __mt_tensor_rows2(const u16 *p, const u16 *q, u64 stride,
                          _Bool transpose) {
  if (!has_rows(p, stride) || !has_rows(q, stride))
    return (two){load_one(p, stride, transpose),
                 load_one(q, stride, transpose)};
  u32 at = lane_bit(3) ? apart(p, q) : 0;
  return load_two((shared_char *)p + (at + row_bytes(stride)), transpose);
}
API quad __mt_tensor_rows4(const u16 *p, const u16 *q, const u16 *r,
                           const u16 *s, u64 stride, _Bool transpose) {
  if (!has_rows(p, stride) || !has_rows(q, stride) || !has_rows(r, stride) ||
      !has_rows(s, stride))
    return (quad){
        load_one(p, stride, transpose), load_one(q, stride, transpose),
        load_one(r, stride, transpose), load_one(s, stride, transpose)};
  u32 low = lane_bit(3) ? apart(p, q) : 0;
  u32 high = lane_bit(3) ? apart(p, s) : apart(p, r);
  u32 at = lane_bit(4) ? high : low;
  return load_four((shared_char *)p + (at + row_bytes(stride)), transpose);
}

/* In 128 bytes, or in a row that is shorter, the chunks of 16 bytes have
** changed places by the number of their 128 bytes (ptx/matrix_banks.c); 'log'
** is the logarithm of a row's bytes. Where a matrix begins is said by how far
** it is from 'p', and in the lowest bits by its chunk. So what depends on the
** lane is the same in every round. */
INLINE u32 swizzled_chunk(u32 chunk, u32 row, u32 log) {
  u32 shorter = log < 7 ? 7 - log : 0;
  return ((chunk ^ row >> shorter) & 7u >> shorter) << 4;
}
INLINE u32 swizzled_row(u32 where, u32 log) {
  u32 chunk = where & 7u, from_p = where & ~15u;
  return from_p - (chunk << 4) + swizzled_chunk(chunk, lane_id(), log);
}
INLINE shared_char *swizzled(const u16 *p, u32 at, u32 log) {
  return (shared_char *)p + (int)(at + ((lane_id() & 7u) << log));
}
API two __mt_tensor_swizzled2(const u16 *p, u32 first, u32 second,
                              _Bool transpose, u32 log) {
  u32 at = lane_bit(3) ? swizzled_row(second, log) : swizzled_row(first, log);
  return load_two(swizzled(p, at, log), transpose);
}
API quad __mt_tensor_swizzled4(const u16 *p, u32 first, u32 second, u32 third,
                               u32 fourth, _Bool transpose, u32 log) {
  u32 low = lane_bit(3) ? swizzled_row(second, log) : swizzled_row(first, log);
  u32 high = lane_bit(3) ? swizzled_row(fourth, log) : swizzled_row(third, log);
  return load_four(swizzled(p, lane_bit(4) ? high : low, log), transpose);
}

#define TENSOR_LOAD(T, S)                                                   \
  API pair __mt_tensor_load_##S(const T *p, u64 stride, _Bool transpose) {  \
    return load_##S(p, stride, transpose);                                  \
  }                                                                         \
  API pair __mt_tensor_load_right_##S(const T *p, u64 stride,               \
                                      _Bool transpose) {                    \
    return load_##S(p, stride, !transpose);                                 \
  }
TENSOR_LOAD(f32, f32)
TENSOR_LOAD(_Float16, f16)
TENSOR_LOAD(__bf16, bf16)

/* 16 bytes from device memory to threadgroup memory, which are there when the
** thread has waited (ptx/copies.c). */
API void __mt_copy_start(void *to, const void *from) {
  __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                   :
                   : "l"((__attribute__((address_space(3))) void *)to),
                     "l"((__attribute__((address_space(1))) const void *)from)
                   : "memory");
}
API void __mt_copy_start_swizzled(void *to, u32 at, const void *from, u32 log) {
  u32 chunk = at >> 4 & (log < 7 ? (1u << (log - 4)) - 1 : 7u);
  int by = (int)(swizzled_chunk(chunk, at >> log, log) - (chunk << 4));
  __mt_copy_start((char *)to + by, from);
}

/* What was started since the last call is a group; the thread waits for all
** groups but the last 'OPEN'. */
#define COPIES_WAIT(OPEN)                                                   \
  API void __mt_copies_wait##OPEN(void) {                                   \
    __asm__ volatile("cp.async.commit_group;\n\tcp.async.wait_group " #OPEN \
                     ";" : : : "memory");                                   \
  }
COPIES_WAIT(0)
COPIES_WAIT(1)
COPIES_WAIT(2)
COPIES_WAIT(3)
COPIES_WAIT(4)
COPIES_WAIT(5)
COPIES_WAIT(6)
COPIES_WAIT(7)

/* A zero that LLVM does not know to be one. */
API u32 __mt_tensor_zero(void) {
  u32 zero;
  __asm__ volatile("mov.b32 %0, 0;" : "=r"(zero));
  return zero;
}

/* A matrix that is a right operand and something else. */
API pair __mt_tensor_to_right(pair b) {
  u32 l = lane_id(), g = l >> 2, t = l & 3u;
  u32 low = 8 * t + (g >> 1), high = low + 4;
  f32 x0 = fetch_f32(ALL, b.x, low), y0 = fetch_f32(ALL, b.y, low);
  f32 x1 = fetch_f32(ALL, b.x, high), y1 = fetch_f32(ALL, b.y, high);
  return g & 1u ? (pair){y0, y1} : (pair){x0, x1};
}

/* Two results: rows of the first product, then of the second. Products are
** added to 'c' in the tensor core, which truncates sums: over a long row the
** error would be always to one side, and larger than a float's rounding. So
** after 16 of them it begins with 0 again (ptx/matrix.c). */
typedef float four __attribute__((ext_vector_type(4)));

#define MULTIPLY_HALVES(S)                                                    \
  INLINE u32 pack_##S(pair v) {                                               \
    return __builtin_bit_cast(u32, __builtin_convertvector(v, pair_##S));     \
  }                                                                           \
  API four __mt_tensor_product_##S(pair a, pair other, pair b, four c) {      \
    four d;                                                                   \
    __asm__ volatile("mma.sync.aligned.m16n8k8.row.col.f32." #S "." #S        \
                     ".f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"     \
                     : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w)             \
                     : "r"(pack_##S(a)), "r"(pack_##S(other)),                \
                       "r"(pack_##S(b)), "f"(c.x), "f"(c.y), "f"(c.z),        \
                       "f"(c.w));                                             \
    return d;                                                                 \
  }                                                                           \
  API four __mt_tensor_packed_##S(u32 a, u32 other, u32 a2, u32 other2,       \
                                  u32 b, u32 b2, four c) {                    \
    four d;                                                                   \
    __asm__ volatile("mma.sync.aligned.m16n8k16.row.col.f32." #S "." #S       \
                     ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "           \
                     "{%10,%11,%12,%13};"                                     \
                     : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w)             \
                     : "r"(a), "r"(other), "r"(a2), "r"(other2), "r"(b),      \
                       "r"(b2), "f"(c.x), "f"(c.y), "f"(c.z), "f"(c.w));      \
    return d;                                                                 \
  }                                                                           \
  API four __mt_tensor_products_##S(pair a, pair other, pair b, pair a2,      \
                                    pair other2, pair b2, four c) {           \
    return __mt_tensor_packed_##S(pack_##S(a), pack_##S(other), pack_##S(a2), \
                                  pack_##S(other2), pack_##S(b),              \
                                  pack_##S(b2), c);                           \
  }
MULTIPLY_HALVES(f16)
MULTIPLY_HALVES(bf16)

/* A float as two TF32 numbers, whose lowest 13 bits are zero; products of the
** low parts are below what a float holds. The first is rounded, so that the
** rest may have either sign: what is cut from it is no bias. (GPUs have no
** instruction for that; cvt.rna.tf32 becomes twice as many.) */
#define TF32_BITS 0xffffe000u
INLINE void split(f32 v, u32 *high, u32 *low) {
  *high = (__builtin_bit_cast(u32, v) + 0x1000u) & TF32_BITS;
  f32 rest = v - __builtin_bit_cast(f32, *high);
  *low = __builtin_bit_cast(u32, rest) & TF32_BITS;
}

/* The order of k is free, if it is the same in both operands: lane t's rows and
** columns are 2 t and 2 t + 1 here, where the instruction has t and t + 4. */
INLINE four multiply_tf32(const u32 a[4], const u32 b[2], four c) {
  four d;
  __asm__ volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, "
      "{%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
        "f"(c.x), "f"(c.y), "f"(c.z), "f"(c.w));
  return d;
}

API four __mt_tensor_product_f32(pair a, pair other, pair b, four d) {
  u32 high[4], low[4], right[2], right_low[2];
  split(a.x, &high[0], &low[0]);
  split(other.x, &high[1], &low[1]);
  split(a.y, &high[2], &low[2]);
  split(other.y, &high[3], &low[3]);
  split(b.x, &right[0], &right_low[0]);
  split(b.y, &right[1], &right_low[1]);
  d = multiply_tf32(low, right, d);
  d = multiply_tf32(high, right_low, d);
  return multiply_tf32(high, right, d);
}

/* ------------------------------------------------------------- exponentials */

/*
** exp(x) * 2^k. x / ln 2 is split into an integer n, between -126 and 126, and
** a rest: the integer by a sum that is cut below the point (n + 127 are its
** last bits), the rest with ln 2 in two parts. Where n is at its end the rest
** is large, and 2^rest overflows or vanishes as it shall.
*/
API f32 __mt_exp_scaled(f32 x, s32 k) {
  f32 n, power;
  __asm__("fma.rn.sat.f32 %0, %1, 0f3BBB989D, 0f3F000000;" : "=f"(n) : "f"(x));
  __asm__("fma.rm.f32 %0, %1, 0f437C0000, 0f4B400001;" : "=f"(n) : "f"(n));
  f32 whole = n - 12583039.0f;
  f32 rest = __builtin_fmaf(x, 0x1.715476p+0f, -whole);
  rest = __builtin_fmaf(x, 0x1.4ae0cp-26f, rest);
  if (k) rest += (f32)k;
  __asm__("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(rest));
  return power * __builtin_bit_cast(f32, __builtin_bit_cast(u32, n) << 23);
}

/* ----------------------------------------------------------------- messages */

#define LOG_VALUES 32u

/* A thread's message while it is being written; lives in the entry. */
typedef struct Message {
  u64 log; /* mt_CudaLog */
  u32 group[3];
  u32 count;
  u32 code[LOG_VALUES];
  u64 value[LOG_VALUES];
} Message;

INLINE u32 thread_index(void) {
  u32 x = (u32)__nvvm_read_ptx_sreg_tid_x();
  u32 y = (u32)__nvvm_read_ptx_sreg_tid_y();
  u32 z = (u32)__nvvm_read_ptx_sreg_tid_z();
  u32 w = (u32)__nvvm_read_ptx_sreg_ntid_x();
  u32 h = (u32)__nvvm_read_ptx_sreg_ntid_y();
  return x + w * (y + h * z);
}

RARE void write_record(const Message *m, u32 what, u32 count, u32 values,
                       u64 text) {
  mt_CudaLog *log = (mt_CudaLog *)m->log;
  if (!log) return;
  u32 need = MT_CUDA_LOG_RECORD + MT_CUDA_LOG_VALUE * values;
  u32 at = __atomic_fetch_add(&log->used, need, __ATOMIC_RELAXED);
  if (at > log->room || need > log->room - at) return;
  u32 *to = log->words + at;
  *to++ = what;
  *to++ = count;
  for (u32 d = 0; d < 3; d++) *to++ = m->group[d];
  *to++ = thread_index();
  *to++ = (u32)text;
  *to++ = (u32)(text >> 32);
  for (u32 i = 0; i < values; i++) {
    *to++ = m->code[i];
    *to++ = (u32)m->value[i];
    *to++ = (u32)(m->value[i] >> 32);
  }
}

void __mt_message_value(Message *m, u64 value, u32 code) {
  if (m->count < LOG_VALUES) {
    m->code[m->count] = code;
    m->value[m->count] = value;
  }
  m->count++;
}

void __mt_message_end(Message *m, const char *format, u32 level) {
  u32 n = m->count < LOG_VALUES ? m->count : LOG_VALUES;
  write_record(m, level ? MT_CUDA_LOG_ERROR : MT_CUDA_LOG_MESSAGE, n, n,
               (u64)format);
  m->count = 0;
}

void __mt_message_assert(Message *m, const char *condition, u32 line) {
  write_record(m, MT_CUDA_LOG_ASSERT, line, 0, (u64)condition);
  if (m->log) ((mt_CudaLog *)m->log)->asserted = 1;
}
