/*
** cancel.c - the cancellation flag.
*/
#include "base/cancel.h"

#include <string.h>

enum { PIECE = 16 << 20 }; /* bytes; a copy of a few milliseconds */

/* Of the process: a signal handler sets it, and has no context. */
atomic_int mt_cancel_flag;

void mt_cancel_request(void) {
  atomic_store_explicit(&mt_cancel_flag, 1, memory_order_relaxed);
}

void mt_cancel_clear(void) {
  atomic_store_explicit(&mt_cancel_flag, 0, memory_order_relaxed);
}

bool mt_cancelled(void) {
  return atomic_load_explicit(&mt_cancel_flag, memory_order_relaxed) != 0;
}

bool mt_copy(void *to, const void *from, size_t n) {
  bool backwards = (char *)to > (const char *)from; /* they may overlap */
  for (size_t done = 0; done < n;) {
    size_t piece = n - done < PIECE ? n - done : PIECE;
    size_t at = backwards ? n - done - piece : done;
    memmove((char *)to + at, (const char *)from + at, piece);
    done += piece;
    if (done < n && mt_cancelled()) return false;
  }
  return true;
}
