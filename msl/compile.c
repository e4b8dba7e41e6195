/*
** compile.c - from source to module, step by step.
**
**   source -> (preprocess) -> reader -> Clang -> bitcode -> reflection
**
** A source whose only directives are pragmas, includes of Metal's own headers
** and macros for numbers needs no preprocessing: the reader takes it as typed.
** For other sources two Clangs are started at once; the second one loads while
** the first preprocesses.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/notice.h"
#include "msl/clang/clang.h"
#include "msl/clang/source_key.h"
#include "msl/module.h"
#include "msl/reader/reader.h"
#include "msl/reader/versions.h"

#define MAX_SOURCE (32u << 20)
#define LONGEST_DEFINE 65536
#define WORD_LETTERS \
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
#define CRASHED 70 /* Clang's status when it caught its own crash */

static mt_Place main_place(mt_MslModule *m, size_t offset) {
  mt_Place p = {m->name, 1, 1};
  for (size_t i = 0; i < offset && i < m->length; i++) {
    p.column++;
    if (m->source[i] == '\n') p.line++, p.column = 1;
  }
  return p;
}

/* # 1 "name" */
static void add_marker(mt_Str *to, const char *name) {
  mt_str_add(to, "# 1 \"");
  for (const char *s = name; *s; s++) {
    if (*s == '"' || *s == '\\') mt_str_add_char(to, '\\');
    mt_str_add_char(to, *s);
  }
  mt_str_add(to, "\"\n");
}

/* ------------------------------------------------------------------ defines */

/* NAME or NAME(a, b). */
static bool is_macro_name(const char *s) {
  size_t n = strspn(s, WORD_LETTERS);
  if (n == 0 || (s[0] >= '0' && s[0] <= '9')) return false;
  if (s[n] == '\0') return true;
  size_t list = s[n] == '(' ? strspn(s + n + 1, WORD_LETTERS "., ") : 0;
  return s[n] == '(' && strcmp(s + n + 1 + list, ")") == 0;
}

/* Defines are passed as arguments of Clang, whose length the system limits. */
static mt_Status check_defines(const mt_MslOptions *o, mt_Error *err) {
  for (size_t i = 0; i < o->define_count; i++) {
    const char *value = o->defines[i].value;
    if (!is_macro_name(o->defines[i].name))
      return mt_error(err, MT_BADARG,
                      "'%.100s' cannot be the name of a define: a name is "
                      "letters, digits and _, as in TILE, perhaps with "
                      "parameters, as in SQUARE(x)",
                      o->defines[i].name);
    if (value && strlen(value) > LONGEST_DEFINE)
      return mt_error(err, MT_BADARG,
                      "the define '%.100s' has %zu characters; one that is "
                      "given beside the source may have %d: "
                      "write it into the source, as #define",
                      o->defines[i].name, strlen(value), LONGEST_DEFINE);
  }
  return MT_OK;
}

/* -------------------------------------------------------------------- steps */

static mt_Status bad_text(mt_MslModule *m, const mt_LexError *bad,
                          mt_Error *err) {
  mt_Place place = m->raw ? main_place(m, bad->at) : (mt_Place){m->name, 0, 0};
  mt_diagnose(m, MT_ERROR_SEVERITY, place, bad->message, NULL);
  return mt_error(err, MT_BADARG, "%s:%u:%u: error: %s", place.file, place.line,
                  place.column, bad->message);
}

/* Clang exits with 0, or with 1 for an error in the source; any other status is
** an internal failure. */
static bool is_unexpected(const mt_MslModule *m, int code) {
  return code != 0 && (code != 1 || !mt_diagnose_errors(m));
}

/* A signal (128 and more) is most often a stack overflow: the source is nested
** too deeply. The precompiled headers were verified, so the source is the
** cause. */
static mt_Status ended_badly(int code, const mt_Str *said, mt_Error *err) {
  const char *reason = strstr(mt_str_text(said), "error: ");
  if (code >= 128)
    return mt_error(err, MT_FAIL,
                    "the compiler broke off: an expression, a macro or a "
                    "template is too long or nested too "
                    "deep for it; cut it into parts");
  if (code == CRASHED)
    return mt_error(err, MT_FAIL,
                    "Clang itself crashed over this source, also when tried "
                    "again: the source is the cause, and "
                    "it may be right; take parts of it away to find the one "
                    "that Clang cannot take");
  return mt_error(err, MT_FAIL, "Clang ended with status %d: %.200s", code,
                  reason ? reason + 7 : mt_str_text(said));
}

static void stopped(mt_Error *err) {
  if (err == NULL) return;
  mt_Error why = *err;
  mt_error(err, MT_TIMEOUT, "the compilation was stopped: it %s", why.text);
}

/* Preprocess into m->preprocessed. MT_BADARG: the source is wrong. */
static mt_Status preprocess(mt_MslModule *m, const mt_MslOptions *o,
                            mt_Error *err) {
  mt_Child *child;
  mt_Str input = MT_STR_INIT, said = MT_STR_INIT;
  int code = -1;
  if (!mt_includes_before(m, o)) return MT_BADARG;
  mt_Status status =
      mt_clang_start(MT_CLANG_PREPROCESS, o, m->length, &child, err);
  if (status != MT_OK) return status;
  add_marker(&input, m->name);
  mt_includes_add_source(m, o, &input);
  status = mt_child_finish(child, mt_str_text(&input), input.length,
                           &m->preprocessed, &said, &code, err);
  if (status == MT_FAIL && m->preprocessed.length > m->length)
    status =
        mt_error(err, MT_BADARG,
                 "the macros of the source make more than %zu MB of it: one "
                 "that uses another twice "
                 "doubles it at each step; write a function or a loop instead",
                 m->preprocessed.length >> 20);
  if (status == MT_TIMEOUT) stopped(err);
  mt_includes_restore(o, false, &m->preprocessed);
  mt_includes_restore(o, true, &said);
  if (status == MT_OK && !mt_includes_after(m, o, mt_str_text(&said)))
    status = MT_BADARG;
  if (status == MT_OK) mt_diagnose_clang(m, mt_str_text(&said), false);
  if (status == MT_OK && code != 0)
    status = mt_diagnose_errors(m) ? MT_BADARG : ended_badly(code, &said, err);
  if (status == MT_OK && !mt_includes_found(m, o)) status = MT_BADARG;
  mt_str_free(&input);
  mt_str_free(&said);
  return status;
}

typedef struct Way { /* how the text is compiled */
  bool signatures_only;
  bool second; /* as in mt_Reading */
} Way;

/* An error for what the source's version of MSL does not have. */
static void refuse_later(mt_MslModule *m) {
  mt_Later l = {0};
  unsigned v = m->version;
  for (const char *before = NULL; mt_msl_later(&m->lex, v, &l);) {
    if (l.entry == before) continue; /* said already */
    before = l.entry;
    mt_diagnose(m, MT_ERROR_SEVERITY, mt_map_offset(m, l.at),
                mt_scrap_text(m,
                              "'%.*s' came with Metal %u.%u, and this is "
                              "compiled as Metal %u.%u",
                              (int)l.length, l.name, l.since / 100,
                              l.since / 10 % 10, v / 100, v / 10 % 10),
                mt_scrap_text(m, "Compile it with std = \"metal%u.%u\" or a "
                                 "later one, or do without.",
                              l.since / 100, l.since / 10 % 10));
  }
}

/* The text with its edits, for Clang; then 'signatures', which may be empty. */
static mt_Status write_text(mt_MslModule *m, const mt_Str *signatures,
                            mt_Error *err) {
  mt_str_clear(&m->text);
  m->lines = 0;
  if (m->raw) add_marker(&m->text, m->name);
  mt_lex_write(&m->lex, &m->text);
  mt_str_add_char(&m->text, '\n');
  for (size_t i = 0; signatures->length && i < m->text.length; i++)
    m->lines += m->text.text[i] == '\n';
  mt_str_add_bytes(&m->text, mt_str_text(signatures), signatures->length);
  return m->text.failed || signatures->failed
             ? mt_error(err, MT_FAIL, "out of memory")
             : MT_OK;
}

/* Runs the reader; the rewritten text goes into m->text. */
_Static_assert(sizeof((mt_MslModule *)0)->shared ==
                   MT_MOST_SHARED * sizeof(const char *),
               "as many as in mt_Reading");
static mt_Status read_text(mt_MslModule *m, Way *way, mt_Error *err) {
  /* with the module it goes */
  mt_Reading *reading = m->reading = calloc(1, sizeof *reading);
  if (reading == NULL || !mt_map_lines(m) ||
      mt_reader_run(&m->lex, false, reading) != MT_OK)
    return mt_error(err, MT_FAIL, "out of memory");
  for (uint32_t i = 0; i < reading->problem_count; i++) {
    const mt_Problem *p = &reading->problems[i];
    mt_diagnose(m, p->warning ? MT_WARNING : MT_ERROR_SEVERITY,
                mt_map_offset(m, p->at), p->message, p->help);
  }
  refuse_later(m);
  way->second = reading->second;
  way->signatures_only =
      way->signatures_only && mt_signatures_only_pays(m, reading);
  bool there = !m->only_count ||
               mt_reading_only(&m->lex, reading, m->only, m->only_count);
  m->shared_count = reading->shared_count;
  memcpy(m->shared, reading->shared, sizeof m->shared);
  if (!there)
    return mt_error(err, MT_FAIL, "kernel '%s' cannot be told from the others",
                    m->only[0]);
  mt_Str signatures = MT_STR_INIT;
  if (way->signatures_only && !mt_diagnose_errors(m))
    mt_reading_signatures(&m->lex, reading, &signatures);
  else if (m->lazy)
    mt_reading_lazy(&m->lex, reading);
  mt_Status status = write_text(m, &signatures, err);
  mt_str_free(&signatures);
  return status;
}

/* One attempt: bitcode and diagnostics. */
static mt_Status generate_once(mt_MslModule *m, mt_Child *child,
                               mt_Str *bitcode, mt_Str *said, int *code,
                               mt_Error *err) {
  mt_Status status = mt_child_finish(child, mt_str_text(&m->text),
                                     m->text.length, bitcode, said, code, err);
  if (status == MT_TIMEOUT) stopped(err);
  if (status == MT_OK) mt_diagnose_clang(m, mt_str_text(said), true);
  return status;
}

/* An unexpected exit is retried once: damaged precompiled headers may have been
** rebuilt, or the system was short of memory or processes. A timeout is retried
** only if the headers were rebuilt. */
static mt_Status generate_twice(mt_MslModule *m, const mt_MslOptions *o,
                                mt_ClangStep step, mt_Child *child,
                                mt_Str *bitcode, mt_Str *said, int *code,
                                mt_Error *err) {
  size_t before = m->diagnostic_count;
  mt_Status status = generate_once(m, child, bitcode, said, code, err);
  bool unexpected = status == MT_OK && is_unexpected(m, *code);
  if (!unexpected && status != MT_TIMEOUT) return status;
  bool renewed = mt_clang_doubt(o->safe_math, mt_str_text(said));
  if (!unexpected && !renewed) return status;
  m->diagnostic_count = before;
  mt_str_clear(bitcode);
  mt_str_clear(said);
  status = mt_clang_start(step, o, 0, &child, err);
  return status == MT_OK ? generate_once(m, child, bitcode, said, code, err)
                         : status;
}

/* Runs m->text through Clang; takes ownership of 'child', started for
** 'step'. */
static mt_Status translate(mt_MslModule *m, const mt_MslOptions *o,
                           mt_ClangStep step, mt_Child *child, mt_Str *bitcode,
                           mt_Error *err) {
  mt_Str said = MT_STR_INIT;
  int code = -1;
  mt_Status status =
      generate_twice(m, o, step, child, bitcode, &said, &code, err);
  if (status == MT_OK && code != 0)
    status = mt_diagnose_errors(m) ? MT_BADARG : ended_badly(code, &said, err);
  else if (status == MT_OK && bitcode->length == 0 && step == MT_CLANG_GENERATE)
    status = mt_error(err, MT_FAIL, "Clang gave no bitcode");
  mt_str_free(&said);
  return status;
}

static mt_Status generate(mt_MslModule *m, const mt_MslOptions *o,
                          mt_Child *child, mt_Error *err) {
  mt_Str bitcode = MT_STR_INIT;
  mt_Status status = translate(m, o, MT_CLANG_GENERATE, child, &bitcode, err);
  /* after an error of the reader, reflection would report it a second time */
  if (status == MT_OK && !mt_diagnose_errors(m))
    status = mt_module_reflect(m, bitcode.text, bitcode.length, true, err);
  mt_str_free(&bitcode);
  return status;
}

/* ---------------------------------------------------------- large libraries */

/* Are these the kernels' signatures, and nothing unusual? */
static bool reflect_headers(mt_MslModule *m, const mt_Str *bitcode) {
  size_t said = m->diagnostic_count;
  /* the kernels' bodies are empty */
  bool ok = mt_module_reflect(m, bitcode->text, bitcode->length, false,
                              NULL) == MT_OK &&
            m->diagnostic_count == said;
  if (!ok) m->kernel_count = m->constant_count = 0;
  return ok;
}

/* One Clang checks the text and generates the signatures that follow it; takes
** ownership of it. m->signatures_only: they are known. */
static mt_Status signatures_at_once(mt_MslModule *m, mt_Child *child,
                                    mt_Error *err) {
  mt_Str bitcode = MT_STR_INIT, words = MT_STR_INIT;
  size_t said = m->diagnostic_count;
  int code = 0;
  mt_Status status =
      mt_child_finish(child, mt_str_text(&m->text), m->text.length, &bitcode,
                      &words, &code, err);
  if (status == MT_OK && code == 0) {
    mt_diagnose_clang(m, mt_str_text(&words), true);
    m->signatures_only = reflect_headers(m, &bitcode);
    if (!m->signatures_only) m->diagnostic_count = said;
  }
  mt_str_free(&bitcode);
  mt_str_free(&words);
  if (status == MT_TIMEOUT) stopped(err);
  return status == MT_TIMEOUT || status == MT_CANCELLED ? status : MT_OK;
}

/* Checks the text. Of the instances of a template the first one is checked: the
** template's own mistakes are in it, and each of the others is checked when it
** is taken. Hundreds of them take Clang ten times as long as the rest of the
** text. '*all': the tokens without this edit, which the caller frees. */
static mt_Status check_text(mt_MslModule *m, const mt_MslOptions *o,
                            mt_Token **all, mt_Error *err) {
  static const mt_Str nothing = MT_STR_INIT;
  mt_Str none = MT_STR_INIT;
  mt_Child *child;
  size_t bytes = (m->lex.count + 1) * sizeof **all;
  mt_Status status = MT_OK;
  *all = malloc(bytes);
  if (*all == NULL) return mt_error(err, MT_FAIL, "out of memory");
  memcpy(*all, m->lex.tokens, bytes);
  if (mt_reading_first_instances(&m->lex, m->reading))
    status = write_text(m, &nothing, err);
  if (status == MT_OK)
    status = mt_clang_start(MT_CLANG_CHECK, o, 0, &child, err);
  if (status == MT_OK)
    status = translate(m, o, MT_CLANG_CHECK, child, &none, err);
  mt_str_free(&none);
  return status;
}

static mt_Status generate_all(mt_MslModule *m, const mt_MslOptions *o,
                              const mt_Token *all, mt_Error *err) {
  static const mt_Str nothing = MT_STR_INIT;
  mt_Child *child;
  memcpy(m->lex.tokens, all, (m->lex.count + 1) * sizeof *all);
  mt_Status status = write_text(m, &nothing, err);
  if (status == MT_OK)
    status = mt_clang_start(MT_CLANG_GENERATE, o, 0, &child, err);
  return status == MT_OK ? generate(m, o, child, err) : status;
}

/* Takes ownership of 'child', which generates bitcode. One Clang checks the
** text, the other one generates a text in which kernels are empty. If that
** fails, the source is compiled in full, for its diagnostics. */
static mt_Status signatures_twice(mt_MslModule *m, const mt_MslOptions *o,
                                  mt_Child *child, mt_Error *err) {
  mt_Str bitcode = MT_STR_INIT;
  mt_Token *all;
  size_t said = m->diagnostic_count;
  mt_SignaturesOnly *headers = mt_signatures_only_start(m, child);
  mt_Status status = check_text(m, o, &all, err);
  bool use = status == MT_OK && !mt_diagnose_errors(m);
  m->signatures_only =
      mt_signatures_only_finish(headers, use ? &bitcode : NULL) &&
      reflect_headers(m, &bitcode);
  mt_str_free(&bitcode);
  if (!m->signatures_only && use) {
    m->diagnostic_count = said;
    status = generate_all(m, o, all, err);
  }
  free(all);
  return status;
}

static mt_Status generate_signatures(mt_MslModule *m, const mt_MslOptions *o,
                                     mt_Child *child, mt_Error *err) {
  static const mt_Str none = MT_STR_INIT;
  if (m->lines == 0) return signatures_twice(m, o, child, err);
  mt_Status status = signatures_at_once(m, child, err);
  if (status != MT_OK || m->signatures_only) return status;
  mt_reading_not_lazy(&m->lex);
  status = write_text(m, &none, err);
  if (status == MT_OK)
    status = mt_clang_start(MT_CLANG_GENERATE, o, 0, &child, err);
  return status == MT_OK ? signatures_twice(m, o, child, err) : status;
}

static mt_Status run(mt_MslModule *m, const mt_MslOptions *o, mt_Error *err) {
  mt_LexError bad;
  mt_Child *second = NULL;
  m->raw = true;
  mt_Status status = mt_lex_read(&m->lex, m->source, m->length, &bad);
  bool plain = status == MT_OK && mt_source_is_plain(&m->lex, o);
  if (status != MT_OK) return bad_text(m, &bad, err);
  if (!plain) {
    mt_lex_free(&m->lex);
    m->raw = false;
  }
  status = mt_clang_start(MT_CLANG_GENERATE, o, 0, &second, err);
  if (status == MT_OK && !plain) {
    status = preprocess(m, o, err);
    if (status == MT_OK && mt_lex_read(&m->lex, mt_str_text(&m->preprocessed),
                                       m->preprocessed.length, &bad) != MT_OK)
      status = bad_text(m, &bad, err);
  }
  Way way = {.signatures_only = o->signatures_only};
  if (status == MT_OK) status = read_text(m, &way, err);
  if (status != MT_OK) {
    mt_child_kill(second);
    return status;
  }
  mt_SpaceCheck *check = mt_spaces_start(m, o, way.second);
  status = way.signatures_only && !mt_diagnose_errors(m)
               ? generate_signatures(m, o, second, err)
               : generate(m, o, second, err);
  mt_spaces_finish(check, status == MT_OK);
  return status;
}

/* The first error as the summary. */
static mt_Status summary(mt_MslModule *m, mt_Error *err) {
  size_t n = mt_diagnose_errors(m);
  for (size_t i = 0; i < m->diagnostic_count; i++) {
    const mt_Diagnostic *d = &m->diagnostics[i];
    if (d->severity != MT_ERROR_SEVERITY) continue;
    char more[48] = "";
    if (n > 1) snprintf(more, sizeof more, " (and %zu more)", n - 1);
    mt_Str file = MT_STR_INIT, message = MT_STR_INIT;
    mt_str_add_visible(&file, d->file, strlen(d->file), "\t");
    mt_str_add_visible(&message, d->message, strlen(d->message), "\t");
    mt_error(err, MT_BADARG, "%s:%u:%u: error: %s%s", mt_str_text(&file),
             d->line, d->column, mt_str_text(&message), more);
    mt_str_free(&file);
    mt_str_free(&message);
    return MT_BADARG;
  }
  return MT_OK;
}

static mt_Status module_new(const char *source, size_t length, const char *name,
                            mt_MslModule **out, mt_Error *err) {
  if (length > MAX_SOURCE)
    return mt_error(err, MT_BADARG, "the source is longer than 32 MB");
  mt_MslModule *m = calloc(1, sizeof *m);
  if (m == NULL) return mt_error(err, MT_FAIL, "out of memory");
  m->name = mt_scrap_text(m, "%s", name);
  char *copy = mt_scrap(m, length + 1);
  if (copy) memcpy(copy, source, length);
  m->source = copy;
  m->length = length;
  mt_File *main_file = mt_scrap(m, sizeof *main_file);
  if (copy == NULL || main_file == NULL) {
    mt_msl_free(m);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  *main_file =
      (mt_File){.name = m->name, .text = m->source, .length = m->length};
  m->files = main_file;
  *out = m;
  return MT_OK;
}

/* Shows the notice that 'what', a file's path or a kernel, is compiled. */
static void begin(mt_MslModule *m, const char *what) {
  const char *slash = strrchr(what, '/');
  mt_notice_begin(
      mt_scrap_text(m, "%.60s: compiling…", slash ? slash + 1 : what));
}

/* The last steps of a compilation that ended with 'status'. */
static mt_Status conclude(mt_MslModule *m, mt_Status status, mt_MslModule **out,
                          mt_Error *err) {
  mt_notice_end();
  if ((status == MT_OK || status == MT_BADARG) && mt_diagnose_errors(m))
    status = summary(m, err);
  mt_diagnose_log(m, m->colour);
  if (status != MT_OK) {
    free(m->bitcode);
    m->bitcode = NULL;
    m->bitcode_size = 0;
  }
  if (status == MT_OK) mt_module_cache_write(m);
  if (status == MT_OK || m->diagnostic_count) *out = m;
  else mt_msl_free(m);
  return status;
}

mt_Status mt_msl_compile(const char *source, size_t length,
                         const mt_MslOptions *options, mt_MslModule **out,
                         mt_Error *err) {
  static const mt_MslOptions none;
  const mt_MslOptions *o = options ? options : &none;
  mt_MslModule *m;
  *out = NULL;
  /* byte order mark */
  if (length >= 3 && memcmp(source, "\xEF\xBB\xBF", 3) == 0)
    source += 3, length -= 3;
  /* printable: a newline would break the line markers */
  mt_Str name = MT_STR_INIT;
  mt_str_add_visible(&name, o->file ? o->file : "program_source",
                     o->file ? strlen(o->file) : 14, "\t");
  mt_Status status = module_new(source, length, mt_str_text(&name), &m, err);
  mt_str_free(&name);
  if (status != MT_OK) return status;
  m->unlinked = o->unlinked;
  m->safe_math = o->safe_math;
  m->version = o->version ? o->version : MT_MSL_NEWEST;
  m->colour = o->colour;
  m->time_limit = o->time_limit;
  m->keyed = mt_source_key(m->source, m->length, o, NULL, &m->key);
  if (mt_module_cache_read(m)) {
    *out = m;
    return MT_OK;
  }
  begin(m, m->name);
  status = check_defines(o, err);
  if (status == MT_OK) status = run(m, o, err);
  m->keyed = m->keyed && status == MT_OK && mt_module_is_lasting(m, o);
  return conclude(m, status, out, err);
}

bool mt_msl_is_signatures_only(const mt_MslModule *m) {
  return m->signatures_only;
}

/* ------------------------------------------------------- of the same text */

static mt_Status lex_text(mt_MslModule *m, mt_Error *err) {
  static const mt_MslOptions none;
  mt_LexError bad;
  const char *text = m->raw ? m->source : mt_str_text(&m->preprocessed);
  size_t length = m->raw ? m->length : m->preprocessed.length;
  if (m->preprocessed.failed ||
      mt_lex_read(&m->lex, text, length, &bad) != MT_OK ||
      (m->raw && !mt_source_is_plain(&m->lex, &none)))
    return mt_error(err, MT_FAIL, "out of memory");
  return MT_OK;
}

void mt_module_wake(mt_MslModule *m) {
  Way way = {0};
  size_t said = m->diagnostic_count;
  if (!m->asleep) return;
  m->asleep = false;
  if (lex_text(m, NULL) == MT_OK) read_text(m, &way, NULL);
  m->diagnostic_count = said; /* the reader's are among them */
}

/* Copies the reader's text and the list of admitted files. */
static void copy_text(const mt_MslModule *from, mt_MslModule *m) {
  for (const mt_File *f = from->files; f; f = f->next) mt_map_admit(m, f->name);
  m->raw = from->raw;
  mt_str_add_bytes(&m->preprocessed, mt_str_text(&from->preprocessed),
                   from->preprocessed.length);
}

/* What is taken depends on the library, and on which kernels it is. */
static bool copy_key(const mt_MslModule *from, mt_MslModule *m) {
  m->key = from->key;
  mt_key_add(&m->key, &m->lazy, sizeof m->lazy);
  mt_key_add(&m->key, &m->only_count, sizeof m->only_count);
  for (size_t i = 0; i < m->only_count; i++)
    mt_key_add_text(&m->key, m->only[i]);
  return from->keyed;
}

static const char *const *copy_names(mt_MslModule *m, const char *const *names,
                                     size_t count) {
  const char **list = mt_scrap(m, count * sizeof *list);
  for (size_t i = 0; list && i < count; i++)
    list[i] = mt_scrap_text(m, "%s", names[i]);
  return list;
}

static mt_Status take(const mt_MslModule *from, const char *const *kernels,
                      size_t count, bool lazy, mt_MslModule **out,
                      mt_Error *err) {
  mt_MslModule *m;
  mt_Child *child;
  Way way = {0};
  *out = NULL;
  mt_Status status =
      module_new(from->source, from->length, from->name, &m, err);
  if (status != MT_OK) return status;
  m->unlinked = from->unlinked;
  m->safe_math = from->safe_math;
  m->version = from->version;
  m->colour = from->colour;
  m->lazy = lazy;
  m->only = copy_names(m, kernels, count);
  m->only_count = m->only ? count : 0;
  m->keyed = copy_key(from, m);
  m->taken = true;
  copy_text(from, m);
  if (mt_module_cache_read(m)) {
    *out = m;
    return MT_OK;
  }
  mt_MslOptions o = {.safe_math = m->safe_math, .time_limit = from->time_limit};
  begin(m, count == 1 ? kernels[0] : m->name);
  status = lex_text(m, err);
  if (status == MT_OK) status = read_text(m, &way, err);
  if (status == MT_OK)
    status = mt_clang_start(MT_CLANG_GENERATE, &o, 0, &child, err);
  if (status == MT_OK) status = generate(m, &o, child, err);
  return conclude(m, status, out, err);
}

/* What is wrong is said of a text that is as the person wrote it. Of several
** kernels the errors are not read: they are taken one by one then. */
mt_Status mt_msl_take(const mt_MslModule *from, const char *const *kernels,
                      size_t count, mt_MslModule **out, mt_Error *err) {
  mt_Status status = take(from, kernels, count, true, out, err);
  if (status != MT_BADARG || count != 1) return status;
  mt_msl_free(*out);
  return take(from, kernels, count, false, out, err);
}

const void *mt_msl_bitcode(const mt_MslModule *m, size_t *size) {
  *size = m->bitcode_size;
  return m->bitcode;
}

size_t mt_msl_kernels(const mt_MslModule *m, const mt_MslKernel **out) {
  *out = m->kernels;
  return m->kernel_count;
}

size_t mt_msl_constants(const mt_MslModule *m, const mt_Constant **out) {
  *out = m->constants;
  return m->constant_count;
}

size_t mt_msl_diagnostics(const mt_MslModule *m, const mt_Diagnostic **out) {
  *out = m->diagnostics;
  return m->diagnostic_count;
}

const char *mt_msl_log(const mt_MslModule *m) { return mt_str_text(&m->log); }

extern const mt_FrontEnd mt_front_end;
__attribute__((visibility("default"))) const mt_FrontEnd mt_front_end = {
    mt_msl_compile, mt_msl_free,        mt_msl_kernels, mt_msl_constants,
    mt_msl_diagnostics, mt_msl_log, mt_msl_listing};
