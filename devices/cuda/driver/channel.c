/*
** channel.c - two processes that wait for each other on shared memory.
**
** The one idea: looking at a word again and again sees a change within a
** fraction of a microsecond, a system call wakes a sleeper only after several.
** So a waiter looks for a while, then announces that it sleeps, and only a
** sleeper is woken.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "devices/cuda/driver/command.h"

#define LOOK_NS 50000

static void breathe(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* With one processor the other side cannot move while this one looks. */
static bool may_look(void) {
  static int several = -1;
  if (several < 0) several = sysconf(_SC_NPROCESSORS_ONLN) > 1;
  return several;
}

static bool look(_Atomic uint32_t *word, uint32_t old) {
  uint64_t end = mt_now_ns() + LOOK_NS;
  do
    for (int i = 0; i < 64; i++) {
      if (atomic_load_explicit(word, memory_order_acquire) != old) return true;
      breathe();
    }
  while (mt_now_ns() < end);
  return false;
}

bool mt_channel_wait(_Atomic uint32_t *word, uint32_t old,
                     _Atomic uint32_t *sleeps, int ms) {
  if (may_look() && look(word, old)) return true;
  struct timespec limit = {ms / 1000, ms % 1000 * 1000000L};
  atomic_store(sleeps, 1);
  if (atomic_load(word) == old)
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAIT, old,
            ms < 0 ? NULL : &limit, NULL, 0);
  atomic_store(sleeps, 0);
  return atomic_load(word) != old;
}

void mt_channel_post(_Atomic uint32_t *word, uint32_t value,
                     _Atomic uint32_t *sleeps) {
  atomic_store(word, value);
  if (atomic_load(sleeps))
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAKE, 1, NULL, NULL, 0);
}
