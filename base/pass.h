/*
** pass.h - passes as data: a table of steps in the order in which they run.
**
** A room that changes IR step by step has one table of them (mt_PassTable) and
** a unit, which is what its steps work on: a module, a kernel, what was asked
** for. mt_passes_run walks the table. Another user of the same steps, or of one
** of them, uses the same rows, so that an order is written down once: a device
** with modes of its own, mettle opt, tests/passes.
**
** Two sets of bits say when a row runs. Modes are what was asked for ("the
** kernel is checked", "functions stay functions"): a row runs where all of its
** 'only' and none of its 'skip' hold. Forms are what is true of the IR at this
** point ("no calls are left", "loops are canonical"): a row needs some, and
** gives or breaks some. A row whose needs do not hold is a mistake in the order
** of the table, found by the first kernel that gets there.
**
** Any thread, on a unit of its own.
*/
#ifndef MT_BASE_PASS_H
#define MT_BASE_PASS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* One step. 'run' works on the unit of its table; it may change modes, which
** later rows see. */
typedef struct mt_Pass {
  const char *name; /* "safe-integers": unique among all tables */
  const char *what; /* one line, for mettle opt --list */
  mt_Status (*run)(void *unit, mt_Error *err);
  unsigned only, skip;          /* modes */
  unsigned needs, gives, breaks; /* forms */
} mt_Pass;

typedef struct mt_PassTable {
  const char *room; /* "compiler/prepare" */
  const mt_Pass *pass;
  size_t count;
  /* words for the bits of modes and forms, by number; ended by NULL */
  const char *const *modes, *const *forms;
} mt_PassTable;

/* On the way through a table; the first member of every unit. */
typedef struct mt_PassState {
  unsigned modes, forms;
} mt_PassState;

/* Does the row run in these modes? */
static inline bool mt_pass_applies(const mt_Pass *p, unsigned modes) {
  return (modes & p->only) == p->only && !(modes & p->skip);
}

/* Run the rows of a table that apply, in order, until one fails. 'unit' begins
** with an mt_PassState, in which the caller sets the modes, and the forms of
** what comes in. */
mt_Status mt_passes_run(const mt_PassTable *t, void *unit, mt_Error *err);

/* The row with this name; NULL: the table has none. */
const mt_Pass *mt_pass_find(const mt_PassTable *t, const char *name);

#endif
