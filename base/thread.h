/*
** thread.h - threads that get no signals.
**
** The one idea: Ctrl-C and the like are for the thread that runs Lua, which
** waits in calls that they have to interrupt. A thread inherits the signals
** that are blocked while it is created, so they are blocked for that moment.
** Faults are not: a blocked one ends the process before anybody could tell why.
*/
#ifndef MT_THREAD_H
#define MT_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* Start a thread that gets no signals but its own faults. 'thread' is to be
** joined; NULL: it is detached. false: there is none, errno says why. */
bool mt_thread_start(pthread_t *thread, void *(*body)(void *), void *context);

/* The same for threads that a library starts, between the two calls. */
void mt_signals_block(sigset_t *before);
void mt_signals_restore(const sigset_t *before);

#endif
