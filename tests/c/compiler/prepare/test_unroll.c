/*
** test_unroll.c - how far the unroll hints of a source are followed
** (devices/compiler/prepare/unroll_limit.c): long loops stay loops in quick
** code and in instrumented code, and partly in optimised code where unrolling
** decides nothing; both tiers, with hints and without, give the same bits.
**
** A kernel's loop calls sqrt or has a multiplication by a number of its own, so
** the listing shows how often its body was copied: nothing here depends on how
** long anything takes. Loops are hardly longer than what counts as long, or
** so long that a part is unrolled: LLVM's time grows faster than they do.
**
** Guards: devices/compiler/prepare/unroll_limit.c: long loops that the source
** wants unrolled stay loops in quick and instrumented code, and partly in
** optimised code where that gains nothing; the same bits in both tiers, of half
** and bfloat too; devices/compiler/prepare/unroll.c,
** devices/compiler/ir/{metadata, unrolling}.c, devices/compiler/target/passes.c
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <llvm-c/TargetMachine.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/process/worker_process.h"
#include "devices/check.h"
#include "devices/compiler/ir/instructions.h"
#include "devices/host/kernel/tier.h"
#include "devices/profile.h"
#include "devices/record.h"
#include "tests/c/all_tests.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

#define THREADS 96u
#define ELEMENTS 512u

/* Of the last module that was emitted, by whichever process. */
static size_t *instructions;

typedef LLVMBool Emit(LLVMTargetMachineRef, LLVMModuleRef, LLVMCodeGenFileType,
                      char **, LLVMMemoryBufferRef *);

LLVMBool LLVMTargetMachineEmitToMemoryBuffer(LLVMTargetMachineRef machine,
                                             LLVMModuleRef module,
                                             LLVMCodeGenFileType type,
                                             char **message,
                                             LLVMMemoryBufferRef *out) {
  *instructions = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    MT_EACH_INSTRUCTION(i, f) ++*instructions;
  Emit *real = (Emit *)dlsym(RTLD_NEXT, "LLVMTargetMachineEmitToMemoryBuffer");
  return real(machine, module, type, message, out);
}

/* ----------------------------------------------------------------- kernels */

/* 'U' is the hint; T the type of the buffers x and y. */
typedef struct Body {
  const char *type, *text;
} Body;

static const Body BODIES[] = {
    /* two loops that gain nothing */
    {"float", "float s = 0; U for (int j = 0; j < 112; j++) "
              "s = s * 0.5f + sqrt(x[i + j] * s + j); "
              "U for (int j = 0; j < 112; j++) s = x[j] - s * x[i + j]; "
              "y[i] = s;"},
    {"half", "half s = 0; U for (int j = 0; j < 80; j++) "
             "s = s * 0.75h + x[i + j] * x[j] / (s + 3.0h); y[i] = s;"},
    {"bfloat", "bfloat s = 0; U for (int j = 0; j < 100; j++) "
               "s = s * bfloat(0.75f) + x[i + j] * x[j] - s / bfloat(3.f); "
               "y[i] = s;"},
    /* sums in order, whose products may be fused */
    {"float", "float s = 0, p = 1; U for (int j = 0; j < 160; j++) { "
              "s += x[i + j] * p; p = p * 0.99f + x[j] * 0.1f; } y[i] = s;"},
    {"half4", "half4 s = 0; U for (int j = 0; j < 100; j++) "
              "s = fma(s, 0.5h, x[i + j].wzyx) * x[j] + s.yxwz; y[i] = s;"},
    /* a private array in registers once its loops are unrolled */
    {"uint", "uint w[64]; U for (int j = 0; j < 16; j++) w[j] = x[i + j]; "
             "U for (int j = 16; j < 64; j++) w[j] = (w[j - 16] ^ "
             "rotate(w[j - 15], 7u)) + (w[j - 7] | rotate(w[j - 2], 13u)); "
             "uint a = 1, b = 2, c = 3; U for (int j = 0; j < 64; j++) { "
             "uint t = c + (rotate(a, 5u) ^ (a & b)) + w[j] * 40503u; "
             "uint z = (c ^ (b >> 3)) + (w[63 - j] | (a << 2)) * 9u; "
             "c = b; b = rotate(a, 9u) + z; a = t; } y[i] = a ^ b ^ c;"},
    /* nested, an inner loop whose length the outer one decides */
    {"float", "float v[32]; U for (int j = 0; j < 32; j++) v[j] = x[i + j]; "
              "U for (int k = 2; k <= 32; k *= 2) "
              "U for (int d = k / 2; d > 0; d /= 2) "
              "U for (int j = 0; j < 32; j++) { int p = j ^ d; if (p > j) { "
              "float a = v[j], b = v[p]; bool swap = ((j & k) == 0) == (a > b);"
              "v[j] = swap ? b : a; v[p] = swap ? a : b; } } "
              "float s = 0; U for (int j = 0; j < 32; j++) s = s * 0.5f + v[j];"
              "y[i] = s;"},
    {"float", "float s = 0; U for (int j = 0; j < 64; j++) { "
              "U for (int k = 0; k < 32; k++) s = fma(s, x[i], k * 0.01f); "
              "s = fract(s) + x[i + j]; } y[i] = s;"},
    /* a break; a count that does not divide */
    {"int", "int s = 0; U for (int j = 0; j < 150; j++) { s = s * 31 + x[i + "
            "j]; if ((s & 255) == 7) break; s ^= j << 3; } y[i] = s;"},
    {"float", "float s = 0; _Pragma(\"unroll(160)\") "
              "for (int j = 0; j < 333; j++) "
              "s = s * 0.5f + sqrt(x[i + j] + j) / (s + 2); y[i] = s;"},
};
#define BODY_COUNT (sizeof BODIES / sizeof *BODIES)

/* Its name is one that no cache knows. */
static mt_Kernel *kernel_of(const Body *body, bool hints) {
  static unsigned number;
  mt_Str source = MT_STR_INIT;
  char name[60];
  snprintf(name, sizeof name, "k%u_%llu", ++number,
           (unsigned long long)mt_now_ns());
  mt_str_addf(&source,
              "#include <metal_stdlib>\nusing namespace metal;\n"
              "#define U %s\n#define T %s\n"
              "kernel void %s(device const T *x [[buffer(0)]],\n"
              "device T *y [[buffer(1)]],\n"
              "uint i [[thread_position_in_grid]]) {\n%s\n}\n",
              hints ? "_Pragma(\"unroll\")" : "", body->type, name, body->text);
  mt_Kernel *k = host_kernel(source.text, name);
  mt_str_free(&source);
  return k;
}

static size_t size_of(const Body *body) {
  return !strcmp(body->type, "half4")                                ? 8
         : !strcmp(body->type, "half") || !strcmp(body->type, "bfloat") ? 2
                                                                     : 4;
}

/* Numbers around 1 in the body's type. */
static mt_Buffer *numbers_for(const Body *body) {
  size_t all = ELEMENTS * size_of(body);
  mt_Buffer *b = host_buffer(all);
  for (uint32_t n = 0, r = 7; n < all / 2; n++) {
    r = r * 1664525u + 1013904223u;
    if (body->type[0] == 'h')
      ((uint16_t *)b->contents)[n] = (uint16_t)(0x3800 + (r >> 21));
    else if (body->type[0] == 'b')
      ((uint16_t *)b->contents)[n] = (uint16_t)(0x3f00 + (r >> 24));
    else if (n < all / 4)
      ((uint32_t *)b->contents)[n] = 0x3f000000 + (r >> 8);
  }
  return b;
}

/* Fails the test unless the code was of the tier asked for. */
static void run(const Body *body, mt_Kernel *k, mt_Buffer *x, mt_Buffer *y,
                bool measured) {
  mt_Arg args[3] = {{.kind = MT_ARG_BUFFER, .buffer = x, .size = x->size},
                    {.kind = MT_ARG_BUFFER, .buffer = y, .size = y->size}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 3, .repeats = 1,
                 .grid = {THREADS, 1, 1}, .group = {64, 1, 1},
                 .measured = measured};
  mt_Timing timing;
  memset(y->contents, 0, y->size);
  if (mt_launch(&l, &timing, &error) != MT_OK) fail_msg("%s", error.text);
  if (timing.quick == measured)
    fail_msg("%s code: %s", measured ? "quick" : "optimised", body->text);
}

static void need_processes(void) {
  unsetenv("METTLE_TIER");
  if (!mt_compile_server_is_process())
    skip_because("LLVM has no process of its own here");
}

/* -------------------------------------------------------------------- bits */

/* Quick and optimised, of itself with hints, and on demand without them. */
static void test_same_bits(void **state) {
  (void)state;
  need_processes();
  for (size_t n = 0; n < BODY_COUNT; n++) {
    const Body *body = &BODIES[n];
    mt_Buffer *x = numbers_for(body);
    mt_Buffer *y[2] = {host_buffer(x->size), host_buffer(x->size)};
    mt_Kernel *hinted = kernel_of(body, true), *rolled = kernel_of(body, false);
    run(body, hinted, x, y[0], false);
    run(body, hinted, x, y[1], true);
    if (memcmp(y[0]->contents, y[1]->contents, x->size))
      fail_msg("quick and optimised differ: %s", body->text);
    if (all_tests() || n % 2 == 0) {
      setenv("METTLE_TIER", "both", 1); /* rounding is settled in all of them */
      run(body, rolled, x, y[1], true);
      unsetenv("METTLE_TIER");
    }
    if (memcmp(y[0]->contents, y[1]->contents, x->size))
      fail_msg("with hints and without differ: %s", body->text);
    mt_kernel_free(hinted), mt_kernel_free(rolled);
    mt_buffer_free(x), mt_buffer_free(y[0]), mt_buffer_free(y[1]);
  }
}

/* --------------------------------------------------------------- structure */

static int count(const char *text, const char *word) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) n++;
  return n;
}

/* How often is the word in the code of a tier ("quick", or NULL: what the
** listing has otherwise)? 'head' (or NULL) must be in it too. */
static int copies(const Body *body, const char *tier, const char *word,
                  const char *head) {
  mt_Kernel *k = kernel_of(body, true);
  mt_Str text = MT_STR_INIT;
  if (tier) setenv("METTLE_TIER", tier, 1);
  if (mt_kernel_listing(k, MT_LISTING_IR, &text, &error) != MT_OK)
    fail_msg("%s", error.text);
  unsetenv("METTLE_TIER");
  if (head && !strstr(text.text, head)) fail_msg("%.200s", text.text);
  int n = count(text.text, word);
  mt_str_free(&text);
  mt_kernel_free(k);
  return n;
}

/* 'low' to 'high' copies of 'word', as 'copies' counts them */
static void assert_copies(const Body *body, const char *tier, const char *word,
                          const char *head, int low, int high) {
  int n = copies(body, tier, word, head);
  if (n < low || n > high) fail_msg("%d copies, not %d to %d", n, low, high);
}

#define SQRT "@llvm.sqrt.v" /* of vectors of 16 threads to 128 */
#define QUICK ", quick code\n"
#define OPTIMISED ", optimised code\n"

static void test_gains_nothing(void **state) {
  (void)state;
  need_processes();
  static const Body body = {
      "float", "float s = 0; U for (int j = 0; j < 1024; j++) "
               "s = s * 0.5f + sqrt(x[i + j] * s + j) * x[j] - s / (j + s); "
               "y[i] = s;"};
  assert_copies(&body, "quick", SQRT, QUICK, 1, 2);
  assert_copies(&body, NULL, SQRT, OPTIMISED, 8, 128);
}

/* An array in registers: unrolled as asked, in optimised code alone. */
static void test_private_array(void **state) {
  (void)state;
  need_processes();
  static const Body body = {
      "float", "float w[96]; U for (int j = 0; j < 96; j++) w[j] = x[i + j]; "
               "for (int k = 0; k < 9; k++) U for (int j = 0; j < 96; j++) "
               "w[j] = sqrt(w[j] * x[k] + w[95 - j]) * 0.25f - x[j] + "
               "w[j] / (x[k] + j) + w[95 - j] * w[j] - w[j] * 0.125f; "
               "float s = 0; U for (int j = 0; j < 96; j++) s = s * x[j] + w[j]"
               "; y[i] = s;"};
  assert_copies(&body, "quick", SQRT, QUICK, 1, 18);
  assert_copies(&body, NULL, SQRT, OPTIMISED, 96, 192);
}

/* Short loops are not touched: one tier, all copies. */
static void test_short(void **state) {
  (void)state;
  need_processes();
  static const Body body = {
      "float", "float s = 0; U for (int j = 0; j < 40; j++) "
               "s = s * 0.5f + sqrt(x[i + j]); y[i] = s;"};
  assert_copies(&body, NULL, SQRT, "as a vector\n", 40, 80);
  assert_copies(&body, "quick", SQRT, QUICK, 40, 80);
}

/* Another loop has a sum along each thread's row, which is left to LLVM: that
** leaves one tier, as without hints. */
static void test_free_sum(void **state) {
  (void)state;
  need_processes();
  static const Body body = {
      "float", "float s = 0; for (int j = 0; j < 64; j++) s += x[i * 64 + j]; "
               "U for (int j = 0; j < 64; j++) s = sqrt(s * x[j] + 1.5f) + "
               "x[j] / (s + 2) - x[i + j] / (s * s + 1) + sin(s); y[i] = s;"};
  assert_copies(&body, NULL, SQRT, "as a vector\n", 64, 128);
}

/* The tiers take turns between threadgroups, so both count them alike: none
** takes rows of the grid, although no loop is left in optimised code. */
static void test_no_rows(void **state) {
  (void)state;
  need_processes();
  mt_Kernel *k = host_kernel(
      MSL(kernel void folded(device uint *y [[buffer(0)]],
                             uint2 p [[thread_position_in_grid]]) {
        uint v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        _Pragma("unroll") for (uint j = 0; j < 256; j++)
          v[j & 7] = v[j & 7] * 3 + (v[(j + 1) & 7] ^ j) * 5 + j;
        y[p.y * 128 + p.x] = p.x + v[0] * v[7];
      }), "folded");
  mt_Buffer *y = host_buffer(128 * 32 * 4);
  mt_Str text = MT_STR_INIT;
  host_must_run(k, (mt_Size){128, 32, 1}, (mt_Size){16, 16, 1}, &y);
  if (mt_kernel_listing(k, MT_LISTING_IR, &text, &error) != MT_OK)
    fail_msg("%s", error.text);
  if (!strstr(text.text, "32 threads as a vector, optimised code\n"))
    fail_msg("%.200s", text.text);
  mt_str_free(&text);
  mt_buffer_free(y);
  mt_kernel_free(k);
}

/* More private memory than there is, until the loop is unrolled. */
static void test_refused_as_loop(void **state) {
  (void)state;
  need_processes();
  static const Body body = {
      "float", "float w[40000]; U for (int j = 0; j < 200; j++) w[j * 200] = "
               "x[i + j] * x[j] + x[i] / (x[j] + 2) + (x[j] - j) * x[j + 1]; "
               "float s = 0; U for (int j = 0; j < 200; j++) "
               "s = s * 0.5f + w[j * 200]; y[i] = s;"};
  mt_kernel_free(kernel_of(&body, true));
}

/* ---------------------------------------------------------- instrumentation */

/* Was code emitted, of at most so many instructions? */
static void expect_small(mt_Status status, const char *of, size_t most) {
  if (status != MT_OK) fail_msg("%s", error.text);
  if (!*instructions || *instructions > most)
    fail_msg("%s: %zu instructions", of, *instructions);
  *instructions = 0;
}

/* The three tools keep long loops, or a part of them. */
static void test_instrumented(void **state) {
  (void)state;
  need_processes();
  static const Body body = {
      "float", "float s = 0; U for (int j = 0; j < 1000; j++) "
               "s = s * 0.5f + sqrt(x[(i + j) & 255]) / (s + 2); y[i] = s;"};
  mt_Buffer *x = numbers_for(&body), *y = host_buffer(x->size);
  mt_Kernel *k = kernel_of(&body, true);
  mt_Arg args[3] = {{.kind = MT_ARG_BUFFER, .buffer = x, .size = x->size},
                    {.kind = MT_ARG_BUFFER, .buffer = y, .size = y->size}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 3, .repeats = 1,
                 .grid = {32, 1, 1}, .group = {32, 1, 1}};
  mt_CheckReport report;
  mt_Profile profile;
  mt_Recording recording;
  mt_RecordOptions options = {0};
  *instructions = 0;
  expect_small(mt_check(&l, NULL, &report, &error), "check", 2000);
  expect_small(mt_profile(&l, &profile, &error), "profile", 5000);
  expect_small(mt_record(&l, &options, &recording, &error), "record", 2000);
  mt_check_free(&report), mt_profile_free(&profile);
  mt_recording_free(&recording);
  mt_kernel_free(k);
  mt_buffer_free(x), mt_buffer_free(y);
}

int main(void) {
  instructions = mmap(NULL, sizeof *instructions, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (instructions == MAP_FAILED) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_gains_nothing),
      cmocka_unit_test(test_private_array),
      cmocka_unit_test(test_short),
      cmocka_unit_test(test_free_sum),
      cmocka_unit_test(test_no_rows),
      cmocka_unit_test(test_refused_as_loop),
      cmocka_unit_test(test_instrumented),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}
