/*
** child.h - another program, run under limits.
**
** mt_child_start starts it at once, so that it can load while its input is
** still being made, or long before there is any; mt_child_finish hands it the
** input, collects what it says and waits. It lives in a process group of its
** own: Ctrl-C at the terminal reaches Mettle alone, which then ends it
** (base/cancel.h); and it ends with Mettle, in whatever way that ends
** (base/spawn.h). Any thread that lives as long.
*/
#ifndef MT_CHILD_H
#define MT_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fork_server.h"
#include "base/status.h"
#include "base/str.h"

typedef struct mt_ChildLimits {
  double seconds; /* of the processor's time, whole ones; by the clock four times
                  ** as many, for a machine that is busy with others, from its
                  ** first input on. 0 = none */
  size_t memory;  /* bytes of address space; 0 = none */
  size_t output;  /* bytes of each of its two outputs; 0 = none */
  /* seconds in which it does nothing, with all its input; 0 = any */
  double idle;
} mt_ChildLimits;

typedef struct mt_Child mt_Child;

/* Run argv[0], a path, with 'argv' (ends with NULL) and this environment. */
mt_Status mt_child_start(const char *const *argv, const mt_ChildLimits *limits,
                         mt_Child **out, mt_Error *err);

/* The same, from a program that is loaded already, the one that argv[0] names;
** NULL, or one that cannot: as above. */
mt_Status mt_child_start_from(mt_ForkServer *loaded, const char *const *argv,
                              const mt_ChildLimits *limits, mt_Child **out,
                              mt_Error *err);

/*
** Give it what its input takes at once, without waiting, so that it can work
** while the caller does something else. Returns how many bytes; the rest is for
** mt_child_finish. All of them: its input is closed.
*/
size_t mt_child_feed(mt_Child *child, const void *input, size_t size);

/*
** Give 'size' bytes to its standard input, append what it writes to 'output'
** and 'errors', wait for its end and free 'child'; who waits longer is told
** what mt_notice_begin said. '*code' is its exit status, or 128 + the signal
** that ended it. MT_TIMEOUT, MT_CANCELLED and MT_FAIL (too much output): it was
** ended by us.
*/
mt_Status mt_child_finish(mt_Child *child, const void *input, size_t size,
                          mt_Str *output, mt_Str *errors, int *code,
                          mt_Error *err);

/* Has it not ended by itself? */
bool mt_child_alive(const mt_Child *child);

void mt_child_kill(mt_Child *child); /* ends and frees it; NULL ok */

#endif
