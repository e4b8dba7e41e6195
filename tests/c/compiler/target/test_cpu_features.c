/*
** test_cpu_features.c - target/cpu_features.c: what a CPU has that is known by
** its name.
**
** Only the CPU of METTLE_CPU is chosen once in a process: code for several is
** listed by a process each.
**
** Guards: devices/compiler/target/cpu_features.c: what a CPU has that code is
** made for, by its name or by a list; devices/compiler/target/{costs, target}.c
*/
#include <sys/wait.h>
#include <unistd.h>

#include "devices/compiler/target/target.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

#ifdef __x86_64__
#define IS_X86 true
#else
#define IS_X86 false
#endif

/* Of any machine that LLVM makes code for, whichever this one is. */
static bool has(const char *machine, const char *feature) {
  mt_Error err = {""};
  mt_Target *t = mt_target_named(machine, &err);
  if (!t) fail_msg("%s", err.text);
  assert_ptr_equal(t, mt_target_named(machine, &err));
  return mt_target_has(t, feature);
}

static void test_by_name(void **state) {
  (void)state;
  assert_false(has("x86_64-linux-gnu,x86-64", "avx2"));
  assert_false(has("x86_64-linux-gnu,x86-64-v2", "avx2"));
  assert_true(has("x86_64-linux-gnu,x86-64-v2", "sse4.2"));
  assert_true(has("x86_64-linux-gnu,x86-64-v3", "avx2"));
  assert_true(has("x86_64-linux-gnu,haswell", "avx2"));
  assert_false(has("x86_64-linux-gnu,haswell", "avx512f"));
  assert_true(has("x86_64-linux-gnu,knl", "avx512f"));
  assert_false(has("x86_64-linux-gnu,knl", "avx512vl"));
  assert_true(has("x86_64-linux-gnu,skylake-avx512", "avx512bw"));
  assert_true(has("x86_64-linux-gnu,skylake-avx512", "avx512vl"));
}

static void test_by_list(void **state) {
  (void)state;
  assert_true(has("x86_64-linux-gnu,x86-64,+avx2", "avx2"));
  assert_true(has("x86_64-linux-gnu,x86-64,-avx2,+avx2,+fma", "avx2"));
  assert_false(has("x86_64-linux-gnu,haswell,+fma,-avx2", "avx2"));
  /* what a listed feature brings along, and takes along */
  assert_true(has("x86_64-linux-gnu,x86-64,+avx512bw", "avx512f"));
  assert_false(has("x86_64-linux-gnu,haswell,-avx", "avx2"));
  /* one whose name begins with another's */
  assert_false(has("x86_64-linux-gnu,x86-64,-avx512fp16", "avx512f"));
  /* what only says how code is made goes with a CPU that does not list it */
  assert_true(has("x86_64-linux-gnu,x86-64", "prefer-256-bit"));
  assert_false(
      has("x86_64-linux-gnu,x86-64,-prefer-256-bit", "prefer-256-bit"));
  assert_false(
      has("x86_64-linux-gnu,x86-64,-prefer-256-bit,+fma", "prefer-256-bit"));
  assert_false(has("x86_64-linux-gnu,x86-64,+avx,+avx2,+fma,-prefer-256-bit",
                   "prefer-256-bit"));
}

/* A GPU runs the code of the newest one that is not newer than itself. */
static void test_gpus(void **state) {
  (void)state;
  static const struct {
    unsigned capability;
    const char *cpu;
  } GPUS[] = {{70, "sm_70"}, {72, "sm_70"},   {75, "sm_75"},   {80, "sm_80"},
              {87, "sm_86"}, {90, "sm_90"},   {100, "sm_100"}, {120, "sm_120"},
              {121, "sm_120"}, {900, "sm_120"}};
  mt_Error err = {""};
  assert_null(mt_target_nvptx(69, &err));
  assert_non_null(strstr(err.text, "compute capability 6.9"));
  for (size_t i = 0; i < sizeof GPUS / sizeof *GPUS; i++) {
    mt_Target *t = mt_target_nvptx(GPUS[i].capability, &err);
    if (!t) fail_msg("%s", err.text);
    assert_string_equal(mt_target_cpu(t), GPUS[i].cpu);
  }
}

static void test_other_machine(void **state) {
  (void)state;
  assert_false(has("aarch64-linux-gnu,apple-m1", "avx2"));
}

static mt_Status checked(const char *machine, mt_Error *err) {
  mt_Target *t = mt_target_named(machine, err);
  if (!t) fail_msg("%s", err->text);
  return mt_target_check(t, err);
}

static void test_known(void **state) {
  (void)state;
  static const char *const KNOWN[] = {
      "x86_64-linux-gnu", "x86_64-linux-gnu,generic", "x86_64-linux-gnu,x86-64",
      "x86_64-linux-gnu,k8", "x86_64-linux-gnu,atom",
      "x86_64-linux-gnu,haswell,-fma", "x86_64-linux-gnu,skylake-avx512,-cx8",
      "x86_64-linux-gnu,sapphirerapids", "x86_64-linux-gnu,znver4",
      "aarch64-linux-gnu", "aarch64-linux-gnu,generic",
      "aarch64-linux-gnu,apple-m1", "aarch64-linux-gnu,cortex-a76",
      "aarch64-linux-gnu,a64fx", "arm64-apple-macosx13.0.0,apple-m1",
      "arm64-apple-darwin24.5.0", "arm64-apple-macosx15.0.0,generic",
      "nvptx64-nvidia-cuda,sm_90"};
  static const char *const UNKNOWN[] = {
      "x86_64-linux-gnu,nonsense", "x86_64-linux-gnu,apple-m1",
      "x86_64-linux-gnu,nonsense,+avx2", "x86_64-linux-gnu,i386",
      "aarch64-linux-gnu,nonsense", "aarch64-linux-gnu,haswell",
      "arm64-apple-macosx13.0.0,nonsense", "arm64-apple-darwin24.5.0,haswell"};
  mt_Error err = {""};
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
    if (checked(KNOWN[i], &err) != MT_OK) fail_msg("%s", err.text);
  for (size_t i = 0; i < sizeof UNKNOWN / sizeof *UNKNOWN; i++)
    if (checked(UNKNOWN[i], &err) == MT_OK) fail_msg("%s", UNKNOWN[i]);
}

/* What is said of a kernel for a CPU that does not exist. */
static void test_unknown_host(void **state) {
  (void)state;
  int way[2], status;
  assert_int_equal(pipe(way), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    setenv("METTLE_CPU", "nonsense,+avx2", 1);
    if (open_host(NULL)) _exit(1);
    mt_Library *lib =
        host_library("kernel void f(device uint *a) { a[0] = 1; }");
    mt_Kernel *k;
    if (mt_kernel_new(lib, "f", NULL, 0, &k, &error) == MT_OK) _exit(2);
    _exit(write(way[1], error.text, strlen(error.text)) <= 0);
  }
  close(way[1]);
  char said[1000] = "";
  assert_true(read(way[0], said, sizeof said - 1) > 0);
  close(way[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  if (!strstr(said, "no processor 'nonsense'") || !strstr(said, "METTLE_CPU") ||
      strstr(said, "report"))
    fail_msg("%s", said);
}

static void write_code(int to) {
  if (open_host(NULL)) _exit(1);
  mt_Kernel *k = host_kernel(
      MSL(kernel void pick(device const uint *a, device const uint *at,
                           device uint *o, uint i [[thread_position_in_grid]]) {
        if (at[i] > 3u) o[i] = a[at[i]];
      }),
      "pick");
  mt_Str text = MT_STR_INIT;
  if (mt_kernel_listing(k, MT_LISTING_ASM, &text, &error) != MT_OK) _exit(1);
  size_t done = 0;
  for (ssize_t n; done < text.length; done += (size_t)n)
    if ((n = write(to, text.text + done, text.length - done)) <= 0) _exit(1);
  mt_str_free(&text);
  mt_kernel_free(k);
  _exit(close_host(NULL));
}

/* The code of a kernel for that CPU, without its name. */
static void code_for(const char *cpu, mt_Str *out) {
  int way[2], status;
  assert_int_equal(pipe(way), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    setenv("METTLE_CPU", cpu, 1);
    setenv("METTLE_ENGINE", "simd", 1);
    close(way[0]);
    write_code(way[1]);
  }
  close(way[1]);
  FILE *from = fdopen(way[0], "r");
  for (char line[500]; fgets(line, sizeof line, from);)
    if (!strstr(line, "mt_k")) mt_str_add(out, line);
  fclose(from);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_true(out->length > 100);
}

static void same_code(const char *name, const char *list) {
  mt_Str a = MT_STR_INIT, b = MT_STR_INIT;
  code_for(name, &a);
  code_for(list, &b);
  assert_string_equal(mt_str_text(&a), mt_str_text(&b));
  mt_str_free(&a);
  mt_str_free(&b);
}

/* The vectoriser asks it, so that the name is enough. */
static void test_code(void **state) {
  (void)state;
  if (!IS_X86) skip_because("the names are those of x86-64");
  same_code("skylake", "skylake,+avx2");
  same_code("skylake-avx512", "skylake-avx512,+avx512f,+avx512vl,+avx512bw");
}

/* The other machine that METTLE_ALSO names. */
static void test_also(void **state) {
  (void)state;
  mt_Error err = {""};
  unsetenv("METTLE_ALSO");
  for (int empty = 0; empty < 2; empty++) {
    assert_false(mt_target_is_also_asked());
    assert_null(mt_target_also(&err));
    assert_non_null(strstr(err.text, "no other machine"));
    err.text[0] = '\0';
    setenv("METTLE_ALSO", "", 1);
  }
  setenv("METTLE_ALSO", "x86_64-linux-gnu,skylake", 1);
  assert_true(mt_target_is_also_asked());
  mt_Target *t = mt_target_also(&err);
  assert_non_null(t);
  assert_ptr_equal(t, mt_target_named("x86_64-linux-gnu,skylake", &err));
  setenv("METTLE_ALSO", "nowhere-at-all", 1);
  assert_null(mt_target_also(&err));
  assert_non_null(strstr(err.text, "LLVM: "));
  unsetenv("METTLE_ALSO");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_name),
      cmocka_unit_test(test_by_list), cmocka_unit_test(test_gpus),
      cmocka_unit_test(test_other_machine),
      cmocka_unit_test(test_known),
      cmocka_unit_test(test_unknown_host),
      cmocka_unit_test(test_code),
      cmocka_unit_test(test_also),
  };
  return cmocka_run_group_tests_name("cpu features", tests, NULL, NULL);
}
