/*
** test_undefined.c - what C++ leaves undefined stays within the kernel: a null
** pointer is said to be one, thread by thread, as vectors and under watch;
** nothing that LLVM takes for impossible runs into code that is not the
** kernel's.
**
** Guards: devices/compiler/ir/undefined.c: null pointers are reported as such
** in both engines; nothing that C++ leaves undefined runs into other code
*/
#include "devices/check.h"
#include "tests/c/host_case.h"

/* A kernel for each body, all in one library. */
typedef struct Row {
  const char *name, *body;
} Row;

static const Row nulls[] = {
    {"read", "device float *p = nullptr; a[i] = p[i];"},
    {"read_one", "device float *p = nullptr; a[i] = *p;"},
    {"write", "device float *p = nullptr; p[i] = a[i];"},
    {"write_one", "device float *p = nullptr; *p = 1;"},
    {"some_lanes", "device float *p = nullptr; if (i == 3) *p = 1; a[i] = 2;"},
    {"chosen", "device float *p = i > 5 ? nullptr : a; a[i] = p[i] + 1;"},
    {"by_value", "device float *p = nullptr;"
                 "if (a[i] == 0) p[i] = 1; else a[i] = 2;"},
    {"number", "device int *p = (device int *)0ul; *p = 3; a[i] = *p;"},
    {"field", "device Some *p = nullptr; a[i] = p->b;"},
    {"whole", "device Some *p = nullptr; Some s = *p; a[i] = s.c[i & 7];"},
    {"store_whole", "device Some *p = nullptr; Some s = {};"
                    "s.a = a[i]; *p = s;"},
    {"reference", "device Some *p = nullptr; a[i] = of(*p, i);"},
    {"kept", "Holder h = {*(device float *)nullptr}; a[i] = h.r + 1;"},
    {"loop", "device float *p = nullptr;"
             "for (uint k = 0; k < 10; k++) a[i] += p[k];"},
    {"own", "thread float *p = nullptr; *p = 4; a[i] = *p;"},
    {"tile", "threadgroup float *p = nullptr; p[i] = 4;"
             "threadgroup_barrier(mem_flags::mem_threadgroup);"
             "a[i] = p[i ^ 1];"},
    {"between", "device float *p = nullptr;"
                "threadgroup_barrier(mem_flags::mem_device); a[i] = p[i];"
                "threadgroup_barrier(mem_flags::mem_device); a[i] += 1;"},
    {"vector", "device float4 *p = nullptr; float4 v = p[i]; "
               "a[i] = v.x + v.w;"},
    {"constants", "constant int *q = nullptr; a[i] += *q;"},
    {"count", "device atomic_int *p = nullptr;"
              "a[i] = atomic_fetch_add_explicit(p, 1, memory_order_relaxed);"},
};

/* Each of these comes to an end, whatever it leaves in its buffer. */
static const Row ends[] = {
    {"nowhere", "__builtin_unreachable();"},
    {"sometimes", "if (i == 7) __builtin_unreachable(); a[i] = 1;"},
    {"always", "if (a[i] == 0) __builtin_unreachable(); a[i] = 1;"},
    {"cases", "switch (i & 3) { case 0: a[i] = 1; break; case 1: a[i] = 2;"
              "break; case 2: a[i] = 7; break; "
              "default: __builtin_unreachable();" "}"},
    {"unset_case", "uint x; switch (x) { case 0: a[i] = 1; break;"
                   "case 1: a[i] = 2; break; case 2: a[i] = 5; break;"
                   "case 3: a[i] = 6; break; case 4: a[i] = 7; break;"
                   "default: a[i] = 9; }"},
    {"no_return", "a[i] = part(i);"},
    {"never_returns", "a[i] = none(i);"},
    {"unset", "int x; if (x) a[i] = 1; else a[i] = 2;"},
    {"unset_loop", "int n; for (int k = 0; k < (n & 7); k++) a[i] += k;"},
    {"array", "float x[4]; x[9] = i; a[i] = x[9];"},
    {"array_far", "float x[4]; x[1000000] = i; a[i] = x[1000000];"},
    {"array_before", "float x[4]; x[-100000] = 4; a[i] = x[0];"},
    {"array_loop", "float x[4], s = 0; for (int k = 0; k <= 4; k++) x[k] = k;"
                   "for (int k = 0; k <= 4; k++) s += x[k]; a[i] = s;"},
    {"table", "a[i] = TABLE[9];"},
    {"component", "float4 v = a[i]; v[9] = 3; a[i] = v.x + v[9];"},
    {"divide", "int z = 0; a[i] = int(i) / z + int(i) % z;"},
    {"least", "int m = INT_MIN, n = -1; a[i] = m / n;"},
    {"shift", "uint s = 40; a[i] = (i << s) + (int(i) >> -3);"},
    {"sum", "int x = INT_MAX; x += i; if (x < 0) a[i] = 1; else a[i] = 2;"},
    {"to_int", "float f = 1e30f; int k = int(f); a[i] = k == 4 ? 1 : 2;"},
    {"assumed", "__builtin_assume(i > 1000); if (i < 500) a[i] = 1;"},
    {"not_used", "device float *p = nullptr; a[i] += *p; a[i] = 7;"},
};

#define COUNT(x) (sizeof(x) / sizeof *(x))

static void add(mt_Str *s, const Row *rows, size_t n) {
  for (size_t i = 0; i < n; i++)
    mt_str_addf(s, "kernel void %s(device float *a [[buffer(0)]],\n"
                "uint i [[thread_position_in_grid]]) {\n%s\n}\n",
                rows[i].name, rows[i].body);
}

static mt_Library *library;
static mt_Buffer *buffer;

static int make(void **state) {
  mt_Str s = MT_STR_INIT;
  if (open_host(state) != 0) return -1;
  mt_str_add(&s, MSL(
      struct Some { float a; float b; float c[8]; };
      struct Holder { device float &r; };
      constant float TABLE[4] = {1, 2, 3, 4};
      static float of(const device Some &s, uint i) { return s.c[i & 7]; }
      static int part(uint x) { if (x == 3) return 1; __builtin_unreachable(); }
      static int none(uint x) { (void)x; __builtin_unreachable(); }
      kernel void good(device float *a [[buffer(0)]],
                       uint i [[thread_position_in_grid]]) { a[i] = i; }));
  mt_str_add(&s, "\n");
  add(&s, nulls, COUNT(nulls));
  add(&s, ends, COUNT(ends));
  library = host_library(mt_str_text(&s));
  buffer = host_buffer(4096);
  mt_str_free(&s);
  return 0;
}

static int unmake(void **state) {
  mt_buffer_free(buffer);
  mt_library_free(library);
  return close_host(state);
}

static mt_Kernel *take(const char *name) {
  mt_Kernel *k = NULL;
  if (mt_kernel_new(library, name, NULL, 0, &k, &error) != MT_OK)
    fail_msg("%s: %s", name, error.text);
  return k;
}

/* In whole SIMD-groups, and in groups that have lanes too few. */
static mt_Status run(const char *name, unsigned group) {
  mt_Kernel *k = take(name);
  memset(mt_buffer_contents(buffer), 0, 4096);
  mt_Size grid = {64, 1, 1}, threads = {group, 1, 1};
  mt_Status status = host_run(k, grid, threads, 20, &buffer);
  mt_kernel_free(k);
  return status;
}

static void still_works(const char *after) {
  mt_Error said = error;
  if (run("good", 32) != MT_OK) fail_msg("after %s: %s", after, error.text);
  for (int i = 0; i < 64; i++)
    assert_true(((float *)mt_buffer_contents(buffer))[i] == (float)i);
  error = said;
}

static void test_null(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++)
    for (size_t i = 0; i < COUNT(nulls); i++)
      for (unsigned group = 7; group <= 32; group += 25) {
        mt_Status status = run(nulls[i].name, group);
        still_works(nulls[i].name);
        if (status != MT_FAIL || !strstr(error.text, "null pointer") ||
            !strstr(error.text, ", line "))
          fail_msg("%s, groups of %u: %d, %s", nulls[i].name, group, status,
                   error.text);
      }
}

static void test_null_checked(void **state) {
  (void)state;
  host_way(1);
  for (size_t i = 0; i < COUNT(nulls); i++) {
    mt_Kernel *k = take(nulls[i].name);
    mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = buffer, .size = 4096}};
    mt_Launch l = {.kernel = k, .args = args, .arg_count = 2, .repeats = 1,
                   .grid = {64, 1, 1}, .group = {32, 1, 1}, .time_limit = 20};
    mt_CheckOptions options = {0};
    mt_CheckReport report;
    memset(mt_buffer_contents(buffer), 0, 4096);
    bool told = false;
    if (mt_check(&l, &options, &report, &error) != MT_OK)
      fail_msg("%s: %s", nulls[i].name, error.text);
    for (size_t n = 0; n < report.count; n++)
      told |= strstr(report.findings[n].detail, "null pointer") != NULL;
    if (!told) fail_msg("check did not tell of %s", nulls[i].name);
    mt_check_free(&report);
    mt_kernel_free(k);
  }
}

static void test_ends(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++)
    for (size_t i = 0; i < COUNT(ends); i++)
      for (unsigned group = 7; group <= 32; group += 25) {
        if (run(ends[i].name, group) != MT_OK)
          fail_msg("%s, groups of %u: %s", ends[i].name, group, error.text);
        still_works(ends[i].name);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_null),
      cmocka_unit_test(test_null_checked),
      cmocka_unit_test(test_ends),
  };
  return cmocka_run_group_tests(tests, make, unmake);
}
