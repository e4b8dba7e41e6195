/*
** test_dispatch.c - which threadgroups a launch runs: each once, wherever the
** grid ends, in pieces of rows too, from the one that a launch goes on with to
** the one where better code takes over; and that nothing is awake when none
** runs.
**
** The code of a group is a function in C, which notes the group that it is
** called for.
**
** Guards: devices/host/run/{dispatch, watchdog}.c: every group once, its size
** at the edges, repeats, order of instrumented groups, launches that change to
** better code, the watchdog's sleep
*/
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "devices/host/run/dispatch.h"
#include "tests/c/host_case.h"

#define MOST 20000

static mt_Kernel *kernel;
static atomic_uint ran[MOST], threads, wrong;
static mt_Launch now;

static uint32_t least(uint64_t a, uint64_t b) {
  return (uint32_t)(a < b ? a : b);
}

/* Whether the group is what it is said to be; its number. */
static uint64_t look_at(const mt_Group *g, const uint32_t size[3]) {
  const uint64_t grid[3] = {now.grid.x, now.grid.y, now.grid.z};
  for (int d = 0; d < 3; d++)
    if (g->size[d] != size[d] || g->grid[d] != grid[d] ||
        g->groups[d] != (grid[d] + size[d] - 1) / size[d] ||
        g->position[d] >= g->groups[d] ||
        g->actual[d] != least(size[d], grid[d] - g->position[d] * size[d]))
      atomic_fetch_add(&wrong, 1);
  return g->position[0] + (uint64_t)g->groups[0] *
                              (g->position[1] +
                               (uint64_t)g->groups[1] * g->position[2]);
}

static void note(const mt_Group *g, const uint32_t size[3]) {
  uint64_t number = look_at(g, size);
  if (number < MOST) atomic_fetch_add(&ran[number], 1);
  atomic_fetch_add(&threads, g->actual[0] * g->actual[1] * g->actual[2]);
}

static void one_group(mt_Group *g) {
  const uint32_t size[3] = {(uint32_t)now.group.x, (uint32_t)now.group.y,
                            (uint32_t)now.group.z};
  note(g, size);
}

static void one_row(mt_Group *g) {
  note(g, (const uint32_t[3]){MT_ROW_THREADS, 1, 1});
}

static void start(mt_Size grid, mt_Size group) {
  for (int i = 0; i < MOST; i++) atomic_store(&ran[i], 0);
  atomic_store(&threads, 0);
  atomic_store(&wrong, 0);
  now = (mt_Launch){.kernel = kernel, .grid = grid, .group = group,
                    .repeats = 1};
}

static void dispatch(const mt_Runnable *what) {
  if (mt_dispatch(&now, what, NULL, &error) != MT_OK)
    fail_msg("%s", error.text);
  assert_int_equal(atomic_load(&wrong), 0);
}

/* ------------------------------------------------------------------- grids */

static void test_each_once(void **state) {
  (void)state;
  static const mt_Size grids[] = {{1, 1, 1},   {63, 1, 1},  {64, 1, 1},
                                  {65, 1, 1},  {7, 9, 1},   {100, 33, 1},
                                  {9, 8, 7},   {1, 1, 500}, {1, 700, 1},
                                  {30, 40, 5}, {9000, 1, 1}};
  static const mt_Size sizes[] = {{1, 1, 1}, {8, 4, 1}, {64, 1, 1}, {2, 3, 4}};
  for (int i = 0; i < 11; i++)
    for (int k = 0; k < 4; k++) {
      mt_Size s = sizes[k], g = grids[i];
      uint64_t groups = ((g.x + s.x - 1) / s.x) * ((g.y + s.y - 1) / s.y) *
                        ((g.z + s.z - 1) / s.z);
      start(g, s);
      now.repeats = 1 + (uint32_t)(k == 1);
      dispatch(&(mt_Runnable){.code = one_group});
      for (uint64_t n = 0; n < groups + 1; n++)
        assert_int_equal(atomic_load(&ran[n]), n < groups ? now.repeats : 0);
      assert_int_equal(atomic_load(&threads), g.x * g.y * g.z * now.repeats);
      start(g, s);
      dispatch(&(mt_Runnable){.code = one_row, .by_rows = true});
      assert_int_equal(atomic_load(&threads), g.x * g.y * g.z);
    }
}

/* Strips of columns, one row of a strip after the other: what tiles are kept
** for runs each group once, too, with what an earlier launch has learnt and
** without. */
static void test_strips(void **state) {
  (void)state;
  for (uint64_t kept = 64; kept < 1u << 22; kept *= 8)
    for (uint64_t known = 0; known < 5000; known = known * 7 + 1) {
      uint64_t iterations = known;
      start((mt_Size){1000, 120, 2}, (mt_Size){16, 8, 1});
      dispatch(&(mt_Runnable){.code = one_group, .kept_bytes = kept,
                              .iterations = &iterations});
      for (int n = 0; n < 63 * 15 * 2 + 1; n++)
        assert_int_equal(atomic_load(&ran[n]), n < 63 * 15 * 2);
    }
}

/* ------------------------------------------------------------- instrumented */

static uint64_t order_said[64], befores;

static uint64_t backwards(void *observer, uint64_t turn) {
  return *(uint64_t *)observer - 1 - turn;
}

static void before(const mt_Group *g, uint64_t number) {
  if (befores < 64) order_said[befores] = number;
  befores++;
  uint64_t at = g->position[0] +
                (uint64_t)g->groups[0] *
                    (g->position[1] + (uint64_t)g->groups[1] * g->position[2]);
  if (at != number) atomic_fetch_add(&wrong, 1);
}

static void test_order(void **state) {
  (void)state;
  uint64_t all = 4 * 3 * 2;
  for (int turned = 0; turned < 2; turned++) {
    befores = 0;
    start((mt_Size){7, 5, 2}, (mt_Size){2, 2, 1});
    dispatch(&(mt_Runnable){.code = one_group, .observer = &all,
                            .before = before,
                            .order = turned ? backwards : NULL});
    assert_int_equal(befores, all);
    for (uint64_t n = 0; n < all; n++) {
      assert_int_equal(order_said[n], turned ? all - 1 - n : n);
      assert_int_equal(atomic_load(&ran[n]), 1);
    }
  }
}

/* -------------------------------------------------------------- better code */

#define GROUPS 4096

static int asked, arrives; /* at which question; 0: never */

static bool has_arrived(void *context) {
  (void)context;
  asked++;
  return arrives && asked >= arrives;
}

static void slow_group(mt_Group *g) {
  one_group(g);
  for (uint64_t end = mt_now_ns() + 5000; mt_now_ns() < end;)
    ;
}

static uint64_t run_from(uint64_t first, int when) {
  uint64_t next = 0;
  asked = 0, arrives = when;
  start((mt_Size){GROUPS, 1, 1}, (mt_Size){1, 1, 1});
  dispatch(&(mt_Runnable){.code = slow_group, .first = first, .next = &next,
                          .superseded = has_arrived});
  uint64_t end = next == MT_ALL_RUN ? GROUPS : next;
  for (uint64_t n = 0; n < GROUPS; n++)
    assert_int_equal(atomic_load(&ran[n]), n >= first && n < end);
  return next;
}

/* The groups before the first that was not run are those that were run; the
** launch goes on with that one. */
static void test_superseded(void **state) {
  (void)state;
  assert_true(run_from(0, 0) == MT_ALL_RUN);
  assert_true(run_from(100, 0) == MT_ALL_RUN);
  assert_true(run_from(GROUPS - 1, 0) == MT_ALL_RUN);
  for (int when = 1; when < 4; when++) {
    uint64_t next = run_from(0, when);
    assert_true(next < GROUPS);
    assert_true(asked >= when);
    assert_true(run_from(next, 0) == MT_ALL_RUN);
  }
}

/* ---------------------------------------------------------------- watchdog */

static long wakes(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_nvcsw;
}

/* The waiting thread holds the lock: else a launch that begins at the wrong
** moment would not be watched. */
#if defined(__linux__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define LOOKS_AT_LOCKS
static atomic_uint waits, waits_unlocked;

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock) {
  int (*wait)(pthread_cond_t *, pthread_mutex_t *);
  *(void **)&wait = dlsym(RTLD_NEXT, "pthread_cond_wait");
  atomic_fetch_add(&waits, 1);
  if (pthread_mutex_trylock(lock) == 0) atomic_fetch_add(&waits_unlocked, 1);
  return wait(c, lock);
}
#endif

/* It looks every 5 ms while something runs, and for half a second after. */
static void test_sleeps(void **state) {
  (void)state;
  start((mt_Size){64, 1, 1}, (mt_Size){64, 1, 1});
  dispatch(&(mt_Runnable){.code = one_group});
  long least_woken = 1000;
  for (int i = 0; i < 40 && least_woken > 5; i++) {
    long was = wakes();
    usleep(100000);
    long woken = wakes() - was; /* by the watchdog some 20 times */
    if (woken < least_woken) least_woken = woken;
  }
  if (least_woken > 5) fail_msg("woken %ld times in 0.1 s", least_woken);
#ifdef LOOKS_AT_LOCKS
  assert_true(atomic_load(&waits) > 0);
  assert_int_equal(atomic_load(&waits_unlocked), 0);
#endif
}

static int open_kernel(void **state) {
  if (open_host(state)) return -1;
  kernel = host_kernel(MSL(kernel void k() {}), "k");
  return 0;
}

static int close_kernel(void **state) {
  mt_kernel_free(kernel);
  return close_host(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_once),  cmocka_unit_test(test_strips),
      cmocka_unit_test(test_order),      cmocka_unit_test(test_superseded),
      cmocka_unit_test(test_sleeps),
  };
  return cmocka_run_group_tests(tests, open_kernel, close_kernel);
}
