/*
** test_work_shares.c - chunks of a launch, handed out to workers
** (run/work_shares.c).
**
** Guards: devices/host/run/work_shares.c: chunks of a launch, handed out to
** workers
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>

#include "devices/host/run/work_shares.h"

#define WORKERS 4
#define CHUNKS 1001

static mt_WorkShares shares;
static atomic_int taken[CHUNKS];
static atomic_int calls;

/* As the pool does: the worker that is free makes the next call. */
static void *work(void *number) {
  while (atomic_fetch_add(&calls, 1) < CHUNKS) {
    uint64_t chunk = mt_work_shares_take(&shares, (unsigned)(uintptr_t)number);
    if (chunk < CHUNKS) atomic_fetch_add(&taken[chunk], 1);
  }
  return NULL;
}

static void test_each_once(void **state) {
  (void)state;
  for (int run = 0; run < 50; run++) {
    pthread_t thread[WORKERS];
    mt_work_shares_divide(&shares, WORKERS, CHUNKS);
    atomic_store(&calls, 0);
    for (int i = 0; i < CHUNKS; i++) atomic_store(&taken[i], 0);
    for (uintptr_t i = 0; i < WORKERS; i++)
      assert_int_equal(pthread_create(&thread[i], NULL, work, (void *)i), 0);
    for (int i = 0; i < WORKERS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < CHUNKS; i++) assert_int_equal(taken[i], 1);
  }
}

/* A worker that is alone takes its own share first, from its front, and then
** from the end of the largest one that is left. */
static void test_order(void **state) {
  static const uint64_t wanted[] = {4, 5, 6, 7, 3, 11, 2, 10, 1, 9, 0, 8};
  (void)state;
  mt_work_shares_divide(&shares, 3, 12);
  for (size_t i = 0; i < 12; i++)
    assert_int_equal(mt_work_shares_take(&shares, 1), wanted[i]);
}

static void test_fewer_chunks_than_workers(void **state) {
  (void)state;
  uint64_t seen = 0;
  mt_work_shares_divide(&shares, 8, 3);
  for (unsigned i = 0; i < 3; i++)
    seen |= 1ull << mt_work_shares_take(&shares, i);
  assert_int_equal(seen, 7);
}

static void test_too_many(void **state) {
  (void)state;
  mt_work_shares_divide(&shares, 2, UINT64_C(1) << 32);
  assert_int_equal(shares.count, 0);
  mt_work_shares_divide(&shares, MT_WORK_SHARES_MOST + 1, 5000);
  assert_int_equal(shares.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_once), cmocka_unit_test(test_order),
      cmocka_unit_test(test_fewer_chunks_than_workers),
      cmocka_unit_test(test_too_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
