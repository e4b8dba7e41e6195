/*
** cuda_words.h - single instructions of PTX, each tried on the words of 256
** threads, beside an answer in plain C.
*/
#ifndef MT_TESTS_CUDA_WORDS_H
#define MT_TESTS_CUDA_WORDS_H

#include "tests/c/cuda/cuda_case.h"

/* A kernel of one instruction (or a few): every thread has four words of 64
** bits, a, b, c and e, of 'in', and leaves one in 'out'. */
static const char *const frame =
    ".visible .entry k(.param .u64 k_in, .param .u64 k_out)\n{\n"
    ".reg .pred %%p<8>;\n.reg .b16 %%ha, %%hb, %%hc, %%h<8>;\n"
    ".reg .b32 %%a, %%b, %%c, %%e, %%o, %%r<16>;\n"
    ".reg .b64 %%da, %%db, %%dc, %%de, %%out, %%d<16>;\n"
    "ld.param.u64 %%d0, [k_in];\nld.param.u64 %%d1, [k_out];\n"
    "mov.u32 %%r0, %%tid.x;\nmul.wide.u32 %%d2, %%r0, 32;\n"
    "add.s64 %%d2, %%d0, %%d2;\n"
    "ld.global.v2.b64 {%%da, %%db}, [%%d2];\n"
    "ld.global.v2.b64 {%%dc, %%de}, [%%d2+16];\n"
    "cvt.u32.u64 %%a, %%da;\ncvt.u32.u64 %%b, %%db;\n"
    "cvt.u32.u64 %%c, %%dc;\ncvt.u32.u64 %%e, %%de;\n"
    "cvt.u16.u64 %%ha, %%da;\ncvt.u16.u64 %%hb, %%db;\n"
    "cvt.u16.u64 %%hc, %%dc;\n"
    "%s\n%s\n"
    "mul.wide.u32 %%d3, %%r0, 8;\nadd.s64 %%d3, %%d1, %%d3;\n"
    "st.global.b64 [%%d3], %%out;\nret;\n}\n";

typedef uint64_t Want(uint64_t a, uint64_t b, uint64_t c, uint64_t e);
typedef struct Instruction {
  const char *ptx;
  int bits; /* of the result, in %o, %h0 or %out */
  Want *want;
} Instruction;

#define THREADS 256

__attribute__((unused)) static void fill_words(uint64_t *in) {
  static const uint64_t edges[] = {
      0, 1, 2, 3, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
      0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
      0x8000000000000000, 0xffffffffffffffff, 0x100000000, 0x123456789abcdef0};
  uint64_t x = 88172645463325252u;
  for (int k = 0; k < THREADS * 4; k++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    in[k] = x % 3 ? edges[(x >> 8) % (sizeof edges / sizeof *edges)] : x;
    if (x % 16 == 5) in[k] = x & 0xff;
  }
}

__attribute__((unused)) static void run_words(const char *head,
                                              const char *body, int bits,
                                              const uint64_t *in,
                                              uint64_t *out) {
  char ptx[8192];
  const char *widen = bits == 32   ? "cvt.u64.u32 %out, %o;"
                      : bits == 16 ? "cvt.u64.u16 %out, %h0;"
                                   : "";
  int n = snprintf(ptx, sizeof ptx, "%s", head);
  snprintf(ptx + n, sizeof ptx - (size_t)n, frame, body, widen);
  void *m, *f = load_ptx(ptx, "k", &m);
  Ptr i, o;
  FINE(cuMemAlloc_v2(&i, THREADS * 32));
  FINE(cuMemAlloc_v2(&o, THREADS * 8));
  FINE(cuMemcpyHtoD_v2(i, in, THREADS * 32));
  FINE(cuMemsetD8_v2(o, 0x77, THREADS * 8));
  void *params[] = {&i, &o};
  FINE(cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL));
  FINE(cuMemcpyDtoH_v2(out, o, THREADS * 8));
  FINE(cuMemFree_v2(i));
  FINE(cuMemFree_v2(o));
  FINE(cuModuleUnload(m));
}

__attribute__((unused)) static void try_all_on(const char *head,
                                               const Instruction *list,
                                               size_t count,
                                               void (*fill)(uint64_t *)) {
  uint64_t in[THREADS * 4], out[THREADS];
  int wrong = 0;
  fill(in);
  for (size_t k = 0; k < count; k++) {
    run_words(head, list[k].ptx, list[k].bits, in, out);
    uint64_t mask =
        list[k].bits == 64 ? UINT64_MAX : ((uint64_t)1 << list[k].bits) - 1;
    for (int t = 0; t < THREADS; t++) {
      const uint64_t *v = in + t * 4;
      uint64_t want = list[k].want(v[0], v[1], v[2], v[3]) & mask;
      if (out[t] == want) continue;
      print_error("%s: a %llx b %llx c %llx e %llx: %llx, not %llx\n",
                  list[k].ptx, (unsigned long long)v[0],
                  (unsigned long long)v[1], (unsigned long long)v[2],
                  (unsigned long long)v[3], (unsigned long long)out[t],
                  (unsigned long long)want);
      wrong++;
      break;
    }
  }
  assert_int_equal(wrong, 0);
}

__attribute__((unused)) static void try_all(const Instruction *list,
                                            size_t count,
                                            void (*fill)(uint64_t *)) {
  try_all_on(HEAD90, list, count, fill);
}

#define FUNCTION(name, bits, ptx, expr)                                    \
  static uint64_t want_##name(uint64_t a, uint64_t b, uint64_t c,          \
                              uint64_t e) {                                \
    (void)a, (void)b, (void)c, (void)e;                                    \
    return (uint64_t)(expr);                                               \
  }
#define ROW(name, bits, ptx, expr) {ptx, bits, want_##name},

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;
typedef __int128 s128;

#endif
