/*
** thread.c - threads that get no signals, see thread.h.
*/
#include "base/thread.h"

#include <errno.h>

void mt_signals_block(sigset_t *before) {
  static const int FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  sigset_t most;
  sigfillset(&most);
  for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++)
    sigdelset(&most, FAULTS[i]);
  pthread_sigmask(SIG_BLOCK, &most, before);
}

void mt_signals_restore(const sigset_t *before) {
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

bool mt_thread_start(pthread_t *thread, void *(*body)(void *), void *context) {
  sigset_t before;
  pthread_t own;
  mt_signals_block(&before);
  int why = pthread_create(thread ? thread : &own, NULL, body, context);
  mt_signals_restore(&before);
  if (why == 0 && !thread) pthread_detach(own);
  if (why != 0) errno = why;
  return why == 0;
}
