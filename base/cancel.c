/*
** cancel.c - the one flag behind Ctrl-C.
*/
#include "base/cancel.h"

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
