/*
** pass.c - walks a table of passes, see pass.h.
*/
#include "base/pass.h"

#include <string.h>

/* The word for the lowest of some bits. */
static const char *word_of(const char *const *words, unsigned bits) {
  while (words && *words && !(bits & 1)) bits >>= 1, words++;
  return words && *words ? *words : "?";
}

static mt_Status run_row(const mt_PassTable *t, const mt_Pass *p, void *unit,
                         mt_Error *err) {
  mt_PassState *state = unit;
  unsigned missing = p->needs & ~state->forms;
  if (missing)
    return mt_error(err, MT_FAIL, "%s: pass '%s' needs what does not hold: %s",
                    t->room, p->name, word_of(t->forms, missing));
  mt_Status status = p->run(unit, err);
  state->forms = (state->forms & ~p->breaks) | p->gives;
  return status;
}

mt_Status mt_passes_run(const mt_PassTable *t, void *unit, mt_Error *err) {
  mt_PassState *state = unit;
  mt_Status status = MT_OK;
  for (size_t i = 0; i < t->count && status == MT_OK; i++)
    if (mt_pass_applies(&t->pass[i], state->modes))
      status = run_row(t, &t->pass[i], unit, err);
  return status;
}

const mt_Pass *mt_pass_find(const mt_PassTable *t, const char *name) {
  for (size_t i = 0; i < t->count; i++)
    if (strcmp(t->pass[i].name, name) == 0) return &t->pass[i];
  return NULL;
}
