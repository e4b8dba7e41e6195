/*
** allocations.h - makes the n-th allocation of Mettle's own code fail, and
** finds what that code has left: blocks that are not freed, bytes written past
** the end of one.
**
** A program that includes this, in one file and with _GNU_SOURCE, defines
** malloc, calloc, realloc, free and strdup itself; they fail and are counted
** where the caller is Mettle's code (parts.so), never in LLVM or the C library.
** Its blocks begin with bytes that are no zeros, and so does what is freed.
** Sanitizers have a malloc of their own, and only on Linux is there a parts.so:
** elsewhere ALLOCATIONS_SEEN is 0 and nothing fails.
*/
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined __has_feature
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if !defined __linux__ || defined MT_DARWIN || /* a Mac, or one played */ \
    defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)
#define ALLOCATIONS_SEEN 0

static inline void each_allocation_fails(bool (*work)(void *with), void *with) {
  if (!work(with)) fail_msg("it fails with all allocations, too");
}

#else
#define ALLOCATIONS_SEEN 1

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

static uintptr_t alloc_ours[8][2]; /* code of Mettle */
static int alloc_ranges;
static long alloc_left; /* allocations until one fails; 0: none does */
static bool alloc_failed, alloc_counting;

/* Blocks that Mettle's code allocated while 'alloc_counting', by address. */
enum { ALLOC_SLOTS = 1 << 18 };
static struct {
  const void *at;
  size_t size;
} alloc_block[ALLOC_SLOTS];
static long alloc_live;

static size_t alloc_slot(const void *p, const void *or_free) {
  size_t i = ((uintptr_t)p >> 4) * 0x9E3779B97F4A7C15ull >> 40;
  for (i &= ALLOC_SLOTS - 1; alloc_block[i].at && alloc_block[i].at != p;
       i = (i + 1) & (ALLOC_SLOTS - 1))
    if (alloc_block[i].at == or_free) break;
  return i;
}

static bool alloc_is_ours(const void *caller) {
  for (int i = 0; i < alloc_ranges; i++)
    if ((uintptr_t)caller >= alloc_ours[i][0] &&
        (uintptr_t)caller < alloc_ours[i][1])
      return true;
  return false;
}

/* While 'alloc_noting', the calls that lead to each allocation, as a number. */
enum { ALLOC_NOTED = 1 << 16, ALLOC_CALLS = 6 };
static uint64_t alloc_noted[ALLOC_NOTED];
static long alloc_noted_count;
static bool alloc_noting;

static void alloc_note(void) {
  void *calls[ALLOC_CALLS + 4];
  int n = backtrace(calls, ALLOC_CALLS + 4), i = 0;
  uint64_t hash = 1;
  while (i < n && !alloc_is_ours(calls[i])) i++; /* malloc's own */
  if (n > i + ALLOC_CALLS) n = i + ALLOC_CALLS;
  for (; i < n && alloc_is_ours(calls[i]); i++)
    hash = (hash ^ (uintptr_t)calls[i]) * 0x100000001B3ull;
  if (alloc_noted_count < ALLOC_NOTED) alloc_noted[alloc_noted_count++] = hash;
}

static bool alloc_fails(const void *caller) {
  if (alloc_noting && alloc_is_ours(caller)) alloc_note();
  if (!alloc_left || !alloc_is_ours(caller) || --alloc_left) return false;
  return alloc_failed = true;
}

/* Past the end of each counted block stand bytes that nothing may write. */
enum { ALLOC_FENCE = 16, ALLOC_FILL = 0xA5 };
static char alloc_gone; /* marks a slot that was in use */

static void *alloc_add(void *p, size_t size, const void *caller) {
  if (!p || !alloc_counting || !alloc_is_ours(caller)) return p;
  size_t slot = alloc_slot(p, &alloc_gone);
  alloc_block[slot].at = p;
  alloc_block[slot].size = size;
  memset((char *)p + size, ALLOC_FILL, ALLOC_FENCE);
  alloc_live++;
  return p;
}

/* What was in a block that is freed is not to be read. */
static void alloc_take(void *p, bool freed) {
  size_t i = p && alloc_live ? alloc_slot(p, NULL) : 0;
  if (!p || !alloc_live || alloc_block[i].at != p) return;
  const unsigned char *fence = (unsigned char *)p + alloc_block[i].size;
  for (int n = 0; n < ALLOC_FENCE; n++)
    if (fence[n] != ALLOC_FILL) abort(); /* written past the block's end */
  if (freed) memset(p, ALLOC_FILL, alloc_block[i].size);
  alloc_block[i].at = &alloc_gone;
  alloc_live--;
}

/* What is asked for while dlsym looks for the real functions. */
static char alloc_early[1 << 16];
static size_t alloc_early_used;

static void *alloc_from_early(size_t size) {
  size_t at = alloc_early_used;
  alloc_early_used += (size + 15) / 16 * 16;
  if (alloc_early_used > sizeof alloc_early) abort();
  return alloc_early + at;
}

static bool alloc_is_early(const void *p) {
  return (const char *)p >= alloc_early &&
         (const char *)p < alloc_early + sizeof alloc_early;
}

#define ALLOC_REAL(name, type)                                    \
  static __typeof__(type) real;                                   \
  static bool looking;                                            \
  if (!real && !looking) {                                        \
    looking = true;                                               \
    real = (__typeof__(type))(uintptr_t)dlsym(RTLD_NEXT, name);   \
    looking = false;                                              \
  }

void *malloc(size_t size) {
  ALLOC_REAL("malloc", void *(*)(size_t))
  const void *caller = __builtin_return_address(0);
  if (alloc_fails(caller)) return NULL;
  if (!real) return alloc_from_early(size);
  void *p = real(size + ALLOC_FENCE);
  if (p && alloc_counting && alloc_is_ours(caller)) memset(p, ALLOC_FILL, size);
  return alloc_add(p, size, caller);
}

void *calloc(size_t n, size_t size) {
  ALLOC_REAL("calloc", void *(*)(size_t, size_t))
  const void *caller = __builtin_return_address(0);
  if (alloc_fails(caller)) return NULL;
  if (!real) return alloc_from_early(n * size);
  if (size && n > (SIZE_MAX - ALLOC_FENCE) / size) return NULL;
  return alloc_add(real(n * size + ALLOC_FENCE, 1), n * size, caller);
}

void *realloc(void *p, size_t size) {
  ALLOC_REAL("realloc", void *(*)(void *, size_t))
  const void *caller = __builtin_return_address(0);
  if (alloc_fails(caller)) return NULL;
  alloc_take(p, false);
  if (!real) return alloc_from_early(size);
  return alloc_add(real(p, size + ALLOC_FENCE), size, caller);
}

void free(void *p) {
  ALLOC_REAL("free", void (*)(void *))
  alloc_take(p, true);
  if (real && !alloc_is_early(p)) real(p);
}

char *strdup(const char *s) {
  size_t n = strlen(s) + 1;
  if (alloc_fails(__builtin_return_address(0))) return NULL;
  char *copy = malloc(n + ALLOC_FENCE);
  alloc_add(copy, n, __builtin_return_address(0));
  return copy ? memcpy(copy, s, n) : NULL;
}

static int alloc_find_ours(struct dl_phdr_info *info, size_t size, void *none) {
  (void)size, (void)none;
  const char *name = strrchr(info->dlpi_name, '/');
  if (!name || strcmp(name, "/parts.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_X) || alloc_ranges == 8)
      continue;
    alloc_ours[alloc_ranges][0] = info->dlpi_addr + h->p_vaddr;
    alloc_ours[alloc_ranges][1] = alloc_ours[alloc_ranges][0] + h->p_memsz;
    alloc_ranges++;
  }
  return 0;
}

/* Before all else here. */
static void alloc_open(void) {
  void *calls[1];
  if (alloc_ranges) return;
  backtrace(calls, 1); /* it allocates the first time */
  dl_iterate_phdr(alloc_find_ours, NULL);
  assert_true(alloc_ranges > 0);
}

/* From here on blocks are counted, and the n-th allocation fails (0: none). */
static void alloc_begin(long n) {
  alloc_failed = false, alloc_counting = true, alloc_left = n;
}

static void alloc_end(void) { alloc_counting = false, alloc_left = 0; }

/*
** Run work(with), which says whether it has worked, once as it is and then with
** each of its allocations failing: then it must say that it has not. Either way
** nothing may be left.
*/
static inline void each_allocation_fails(bool (*work)(void *with), void *with) {
  alloc_open();
  alloc_failed = true;
  for (long n = 0; alloc_failed || n == 1; n++) {
    alloc_begin(n);
    bool good = work(with);
    alloc_end();
    if (alloc_live)
      fail_msg("allocation %ld: %ld blocks are not freed", n, alloc_live);
    if (good == alloc_failed)
      fail_msg("allocation %ld %s: it says that it has%s worked", n,
               alloc_failed ? "fails" : "does not fail", good ? "" : " not");
  }
}

#endif
#endif
