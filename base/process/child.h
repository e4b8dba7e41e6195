/*
** child.h - another program, run under limits.
**
** mt_child_start starts it at once, so that it can load while its input is
** still being made, or long before; mt_child_finish writes the input, collects
** the output and waits. The child has its own process group: Ctrl-C at the
** terminal reaches only Mettle, which then kills the child (base/cancel.h). The
** child ends with Mettle, however that ends (base/process/spawn.h). Call from
** any thread that lives as long as the child.
*/
#ifndef MT_CHILD_H
#define MT_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/process/fork_server.h"
#include "base/status.h"
#include "base/str.h"

typedef struct mt_ChildLimits {
  /* processor time, in whole seconds; 0 = none. After four times as many by the
  ** clock, counted from the first input, the child is ended too, unless it
  ** works and the machine is busy. */
  double seconds;
  /* bytes of address space, on macOS of memory that it uses; 0 = none */
  size_t memory;
  size_t output;  /* bytes of each of its two outputs; 0 = none */
  /* seconds without processor time, once it has all its input; 0 = any. Time
  ** in which this process was stopped itself counts for neither limit. */
  double idle;
} mt_ChildLimits;

typedef struct mt_Child mt_Child;

/* Run argv[0], a path, with 'argv' (ends with NULL) and this environment. */
mt_Status mt_child_start(const char *const *argv, const mt_ChildLimits *limits,
                         mt_Child **out, mt_Error *err);

/* The same, by a fork of a program that is already loaded, the one that argv[0]
** names. If 'loaded' is NULL or cannot start it: as mt_child_start. */
mt_Status mt_child_start_from(mt_ForkServer *loaded, const char *const *argv,
                              const mt_ChildLimits *limits, mt_Child **out,
                              mt_Error *err);

/*
** Write as much input as it accepts without blocking, so that it can work while
** the caller does something else. Returns the number of bytes; the rest is for
** mt_child_finish. If that was all, its input is closed.
*/
size_t mt_child_feed(mt_Child *child, const void *input, size_t size);

/*
** Write 'size' bytes to its standard input, append what it writes to 'output'
** and 'errors', wait until its status is known and free 'child'. A long wait
** shows the text given to mt_notice_begin. '*code' is its exit status, or 128 +
** the signal that ended it. MT_TIMEOUT, MT_CANCELLED and MT_FAIL (too much
** output): this process killed it.
*/
mt_Status mt_child_finish(mt_Child *child, const void *input, size_t size,
                          mt_Str *output, mt_Str *errors, int *code,
                          mt_Error *err);

/* Is it still running? */
bool mt_child_alive(const mt_Child *child);

void mt_child_kill(mt_Child *child); /* kills and frees it; NULL ok */

#endif
