/*
** unchecked.c - the list of what is not instrumented.
**
** The one idea: no findings must mean no mistakes. Every instruction of a
** kernel that accesses memory is instrumented, or is known to be harmless, or
** is listed with its line and the reason.
*/
#include "devices/host/sites/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mt_unchecked_add(mt_SiteTable *t, mt_UncheckedWhy why,
                      mt_SourcePlace place, const char *name) {
  mt_Unchecked u = {.why = why, .place = place};
  snprintf(u.name, sizeof u.name, "%s", name ? name : "");
  for (size_t i = 0; i < t->missed_count; i++)
    if (t->missed[i].why == why && t->missed[i].place.line == place.line &&
        t->missed[i].place.file == place.file &&
        !strcmp(t->missed[i].name, u.name))
      return;
  mt_Unchecked *more =
      realloc(t->missed, (t->missed_count + 1) * sizeof *t->missed);
  if (!more) {
    t->full = true; /* reported without its line */
    return;
  }
  t->missed = more;
  t->missed[t->missed_count++] = u;
}
