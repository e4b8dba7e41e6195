/*
** trial.h - what is done with one source: it is compiled, and every word that
** is said about it looked at; some of those that compile are also run, with
** small buffers and a time limit. Or it is only read, by what needs no Clang.
**
** The file that includes this has reported(), which is told of each fault.
*/
#ifndef SPOILT_TRIAL_H
#define SPOILT_TRIAL_H

#include "devices/device.h"
#include "msl/clang/clang.h"
#include "msl/msl.h"
#include "msl/reader/macros.h"
#include "msl/reader/reader.h"
#include "msl/reader/signatures.h"
#include "tests/spoilt/source.h"

#define RUN_ONE_IN 8 /* of the sources that compile */
#define BYTES 4096    /* of each buffer */
#define SECONDS 2     /* for a launch */
#define MOST_ARGS 64

/* How a source went. */
typedef struct Outcome {
  bool compiled, launched, refused; /* refused: the launch was */
  bool stopped; /* Clang took its whole time */
  bool broken;  /* Clang crashed or gave up, and it was told so */
} Outcome;

typedef enum Fault { FAULT_WORDS, FAULT_STOPPED, FAULT_BROKEN } Fault;
static void reported(Fault kind, const char *what, const char *message);

/* -------------------------------------------------------------------- words */

static void look(const char *what, const char *message, const mt_Str *text) {
  const char *inner = message ? inner_name(message, mt_str_text(text)) : NULL;
  mt_Str line = MT_STR_INIT;
  if (inner == NULL) return;
  mt_str_addf(&line, "'%s' in the %s", inner, what);
  reported(FAULT_WORDS, mt_str_text(&line), message);
  mt_str_free(&line);
}

static void look_at_all(const mt_MslModule *m, const mt_Str *text) {
  const mt_Diagnostic *d = NULL;
  size_t n = mt_msl_diagnostics(m, &d);
  for (size_t i = 0; i < n; i++) {
    look("message", d[i].message, text);
    look("help", d[i].help, text);
    look("place", d[i].file, text);
  }
  look("log", mt_msl_log(m), text);
}

/* ----------------------------------------------------------------- launches */

static mt_Device *device; /* of this process */

typedef struct Things { /* what a launch is given */
  mt_Buffer *buffers[MOST_ARGS];
  mt_Texture *textures[MOST_ARGS], *many[MOST_ARGS][MOST_ARGS];
  mt_Arg args[MOST_ARGS];
} Things;

static mt_TextureDesc texture_for(const char *type) {
  static const struct {
    const char *word;
    mt_TextureKind kind;
  } kinds[] = {{"1d_array<", MT_TEXTURE_1D_ARRAY}, {"1d<", MT_TEXTURE_1D},
               {"2d_array<", MT_TEXTURE_2D_ARRAY}, {"3d<", MT_TEXTURE_3D}};
  mt_TextureDesc d = {MT_TEXTURE_2D, MT_RGBA32FLOAT, 8, 8, 1, 1};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strstr(type, kinds[i].word)) d.kind = kinds[i].kind;
  if (d.kind == MT_TEXTURE_1D || d.kind == MT_TEXTURE_1D_ARRAY) d.height = 1;
  if (d.kind == MT_TEXTURE_1D_ARRAY || d.kind == MT_TEXTURE_2D_ARRAY)
    d.layers = 2;
  if (d.kind == MT_TEXTURE_3D) d.depth = 4;
  if (strstr(type, "<int") || strstr(type, "<short")) d.format = MT_RGBA32SINT;
  if (strstr(type, "<uint") || strstr(type, "<ushort"))
    d.format = MT_RGBA32UINT;
  return d;
}

static void give(Things *t, unsigned i, const mt_Param *p) {
  mt_Error err;
  mt_TextureDesc desc;
  size_t size = p->type && p->type->size > BYTES ? p->type->size : BYTES;
  if (p->kind == MT_PARAM_BUFFER && size < 1u << 20 &&
      mt_buffer_new(device, size, &t->buffers[i], &err) == MT_OK)
    t->args[i] = (mt_Arg){
        .kind = MT_ARG_BUFFER, .buffer = t->buffers[i], .size = size};
  if (p->kind == MT_PARAM_THREADGROUP)
    t->args[i] = (mt_Arg){.kind = MT_ARG_THREADGROUP, .size = 1024};
  if (p->kind == MT_PARAM_SAMPLER) t->args[i].kind = MT_ARG_SAMPLER;
  if (p->kind != MT_PARAM_TEXTURE) return;
  desc = texture_for(p->type->name);
  if (mt_texture_new(device, &desc, &t->textures[i], &err) != MT_OK) return;
  t->args[i] = (mt_Arg){.kind = MT_ARG_TEXTURE, .texture = t->textures[i]};
  if (p->array_count < 2 || p->array_count > MOST_ARGS) return;
  for (unsigned k = 0; k < p->array_count; k++)
    t->many[i][k] = t->textures[i];
  t->args[i].textures = t->many[i];
  t->args[i].texture_count = p->array_count;
}

static void run_kernel(mt_Kernel *k, Outcome *out, const mt_Str *text) {
  const mt_KernelInfo *info = mt_kernel_info(k);
  const unsigned *required = info->required_group;
  Things *t = calloc(1, sizeof *t);
  mt_Timing timing;
  mt_Error err = {""};
  mt_Launch l = {.kernel = k, .args = t->args, .arg_count = info->param_count,
                 .grid = {64, 1, 1}, .group = {32, 1, 1}, .repeats = 1,
                 .time_limit = SECONDS};
  if (required[0]) l.group = (mt_Size){required[0], required[1], required[2]};
  for (unsigned i = 0; i < info->param_count && i < MOST_ARGS; i++)
    give(t, i, &info->params[i]);
  if (info->param_count <= MOST_ARGS) {
    mt_Status status = mt_launch(&l, &timing, &err);
    if (status == MT_BADARG) out->refused = true;
    else out->launched = true;
    if (status != MT_OK) look("launch", err.text, text);
  }
  for (unsigned i = 0; i < MOST_ARGS; i++) {
    mt_buffer_free(t->buffers[i]);
    mt_texture_free(t->textures[i]);
  }
  free(t);
}

/* Its first kernel, with all function constants zero. */
static void run_source(const mt_Str *text, Outcome *out) {
  static const char zeros[256];
  mt_ConstantValue values[MOST_ARGS];
  const mt_Constant *constants;
  const char *const *names;
  mt_Library *lib = NULL;
  mt_Kernel *k = NULL;
  mt_Str log = MT_STR_INIT;
  mt_Error err = {""};
  size_t count = 0;
  mt_Status status = mt_library_new(device, text->text, text->length, NULL,
                                    &lib, &log, &err);
  size_t n = status == MT_OK ? mt_library_constants(lib, &constants) : 0;
  for (; count < n && count < MOST_ARGS; count++)
    values[count] = (mt_ConstantValue){constants[count].index, zeros,
                                       constants[count].type->size};
  if (status == MT_OK && mt_library_kernels(lib, &names) > 0) {
    status = mt_kernel_new(lib, names[0], values, count, &k, &err);
    if (status == MT_OK) run_kernel(k, out, text);
  }
  if (status != MT_OK) look("kernel's refusal", err.text, text);
  mt_kernel_free(k);
  mt_library_free(lib);
  mt_str_free(&log);
}

/* ------------------------------------------------------------------- trials */

/* Compiled, and perhaps run. */
static Outcome try_source(const mt_Str *text) {
  Outcome out = {0};
  mt_Error err = {""};
  mt_MslModule *m = NULL;
  mt_Status status = mt_msl_compile(text->text, text->length, NULL, &m, &err);
  out.compiled = status == MT_OK;
  out.stopped = status == MT_TIMEOUT;
  out.broken = status != MT_OK && status != MT_BADARG && !out.stopped;
  if (out.stopped) reported(FAULT_STOPPED, "the time limit", err.text);
  if (out.broken) reported(FAULT_BROKEN, "Clang's end", err.text);
  if (status != MT_OK) look("summary", err.text, text);
  if (m) look_at_all(m, text);
  mt_msl_free(m);
  mt_clang_stay();
  if (device && out.compiled && chance(RUN_ONE_IN) == 0)
    run_source(text, &out);
  return out;
}

static void read_once(const mt_Str *text, bool spaces) {
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading r = {0};
  mt_Str out = MT_STR_INIT;
  if (mt_lex_read(&lex, text->text, text->length, &bad) != MT_OK)
    look("reader's message", bad.message, text);
  else if (mt_reader_run(&lex, spaces, &r) == MT_OK) {
    for (uint32_t i = 0; i < r.problem_count; i++) {
      look("reader's message", r.problems[i].message, text);
      look("reader's help", r.problems[i].help, text);
    }
    mt_lex_write(&lex, &out);
  }
  mt_reading_free(&r);
  mt_str_free(&out);
  mt_lex_free(&lex);
}

/* Read in both of the reader's modes, and once more with macros expanded. */
static Outcome read_source(const mt_Str *text) {
  static const char *const names[] = {"test", "k"}; /* most have one of them */
  mt_Str out = MT_STR_INIT;
  read_once(text, false);
  read_once(text, true);
  mt_Signatures *s = mt_signatures_read(text->text, text->length, NULL, 0);
  for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
    const mt_ReadKernel *k = mt_signatures_find(s, names[n]);
    for (uint32_t i = 0; k && i < k->count; i++)
      mt_signatures_type(s, names[n], i, i & 1, &out);
    mt_signatures_logs(s, names[n]);
  }
  mt_signatures_free(s);
  mt_str_clear(&out);
  mt_macros_expand(text->text, text->length, NULL, 0, &out);
  mt_str_free(&out);
  return (Outcome){.compiled = s != NULL};
}

#endif
