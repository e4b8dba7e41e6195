/*
** findings.c - findings, collected while the kernel runs.
**
** The one idea: a mistake is one finding, however many threads make it.
** Findings are looked up by kind, line and memory in a hash table of fixed
** size, since nothing may be allocated while a kernel runs.
*/
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/check/check.h"

#define MOST 1024      /* distinct findings of a run */
#define SLOTS 4096     /* of the hash table; a power of two */
#define LIMIT 64       /* of a report, by default */

typedef struct mt_Found {
  mt_Finding list[MOST];
  uint16_t slot[SLOTS]; /* 1 + index in 'list'; 0 = free */
  size_t count;
  uint64_t dropped;
} Found;

mt_Status mt_findings_new(mt_Check *c, bool later, mt_Error *err) {
  c->found[later] = calloc(1, sizeof *c->found[later]);
  return c->found[later] ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

void mt_findings_free(mt_Check *c) {
  for (size_t i = 0; i < c->unchecked_count; i++) free(c->unchecked[i]);
  for (int i = 0; i < 2; i++) free(c->found[i]);
}

/* ----------------------------------------------------------------- threads */

mt_ThreadAt mt_thread_at(const mt_Check *c, uint64_t group, uint32_t thread) {
  const mt_Group *g = c->group;
  return mt_thread_locate(g->grid, g->groups, g->size, group, thread);
}

/* ------------------------------------------------------------------- table */

static bool same_place(mt_SourcePlace a, mt_SourcePlace b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

static bool same_name(const mt_Finding *a, const mt_Finding *b) {
  if (!a->name || !b->name) return a->name == b->name;
  return strcmp(a->name, b->name) == 0;
}

static bool same_finding(const mt_Finding *a, const mt_Finding *b) {
  if (a->kind != b->kind || a->space != b->space || !same_name(a, b))
    return false;
  return same_place(a->place, b->place) && a->how == b->how &&
         same_place(a->other, b->other) && a->other_how == b->other_how &&
         a->level == b->level &&
         (a->kind == MT_FIND_SCHEDULE || strcmp(a->detail, b->detail) == 0);
}

static uint32_t mix(const mt_Finding *f) {
  uint32_t places = f->place.line * 31u + f->place.column;
  if (f->kind == MT_FIND_RACE)
    places += f->other.line * 31u + f->other.column;
  return (places * 2654435761u) ^ ((uint32_t)f->kind * 40503u);
}

static mt_Finding *look_up(Found *all, const mt_Finding *what) {
  uint32_t at = mix(what);
  for (uint32_t i = 0; i < SLOTS; i++) {
    uint16_t *slot = &all->slot[(at + i) & (SLOTS - 1)];
    if (*slot && same_finding(&all->list[*slot - 1], what))
      return &all->list[*slot - 1];
    if (*slot) continue;
    if (all->count == MOST) break;
    all->list[all->count] = *what;
    *slot = (uint16_t)++all->count;
    return &all->list[all->count - 1];
  }
  all->dropped++;
  return NULL;
}

static void add_thread(mt_Finding *f, const mt_ThreadAt *at) {
  if (f->thread_count < MT_FINDING_THREADS)
    f->threads[f->thread_count++] = *at;
}

/* Order the two sides by their place in the source: which one ran first depends
** on the schedule. */
static bool turn_round(mt_Finding *f) {
  bool below = f->other.line != f->place.line
                   ? f->other.line > f->place.line
                   : f->other.column != f->place.column
                         ? f->other.column > f->place.column
                         : f->other_how > f->how;
  if (!below) return false;
  mt_SourcePlace place = f->place;
  mt_AccessHow how = f->how;
  f->place = f->other, f->how = f->other_how;
  f->other = place, f->other_how = how;
  return true;
}

static void add_race(mt_Check *c, mt_Finding race, uint32_t thread,
                     const mt_ThreadAt *other) {
  bool turned = turn_round(&race);
  mt_Finding *f = look_up(c->found[c->later], &race);
  if (!f) return;
  f->count++;
  f->flags |= race.flags;
  if (race.apart > f->apart) { /* prefer threads that are farther apart */
    f->apart = race.apart;
    f->index = race.index;
    f->thread_count = 0;
  }
  if (f->thread_count >= MT_FINDING_THREADS) return;
  mt_ThreadAt at = mt_thread_at(c, c->number, thread);
  if (!other) { /* one thread, until a pair is known */
    if (!f->thread_count) add_thread(f, &at), f->other_only = turned;
    return;
  }
  f->other_only = false;
  f->thread_count &= ~1u;
  add_thread(f, turned ? other : &at);
  add_thread(f, turned ? &at : other);
}

/* Does it come from shadow cells, which are partitioned among the runs? */
static bool is_of_cells(const mt_Finding *what) {
  return what->kind == MT_FIND_RACE || (what->kind == MT_FIND_UNINITIALISED &&
                                        what->space != MT_SPACE_PRIVATE);
}

void mt_finding_add(mt_Check *c, const mt_Finding *what, uint32_t thread,
                    const mt_ThreadAt *other) {
  if (c->schedule) return; /* schedules are compared by their answers */
  if (c->part && !is_of_cells(what)) return; /* the first run has reported it */
  if (what->kind == MT_FIND_RACE) {
    add_race(c, *what, thread, other);
    return;
  }
  mt_Finding *f = look_up(c->found[c->later], what);
  if (!f) return;
  f->count++;
  if (f->thread_count >= MT_FINDING_THREADS) return;
  mt_ThreadAt at = mt_thread_at(c, c->number, thread);
  add_thread(f, &at);
}

void mt_finding_add_global(mt_Check *c, const mt_Finding *what) {
  size_t before = c->found[0]->count;
  mt_Finding *f = look_up(c->found[0], what);
  if (!f) return;
  uint64_t times = what->count ? what->count : 1;
  f->count = c->found[0]->count > before ? times : f->count + times;
}

bool mt_findings_any(const mt_Check *c) { return c->found[0]->count > 0; }

/* Merges two findings: the threads farthest apart, or else those found
** first. */
static void join(mt_Finding *f, const mt_Finding *with) {
  f->count += with->count;
  f->flags |= with->flags;
  if (with->apart <= f->apart) return;
  f->apart = with->apart;
  f->index = with->index;
  f->other_only = with->other_only;
  f->thread_count = with->thread_count;
  memcpy(f->threads, with->threads, sizeof f->threads);
}

void mt_findings_later(mt_Check *c, bool count) {
  Found *later = c->found[1];
  if (!later) return;
  for (size_t i = 0; count && i < later->count; i++) {
    size_t before = c->found[0]->count;
    mt_Finding *f = look_up(c->found[0], &later->list[i]);
    if (f && c->found[0]->count == before) join(f, &later->list[i]);
  }
  if (count) c->found[0]->dropped += later->dropped;
  if (later->count) memset(later, 0, sizeof *later);
}

/* ------------------------------------------------------------------ report */

void mt_findings_unchecked(mt_Check *c, const char *sentence, ...) {
  char text[512];
  va_list args;
  va_start(args, sentence);
  vsnprintf(text, sizeof text, sentence, args);
  va_end(args);
  size_t room = sizeof c->unchecked / sizeof *c->unchecked;
  if (c->unchecked_count < room)
    c->unchecked[c->unchecked_count] = strdup(text);
  if (c->unchecked_count < room && c->unchecked[c->unchecked_count])
    c->unchecked_count++;
}

/* tile[9][20] is one mistake, past a dimension, even if it is also past the end
** of tile. */
static bool is_inner(const Found *all, const mt_Finding *f) {
  if (f->kind != MT_FIND_OUT_OF_BOUNDS || f->inner) return false;
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].inner && same_place(all->list[i].place, f->place) &&
        same_name(&all->list[i], f))
      return true;
  return false;
}

/* An uninitialised read that did not wait for the write is a race, and is
** reported as one. */
static bool is_told(const Found *all, const mt_Finding *f) {
  if (f->kind != MT_FIND_UNINITIALISED) return false;
  for (size_t i = 0; i < all->count; i++) {
    const mt_Finding *r = &all->list[i];
    if (r->kind != MT_FIND_RACE || !same_name(r, f)) continue;
    if (same_place(r->place, f->place) || same_place(r->other, f->place))
      return true;
  }
  return false;
}

static void drop_told(Found *all) {
  size_t kept = 0;
  bool told[MOST];
  for (size_t i = 0; i < all->count; i++)
    told[i] = is_told(all, &all->list[i]) || is_inner(all, &all->list[i]);
  for (size_t i = 0; i < all->count; i++)
    if (!told[i]) all->list[kept++] = all->list[i];
  all->count = kept;
}

static int compare(const void *a, const void *b) {
  const mt_Finding *x = a, *y = b;
  if (x->place.line != y->place.line)
    return x->place.line < y->place.line ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->place.column != y->place.column)
    return x->place.column < y->place.column ? -1 : 1;
  if (x->other.line != y->other.line)
    return x->other.line < y->other.line ? -1 : 1;
  if (x->how != y->how) return x->how < y->how ? -1 : 1;
  return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

mt_Status mt_findings_report(mt_Check *c, mt_CheckReport *out, mt_Error *err) {
  Found *all = c->found[0];
  drop_told(all);
  size_t limit = c->options->limit ? c->options->limit : LIMIT;
  size_t n = all->count < limit ? all->count : limit;
  qsort(all->list, all->count, sizeof *all->list, compare);
  out->findings = calloc(n + 1, sizeof *out->findings);
  out->unchecked = calloc(c->unchecked_count + 1, sizeof *out->unchecked);
  if (!out->findings || !out->unchecked)
    return mt_error(err, MT_FAIL, "out of memory");
  for (size_t i = 0; i < n; i++) {
    out->findings[i] = all->list[i];
    if (all->list[i].name) out->findings[i].name = strdup(all->list[i].name);
    mt_place_as_typed(c->launch->kernel, &out->findings[i].place);
    mt_place_as_typed(c->launch->kernel, &out->findings[i].other);
  }
  out->count = n;
  out->dropped = all->dropped + (all->count - n);
  for (size_t i = 0; i < c->unchecked_count; i++)
    out->unchecked[i] = c->unchecked[i];
  out->unchecked_count = c->unchecked_count;
  c->unchecked_count = 0;
  return MT_OK;
}
