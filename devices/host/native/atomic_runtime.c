/*
** atomic_runtime.c - atomic operations that LLVM calls instead of making code.
**
** The one idea: LLVM has code for aligned atomics of up to eight bytes. It
** calls __atomic_… of libatomic for others, and __aarch64_… of a compiler's
** own runtime for all of them if a CPU may lack them. Operations of 16 bytes,
** and those of no fixed size, which may be unaligned, share a lock. All are as
** strong as the strongest order.
*/
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "devices/host/native/runtime_symbols.h"

typedef unsigned __int128 Wide;

static atomic_flag locked = ATOMIC_FLAG_INIT;

static void lock(void) {
  while (atomic_flag_test_and_set(&locked)) continue;
}
static void unlock(void) { atomic_flag_clear(&locked); }

/* ---------------------------------------------------------------- any size */

static void load_any(size_t n, const void *from, void *to, int order) {
  (void)order;
  lock();
  memcpy(to, from, n);
  unlock();
}

static void store_any(size_t n, void *to, const void *from, int order) {
  (void)order;
  lock();
  memcpy(to, from, n);
  unlock();
}

static void exchange_any(size_t n, void *at, const void *value, void *old,
                         int order) {
  (void)order;
  lock();
  memcpy(old, at, n);
  memcpy(at, value, n);
  unlock();
}

static bool compare_exchange_any(size_t n, void *at, void *expected,
                                 const void *value, int order, int failed) {
  (void)order, (void)failed;
  lock();
  bool equal = memcmp(at, expected, n) == 0;
  if (equal)
    memcpy(at, value, n);
  else
    memcpy(expected, at, n);
  unlock();
  return equal;
}

/* ------------------------------------------------- one to eight bytes each */

#define FETCH(op, T, N)                                       \
  static T fetch_##op##_##N(T *at, T value, int order) {      \
    (void)order;                                              \
    return __atomic_fetch_##op(at, value, __ATOMIC_SEQ_CST);  \
  }

#define OF_SIZE(T, N)                                                         \
  static T load_##N(const T *at, int order) {                                 \
    (void)order;                                                              \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                             \
  }                                                                           \
  static void store_##N(T *at, T value, int order) {                          \
    (void)order;                                                              \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                            \
  }                                                                           \
  static T exchange_##N(T *at, T value, int order) {                          \
    (void)order;                                                              \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                  \
  }                                                                           \
  static bool compare_exchange_##N(T *at, T *expected, T value, int order,    \
                                   int failed) {                              \
    (void)order, (void)failed;                                                \
    return __atomic_compare_exchange_n(at, expected, value, false,            \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
  }                                                                           \
  FETCH(add, T, N) FETCH(sub, T, N) FETCH(and, T, N) FETCH(or, T, N)          \
  FETCH(xor, T, N) FETCH(nand, T, N)                                          \
  /* aarch64's: the value comes first, and 'clr' clears its bits */           \
  static T cas_##N(T expected, T value, T *at) {                              \
    compare_exchange_##N(at, &expected, value, 0, 0);                         \
    return expected;                                                          \
  }                                                                           \
  static T swp_##N(T value, T *at) { return exchange_##N(at, value, 0); }     \
  static T ldadd_##N(T value, T *at) { return fetch_add_##N(at, value, 0); }  \
  static T ldset_##N(T value, T *at) { return fetch_or_##N(at, value, 0); }   \
  static T ldclr_##N(T value, T *at) {                                        \
    return fetch_and_##N(at, (T)~value, 0);                                   \
  }                                                                           \
  static T ldeor_##N(T value, T *at) { return fetch_xor_##N(at, value, 0); }

OF_SIZE(uint8_t, 1)
OF_SIZE(uint16_t, 2)
OF_SIZE(uint32_t, 4)
OF_SIZE(uint64_t, 8)

/* ----------------------------------------------------------- sixteen bytes */

static Wide load_16(const Wide *at, int order) {
  Wide value;
  load_any(sizeof value, at, &value, order);
  return value;
}

static void store_16(Wide *at, Wide value, int order) {
  store_any(sizeof value, at, &value, order);
}

static Wide exchange_16(Wide *at, Wide value, int order) {
  Wide old;
  exchange_any(sizeof value, at, &value, &old, order);
  return old;
}

static bool compare_exchange_16(Wide *at, Wide *expected, Wide value, int order,
                                int failed) {
  return compare_exchange_any(sizeof value, at, expected, &value, order,
                              failed);
}

#define FETCH_16(op, result)                                 \
  static Wide fetch_##op##_16(Wide *at, Wide value, int order) { \
    (void)order;                                             \
    lock();                                                  \
    Wide old = *at;                                          \
    *at = result;                                            \
    unlock();                                                \
    return old;                                              \
  }

FETCH_16(add, old + value)
FETCH_16(sub, old - value)
FETCH_16(and, old &value)
FETCH_16(or, old | value)
FETCH_16(xor, old ^ value)
FETCH_16(nand, ~(old & value))

static Wide cas_16(Wide expected, Wide value, Wide *at) {
  compare_exchange_16(at, &expected, value, 0, 0);
  return expected;
}

/* ------------------------------------------------------------------- names */

#define NAME(op, N) MT_RUNTIME_SYMBOL("__atomic_" #op "_" #N, op##_##N)
#define NAMES(N)                                                         \
  NAME(load, N), NAME(store, N), NAME(exchange, N),                      \
      NAME(compare_exchange, N), NAME(fetch_add, N), NAME(fetch_sub, N), \
      NAME(fetch_and, N), NAME(fetch_or, N), NAME(fetch_xor, N),         \
      NAME(fetch_nand, N)

#define ARM(op, N)                                              \
  MT_RUNTIME_SYMBOL("__aarch64_" #op #N "_relax", op##_##N),    \
      MT_RUNTIME_SYMBOL("__aarch64_" #op #N "_acq", op##_##N),  \
      MT_RUNTIME_SYMBOL("__aarch64_" #op #N "_rel", op##_##N),  \
      MT_RUNTIME_SYMBOL("__aarch64_" #op #N "_acq_rel", op##_##N)
#define ARMS(N)                                                    \
  ARM(cas, N), ARM(swp, N), ARM(ldadd, N), ARM(ldset, N), ARM(ldclr, N), \
      ARM(ldeor, N)

static const mt_RuntimeSymbol table[] = {
    MT_RUNTIME_SYMBOL("__atomic_load", load_any),
    MT_RUNTIME_SYMBOL("__atomic_store", store_any),
    MT_RUNTIME_SYMBOL("__atomic_exchange", exchange_any),
    MT_RUNTIME_SYMBOL("__atomic_compare_exchange", compare_exchange_any),
    NAMES(1), NAMES(2), NAMES(4), NAMES(8), NAMES(16),
    ARMS(1), ARMS(2), ARMS(4), ARMS(8), ARM(cas, 16),
};

MT_OFFERS_SYMBOLS(table)
