/*
** unchecked.c - sentences of the report about what was not checked.
**
** The one idea: no findings must mean no mistakes. What is not instrumented is
** on a list (sites/unchecked.c); accesses of unknown root that went to
** private or threadgroup memory at run time join it.
*/
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/check/check.h"

#define LINES 8 /* that a sentence lists */

/* The sentence of each reason: %s is names and lines. */
static const char *const said[] = {
    [MT_UNCHECKED_FULL] =
        "the kernel has more places to check than fit: accesses "
        "were left out%s",
    [MT_UNCHECKED_COPY] = "a copy whose size is not known%s",
    [MT_UNCHECKED_CALL] = "what a call does with memory%s",
    [MT_UNCHECKED_MATRIX] = "a simdgroup matrix in a thread's own memory%s",
    [MT_UNCHECKED_CHOICES] =
        "which of many variables a pointer leads to%s: the access "
        "was only looked up by its address",
    [MT_UNCHECKED_LARGE] =
        "whether it has values before they are read, since it is "
        "larger than 2 KB:%s",
    [MT_UNCHECKED_ESCAPES] =
        "whether it has values before they are read, since a "
        "pointer to it is chosen, computed or kept:%s",
    [MT_UNCHECKED_CROWDED] =
        "whether they have values before they are read, since "
        "there are too many private variables:%s",
    [MT_UNCHECKED_PRIVATE] =
        "accesses to a thread's own variables through a pointer "
        "that is kept in memory%s",
    [MT_UNCHECKED_THREADGROUP] =
        "whether accesses through a pointer that is kept in memory "
        "stay inside their threadgroup array%s",
};

static int by_line(const void *a, const void *b) {
  const mt_Unchecked *x = a, *y = b;
  if (x->why != y->why) return x->why < y->why ? -1 : 1;
  if (x->place.line != y->place.line)
    return x->place.line < y->place.line ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* " a (line 5), b (line 7), …" or " (line 5, line 7, …)" */
static void spell(mt_Str *s, const mt_Unchecked *u, size_t n) {
  bool named = u->name[0];
  for (size_t i = 0; i < n && i < LINES; i++) {
    const mt_SourcePlace *at = &u[i].place;
    if (named) mt_str_addf(s, "%s%s", i ? ", " : " ", u[i].name);
    mt_str_addf(s, "%sline %u", named || !i ? " (" : ", ", at->line);
    if (at->file) mt_str_addf(s, " of %s", at->file);
    if (named) mt_str_add(s, ")");
  }
  if (n > LINES) mt_str_add(s, ", …");
  if (!named) mt_str_add(s, ")");
}

static void say(mt_Check *c, const mt_Unchecked *u, size_t n) {
  mt_Str where = MT_STR_INIT;
  spell(&where, u, n);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  mt_findings_unchecked(c, said[u->why], mt_str_text(&where));
#pragma GCC diagnostic pop
  mt_str_free(&where);
}

/* Accesses recorded at run time join those known statically. */
static void add_strays(const mt_Check *c, mt_SiteTable *all) {
  for (size_t i = 1; i < c->sites->count; i++) {
    mt_SourcePlace place = c->sites->site[i].place;
    if (c->strayed[i] & MT_STRAY_OWN)
      mt_unchecked_add(all, MT_UNCHECKED_PRIVATE, place, NULL);
    if (c->strayed[i] & MT_STRAY_TILE)
      mt_unchecked_add(all, MT_UNCHECKED_THREADGROUP, place, NULL);
  }
}

void mt_unchecked_report(mt_Check *c) {
  mt_SiteTable all = {.full = false};
  for (size_t i = 0; i < c->sites->missed_count; i++) {
    const mt_Unchecked *u = &c->sites->missed[i];
    mt_unchecked_add(&all, u->why, u->place, u->name);
  }
  add_strays(c, &all);
  for (size_t i = 0; i < all.missed_count; i++)
    mt_place_as_typed(c->launch->kernel, &all.missed[i].place);
  if (all.missed_count)
    qsort(all.missed, all.missed_count, sizeof *all.missed, by_line);
  for (size_t i = 0, n; i < all.missed_count; i += n) {
    for (n = 1; i + n < all.missed_count &&
                all.missed[i + n].why == all.missed[i].why;)
      n++;
    say(c, &all.missed[i], n);
  }
  if (c->sites->full && !all.missed_count)
    mt_findings_unchecked(c, "some accesses: there was no memory to list them");
  mt_sites_free(&all);
}
