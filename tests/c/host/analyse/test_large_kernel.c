/*
** test_large_kernel.c - the analyses of a kernel with hundreds of blocks take
** no more memory than a few sets of them for each.
**
** Guards: devices/host/analyse/cfg.c: what the memory of sets of blocks grows
** with
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/str.h"
#include "devices/opt/opt.h"

#define TARGET "x86_64-linux-gnu,x86-64-v3"

/* A kernel in which lanes part so many times; the answer of 'blocks'. */
static void ask(unsigned times) {
  mt_Str text = MT_STR_INIT, out = MT_STR_INIT;
  mt_Error err = {""};
  mt_str_add(&text, "define void @k(ptr %out, i32 %thread_position_in_grid) {\n"
                    "entry:\n  br label %at0\n");
  for (unsigned k = 0; k < times; k++)
    mt_str_addf(&text,
                "at%u:\n  %%c%u = icmp eq i32 %%thread_position_in_grid, %u\n"
                "  br i1 %%c%u, label %%then%u, label %%at%u\n"
                "then%u:\n  store i32 %u, ptr %%out\n  br label %%at%u\n",
                k, k, k + 1, k, k, k + 1, k, k, k + 1);
  mt_str_addf(&text, "at%u:\n  ret void\n}\n", times);
  mt_OptRequest q = {.name = "input", .passes = "blocks", .target = TARGET,
                     .text = mt_str_text(&text)};
  q.size = strlen(q.text);
  if (mt_opt_run(&q, &out, &err) != MT_OK) fail_msg("%s", err.text);
  size_t lines = 0;
  for (const char *at = mt_str_text(&out); (at = strstr(at, ", lanes meet"));
       at++)
    lines++;
  assert_int_equal(lines, times);
  mt_str_free(&text);
  mt_str_free(&out);
}

/* The most that the process has had, in MB. */
static size_t peak(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
#ifdef __APPLE__
  return (size_t)use.ru_maxrss >> 20;
#else
  return (size_t)use.ru_maxrss >> 10;
#endif
}

static void test_memory(void **state) {
  (void)state;
  ask(4);
  size_t before = peak();
  ask(200);
  size_t more = peak() - before;
  if (more > 64) fail_msg("%zu MB for 200 branches", more);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
