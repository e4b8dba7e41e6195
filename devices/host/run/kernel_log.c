/*
** kernel_log.c - messages of kernels, kept until the launch is over.
**
** The one idea: threadgroups run on many cores in any order, so each message is
** kept with its group's number, and they are sorted at the end. Only the first
** few hundred are kept: those of the lowest groups, not of the groups that ran
** first, so the output is deterministic.
*/
#include "devices/host/run/kernel_log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/run/fault_guard.h"
#include "devices/host/run/log_format.h"

#define KEPT 256    /* messages of a launch */
#define LENGTH 240  /* characters of one message */

typedef struct Message {
  uint64_t group, number; /* number: in order of arrival */
  bool error;
  char text[LENGTH];
} Message;

static struct {
  pthread_mutex_t lock;
  Message *list; /* room for twice as many as are kept */
  size_t count;
  uint64_t number, left_out;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ----------------------------------------------------------------- messages */

static int compare(const void *a, const void *b) {
  const Message *x = a, *y = b;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Sort, and drop the last ones. */
static void tidy(void) {
  if (all.count) qsort(all.list, all.count, sizeof *all.list, compare);
  if (all.count <= KEPT) return;
  all.left_out += all.count - KEPT;
  all.count = KEPT;
}

static void keep(uint64_t group, bool error, const char *text) {
  pthread_mutex_lock(&all.lock);
  if (!all.list) all.list = malloc(2 * KEPT * sizeof *all.list);
  if (all.list) {
    Message *m = &all.list[all.count++];
    *m = (Message){.group = group, .number = all.number++, .error = error};
    snprintf(m->text, sizeof m->text, "%s", text);
    if (all.count == 2 * KEPT) tidy();
  } else {
    all.left_out++;
  }
  pthread_mutex_unlock(&all.lock);
}

void mt_log_take(mt_Str *out) {
  pthread_mutex_lock(&all.lock);
  tidy();
  for (size_t i = 0; i < all.count; i++)
    mt_str_addf(out, "%s%s\n",
                all.list[i].error ? "kernel, error: " : "kernel: ",
                all.list[i].text);
  if (all.left_out)
    mt_str_addf(out, "kernel: %llu more messages were left out; let fewer "
                "threads log, as in if (i == 0)\n",
                (unsigned long long)all.left_out);
  all.count = 0;
  all.left_out = 0;
  pthread_mutex_unlock(&all.lock);
}

/* -------------------------------------------------------------- one message */

static _Thread_local mt_LogArgs pending[MT_LANES]; /* by lane */

static unsigned next_lane(uint32_t *mask) {
  unsigned lane = (unsigned)__builtin_ctz(*mask);
  *mask &= *mask - 1;
  return lane;
}

void mt_log_value(uint32_t mask, uint32_t lanes, const uint64_t *values,
                  uint32_t code) {
  mt_guard_shield(); /* a thread's first access to 'pending' allocates */
  while (mask) {
    unsigned lane = next_lane(&mask);
    mt_LogArgs *a = &pending[lane];
    if (a->count == MT_LOG_ARGS) continue;
    a->code[a->count] = code;
    a->value[a->count++] = values[lanes == 1 ? 0 : lane];
  }
  mt_guard_unshield();
}

static uint64_t group_number(const mt_Group *g) {
  return g->position[0] +
         (uint64_t)g->groups[0] *
             (g->position[1] + (uint64_t)g->groups[1] * g->position[2]);
}

void mt_log_end(uint32_t sg, uint32_t mask, uint32_t lanes,
                const char *const *format, uint32_t level) {
  char text[LENGTH];
  const mt_Group *g = &mt_guard_worker()->group;
  bool quiet = mt_guard_worker()->what->quiet;
  (void)sg;
  mt_guard_shield();
  while (mask) {
    unsigned lane = next_lane(&mask);
    mt_log_text(text, sizeof text, format[lanes == 1 ? 0 : lane],
                &pending[lane]);
    pending[lane].count = 0;
    if (!quiet) keep(group_number(g), level != 0, text);
  }
  mt_guard_unshield();
}

/* ------------------------------------------------------------------ asserts */

/* The thread's position in the grid. */
static void place_thread(mt_Fault *f, const mt_Group *g, uint32_t thread) {
  uint32_t rest = thread;
  for (int d = 0; d < 3; d++) {
    uint32_t side = g->actual[d] ? g->actual[d] : 1;
    f->at[d] = g->position[d] * g->size[d] + (d < 2 ? rest % side : rest);
    rest /= side;
  }
}

void mt_assert_failed(uint32_t sg, uint32_t mask, uint32_t lanes,
                      const char *const *condition, uint32_t line) {
  mt_Fault *f = &mt_guard_worker()->fault;
  if (!mask || f->kind != MT_FAULT_NONE) return;
  unsigned lane = (unsigned)__builtin_ctz(mask);
  f->kind = MT_FAULT_ASSERT;
  f->line = line;
  place_thread(f, &mt_guard_worker()->group, sg * MT_LANES + lane);
  snprintf(f->text, sizeof f->text, "%s", condition[lanes == 1 ? 0 : lane]);
}
