/*
** test_vector_width.c - vectorise/vector_width.c: how many lanes the vectors of
** small kernels have, on CPUs with and without masks, in groups of several
** shapes.
**
** Each kind of kernel that has wider or narrower vectors has a twin that is
** hardly different and has not.
**
** Guards: devices/host/plan/vector_width.c: lanes of small kernels' vectors, on
** two CPUs, in groups of several shapes
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/vectorise/vectorise.h"
#include "msl/clang/clang.h"
#include "msl/msl.h"

#define AVX512 "x86_64-linux-gnu,x86-64-v4"
#define AVX2 "x86_64-linux-gnu,x86-64-v3"

#define ARGS                                                             \
  "(device const float *a, device const float *b, device float *o, "     \
  "device atomic_uint *n, constant uint &k, "
#define LINE ARGS "uint i [[thread_position_in_grid]]) "
#define PLANE ARGS "uint2 p [[thread_position_in_grid]]) "
#define ADD(where, what)                                                 \
  "atomic_fetch_add_explicit(" where ", " what ", memory_order_relaxed)"

static const char source[] =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void plain" LINE "{ o[i] = a[i] + b[i]; }\n"
    "kernel void count" LINE "{ if (a[i] > 0) " ADD("n", "1u") "; }\n"
    "kernel void used" LINE "{ o[i] = " ADD("n", "1u") "; }\n"
    "kernel void apart" LINE "{ " ADD("n + (uint(a[i]) & 7u)", "1u")
    "; }\n"
    "kernel void looped" LINE "{ for (uint j = 0; j < k; j++) "
    ADD("n", "uint(a[i + j])") "; }\n"
    "kernel void shared" LINE "{ threadgroup atomic_uint t; "
    ADD("&t", "uint(a[i])") "; }\n"
    "kernel void exchanged" LINE "{ uint x = 0; " ADD("n", "1u")
    "; atomic_compare_exchange_weak_explicit(n, &x, 1u, "
    "memory_order_relaxed, memory_order_relaxed); }\n"
    "kernel void lanes" LINE "{ if (simd_sum(a[i]) > 0) " ADD("n", "1u")
    "; }\n"
    "kernel void transpose" PLANE
    "{ o[p.x * 64 + p.y] = a[p.y * 64 + p.x]; }\n"
    "kernel void copied" PLANE
    "{ o[p.y * 64 + p.x] = a[p.y * 64 + p.x]; }\n";

static mt_MslModule *module;

static int compile(void **state) {
  (void)state;
  mt_Error err = {""};
  if (mt_msl_compile(source, strlen(source), NULL, &module, &err) != MT_OK)
    fail_msg("%s\n%s", err.text, module ? mt_msl_log(module) : "");
  return 0;
}

static int release(void **state) {
  (void)state;
  mt_msl_free(module);
  return 0;
}

static const mt_MslKernel *kernel(const char *name) {
  const mt_MslKernel *k;
  size_t n = mt_msl_kernels(module, &k);
  for (size_t i = 0; i < n; i++)
    if (strcmp(k[i].name, name) == 0) return &k[i];
  fail_msg("no kernel %s", name);
  return NULL;
}

static int width(const char *name, const char *cpu, uint32_t x, uint32_t y) {
  static const mt_ArgumentFacts any;
  mt_Error err = {""};
  mt_Prepared p;
  mt_PrepareInput in = {.target = mt_target_named(cpu, &err),
                        .kernel = kernel(name),
                        .formats = &any};
  if (!in.target) fail_msg("%s", err.text);
  in.bitcode = mt_msl_bitcode(module, &in.size);
  in.constant_count = mt_msl_constants(module, &in.constants);
  if (mt_prepare(&in, &p, &err) != MT_OK) fail_msg("%s", err.text);
  mt_Geometry g = {.size = {x, y, 1}, .many = true};
  mt_VectorFacts facts = {0};
  LLVMValueRef fn;
  if (mt_vectorise(p.target, p.module, in.kernel, &g, NULL, &fn, &facts,
                   &err) != MT_OK)
    fail_msg("%s: %s", name, err.text);
  mt_prepared_free(&p);
  return facts.lanes;
}

static void test_counts(void **state) {
  (void)state;
  assert_int_equal(width("count", AVX512, 256, 1), 128);
  assert_int_equal(width("count", AVX2, 256, 1), 64);
  assert_int_equal(width("used", AVX512, 256, 1), 32);
  assert_int_equal(width("apart", AVX512, 256, 1), 32);
  assert_int_equal(width("looped", AVX512, 256, 1), 32);
  assert_int_equal(width("shared", AVX512, 256, 1), 32);
  assert_int_equal(width("exchanged", AVX512, 256, 1), 32);
  assert_int_equal(width("lanes", AVX512, 256, 1), 32);
}

static void test_moves(void **state) {
  (void)state;
  assert_int_equal(width("transpose", AVX512, 16, 16), 128);
  assert_int_equal(width("transpose", AVX2, 16, 16), 64);
  assert_int_equal(width("transpose", AVX512, 256, 1), 32);
  assert_int_equal(width("copied", AVX512, 16, 16), 32);
  assert_int_equal(width("plain", AVX512, 256, 1), 32);
}

/* Whole rows of 16 threads, and vectors that the group fills. */
static void test_shapes(void **state) {
  (void)state;
  assert_int_equal(width("count", AVX512, 192, 1), 64);
  assert_int_equal(width("count", AVX512, 96, 1), 32);
  assert_int_equal(width("count", AVX512, 8, 32), 32);
  assert_int_equal(width("count", AVX512, 16, 8), 128);
  assert_int_equal(width("count", AVX512, 16, 4), 64);
  assert_int_equal(width("count", AVX512, 32, 1), 32);
  assert_int_equal(width("count", AVX2, 96, 1), 32);
  assert_int_equal(width("count", AVX2, 64, 1), 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_moves),
      cmocka_unit_test(test_shapes),
  };
  return cmocka_run_group_tests(tests, compile, release);
}
