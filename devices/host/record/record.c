/*
** record.c - mt_record_run: a recorded launch, and the plain one after it.
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/kernel_types/scalar.h"
#include "base/permutation.h"
#include "devices/host/host.h"
#include "devices/host/native/native.h"
#include "devices/host/record/record.h"
#include "devices/host/run/run.h"
#include "msl/texture_view.h"

#define EVENTS 1000000u
#define BYTES ((uint64_t)1 << 30)

/* --------------------------------------------------------------- the answer */

/* Memory that the kernel may write, and two copies of it. */
typedef struct Written {
  char *at;
  size_t size;
  char *before, *answer;
  const char *name;
  size_t element;
  const mt_Type *type; /* of elements; NULL: unknown */
} Written;

typedef struct Answer {
  Written *of;
  size_t count;
} Answer;

static void add_written(Answer *a, void *at, size_t size, const char *name,
                        size_t element, const mt_Type *type) {
  for (size_t i = 0; i < a->count; i++)
    if (a->of[i].at == at) return;
  a->of[a->count++] = (Written){.at = at, .size = size, .name = name,
                                .element = element ? element : 1,
                                .type = type};
}

static void add_pixels(Answer *a, const mt_Texture *t, const char *name) {
  const mt_TextureView *v = mt_host_texture_view(t);
  add_written(a, v->pixels, (size_t)v->slice_bytes * v->depth * v->layers, name,
              mt_pixel_size(t->desc.format), NULL);
}

/* What argument 'i' leads to, if the kernel writes it. */
static void add_arg(Answer *a, const mt_Launch *l, unsigned i) {
  const mt_KernelInfo *info = &l->kernel->info;
  const mt_Arg *arg = &l->args[i];
  const mt_Param *p = &info->params[i];
  bool writes = mt_param_uses(info, i) & MT_WRITE;
  if (arg->kind == MT_ARG_BUFFER && writes)
    add_written(a, arg->buffer->contents, arg->buffer->size, p->name,
                p->type ? p->type->size : 1, p->type);
  if (arg->kind == MT_ARG_TEXTURE && writes) {
    if (!arg->texture_count) add_pixels(a, arg->texture, p->name);
    for (unsigned k = 0; k < arg->texture_count; k++)
      add_pixels(a, arg->textures[k], p->name);
  }
  for (unsigned k = 0; k < arg->link_count; k++) {
    const mt_Link *link = &arg->links[k];
    if (!(mt_link_uses(info, i, link->at) & MT_WRITE)) continue;
    if (link->arg.kind == MT_ARG_BUFFER)
      add_written(a, link->arg.buffer->contents, link->arg.buffer->size,
                  link->name,
                  link->type->element ? link->type->element->size : 1,
                  link->type->element);
    else if (link->arg.kind == MT_ARG_TEXTURE && link->type->count & MT_WRITE)
      add_pixels(a, link->arg.texture, link->name);
  }
}

static void drop_answer(Answer *a) {
  for (size_t i = 0; a->of && i < a->count; i++) {
    free(a->of[i].before);
    free(a->of[i].answer);
  }
  free(a->of);
  memset(a, 0, sizeof *a);
}

/* Copies of what the launch may write. False: no memory for them; there are
** none then. */
static bool keep_before(const mt_Launch *l, Answer *a) {
  size_t places = 1;
  for (unsigned i = 0; i < l->arg_count; i++)
    places += 1 + l->args[i].texture_count + l->args[i].link_count;
  a->of = calloc(places, sizeof *a->of);
  bool ok = a->of != NULL;
  for (unsigned i = 0; ok && i < l->arg_count; i++)
    add_arg(a, l, i);
  for (size_t i = 0; ok && i < a->count; i++) {
    Written *w = &a->of[i];
    w->before = malloc(w->size + 1);
    w->answer = malloc(w->size + 1);
    ok = w->before && w->answer && mt_copy(w->before, w->at, w->size);
  }
  if (!ok) drop_answer(a);
  return ok;
}

static bool swap_back(Answer *a) {
  for (size_t i = 0; i < a->count; i++) {
    Written *w = &a->of[i];
    if (!mt_copy(w->answer, w->at, w->size) ||
        !mt_copy(w->at, w->before, w->size))
      return false;
  }
  return true;
}

/* How far two elements are apart, by the size of the larger number; infinite
** where they are no floats. */
static double distance(const Written *w, size_t at) {
  const mt_Type *t = w->type;
  double a[16], b[16], worst = 0;
  if (!t || t->kind > MT_TYPE_ATOMIC || !mt_scalar_is_float(t->scalar))
    return INFINITY;
  size_t n = w->element / mt_scalar_size(t->scalar);
  if (n > 16 || at + w->element > w->size) return INFINITY;
  mt_scalars_unpack(t->scalar, w->at + at, n, a);
  mt_scalars_unpack(t->scalar, w->answer + at, n, b);
  for (size_t i = 0; i < n; i++) {
    double most = fmax(fabs(a[i]), fabs(b[i]));
    double far = a[i] == b[i] ? 0 : fabs(a[i] - b[i]) / most;
    if (isnan(a[i]) && isnan(b[i])) far = 0;
    worst = far > worst || isnan(far) ? (isnan(far) ? INFINITY : far) : worst;
  }
  return worst;
}

static void compare(const Answer *a, mt_Recording *out) {
  out->differences = calloc(a->count + 1, sizeof *out->differences);
  if (!out->differences) return;
  out->compared = true;
  for (size_t i = 0; i < a->count; i++) {
    const Written *w = &a->of[i];
    mt_RecordDifference d = {.name = w->name};
    if (memcmp(w->at, w->answer, w->size) == 0) continue;
    for (size_t at = 0; at < w->size; at += w->element) {
      size_t n = w->size - at < w->element ? w->size - at : w->element;
      if (memcmp(w->at + at, w->answer + at, n) == 0) continue;
      if (!d.elements++) d.first = at / w->element;
      d.worst = fmax(d.worst, distance(w, at));
    }
    out->differences[out->difference_count++] = d;
  }
}

/* ------------------------------------------------------------------- tables */

static mt_EventKind event_kind(mt_SiteKind k) {
  switch (k) {
    case MT_SITE_WRITE: return MT_EVENT_WRITE;
    case MT_SITE_ATOMIC: return MT_EVENT_ATOMIC;
    case MT_SITE_BARRIER: return MT_EVENT_BARRIER;
    case MT_SITE_SIMD_BARRIER: return MT_EVENT_SIMD_BARRIER;
    case MT_SITE_LANES: return MT_EVENT_LANES;
    case MT_SITE_LINE: return MT_EVENT_LINE;
    case MT_SITE_VALUE: return MT_EVENT_VALUE;
    default: return MT_EVENT_READ;
  }
}

static void set_site(mt_RecordSite *to, const mt_Site *from,
                     const mt_Kernel *kernel) {
  to->kind = event_kind(from->kind);
  to->place = from->place;
  mt_place_as_typed(kernel, &to->place);
  to->size = from->size;
  to->frame = from->frame;
  to->variable = from->kind == MT_SITE_VALUE ? (uint32_t)from->root : 0;
  to->bytes = to->kind == MT_EVENT_ATOMIC ? 2 * from->size : from->size;
  snprintf(to->type, sizeof to->type, "%s", from->path ? from->path : "");
  snprintf(to->name, sizeof to->name, "%s", from->name ? from->name : "");
}

static void set_variable(mt_Recording *out, const mt_Variable *from) {
  mt_RecordVariable *to = &out->variables[out->variable_count++];
  memcpy(to->name, from->name, sizeof to->name);
  to->type = from->type ? mt_type_read(&out->types, from->type) : NULL;
  to->size = from->size;
  to->frame = from->frame;
  to->line = from->line, to->last = from->last;
}

static void set_frame(mt_Recording *out, const mt_Frame *from) {
  mt_RecordFrame *to = &out->frames[out->frame_count++];
  memcpy(to->name, from->name, sizeof to->name);
  to->parent = from->parent, to->line = from->line;
}

static mt_Status make_sites(const mt_Recorder *r, mt_Error *err) {
  mt_Recording *out = r->out;
  out->sites = calloc(r->sites->count + 1, sizeof *out->sites);
  out->frames = calloc(r->sites->frames + 1, sizeof *out->frames);
  out->variables = calloc(r->sites->variables + 1, sizeof *out->variables);
  if (!out->sites || !out->frames || !out->variables)
    return mt_error(err, MT_FAIL, "out of memory");
  for (size_t i = 0; i < r->sites->frames; i++)
    set_frame(out, &r->sites->frame[i]);
  for (size_t i = 0; i < r->sites->variables; i++)
    set_variable(out, &r->sites->variable[i]);
  out->site_count = r->sites->count;
  for (size_t i = 1; i < r->sites->count; i++)
    set_site(&out->sites[i], &r->sites->site[i], r->launch->kernel);
  return MT_OK;
}

static void leave_out(mt_Recording *out, const char *sentence) {
  mt_strings_add(&out->unrecorded, &out->unrecorded_count, sentence);
}

static void say_what_is_left_out(const mt_Recorder *r) {
  char line[160];
  for (size_t i = 0; i < r->sites->missed_count; i++) {
    mt_SourcePlace at = r->sites->missed[i].place;
    mt_place_as_typed(r->launch->kernel, &at);
    snprintf(line, sizeof line,
             r->sites->missed[i].why == MT_UNCHECKED_COPY
                 ? "a copy whose size is not a constant (line %u)"
             : r->sites->missed[i].why == MT_UNCHECKED_STORE
                 ? "what is stored through a pointer to one of many "
                   "variables (line %u)"
                 : "more places than can be recorded, from line %u on",
             at.line);
    leave_out(r->out, line);
  }
  if (!r->out->unplaced) return;
  snprintf(line, sizeof line, "%llu accesses of memory that is no argument and "
           "no variable", (unsigned long long)r->out->unplaced);
  leave_out(r->out, line);
}

static void set_launch(const mt_Launch *l, mt_Recording *out) {
  uint64_t grid[3] = {l->grid.x, l->grid.y, l->grid.z};
  uint64_t size[3] = {l->group.x, l->group.y, l->group.z};
  for (int d = 0; d < 3; d++) {
    out->grid[d] = (uint32_t)(l->by_groups ? grid[d] * size[d] : grid[d]);
    out->group[d] = (uint32_t)size[d];
    out->groups[d] = (uint32_t)((out->grid[d] + size[d] - 1) / size[d]);
  }
  out->file = l->kernel->info.file;
  out->text = mt_kernel_text(l->kernel, &out->text_length);
}

/* ---------------------------------------------------------------- schedules */

static uint64_t shuffled(uint64_t seed, uint64_t i, uint64_t n) {
  if (n < 2) return 0;
  mt_Permutation p = mt_permutation(n, mt_mix(seed + 1), mt_mix(seed + 2));
  return mt_permuted(&p, i);
}

/* n - 1 … 0, or a permutation by the seed. */
static uint64_t order_groups(void *recorder, uint64_t turn) {
  const mt_Recorder *r = recorder;
  const mt_Recording *o = r->out;
  uint64_t n = (uint64_t)o->groups[0] * o->groups[1] * o->groups[2];
  if (r->options->schedule == MT_SCHEDULE_REVERSED) return n - 1 - turn;
  return shuffled(r->options->seed, turn, n);
}

static uint32_t order_threads(void *recorder, uint32_t i, uint32_t n) {
  const mt_Recorder *r = recorder;
  if (r->options->schedule == MT_SCHEDULE_REVERSED) return n - 1 - i;
  return (uint32_t)shuffled(r->options->seed + n, i, n);
}

/* --------------------------------------------------------------------- runs */

static uint64_t params_at(const mt_Runnable *what, const mt_Launch *l,
                          unsigned line, int write) {
  const mt_Recorder *r = what->observer;
  (void)l;
  return mt_sites_params_at(r->sites, line, write);
}

static mt_Status recorded_run(mt_Recorder *r, const mt_InstrumentedCode *code,
                              mt_Error *err) {
  const mt_Recording *out = r->out;
  mt_Runnable what = {.code = mt_code_entry(code->code),
                      .loaded = code->code,
                      .threadgroup_bytes = code->threadgroup_bytes,
                      .spill_bytes = code->spill_bytes,
                      .stack_bytes = code->stack_bytes,
                      .observer = r,
                      .before = mt_record_group,
                      .params_at = params_at};
  if (r->options->schedule >= MT_SCHEDULE_REVERSED)
    what.order = order_groups, what.turn = order_threads;
  mt_Launch once = *r->launch;
  once.repeats = 1;
  mt_progress_run(
      &r->progress, 1, 1,
      (uint64_t)out->groups[0] * out->groups[1] * out->groups[2]);
  return mt_dispatch_observed(&once, &what, err);
}

/* From the same contents, without probes; the recorded answer is kept. */
static mt_Status plain_run(const mt_Launch *l, Answer *a, mt_Recording *out,
                           mt_Error *err) {
  mt_Launch once = *l;
  once.repeats = 1;
  if (!swap_back(a))
    return mt_error(err, MT_CANCELLED, "kernel '%s' was interrupted",
                    l->kernel->info.name);
  mt_Status status = mt_host_launch(&once, NULL, err);
  if (status == MT_OK) compare(a, out);
  return status;
}

static mt_Status run(mt_Recorder *r, const mt_InstrumentedCode *code,
                     mt_Error *err) {
  Answer before = {0};
  mt_Status status = mt_record_map(r, err);
  if (status == MT_OK) status = make_sites(r, err);
  if (status != MT_OK) return status;
  if (r->options->values && !mt_record_keep_contents(r))
    leave_out(r->out, "what buffers held at first: they are too large");
  if (r->options->values && (r->options->threads || r->options->group >= 0))
    leave_out(r->out, "what other threads did: memory at a moment is without "
                      "their writes");
  bool plain = !r->options->no_plain && keep_before(r->launch, &before);
  if (!plain && !r->options->no_plain)
    leave_out(r->out, "the comparison with the plain launch: there is no "
                      "memory for it");
  status = recorded_run(r, code, err);
  say_what_is_left_out(r);
  if (status == MT_OK && plain)
    status = plain_run(r->launch, &before, r->out, err);
  drop_answer(&before);
  return status;
}

mt_Status mt_record_run(const mt_Launch *launch,
                        const mt_RecordOptions *options, mt_Recording *out,
                        mt_Error *err) {
  mt_InstrumentedCode code;
  mt_Recorder r = {.launch = launch, .options = options, .out = out,
                   .most_events = options->events ? options->events : EVENTS,
                   .most_bytes = options->bytes ? options->bytes : BYTES};
  memset(out, 0, sizeof *out);
  mt_progress_begin(&r.progress, "recording", launch->kernel->info.name);
  mt_Status status =
      mt_recorded_new(launch, options->values,
                      options->schedule != MT_SCHEDULE_THREADS, &code, err);
  if (status == MT_OK) {
    r.sites = &code.sites;
    set_launch(launch, out);
    status = run(&r, &code, err);
  }
  mt_progress_end(&r.progress);
  mt_record_unmap(&r);
  mt_instrumented_free(&code);
  return status;
}
