/*
** dispatch.c - a launch: the threadgroups of a grid on all cores.
**
** The one idea: groups are numbered through the grid and handed out in chunks
** of consecutive numbers, large enough that scheduling costs nothing and small
** enough that the cores finish together. Each worker has its own memory for a
** group, kept from launch to launch. A launch that last time was over before
** another thread could have woken up starts on the calling thread alone.
*/
#include "devices/host/run/dispatch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "devices/host/host.h"
#include "devices/host/native/native.h"
#include "devices/host/run/fault_guard.h"
#include "devices/host/run/fault_message.h"
#include "devices/host/run/work_shares.h"

#define MAX_WORKERS 256
#define BYTES_EACH 4096 /* largest MT_ARG_BYTES */
#define ALIGN 128u
/* nanoseconds: a shorter launch is not worth waking other threads */
#define SHORT 20000

/* What a launch in progress needs, kept from launch to launch. One that begins
** while another thread's is in progress gets a crew of its own. */
typedef struct Crew {
  mt_Worker worker[MAX_WORKERS];
  mt_Watch watch;
  char *bytes; /* copies of MT_ARG_BYTES */
  size_t bytes_size;
  uint64_t *args; /* of the launch; threadgroup arguments are offsets */
  size_t arg_room;
  uint64_t serial, runs;
  uint64_t seen[MAX_WORKERS]; /* launch for which the worker is set up */
  /* run by the calling thread in this launch */
  uint64_t caller_ns, caller_groups;
  struct Crew *next; /* of the idle ones */
} Crew;

static struct {
  pthread_mutex_t lock;
  Crew *first;
} idle = {.lock = PTHREAD_MUTEX_INITIALIZER};

static Crew *take_crew(void) {
  pthread_mutex_lock(&idle.lock);
  Crew *crew = idle.first;
  if (crew) idle.first = crew->next;
  pthread_mutex_unlock(&idle.lock);
  return crew ? crew : calloc(1, sizeof *crew);
}

static void return_crew(Crew *crew) {
  pthread_mutex_lock(&idle.lock);
  crew->next = idle.first;
  idle.first = crew;
  pthread_mutex_unlock(&idle.lock);
}

/* A launch in progress. */
typedef struct Job {
  Crew *crew;
  const mt_Launch *launch;
  const mt_Runnable *what;
  uint64_t groups[3], grid[3], size[3];
  uint64_t total, chunk;
  uint64_t begin; /* the first group that is still to be run */
  _Atomic uint64_t next; /* with 'superseded': the next to be handed out */
  atomic_bool ends;      /* and it was superseded */
  bool is_short;
  size_t threadgroup_bytes;
  /* Groups are taken in strips of so many columns; one row of a strip after the
  ** other. Groups of a row and of a column follow each other soon, then. */
  uint64_t strip;
  uint32_t panels;
  uint64_t expected; /* iterations that tiles are kept for; 0: not known */
  uint64_t run; /* its number; not 0 */
  mt_WorkShares shares; /* where tiles are kept */
} Job;

/* ---------------------------------------------------------------- arguments */

static bool grow(void **memory, size_t *size, size_t need) {
  if (*size >= need) return true;
  free(*memory);
  *size = 0;
  need = (need + ALIGN - 1) / ALIGN * ALIGN;
  *memory = aligned_alloc(ALIGN, need);
  if (*memory) *size = need;
  return *memory != NULL;
}

/* The same for memory that kernels write to, with guard pages: they may write
** past its end. */
static bool grow_guarded(char **memory, size_t *size, size_t need) {
  if (*size >= need) return true;
  mt_host_memory_free(*memory, *size);
  *size = 0;
  *memory = mt_host_memory_new(need);
  if (*memory) *size = need;
  return *memory != NULL;
}

/* The argument as the kernel sees it: an address, or a sampler's settings. */
static uint64_t handle_of(const mt_Arg *a) {
  switch (a->kind) {
    case MT_ARG_BUFFER:
      return (uint64_t)(uintptr_t)((char *)a->buffer->contents + a->offset);
    case MT_ARG_TEXTURE:
      return (uint64_t)(uintptr_t)mt_host_texture_view(a->texture);
    case MT_ARG_SAMPLER: return mt_host_sampler(&a->sampler);
    default: return 0;
  }
}

static uint64_t copy_bytes(const Job *j, const mt_Arg *a, unsigned i) {
  char *to = j->crew->bytes + (size_t)i * BYTES_EACH;
  memcpy(to, a->bytes, a->size < BYTES_EACH ? a->size : BYTES_EACH);
  for (unsigned k = 0; k < a->link_count; k++) {
    uint64_t handle = handle_of(&a->links[k].arg);
    memcpy(to + a->links[k].at, &handle, sizeof handle);
  }
  return (uint64_t)(uintptr_t)to;
}

/* An array of textures is a pointer to an array of views. */
static uint64_t texture_slot(const Job *j, const mt_Arg *a, unsigned i) {
  const mt_Param *p = &j->launch->kernel->info.params[i];
  if (p->array_count <= 1) return handle_of(a);
  char *to = j->crew->bytes + (size_t)i * BYTES_EACH;
  const void **all = (const void **)to;
  for (unsigned n = 0; n < a->texture_count && n < BYTES_EACH / sizeof *all;
       n++)
    all[n] = mt_host_texture_view(a->textures[n]);
  return (uint64_t)(uintptr_t)all;
}

/* Threadgroup arguments are left as offsets into the worker's memory. */
static mt_Status bind_args(Job *j, mt_Error *err) {
  const mt_Launch *l = j->launch;
  size_t room = l->arg_count ? l->arg_count : 1;
  void **args = (void **)&j->crew->args;
  if (!grow(args, &j->crew->arg_room, room * sizeof(uint64_t)) ||
      !grow_guarded(&j->crew->bytes, &j->crew->bytes_size, room * BYTES_EACH))
    return mt_error(err, MT_FAIL, "out of memory");
  size_t at = mt_align16(j->what->threadgroup_bytes);
  for (unsigned i = 0; i < l->arg_count; i++) {
    const mt_Arg *a = &l->args[i];
    uint64_t slot = 0;
    switch (a->kind) {
      case MT_ARG_BYTES:
        slot = copy_bytes(j, a, i);
        break;
      case MT_ARG_THREADGROUP:
        slot = at;
        at = mt_align16(at + a->size);
        break;
      case MT_ARG_TEXTURE:
        slot = texture_slot(j, a, i);
        break;
      default:
        slot = handle_of(a);
        break;
    }
    j->crew->args[i] = slot;
  }
  j->threadgroup_bytes = at;
  return MT_OK;
}

/* ------------------------------------------------------------------ workers */

/* Prepares a worker, when it first takes part in a launch. */
static bool set_up(const Job *j, mt_Worker *w) {
  const mt_Launch *l = j->launch;
  if (!grow_guarded(&w->threadgroup, &w->threadgroup_size,
                    j->threadgroup_bytes + ALIGN) ||
      !grow_guarded(&w->spill, &w->spill_size, j->what->spill_bytes + ALIGN) ||
      !grow((void **)&w->args, &w->arg_count,
            (l->arg_count + 1) * sizeof(uint64_t))) {
    w->fault.kind = MT_FAULT_MEMORY;
    return false;
  }
  for (unsigned i = 0; i < l->arg_count; i++) {
    w->args[i] = j->crew->args[i];
    if (l->args[i].kind == MT_ARG_THREADGROUP)
      w->args[i] += (uint64_t)(uintptr_t)w->threadgroup;
  }
  w->what = j->what;
  w->stack_bytes = j->what->stack_bytes;
  mt_Group *g = &w->group;
  g->args = w->args;
  g->threadgroup = w->threadgroup;
  g->spill = w->spill;
  g->stop = &j->crew->watch.stop;
  g->worker = w;
  g->kept = &w->kept;
  g->caller = 0;
  g->observer = j->what->observer;
  g->first = 0;
  for (int d = 0; d < 3; d++) {
    g->groups[d] = (uint32_t)j->groups[d];
    g->grid[d] = (uint32_t)j->grid[d];
    g->size[d] = (uint32_t)j->size[d];
  }
  return true;
}

static void place(const Job *j, mt_Group *g, const uint64_t at[3]) {
  for (int d = 0; d < 3; d++) {
    uint64_t left = j->grid[d] - at[d] * j->size[d];
    g->position[d] = (uint32_t)at[d];
    g->actual[d] = (uint32_t)(left < j->size[d] ? left : j->size[d]);
  }
}

static bool is_stopped(const Job *j) {
  return atomic_load_explicit(&j->crew->watch.stop, memory_order_relaxed);
}

typedef struct Run {
  const Job *job;
  mt_Worker *worker;
  uint64_t first, end;
} Run;

/* One group after the other, calling 'before' ahead of each. */
static void run_instrumented(void *context) {
  Run *r = context;
  const Job *j = r->job;
  mt_Group *g = &r->worker->group;
  for (uint64_t turn = r->first; turn < r->end; turn++) {
    uint64_t n =
        j->what->order ? j->what->order(j->what->observer, turn) : turn;
    uint64_t at[3] = {n % j->groups[0], n / j->groups[0] % j->groups[1],
                      n / j->groups[0] / j->groups[1]};
    if (is_stopped(j)) return;
    place(j, g, at);
    j->what->before(g, n);
    j->what->code(g);
    if (r->worker->fault.kind != MT_FAULT_NONE) return;
  }
}

/* A group on its way through the grid: its position, and the strip of columns
** that it is in, from 'first' to before 'end'. */
typedef struct Walk {
  uint64_t at[3], first, end;
} Walk;

static void enter_strip(const Job *j, Walk *w, uint64_t first) {
  w->first = w->at[0] = first;
  w->end = j->groups[0] - first < j->strip ? j->groups[0] : first + j->strip;
}

/* Group 'n', in the order in which groups are run. */
static void walk_from(const Job *j, uint64_t n, Walk *w) {
  uint64_t layer = j->groups[0] * j->groups[1];
  uint64_t in_layer = n % layer, in_strip;
  w->at[2] = n / layer;
  enter_strip(j, w, in_layer / (j->strip * j->groups[1]) * j->strip);
  in_strip = in_layer - w->first * j->groups[1];
  w->at[0] += in_strip % (w->end - w->first);
  w->at[1] = in_strip / (w->end - w->first);
}

static void walk_on(const Job *j, Walk *w) {
  if (++w->at[0] < w->end) return;
  w->at[0] = w->first;
  if (++w->at[1] < j->groups[1]) return;
  w->at[1] = 0;
  if (w->end == j->groups[0]) w->at[2]++;
  enter_strip(j, w, w->end == j->groups[0] ? 0 : w->end);
}

static void run_groups(void *context) {
  Run *r = context;
  const Job *j = r->job;
  mt_Worker *w = r->worker;
  Walk walk;
  walk_from(j, r->first, &walk);
  mt_kept_start(&w->kept, j->run, j->panels, j->expected);
  for (uint64_t n = r->first; n < r->end; n++) {
    if (is_stopped(j)) return;
    place(j, &w->group, walk.at);
    j->what->code(&w->group);
    if (w->fault.kind != MT_FAULT_NONE) return;
    walk_on(j, &walk);
  }
}

static bool ready(const Job *j, unsigned number) {
  mt_Worker *w = &j->crew->worker[number];
  if (j->crew->seen[number] != j->crew->serial) {
    w->fault = (mt_Fault){.kind = MT_FAULT_NONE};
    if (set_up(j, w)) j->crew->seen[number] = j->crew->serial;
  }
  return w->fault.kind == MT_FAULT_NONE;
}

/* The first group of the next chunk. Chunks that can end early are handed out
** here, so that those run are always the first ones. */
static uint64_t first_of(Job *j, size_t index, unsigned number) {
  const mt_Runnable *what = j->what;
  if (j->shares.count) index = (size_t)mt_work_shares_take(&j->shares, number);
  if (!what->superseded) return j->begin + index * j->chunk;
  if (number == 0 && what->superseded(what->context))
    atomic_store(&j->ends, true);
  return atomic_load(&j->ends) ? j->total
                               : atomic_fetch_add(&j->next, j->chunk);
}

/* The threadgroup of the launch that has faulted. Of a piece of a row it is
** known which vector ran: 32 threads, or half as many. */
static void locate(const Job *j, mt_Worker *w) {
  mt_Extent e = mt_launch_extent(j->launch);
  mt_Group *g = &w->group;
  memcpy(w->fault.position, g->position, sizeof w->fault.position);
  if (!j->what->by_rows) return;
  uint64_t x = g->position[0] * j->size[0] + g->first;
  w->fault.position[0] = (uint32_t)(x / e.group[0]);
  for (int d = 1; d < 3; d++)
    w->fault.position[d] = (uint32_t)(g->position[d] / e.group[d]);
  w->fault.near = (x + MT_LANES - 1) / e.group[0] != x / e.group[0];
}

static void run_chunk(void *context, size_t index, unsigned number) {
  Job *j = context;
  mt_Worker *w = &j->crew->worker[number];
  if (is_stopped(j)) return;
  uint64_t first = first_of(j, index, number);
  if (first >= j->total) return;
  Run r = {j, w, first, first + j->chunk};
  if (r.end > j->total || r.end < r.first) r.end = j->total;
  void (*how)(void *) = j->what->before ? run_instrumented : run_groups;
  uint64_t start = number == 0 ? mt_now_ns() : 0;
  if (ready(j, number) && mt_guard_run(w, how, &r)) {
    if (number) return;
    j->crew->caller_ns += mt_now_ns() - start;
    j->crew->caller_groups += r.end - r.first;
    return;
  }
  locate(j, w);
  int none = MT_STOP_NO;
  if (w->fault.kind != MT_FAULT_STOPPED)
    atomic_compare_exchange_strong(&j->crew->watch.stop, &none, MT_STOP_FAULT);
}

/* ------------------------------------------------------------------- launch */

/* May groups be run in another order? Not if the code changes on the way: that
** counts the groups that were run. */
static bool is_free(const Job *j) {
  const mt_Runnable *what = j->what;
  return what->kept_bytes && !what->first && !what->superseded &&
         !what->before;
}

/* Row by row, or in strips if that keeps tiles. */
static void order_groups(Job *j) {
  j->strip = j->groups[0];
  j->panels = 1;
  if (!is_free(j) || !*j->what->iterations) return;
  j->expected = *j->what->iterations;
  j->panels = mt_panels_for(j->what->kept_bytes, j->expected);
  if (j->panels < j->strip) j->strip = j->panels;
  j->chunk = (j->chunk + j->strip - 1) / j->strip * j->strip;
}

static mt_Status measure(Job *j, mt_Error *err) {
  const mt_Launch *l = j->launch;
  mt_Extent e = mt_launch_extent(l);
  j->total = 1;
  for (int d = 0; d < 3; d++) {
    j->size[d] = e.group[d];
    j->groups[d] = e.groups[d];
    j->grid[d] = e.threads[d];
    if (j->what->by_rows) {
      j->size[d] = d == 0 ? MT_ROW_THREADS : 1;
      j->groups[d] = (j->grid[d] + j->size[d] - 1) / j->size[d];
    }
    if (__builtin_mul_overflow(j->total, j->groups[d], &j->total))
      return mt_error(err, MT_BADARG, "the grid has more than 2^64 "
                      "threadgroups");
  }
  double known = j->what->group_ns ? *j->what->group_ns : 0;
  j->is_short = known > 0 && known * (double)j->total < SHORT;
  uint64_t runs = (uint64_t)mt_pool_size() * (j->is_short ? 8 : 64);
  j->chunk = j->what->before ? j->total : j->total / runs + 1;
  order_groups(j);
  return MT_OK;
}

static mt_Status outcome(const Job *j, double limit, mt_Error *err) {
  switch (atomic_load(&j->crew->watch.stop)) {
    case MT_STOP_NO:
      return MT_OK;
    case MT_STOP_CANCEL:
      return mt_error(err, MT_CANCELLED, "kernel '%s' was interrupted",
                      j->launch->kernel->info.name);
    case MT_STOP_TIME:
      return mt_error(err, MT_TIMEOUT,
                      "kernel '%s' was stopped: it did not end within its time "
                      "limit of %g s", j->launch->kernel->info.name, limit);
    default:
      break;
  }
  for (unsigned i = 0; i < MAX_WORKERS; i++) {
    mt_Fault *f = &j->crew->worker[i].fault;
    if (j->crew->seen[i] != j->crew->serial && f->kind != MT_FAULT_MEMORY)
      continue;
    if (f->kind == MT_FAULT_NONE || f->kind == MT_FAULT_STOPPED) continue;
    if (f->instruction) f->line = mt_code_line(j->what->loaded, f->instruction);
    if (f->kind == MT_FAULT_ACCESS && f->line && j->what->params_at)
      f->params = j->what->params_at(j->what, j->launch, f->line, f->write);
    return mt_fault_report(j->launch, f, err);
  }
  return mt_error(err, MT_FAIL, "kernel '%s' was stopped",
                  j->launch->kernel->info.name);
}

/* How many iterations do tiles have to be kept for? The first group knows,
** which is the first in any order: it is run before the others, unless they are
** so few that these would wait too long. */
#define ENOUGH 16 /* groups for each core */
static void learn(Job *j) {
  const mt_Runnable *what = j->what;
  if (!is_free(j) || *what->iterations ||
      j->total < (uint64_t)mt_pool_size() * ENOUGH)
    return;
  uint64_t chunk = j->chunk;
  j->chunk = 1;
  run_chunk(j, 0, 0);
  j->begin = 1;
  j->chunk = chunk;
  *what->iterations = j->crew->worker[0].kept.iterations;
  order_groups(j);
}

/* All groups, once. */
static void run_once(Job *j) {
  j->run = ++j->crew->runs;
  j->begin = j->what->first;
  j->shares.count = 0;
  learn(j);
  uint64_t groups = j->total - j->begin;
  size_t chunks = (size_t)(groups / j->chunk + (groups % j->chunk != 0));
  if (j->expected) mt_work_shares_divide(&j->shares, mt_pool_size(), chunks);
  (j->is_short ? mt_pool_run_short : mt_pool_run)(chunks, run_chunk, j);
  if (j->what->kept_bytes)
    *j->what->iterations = j->crew->worker[0].kept.iterations;
}

static mt_Status run_all(Job *j, mt_Timing *out, mt_Error *err) {
  const mt_Launch *launch = j->launch;
  const mt_Runnable *what = j->what;
  Crew *crew = j->crew;
  mt_Status status = measure(j, err);
  if (status == MT_OK) status = bind_args(j, err);
  if (status != MT_OK) return status;
  crew->serial++;
  mt_guard_ready();
  uint64_t start = mt_now_ns();
  double limit = launch->time_limit;
  double left = limit > what->used ? limit - what->used : 1e-9;
  mt_watchdog_begin(&crew->watch,
                    limit > 0 ? start + (uint64_t)(left * 1e9) : 0);
  atomic_init(&j->next, what->first);
  atomic_init(&j->ends, false);
  crew->caller_ns = crew->caller_groups = 0;
  for (unsigned i = 0; i < launch->repeats; i++) {
    run_once(j);
    if (atomic_load(&crew->watch.stop)) break;
  }
  if (what->group_ns && crew->caller_groups)
    *what->group_ns = (double)crew->caller_ns / (double)crew->caller_groups;
  mt_watchdog_end(&crew->watch);
  uint64_t next = atomic_load(&j->next);
  if (what->next)
    *what->next = atomic_load(&j->ends) && next < j->total ? next : MT_ALL_RUN;
  uint64_t end = mt_now_ns();
  if (out) out->device_ns = out->wall_ns = end - start;
  return outcome(j, limit, err);
}

mt_Status mt_dispatch(const mt_Launch *launch, const mt_Runnable *what,
                      mt_Timing *out, mt_Error *err) {
  Job j = {.crew = take_crew(), .launch = launch, .what = what};
  if (!j.crew) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status = run_all(&j, out, err);
  return_crew(j.crew);
  return status;
}

mt_Status mt_dispatch_observed(const mt_Launch *launch, const mt_Runnable *what,
                               mt_Error *err) {
  mt_device_leave();
  mt_Status status = mt_dispatch(launch, what, NULL, err);
  mt_device_enter();
  return status;
}
