/*
** report.c - libmettle's check and profile.
**
** The one idea: both run on the host device on copies of the arguments, so any
** device's launch will do and nothing of it changes. What was found is packed
** and sent to a process that has the words (devices/report.h): this library has
** no Lua.
*/
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/process/worker_process.h"
#include "devices/report.h"
#include "embed/embed.h"

#define SECONDS 60.0 /* of processor time for the words of one report */
#define SCHEDULES 3
#define TOLERANCE 1e-3

typedef struct Number {
  const char *name; /* in 'words' */
  double value;
} Number;

struct mettle_Report {
  mt_Counted counted;
  mt_Str words;         /* the answer: all strings below are in it, */
  mt_Str found;         /* or in what was asked */
  const char *text, *json;
  char unordered[sizeof((mt_CheckReport *)0)->unordered]; /* "": none */
  mettle_Finding *findings;
  Number *numbers;
  size_t count; /* of either */
};

static mt_Status end_report(void *object, mt_Error *err) {
  mettle_Report *r = object;
  (void)err;
  mt_str_free(&r->words);
  mt_str_free(&r->found);
  free(r->findings);
  free(r->numbers);
  free(r);
  return MT_OK;
}

/* ------------------------------------------------------- a twin on the host */

/* The launch once more: a kernel of the host device, and copies. */
typedef struct Twin {
  mt_Device *host;
  mt_Library *library; /* NULL: the kernel is the host's anyway */
  mt_Kernel *kernel;   /* NULL: the same */
  mt_Launch launch;
  mt_Arg *args;
  mt_Buffer **buffers; /* for each argument: its copy, if it is the first */
  mt_Texture **textures;
} Twin;

static void end_twin(Twin *t) {
  for (unsigned i = 0; i < t->launch.arg_count; i++) {
    if (t->buffers) mt_buffer_free(t->buffers[i]);
    if (t->textures) mt_texture_free(t->textures[i]);
  }
  free(t->buffers);
  free(t->textures);
  free(t->args);
  mt_kernel_free(t->kernel);
  mt_library_free(t->library);
  mt_device_close(t->host);
}

static mt_Status take_kernel(Twin *t, const mettle_Launch *l, mt_Error *err) {
  const mettle_Kernel *k = l->kernel;
  mt_Str log = MT_STR_INIT;
  const char *name = mt_kernel_info(k->kernel)->name;
  if (mt_device_instruments(mt_kernel_device(k->kernel))) return MT_OK;
  mt_Status status = mt_device_open(mt_device_instrumenting(), &t->host, err);
  if (status == MT_OK)
    status = mt_embed_compile(k->library, t->host, &t->library, &log, err);
  if (status == MT_OK)
    status = mt_kernel_new(t->library, name, k->values, k->value_count,
                           &t->kernel, err);
  mt_str_free(&log);
  if (status == MT_OK) t->launch.kernel = t->kernel;
  return status;
}

static mt_Status copy_buffer(Twin *t, const mettle_Launch *l, unsigned i,
                             mt_Error *err) {
  mettle_Buffer *from = l->kept[i];
  size_t size = mt_buffer_size(from->buffer);
  for (unsigned k = 0; k < i; k++) /* overlapping arguments still overlap */
    if (l->kept[k] == from && t->args[k].kind == MT_ARG_BUFFER) {
      t->args[i].buffer = t->args[k].buffer;
      return MT_OK;
    }
  mt_Status status = mt_buffer_new(mt_kernel_device(t->launch.kernel), size,
                                   &t->buffers[i], err);
  if (status == MT_OK && !from->outside)
    status = mt_buffer_access(from->buffer, 0, size, MT_READ, err);
  if (status != MT_OK) return status;
  t->args[i].buffer = t->buffers[i];
  const void *bytes =
      from->outside ? from->outside : mt_buffer_contents(from->buffer);
  return mt_copy(mt_buffer_contents(t->buffers[i]), bytes, size)
             ? MT_OK
             : mt_error(err, MT_CANCELLED, "interrupted");
}

static size_t pixels_size(const mt_TextureDesc *d) {
  return (size_t)d->width * d->height * d->depth * d->layers *
         mt_pixel_size(d->format);
}

static mt_Status copy_texture(Twin *t, const mettle_Launch *l, unsigned i,
                              mt_Error *err) {
  const mettle_Texture *from = l->kept[i];
  const mt_TextureDesc *d = mt_texture_desc(from->texture);
  size_t size = pixels_size(d);
  void *pixels = malloc(size);
  mt_Status status = pixels ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
  if (status == MT_OK)
    status = mt_texture_new(mt_kernel_device(t->launch.kernel), d,
                            &t->textures[i], err);
  if (status == MT_OK)
    status = mt_texture_read(from->texture, pixels, size, err);
  if (status == MT_OK)
    status = mt_texture_write(t->textures[i], pixels, size, err);
  t->args[i].texture = t->textures[i];
  free(pixels);
  return status;
}

static mt_Status make_twin(Twin *t, const mettle_Launch *l, mt_Error *err) {
  unsigned n = l->launch.arg_count;
  *t = (Twin){.launch = mt_embed_complete(l)};
  t->launch.repeats = 1;
  mt_Status status = mt_launch_check(&t->launch, err);
  if (status == MT_OK) status = take_kernel(t, l, err);
  if (status != MT_OK) return status;
  t->args = calloc(n + 1, sizeof *t->args);
  t->buffers = calloc(n + 1, sizeof *t->buffers);
  t->textures = calloc(n + 1, sizeof *t->textures);
  if (!t->args || !t->buffers || !t->textures)
    return mt_error(err, MT_FAIL, "out of memory");
  memcpy(t->args, l->args, n * sizeof *t->args);
  t->launch.args = t->args;
  for (unsigned i = 0; i < n && status == MT_OK; i++)
    if (t->args[i].kind == MT_ARG_BUFFER) status = copy_buffer(t, l, i, err);
    else if (t->args[i].kind == MT_ARG_TEXTURE)
      status = copy_texture(t, l, i, err);
  return status;
}

/* ------------------------------------------------------------------- words */

/* With the turn. */
static mt_WorkerProcess *worker;

static mt_Status ask(mettle_Report *r, mt_Error *err) {
  mt_Question q = {.bytes = r->found.text, .size = r->found.length,
                   .seconds = SECONDS};
  if (r->found.failed) return mt_error(err, MT_FAIL, "out of memory");
  if (!mt_worker_process_usable(worker)) {
    mt_worker_process_free(worker);
    worker = mt_worker_process_new(NULL, NULL, NULL, MT_REPORT_WORD);
  }
  if (!worker)
    return mt_error(err, MT_FAIL,
                    "the program mettle could not be started, which has the "
                    "words of reports");
  return mt_worker_process_ask(worker, &q, &r->words, err);
}

static void read_finding(mt_Unpacker *in, const mt_CheckReport *c,
                         mettle_Finding *out) {
  uint64_t at[5] = {0};
  mt_unpack_into(in, at, sizeof at);
  out->line = (unsigned)at[1], out->column = (unsigned)at[2];
  out->other_line = (unsigned)at[3], out->other_column = (unsigned)at[4];
  out->message = mt_unpack_text(in);
  out->advice = mt_unpack_text(in);
  out->text = mt_unpack_text(in);
  if (in->failed || at[0] >= c->count) return;
  const mt_Finding *f = &c->findings[at[0]];
  out->kind = mt_finding_name(f->kind);
  out->file = f->place.file;
  out->other_file = f->other.file;
  out->buffer = f->name;
  out->index = f->index;
  out->length = f->length;
  out->count = f->count;
  out->thread_count = f->thread_count;
  for (unsigned i = 0; i < f->thread_count && i < MT_FINDING_THREADS; i++)
    memcpy(out->threads[i], f->threads[i].grid, sizeof out->threads[i]);
}

static void read_number(mt_Unpacker *in, Number *out) {
  out->name = mt_unpack_text(in);
  mt_unpack_into(in, &out->value, sizeof out->value);
}

/* The strings of findings are taken from the bytes that were asked: the
** kernel's own may be gone before the report. */
static mt_Status read_answer(mettle_Report *r, mt_Error *err) {
  mt_Unpacker in = {r->words.text, r->words.text + r->words.length, false};
  mt_Unpacker asked = {r->found.text, r->found.text + r->found.length, false};
  mt_ReportOf of;
  mt_CheckReport c = {0};
  int failed = 1;
  uint64_t rows = 0;
  mt_report_unpack_head(&asked, &of);
  if (!of.profile) mt_report_unpack_check(&asked, &c);
  mt_unpack_into(&in, &failed, sizeof failed);
  r->text = mt_unpack_text(&in);
  if (failed || in.failed) {
    mt_report_free_check(&c);
    return mt_error(err, MT_FAIL, "the report has no words: %s",
                    r->text ? r->text : "its process gave no answer");
  }
  r->json = mt_unpack_text(&in);
  mt_unpack_into(&in, &rows, sizeof rows);
  r->findings = of.profile ? NULL : calloc(rows + 1, sizeof *r->findings);
  r->numbers = of.profile ? calloc(rows + 1, sizeof *r->numbers) : NULL;
  for (; r->count < rows && (r->findings || r->numbers); r->count++)
    if (of.profile) read_number(&in, &r->numbers[r->count]);
    else read_finding(&in, &c, &r->findings[r->count]);
  memcpy(r->unordered, c.unordered, sizeof r->unordered);
  mt_report_free_check(&c);
  if (in.failed || r->count < rows)
    return mt_error(err, MT_FAIL, "out of memory");
  return MT_OK;
}

/* ----------------------------------------------------------------- running */

typedef struct Job {
  const mettle_Launch *launch;
  const mettle_CheckOptions *options; /* of a check; NULL: a profile */
  mettle_Report *report;
} Job;

static void name_outputs(const mt_KernelInfo *k, uint64_t bits, mt_Str *out) {
  for (unsigned i = 0; i < k->param_count && i < 64; i++)
    if (bits >> i & 1) mt_str_addf(out, "%s ", k->params[i].name);
}

static mt_CheckOptions check_options(const mettle_CheckOptions *o) {
  return (mt_CheckOptions){
      .seed = o->seed ? o->seed : 1,
      .schedules = o->schedules < 0   ? 0
                   : o->schedules > 0 ? (unsigned)o->schedules
                                      : SCHEDULES,
      .tolerance = o->tolerance > 0 ? o->tolerance : TOLERANCE,
      .limit = o->findings,
      .guess = true};
}

/* An end before its time is part of the report; other failures are not. */
static bool has_report(mt_Status status) {
  return status == MT_OK || status == MT_TIMEOUT || status == MT_CANCELLED;
}

static mt_Status run_twin(const Job *j, const Twin *t, mt_Error *err) {
  mt_Error said = {""};
  mt_Str outputs = MT_STR_INIT, body = MT_STR_INIT;
  const mettle_Library *lib = j->launch->kernel->library;
  mt_ReportOf of = {.profile = !j->options,
                    .kernel = mt_kernel_info(t->launch.kernel)->name,
                    .source = lib->source, .file = lib->file,
                    .extent = mt_launch_extent(&t->launch)};
  mt_CheckReport check = {0};
  mt_Profile profile = {0};
  mt_Status status;
  if (j->options) {
    mt_CheckOptions o = check_options(j->options);
    status = mt_check(&t->launch, &o, &check, &said);
    name_outputs(mt_kernel_info(t->launch.kernel), check.outputs, &outputs);
    mt_report_pack_check(&body, &check);
  } else {
    status = mt_profile(&t->launch, &profile, &said);
    mt_report_pack_profile(&body, &profile);
  }
  of.stopped = status == MT_OK ? NULL : said.text;
  of.outputs = mt_str_text(&outputs);
  mt_report_pack_head(&j->report->found, &of);
  mt_str_add_bytes(&j->report->found, mt_str_text(&body), body.length);
  mt_check_free(&check);
  mt_profile_free(&profile);
  mt_str_free(&outputs);
  mt_str_free(&body);
  return has_report(status) ? MT_OK : mt_error(err, status, "%s", said.text);
}

static mt_Status run(void *call, mt_Error *err) {
  Job *j = call;
  Twin t;
  mt_Status status = make_twin(&t, j->launch, err);
  if (status == MT_OK) status = run_twin(j, &t, err);
  end_twin(&t);
  mt_embed_cancel_clear(); /* the words of what was found until then */
  if (status == MT_OK) status = ask(j->report, err);
  return status == MT_OK ? read_answer(j->report, err) : status;
}

static mettle_Status make(Job *j, mettle_Report **out, mettle_Error *err) {
  *out = NULL;
  MT_NEED(j->launch, "launch");
  j->report = mt_embed_new(sizeof *j->report, end_report);
  if (!j->report) return mt_embed_refuse(err, "out of memory");
  mettle_Status status = mt_embed_run(run, j, err);
  if (status == METTLE_OK) *out = j->report;
  else mettle_report_free(j->report);
  return status;
}

mettle_Status mettle_check(mettle_Launch *l, const mettle_CheckOptions *options,
                           mettle_Report **out, mettle_Error *err) {
  mettle_CheckOptions defaults = {0};
  Job j = {.launch = l, .options = options ? options : &defaults};
  return make(&j, out, err);
}

mettle_Status mettle_profile(mettle_Launch *l, mettle_Report **out,
                             mettle_Error *err) {
  Job j = {.launch = l};
  return make(&j, out, err);
}

/* ----------------------------------------------------------------- reading */

/* (plain memory: no device is needed for its end) */
void mettle_report_free(mettle_Report *r) { mt_embed_drop_here(r); }

const char *mettle_report_text(const mettle_Report *r) { return r->text; }
const char *mettle_report_json(const mettle_Report *r) { return r->json; }

size_t mettle_report_findings(const mettle_Report *r) {
  return r->findings ? r->count : 0;
}

mettle_Status mettle_report_finding(const mettle_Report *r, size_t number,
                                    mettle_Finding *out) {
  bool there = number < mettle_report_findings(r);
  *out = there ? r->findings[number] : (mettle_Finding){0};
  return there ? METTLE_OK : METTLE_BADARG;
}

const char *mettle_report_unordered(const mettle_Report *r) {
  return r->unordered[0] ? r->unordered : NULL;
}

const char *mettle_report_number_name(const mettle_Report *r, size_t number) {
  return r->numbers && number < r->count ? r->numbers[number].name : NULL;
}

mettle_Status mettle_report_number(const mettle_Report *r, const char *name,
                                   double *out) {
  *out = 0;
  for (size_t i = 0; r->numbers && i < r->count; i++)
    if (strcmp(r->numbers[i].name, name) == 0) {
      *out = r->numbers[i].value;
      return METTLE_OK;
    }
  return METTLE_BADARG;
}
