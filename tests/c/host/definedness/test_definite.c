/*
** test_definite.c - which reads of local variables are proved to find a value
** (devices/host/definedness/definite_assignment.c), told by the places that the
** checker has to watch for them: none for what every way sets, some for all
** else. What is found at those is tested with all other findings in
** test_check.c.
**
** Guards: devices/host/definedness/definite_assignment.c: which reads of local
** variables are proved to find a value, and which are not; instrumented code
** that is no larger for it
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/check/check.h"
#include "devices/host/instrument/instrument.h"
#include "msl/msl.h"

#define HEAD                                                                  \
  "#include <metal_stdlib>\nusing namespace metal;\n"                         \
  "struct P { float x; int y; };\n"                                           \
  "void set(thread float &x, float y) { x = y; }\n"                           \
  "void maybe(thread float &x, float y) { if (y > 0) x = y; }\n"
#define KERNEL                                                                \
  "kernel void k%zu(device float *a, device float *out, constant uint &n,"    \
  " uint i [[thread_position_in_grid]]) {\n%s\n}\n"

/* What is made of a kernel under watch: */
typedef struct Watched {
  size_t unset;        /* places that are watched for values, */
  size_t instructions; /* and all its code */
} Watched;

static mt_MslModule *compile(const char *source) {
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  if (mt_msl_compile(source, strlen(source), NULL, &m, &err) != MT_OK)
    fail_msg("%s\n%s\n%s", err.text, m ? mt_msl_log(m) : "", source);
  return m;
}

static Watched watch(const mt_MslModule *m, size_t kernel) {
  Watched w = {0};
  mt_SiteTable sites = {0};
  mt_Prepared p;
  mt_Error err = {""};
  mt_Instrumentation how = mt_check_instrumentation(&sites);
  mt_PrepareInput in = {.target = mt_target_host(&err), .instrument = &how};
  assert_true(kernel < mt_msl_kernels(m, &in.kernel));
  in.kernel += kernel;
  in.bitcode = mt_msl_bitcode(m, &in.size);
  in.constant_count = mt_msl_constants(m, &in.constants);
  if (mt_prepare(&in, &p, &err) != MT_OK) fail_msg("prepare: %s", err.text);
  for (size_t s = 1; s < sites.count; s++)
    w.unset += sites.site[s].kind == MT_SITE_UNSET;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p.function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      w.instructions++;
  mt_prepared_free(&p);
  mt_sites_free(&sites);
  return w;
}

/* Each body is a kernel of its own, all are compiled at once. */
static void expect_all(const char *const *body, size_t n, bool proved) {
  mt_Str source = MT_STR_INIT;
  mt_str_add(&source, HEAD);
  for (size_t k = 0; k < n; k++) mt_str_addf(&source, KERNEL, k, body[k]);
  mt_MslModule *m = compile(mt_str_text(&source));
  for (size_t k = 0; k < n; k++)
    if ((watch(m, k).unset == 0) != proved)
      fail_msg("%s: %s", proved ? "not proved" : "taken as proved", body[k]);
  mt_msl_free(m);
  mt_str_free(&source);
}

static void test_set_on_every_way(void **state) {
  (void)state;
  static const char *const proved[] = {
      "float x = a[i]; out[i] = x;",
      "float x; if (i & 1) x = 1; else x = 2; out[i] = x;",
      "float x; switch (n) { case 0: x = 1; break; case 1: x = 2; break;"
      " default: x = 3; } out[i] = x;",
      "float x = 0; for (uint j = 0; j < n; j++) x += a[j]; out[i] = x;",
      "float x; do x = a[i + n]; while (x > 3); out[i] = x;",
      "for (uint j = 0; j < n; j++) { float y; y = a[j]; out[j] = y; }",
      "float x = 1, y = 2; for (uint j = 0; j < n; j++)"
      " { float z = x; x = y; y = z; } out[i] = x + y;",
      "float4 v; v.x = a[i]; v.y = 2; v.zw = v.xy; out[i] = v.w + length(v);",
      "float3 v; v.x = 1; v.y = 2; v.z = a[i]; out[i] = length(v);",
      "float h[4]; h[0] = 1; h[1] = 2; h[2] = 3; h[3] = a[i];"
      " out[i] = h[i & 3];",
      "float h[4] = {0}; h[i & 3] = 1; out[i] = h[n & 3];",
      "P p; p.x = a[i]; p.y = 2; P q = p; out[i] = q.x + q.y;",
      "P p = {1, 2}; P q; q = p; p.x = q.y; out[i] = p.x;",
      "float x; set(x, a[i]); out[i] = x;",
      "float x = 0; maybe(x, a[i]); out[i] = x;",
      "float x; if (i > n) return; x = 1; out[i] = x;",
      "half2 h; h.x = 1; h.y = half(a[i]); half2 g = h.yx; out[i] = g.x;",
      "bool b; b = i > n; if (b) out[i] = 1;",
      "float x; out[i] = (x = a[i]) > 0 ? x : -x;",
      "ulong w[2]; w[0] = i; w[1] = w[0] << 3; out[i] = float(w[1]);",
  };
  expect_all(proved, sizeof proved / sizeof *proved, true);
}

static void test_not_on_every_way(void **state) {
  (void)state;
  static const char *const open[] = {
      "float x; out[i] = x;",
      "float x; if (i & 1) x = 1; out[i] = x;",
      "float x; if (i & 1) x = 1; float y = x + 1; out[i] = y;",
      "float x; switch (n) { case 0: x = 1; break; case 1: x = 2; }"
      " out[i] = x;",
      "float x; for (uint j = 0; j < n; j++) x = a[j]; out[i] = x;",
      "float x; for (uint j = 0; j < n; j++) { if (j > 0) out[i] = x;"
      " x = a[j]; }",
      "for (uint j = 0; j < n; j++) { float y; if (j == 0) y = 1;"
      " out[j] = y; }",
      "float x, y = 2; for (uint j = 0; j < n; j++)"
      " { float z = x; x = y; y = z; } out[i] = y;",
      "float4 v; v.x = a[i]; v.y = 2; v.zw = v.xz; out[i] = v.w;",
      "float3 v; v.x = 1; v.y = 2; out[i] = length(v);",
      "float h[4]; h[0] = 1; h[1] = 2; h[3] = a[i]; out[i] = h[i & 3];",
      "float h[4]; h[i & 3] = 1; out[i] = h[n & 3];",
      "float h[2] = {0}; float x; h[i & 1] = x; out[i] = h[0];",
      "P p; p.x = a[i]; P q = p; out[i] = q.x + q.y;",
      "P p = {1, 2}; P q; p = q; out[i] = p.x;",
      "float x; maybe(x, a[i]); out[i] = x;",
      "half2 h; h.x = 1; half2 g = h.yx; out[i] = g.x;",
      "uint j; out[j & 7] = 1;",
      "bool b; if (i > n) b = true; if (b) out[i] = 1;",
  };
  expect_all(open, sizeof open / sizeof *open, false);
}

/* Sums in an array, written out, as generators of kernels do. */
static void write_out(mt_Str *out, unsigned rounds, unsigned sums) {
  mt_Str s = MT_STR_INIT;
  mt_str_addf(&s, "float sum[%u];\n", sums);
  for (unsigned j = 0; j < sums; j++)
    mt_str_addf(&s, "*(sum+%u) = %u;\n", j, j);
  for (unsigned r = 0; r < rounds; r++) {
    mt_str_addf(&s, "float v%u = a[i + %u], w%u = a[n + %u];\n", r, r, r, r);
    for (unsigned j = 0; j < sums; j++)
      mt_str_addf(&s, "*(sum+%u) = *(sum+%u) * v%u + w%u;\n", j, j, r, r);
  }
  mt_str_add(&s, "float x = 0;\n");
  for (unsigned j = 0; j < sums; j++) mt_str_addf(&s, "x += *(sum+%u);\n", j);
  mt_str_add(&s, "out[i] = x;");
  mt_str_addf(out, HEAD KERNEL, (size_t)0, mt_str_text(&s));
  mt_str_free(&s);
}

/* Each round is its loads, with their watch, and its sums; no more is left
** of it than that, and nothing has to be watched for a value. */
static void test_code_is_no_larger(void **state) {
  (void)state;
  enum { ROUNDS = 27, SUMS = 32 };
  mt_Str source = MT_STR_INIT;
  write_out(&source, ROUNDS, SUMS);
  mt_MslModule *m = compile(mt_str_text(&source));
  Watched w = watch(m, 0);
  assert_int_equal(w.unset, 0);
  assert_true(w.instructions >= ROUNDS * SUMS);
  assert_true(w.instructions <= ROUNDS * (2 * SUMS + 24));
  mt_msl_free(m);
  mt_str_free(&source);
}

/* The same for matrices of halves, element by element. */
static void test_fragments(void **state) {
  (void)state;
  static const char source[] =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "half2 product(half2 a, half2 b, half2 c) {\n"
      "  simdgroup_half8x8 x, y, z;\n"
      "  x.thread_elements()[0] = a[0]; x.thread_elements()[1] = a[1];\n"
      "  y.thread_elements()[0] = b[0]; y.thread_elements()[1] = b[1];\n"
      "  z.thread_elements()[0] = c[0]; z.thread_elements()[1] = c[1];\n"
      "  simdgroup_multiply_accumulate(z, x, y, z);\n"
      "  return half2(z.thread_elements()[0], z.thread_elements()[1]);\n}\n"
      "kernel void k(device half2 *a, device half2 *out,"
      " uint i [[thread_position_in_grid]]) {\n"
      "  half2 s = product(a[i], a[i + 32], half2(0));\n"
      "  s = product(a[i + 64], s, s);\n  out[i] = s;\n}\n";
  mt_MslModule *m = compile(source);
  assert_int_equal(watch(m, 0).unset, 0);
  mt_msl_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_set_on_every_way),
      cmocka_unit_test(test_not_on_every_way),
      cmocka_unit_test(test_code_is_no_larger),
      cmocka_unit_test(test_fragments),
  };
  return cmocka_run_group_tests_name("definite", tests, NULL, NULL);
}
