/*
** profile.c - mt_profile_run: run a launch with counters, and sum by line.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/access_cost.h"
#include "devices/host/native/native.h"
#include "devices/host/profile/profile.h"
#include "devices/host/run/run.h"

/* ------------------------------------------------------------------ set-up */

static void free_counting(mt_Counting *c) {
  for (size_t i = 0; i < c->buffers; i++) free(c->buffer[i].words);
  free(c->buffer);
  free(c->block);
  free(c->weight);
  free(c->thread);
  free(c->site);
}

/* Static instructions of each block. */
static void weigh(mt_Counting *c) {
  for (size_t b = 0; b < c->table->blocks; b++) {
    const mt_TallyRun *run = &c->table->block[b];
    for (uint32_t i = run->first; i < run->first + run->count; i++)
      c->weight[b] += c->table->tally[i].count;
  }
}

/* Each buffer once, even if it is bound twice. */
static bool add_buffer(mt_Counting *c, const mt_Buffer *b) {
  for (size_t i = 0; i < c->buffers; i++)
    if (c->buffer[i].start == b->contents) return true;
  size_t words = (b->size / 4 + 63) / 64 + 1;
  uint64_t *bits = calloc(words, sizeof *bits);
  c->buffer[c->buffers++] = (mt_Touched){b->contents, b->size, bits};
  return bits != NULL;
}

static bool set_up(mt_Counting *c, const mt_Launch *l) {
  const mt_CountTable *t = c->table;
  c->block = calloc(t->blocks + 1, sizeof *c->block);
  c->weight = calloc(t->blocks + 1, sizeof *c->weight);
  c->threads = (l->group.x * l->group.y * l->group.z + MT_LANES - 1) /
               MT_LANES * MT_LANES;
  c->thread = calloc(c->threads, sizeof *c->thread);
  c->site = calloc(t->sites + 1, sizeof *c->site);
  size_t places = l->arg_count + 1;
  for (unsigned i = 0; i < l->arg_count; i++) places += l->args[i].link_count;
  c->buffer = calloc(places, sizeof *c->buffer);
  bool ok = c->block && c->weight && c->thread && c->site && c->buffer;
  if (ok) weigh(c);
  for (unsigned i = 0; ok && i < l->arg_count; i++) {
    const mt_Arg *a = &l->args[i];
    if (a->kind == MT_ARG_BUFFER) ok = add_buffer(c, a->buffer);
    for (unsigned k = 0; ok && k < a->link_count; k++)
      if (a->links[k].arg.kind == MT_ARG_BUFFER)
        ok = add_buffer(c, a->links[k].arg.buffer);
  }
  return ok;
}

static bool set_up_map(mt_Counting *c) {
  mt_AccessMap *m = c->map;
  m->buffers = calloc(c->buffers + 1, sizeof *m->buffers);
  if (!m->buffers) return false;
  for (; m->count < c->buffers; m->count++) {
    mt_AccessedBuffer *b = &m->buffers[m->count];
    b->contents = c->buffer[m->count].start;
    b->size = c->buffer[m->count].size;
    for (int s = 0; s < MT_TOUCH_SETS; s++) {
      b->set[s] = calloc(b->size / 64 + 1, sizeof *b->set[s]);
      if (!b->set[s]) {
        m->count++; /* what it has is freed with the others */
        return false;
      }
    }
  }
  return true;
}

static void keep_most(uint64_t *most, uint64_t v) {
  if (v > *most) *most = v;
}

/* Keeps the maximum over the threads of the group that has ended. */
static void keep_busiest(mt_Counting *c) {
  for (size_t i = 0; i < c->threads; i++) {
    keep_most(&c->busiest.instructions, c->thread[i].instructions);
    keep_most(&c->busiest.device_reads, c->thread[i].device_reads);
    keep_most(&c->busiest.device_writes, c->thread[i].device_writes);
  }
  memset(c->thread, 0, c->threads * sizeof *c->thread);
}

static void group_starts(const mt_Group *g, uint64_t number) {
  mt_Counting *c = g->observer;
  mt_progress_group(&c->progress);
  keep_busiest(c);
  (void)number;
  c->group = g;
  c->group_memory = g->worker->threadgroup;
  c->group_size = g->worker->threadgroup_size;
}

/* --------------------------------------------------------------------- sums */

static void add_counts(mt_Counts *to, const mt_Counts *c) {
  const uint64_t *from = (const uint64_t *)c;
  uint64_t *sum = (uint64_t *)to;
  for (size_t i = 0; i < sizeof *c / sizeof *from; i++) sum[i] += from[i];
}

static void add_tally(mt_Counts *to, const mt_Tally *t,
                      const mt_BlockCount *b) {
  to->issued[t->kind] += b->issued * t->count;
  to->lanes[t->kind] += b->lanes * t->count;
  to->operations += b->lanes * t->operations;
  to->private_reads += b->lanes * t->private_reads;
  to->private_writes += b->lanes * t->private_writes;
}

/* The counters of a line; added if it is new. */
static mt_Counts *line_of(mt_Profile *p, unsigned line) {
  for (size_t i = 0; i < p->line_count; i++)
    if (p->lines[i].line == line) return &p->lines[i].counts;
  mt_ProfileLine *more =
      realloc(p->lines, (p->line_count + 1) * sizeof *p->lines);
  if (!more) return NULL;
  p->lines = more;
  memset(&more[p->line_count], 0, sizeof *more);
  more[p->line_count].line = line;
  return &more[p->line_count++].counts;
}

static int by_line(const void *a, const void *b) {
  unsigned x = ((const mt_ProfileLine *)a)->line;
  unsigned y = ((const mt_ProfileLine *)b)->line;
  return (x > y) - (x < y);
}

static bool add_up(const mt_Counting *c, mt_Profile *out) {
  const mt_CountTable *t = c->table;
  for (size_t b = 0; b < t->blocks; b++) {
    if (!c->block[b].issued) continue;
    const mt_TallyRun *run = &t->block[b];
    for (uint32_t i = run->first; i < run->first + run->count; i++) {
      mt_Counts *line = line_of(out, t->tally[i].line);
      if (!line) return false;
      add_tally(line, &t->tally[i], &c->block[b]);
      add_tally(&out->total, &t->tally[i], &c->block[b]);
    }
  }
  for (size_t s = 0; s < t->sites; s++) {
    static const mt_Counts none;
    if (!memcmp(&c->site[s], &none, sizeof none)) continue;
    mt_Counts *line = line_of(out, t->site[s].line);
    if (!line) return false;
    add_counts(line, &c->site[s]);
    add_counts(&out->total, &c->site[s]);
  }
  if (out->line_count)
    qsort(out->lines, out->line_count, sizeof *out->lines, by_line);
  return true;
}

static uint64_t touched(const mt_Counting *c) {
  uint64_t words = 0;
  for (size_t b = 0; b < c->buffers; b++)
    for (size_t i = 0; i < (c->buffer[b].size / 4 + 63) / 64 + 1; i++)
      words += (unsigned)__builtin_popcountll(c->buffer[b].words[i]);
  return words * 4;
}

/* Lines with a word that was accessed. */
static uint64_t touched_lines(const mt_Counting *c) {
  const unsigned line = MT_COST_LINE / MT_COST_WORD; /* words, 32 */
  uint64_t lines = 0;
  for (size_t b = 0; b < c->buffers; b++)
    for (size_t i = 0; i < (c->buffer[b].size / 4 + 63) / 64 + 1; i++)
      for (unsigned k = 0; k < 64; k += line)
        lines += (c->buffer[b].words[i] >> k & 0xffffffffu) != 0;
  return lines;
}

/* ---------------------------------------------------------------- geometry */

/* Counts SIMD-groups: of full groups, and of smaller ones at the edges. */
static void measure(const mt_Launch *l, mt_Profile *out) {
  mt_Extent e = mt_launch_extent(l);
  uint64_t last[3];
  out->groups = out->threads = 1;
  for (int d = 0; d < 3; d++) {
    last[d] = e.threads[d] - (e.groups[d] - 1) * e.group[d];
    out->threads *= e.threads[d];
    out->groups *= e.groups[d];
  }
  for (int corner = 0; corner < 8; corner++) {
    uint64_t groups = 1, threads = 1;
    for (int d = 0; d < 3; d++) {
      bool edge = corner >> d & 1;
      groups *= edge ? 1 : e.groups[d] - 1;
      threads *= edge ? last[d] : e.group[d];
    }
    out->simdgroups += groups * ((threads + MT_LANES - 1) / MT_LANES);
  }
}

/* ------------------------------------------------------------------- launch */

static void leave_out(mt_Profile *out, const char *sentence) {
  mt_strings_add(&out->unknown, &out->unknown_count, sentence);
}

static size_t group_memory(const mt_Launch *l) {
  size_t bytes = l->kernel->info.threadgroup_static;
  for (unsigned i = 0; i < l->arg_count; i++)
    if (l->args[i].kind == MT_ARG_THREADGROUP) bytes += l->args[i].size;
  return bytes;
}

static void say_what_is_left_out(const mt_CountTable *t, bool simd,
                                 mt_Profile *out) {
  if (t->textures)
    leave_out(out, "textures: the instructions of a sampler are counted one "
                   "by one, a GPU has hardware for them; their memory is not "
                   "counted");
  if (!simd)
    leave_out(out, "this kernel ran thread by thread: every thread is counted "
                   "as a SIMD-group of its own, so lanes, transactions and "
                   "banks say nothing");
}

static mt_Status counted_run(mt_Counting *c, const mt_Launch *launch,
                             const mt_InstrumentedCode *code, mt_Profile *out,
                             mt_Error *err) {
  if (!set_up(c, launch) || (c->map && !set_up_map(c)))
    return mt_error(err, MT_FAIL, "out of memory");
  mt_Runnable what = {.code = mt_code_entry(code->code),
                      .loaded = code->code,
                      .threadgroup_bytes = code->threadgroup_bytes,
                      .spill_bytes = code->spill_bytes,
                      .stack_bytes = code->stack_bytes,
                      .observer = c,
                      .before = group_starts};
  mt_progress_run(&c->progress, 1, 1, out->groups);
  return mt_dispatch_observed(launch, &what, err);
}

/* What was counted, also by a run that was stopped. */
static mt_Status report(mt_Counting *c, mt_Profile *out, mt_Status status,
                        mt_Error *err) {
  if (c->site && c->block && !add_up(c, out) && status == MT_OK)
    status = mt_error(err, MT_FAIL, "out of memory");
  if (c->thread) keep_busiest(c);
  out->busiest = c->busiest;
  if (c->buffer && status == MT_OK) {
    out->unique_bytes = touched(c);
    out->unique_lines = touched_lines(c);
  }
  return status;
}

static void describe(const mt_Launch *l, const mt_CountTable *table, bool simd,
                     mt_Profile *out) {
  out->file = l->kernel->info.file;
  out->text = mt_kernel_text(l->kernel, &out->text_length);
  out->registers = table->registers;
  out->threadgroup_bytes = group_memory(l);
  say_what_is_left_out(table, simd, out);
}

mt_Status mt_profile_run(const mt_Launch *launch, mt_Profile *out,
                         mt_AccessMap *map, mt_Error *err) {
  mt_CountTable table = {0};
  mt_InstrumentedCode code;
  mt_Counting c = {.table = &table, .map = map};
  memset(out, 0, sizeof *out);
  mt_progress_begin(&c.progress, "profiling", launch->kernel->info.name);
  mt_Status status = mt_instrumented_new(launch, false, &table, &code, err);
  bool made = status == MT_OK;
  if (made) {
    measure(launch, out);
    status = counted_run(&c, launch, &code, out, err);
  }
  mt_progress_end(&c.progress);
  if (made) {
    status = report(&c, out, status, err);
    describe(launch, &table, code.simd, out);
    free_counting(&c);
    mt_instrumented_free(&code);
  }
  mt_counts_free(&table);
  return status;
}
