// c.h - the words of bench/strangers for one thread after another on a CPU. The
// texts are plain C; they are compiled as C++, for the sake of the operators of
// small vectors (vectors.h, which follows).
//
// A kernel is a function of a position, which a loop calls (calls.lua writes
// the loop). Threads of a group that work together have no such text: where
// PLAIN_C is defined a kernel has one that does a group's work, as loops, and
// its head is GROUP_KERNEL.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define PLAIN_C 1

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
#define ulong uint64_t
typedef struct Position {
  uint x, y, z;
} Position;

#define KERNEL(name, ...)                                   \
  __attribute__((always_inline)) static inline void name(   \
      __VA_ARGS__, Position position)
#define GROUP_KERNEL KERNEL
#define GLOBAL_X position.x
#define GLOBAL_Y position.y
#define GLOBAL_Z position.z
#define GROUP_X position.x
#define GROUP_Y position.y

#define IN(type) const type *__restrict__
#define OUT(type) type *__restrict__
#define VALUE(type) type
#define COUNTERS uint *
#define GLOBAL
#define THREAD
#define TABLE static const
#define FUNCTION static inline

#define ATOMIC_ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define ATOMIC_MIN(p, v) atomic_min(p, v)
#define ATOMIC_GET(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define ATOMIC_PUT(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
FUNCTION uint atomic_min(uint *p, uint v) {
  uint old = ATOMIC_GET(p);
  while (v < old && !__atomic_compare_exchange_n(
                        p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return old;
}

#ifdef __ARM_FP16_FORMAT_IEEE
#define HALF __fp16
#define FROM_HALF(place) ((float)(place))
#define TO_HALF(place, v) ((place) = (__fp16)(v))
#else
#include <immintrin.h>
#define HALF ushort
#define FROM_HALF(place) _cvtsh_ss(place)
#define TO_HALF(place, v) ((place) = (ushort)_cvtss_sh(v, 0))
#endif

FUNCTION uint BITS(float f) {
  uint u;
  memcpy(&u, &f, sizeof u);
  return u;
}
#define POPCOUNT(u) ((uint)__builtin_popcount(u))
#define LEADING_ZEROS(u) ((u) ? (uint)__builtin_clz(u) : 32u)
#define HIGH_PRODUCT(a, b) ((uint)((ulong)(a) * (b) >> 32))

typedef struct float2 {
  float x, y;
} float2;
typedef struct float3 {
  float x, y, z;
} float3;
typedef struct alignas(16) float4 {
  float x, y, z, w;
} float4;
typedef struct alignas(4) uchar4 {
  uchar x, y, z, w;
} uchar4;
typedef struct alignas(16) uint4 {
  uint x, y, z, w;
} uint4;
FUNCTION float2 FLOAT2(float x, float y) { return float2{x, y}; }
FUNCTION float3 FLOAT3(float x, float y, float z) { return float3{x, y, z}; }
FUNCTION float4 FLOAT4(float x, float y, float z, float w) {
  return float4{x, y, z, w};
}

FUNCTION int min(int a, int b) { return a < b ? a : b; }
FUNCTION int max(int a, int b) { return a > b ? a : b; }
FUNCTION uint min(uint a, uint b) { return a < b ? a : b; }
FUNCTION uint max(uint a, uint b) { return a > b ? a : b; }
FUNCTION float rsqrt(float x) { return 1 / sqrtf(x); }
