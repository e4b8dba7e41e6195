/*
** cancel_after.h - Ctrl-C, a while from now, by another thread.
*/
#ifndef CANCEL_AFTER_H
#define CANCEL_AFTER_H

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "base/cancel.h"

static void *cancel_after_main(void *ms) {
  usleep((useconds_t)(uintptr_t)ms * 1000);
  mt_cancel_request();
  return NULL;
}

static inline pthread_t cancel_after(unsigned ms) {
  pthread_t thread;
  pthread_create(&thread, NULL, cancel_after_main, (void *)(uintptr_t)ms);
  return thread;
}

/* And all is as before. */
static inline void cancel_over(pthread_t thread) {
  pthread_join(thread, NULL);
  mt_cancel_clear();
}

#endif
