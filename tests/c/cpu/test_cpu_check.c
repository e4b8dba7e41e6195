/*
** test_cpu_check.c - what the references refuse and in which words, what the
** vendor's module does when it is not there, and how soon Ctrl-C is heard.
**
** Guards: cpu/check.c, cpu/vendor.c: what is refused and in which words, the
** module, Ctrl-C; cpu/table.c, cpu/vendor/blas.c
*/
#include "tests/c/cpu/cpu_case.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "base/cancel.h"

/* The case must be refused with a line that contains 'part'. */
static void refuse(Case *c, const char *part) {
  mt_Error err = {""};
  if (mt_cpu_check(&c->call, &err) != MT_BADARG)
    fail_msg("cpu.%s accepted what it must refuse: %s",
             mt_cpu_name(c->call.ref), part);
  if (strstr(err.text, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, err.text);
  case_close(c);
}

static void refuse_matrices(const char *name, size_t n, size_t k, size_t l,
                            size_t m, const char *part) {
  Case c;
  case_open(&c, name);
  case_matrix(&c, 0, n, k, UNIT);
  case_matrix(&c, 1, l, m, UNIT);
  refuse(&c, part);
}

static void test_shapes(void **state) {
  Case c;
  size_t shape3[] = {2, 3, 4};
  (void)state;
  refuse_matrices("matmul", 3, 4, 5, 2,
                  "cpu.matmul: a is 3×4 and b is 5×2: columns of a (4) must "
                  "equal rows of b (5)");
  refuse_matrices("add", 3, 4, 4, 3,
                  "cpu.add: a is 3×4 and b is 4×3: they must have the same "
                  "shape");
  case_open(&c, "matmul");
  case_vector(&c, 0, 12, UNIT);
  refuse(&c, "cpu.matmul: a is 12 long, expected a matrix, n×k");
  case_open(&c, "conv1d");
  case_matrix(&c, 0, 3, 4, UNIT);
  refuse(&c, "cpu.conv1d: x is 3×4, expected one dimension, n");
  case_open(&c, "dot");
  case_vector(&c, 0, 5, UNIT);
  case_shape(&c, 1, MT_FLOAT, 3, shape3);
  refuse(&c, "x is 5 long and y is 2×3×4: they must have the same shape");
  case_open(&c, "layernorm");
  case_matrix(&c, 0, 2, 5, UNIT);
  case_vector(&c, 1, 5, UNIT);
  case_vector(&c, 2, 4, UNIT);
  refuse(&c, "columns of x (5) must equal the length of beta (4)");
  case_open(&c, "nbody");
  case_matrix(&c, 0, 7, 3, UNIT);
  refuse(&c, "bodies is 7×3: columns of bodies must be 4");
  case_open(&c, "linear");
  case_matrix(&c, 0, 2, 3, UNIT);
  case_matrix(&c, 1, 3, 4, UNIT);
  refuse(&c, "cpu.linear: b is missing");
}

static void test_outputs(void **state) {
  Case c;
  size_t two = 2;
  (void)state;
  case_open(&c, "matmul");
  case_matrix(&c, 0, 3, 4, UNIT);
  case_matrix(&c, 1, 4, 2, UNIT);
  case_matrix(&c, 2, 2, 3, UNIT);
  refuse(&c, "cpu.matmul: c is 2×3, expected 3×2");
  case_open(&c, "sum");
  case_vector(&c, 0, 9, UNIT);
  case_shape(&c, 1, MT_FLOAT, 1, &two);
  refuse(&c, "total is 2 long, expected 1 long");
  case_open(&c, "conv1d");
  case_vector(&c, 0, 9, UNIT);
  case_vector(&c, 1, 3, UNIT);
  case_vector(&c, 2, 9, UNIT);
  refuse(&c, "y is 9 long, expected 7 long");
}

static void test_types(void **state) {
  Case c;
  size_t n = 4;
  (void)state;
  case_open(&c, "add");
  case_shape(&c, 0, MT_HALF, 1, &n);
  case_shape(&c, 1, MT_HALF, 1, &n);
  refuse(&c, "cpu.add: a is a buffer of half, expected float, int or uint");
  case_open(&c, "add");
  case_vector(&c, 0, n, UNIT);
  case_words(&c, 1, MT_INT, n, 9);
  refuse(&c, "a is float and b is int: they must be of one type");
  case_open(&c, "exp");
  case_words(&c, 0, MT_INT, n, 9);
  refuse(&c, "cpu.exp: x is a buffer of int, expected float");
  case_open(&c, "sum");
  n = 1;
  case_words(&c, 0, MT_INT, 9, 9);
  case_shape(&c, 1, MT_FLOAT, 1, &n);
  refuse(&c, "total is a buffer of float, expected int or long");
  case_open(&c, "histogram");
  case_vector(&c, 0, 9, UNIT);
  refuse(&c, "x is a buffer of float, expected uint or uchar");
  case_open(&c, "add");
  case_words(&c, 0, MT_INT, 9, 9);
  case_words(&c, 1, MT_INT, 9, 9);
  c.call.way = MT_CPU_VENDOR;
  refuse(&c, "the vendor's library takes float alone, not int");
}

static void test_options(void **state) {
  static const double bad[] = {-1, 1.5, NAN, INFINITY, 1e30};
  (void)state;
  for (int i = 0; i < 5; i++) {
    Case c;
    case_open(&c, "conv1d");
    case_vector(&c, 0, 9, UNIT);
    case_vector(&c, 1, 3, UNIT);
    c.call.option[0] = bad[i];
    refuse(&c, "pad must be a ");
  }
  Case c;
  case_open(&c, "conv1d");
  case_vector(&c, 0, 3, UNIT);
  case_vector(&c, 1, 5, UNIT);
  refuse(&c, "the window has 5 elements, x with its padding only 3");
  case_open(&c, "maxpool");
  case_matrix(&c, 0, 5, 1, UNIT);
  refuse(&c, "the window has 2 columns");
  case_open(&c, "mandelbrot");
  c.call.option[0] = c.call.option[1] = 0x1p40;
  refuse(&c, "larger than any memory");
  case_open(&c, "layernorm");
  case_matrix(&c, 0, 1, 1, UNIT);
  case_vector(&c, 1, 1, UNIT);
  case_vector(&c, 2, 1, UNIT);
  c.call.option[0] = NAN;
  refuse(&c, "epsilon must be a finite number");
}

static void test_overlap(void **state) {
  float memory[64] = {0};
  mt_Error err;
  mt_CpuCall call;
  mt_CpuArray a = {memory, MT_FLOAT, 2, {4, 4}};
  (void)state;
  mt_cpu_call_init(&call, mt_cpu_find("matmul"));
  call.array[0] = call.array[1] = call.array[2] = a;
  assert_int_equal(mt_cpu_check(&call, &err), MT_BADARG);
  assert_non_null(strstr(err.text, "a and c share memory"));
  mt_cpu_call_init(&call, mt_cpu_find("add"));
  call.array[0] = call.array[1] = call.array[2] = a;
  assert_int_equal(mt_cpu_check(&call, &err), MT_OK); /* a = a + a */
  call.array[2].data = memory + 3;                    /* partly over it */
  assert_int_equal(mt_cpu_check(&call, &err), MT_BADARG);
  call.array[2].data = memory + 16; /* past it */
  assert_int_equal(mt_cpu_check(&call, &err), MT_OK);
  mt_cpu_call_init(&call, mt_cpu_find("blackscholes"));
  for (int i = 0; i < 3; i++) call.array[i] = a;
  call.array[3] = call.array[4] = a;
  call.array[3].data = call.array[4].data = memory + 32;
  assert_int_equal(mt_cpu_check(&call, &err), MT_BADARG);
  assert_non_null(strstr(err.text, "put and call share memory"));
}

/* The table itself: names, lines of help, letters. */
static void test_table(void **state) {
  static const char *const names[] = {
      "add", "sub", "mul", "saxpy", "relu", "sum", "mean", "max", "dot", "exp",
      "matmul", "transpose", "scan", "histogram", "conv1d", "conv2d",
      "maxpool", "softmax", "layernorm", "mandelbrot", "nbody",
      "blackscholes", "linear", "attention", "activations", "copy", "fill",
      "sort", "blur", "sobel", "life", "random_uniform", "random_normal"};
  size_t n = 0;
  (void)state;
  while (mt_cpu_at(n)) {
    const mt_CpuRef *ref = mt_cpu_at(n++);
    assert_true(strlen(mt_cpu_about(ref)) < 70);
    assert_ptr_equal(mt_cpu_find(mt_cpu_name(ref)), ref);
    assert_int_equal(mt_cpu_can(ref, MT_CPU_ONE_CORE, NULL), MT_OK);
  }
  assert_int_equal(n, sizeof names / sizeof names[0]);
  for (size_t i = 0; i < n; i++) assert_non_null(mt_cpu_find(names[i]));
  assert_null(mt_cpu_find("nothing"));
}

/* ------------------------------------------------------------------ vendor */

static void test_vendor(void **state) {
  mt_Error err = {""};
  mt_CpuWay way;
  (void)state;
  if (mt_cpu_vendor_name(&err) == NULL) fail_msg("%s", err.text);
  assert_int_equal(mt_cpu_can(mt_cpu_find("matmul"), MT_CPU_VENDOR, &err),
                   MT_OK);
  assert_int_equal(mt_cpu_can(mt_cpu_find("relu"), MT_CPU_VENDOR, &err),
                   MT_BADARG);
  assert_non_null(strstr(err.text, "cpu.relu has no vendor way"));
  assert_true(mt_cpu_way_find("all cores", &way) && way == MT_CPU_ALL_CORES);
  assert_false(mt_cpu_way_find("", &way));
}

/* ------------------------------------------------------------------ cancel */

/* Time that this process has used, on all its cores: on a machine that is busy
** with other things the clock on the wall says nothing. */
static double used(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *press_ctrl_c(void *at) {
  usleep(30000);
  *(double *)at = used();
  mt_cancel_request();
  return NULL;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWER 5
#else
#define SLOWER 1
#endif

/* Runs for many seconds unless it hears the request. */
static void stopped(Case *c, mt_CpuWay way) {
  double at = 0, seconds;
  pthread_t thread;
  mt_Error err = {""};
  c->call.way = way;
  case_plan(c);
  pthread_create(&thread, NULL, press_ctrl_c, &at);
  mt_Status status = mt_cpu_run(&c->call, &seconds, &err);
  double end = used();
  pthread_join(thread, NULL);
  mt_cancel_clear();
  if (status != MT_CANCELLED)
    fail_msg("cpu.%s (%s) was over after %.0f ms", mt_cpu_name(c->call.ref),
             mt_cpu_way_name(way), seconds * 1e3);
  assert_non_null(strstr(err.text, "interrupted"));
  double late = (end - at) / mt_pool_size() / SLOWER;
  print_message("# cpu.%s (%s) stopped after %.1f ms\n",
                mt_cpu_name(c->call.ref), mt_cpu_way_name(way), late * 1e3);
  if (late > 0.1)
    fail_msg("cpu.%s (%s) heard it after %.0f ms", mt_cpu_name(c->call.ref),
             mt_cpu_way_name(way), late * 1e3);
}

static void test_cancel(void **state) {
  (void)state;
  for (int way = 0; way < MT_CPU_WAYS; way++) {
    Case c;
    case_open(&c, "matmul");
    case_matrix(&c, 0, 6000, 6000, ZEROS);
    case_matrix(&c, 1, 6000, 6000, ZEROS);
    stopped(&c, (mt_CpuWay)way);
    case_close(&c);
    if (way == MT_CPU_VENDOR) break;
    case_open(&c, "mandelbrot");
    c.call.option[5] = 4e9; /* one pixel would take seconds */
    stopped(&c, (mt_CpuWay)way);
    case_close(&c);
    case_open(&c, "nbody");
    case_matrix(&c, 0, 400000, 4, UNIT);
    case_matrix(&c, 1, 400000, 4, UNIT);
    stopped(&c, (mt_CpuWay)way);
    case_close(&c);
    case_open(&c, "conv1d");
    case_vector(&c, 0, 2000000, UNIT);
    case_vector(&c, 1, 1000000, UNIT);
    stopped(&c, (mt_CpuWay)way);
    case_close(&c);
    case_open(&c, "attention");
    case_matrix(&c, 0, 40000, 64, UNIT);
    case_matrix(&c, 1, 40000, 64, UNIT);
    case_matrix(&c, 2, 40000, 64, UNIT);
    stopped(&c, (mt_CpuWay)way);
    case_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),  cmocka_unit_test(test_outputs),
      cmocka_unit_test(test_types),   cmocka_unit_test(test_options),
      cmocka_unit_test(test_overlap), cmocka_unit_test(test_table),
      cmocka_unit_test(test_vendor),  cmocka_unit_test(test_cancel),
  };
  return cmocka_run_group_tests(tests, find_module, NULL);
}
