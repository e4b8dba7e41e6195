/*
** kernel_log.c - messages of kernels, from all lanes of a SIMD-group.
**
** The values of a message come one by one, for many lanes at once: each lane
** collects its own until the message is complete.
*/
#include "devices/host/run/kernel_log.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "devices/host/run/fault_guard.h"
#include "devices/log_format.h"
#include "devices/messages.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mt_Messages all; /* under the lock */

static void keep(uint64_t group, bool error, const char *text) {
  pthread_mutex_lock(&lock);
  mt_messages_keep(&all, group, 0, error, text);
  pthread_mutex_unlock(&lock);
}

void mt_log_take(mt_Str *out) {
  pthread_mutex_lock(&lock);
  mt_messages_take(&all, out);
  pthread_mutex_unlock(&lock);
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
  char text[MT_MESSAGE_LENGTH];
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
  f->unplaced = sg * MT_LANES + lane == MT_UNKNOWN_THREAD;
  place_thread(f, &mt_guard_worker()->group, sg * MT_LANES + lane);
  snprintf(f->text, sizeof f->text, "%s", condition[lanes == 1 ? 0 : lane]);
}

void mt_assert_placed(uint32_t thread) {
  mt_Fault *f = &mt_guard_worker()->fault;
  if (f->kind != MT_FAULT_ASSERT || !f->unplaced) return;
  f->unplaced = false;
  place_thread(f, &mt_guard_worker()->group, thread);
}
