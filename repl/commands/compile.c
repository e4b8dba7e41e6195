/*
** compile.c - mettle compile: checks Metal sources without a GPU.
**
** Prints the kernels of each file with their signatures, or the diagnostics.
** Exit status 0 if all compile, 1 if one does not, 2 if the command line is
** wrong.
*/
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal/excerpt.h"
#include "base/files/file.h"
#include "devices/compiler_module.h"
#include "msl/clang/clang.h"
#include "msl/reader/versions.h"
#include "repl/commands/commands.h"
#include "repl/lua/session.h"
#include "repl/terminal/style.h"
#include "repl/lua/report.h"

#define MAX_FILE (32u << 20)
#define FEW 2 /* files left: not worth starting a fork server for Clang */

static const char usage[] =
    "usage: mettle compile [options] FILE.metal...   (- reads standard input)\n"
    "  --json             one JSON array on standard output, an object a file\n"
    "  --sarif[=FILE]     what is wrong as SARIF, for GitHub and editors; to\n"
    "                     FILE beside the usual text\n"
    "  --emit-llvm        the LLVM text of each file on standard output\n"
    "  --safe-math        without fast math\n"
    "  --std=metal3.1     refuse what came with later versions of MSL; if not\n"
    "                     given, the source is Metal 4.0\n"
    "  -D NAME[=VALUE]    define a macro\n"
    "  -I DIR             look there for the source's own headers\n"
    "exit status: 0 all compile, 1 one does not, 2 it could not be tried\n";

typedef struct Options {
  bool json, sarif, emit;
  const char *sarif_file; /* SARIF goes there, and text as usual; or NULL */
  mt_MslOptions msl;
  mt_MslDefine *defines;
  const char **folders;
  const char **files;
  size_t file_count;
} Options;

/* ----------------------------------------------------------------- as text */

static const char *kind_name(mt_ParamKind k) {
  static const char *const names[] = {"buffer", "threadgroup", "texture",
                                      "sampler", "builtin"};
  return names[k];
}

static const char *access_name(mt_Access a) {
  return a == MT_READ ? "read" : a == MT_WRITE ? "write" : "read_write";
}

static void add_param(mt_Str *s, const mt_Param *p) {
  const char *type = p->type->name, *name = p->name;
  char mark = p->reference ? '&' : '*';
  switch (p->kind) {
    case MT_PARAM_BUFFER:
      if (p->handle) {
        mt_str_addf(s, "%s %s [[buffer(%u)]]", type, name, p->index);
        break;
      }
      mt_str_addf(s, "%s %s%s %c%s [[buffer(%u)]]",
                  p->constant ? "constant" : "device",
                  !p->constant && p->access == MT_READ ? "const " : "", type,
                  mark, name, p->index);
      break;
    case MT_PARAM_THREADGROUP:
      mt_str_addf(s, "threadgroup %s %c%s [[threadgroup(%u)]]", type, mark,
                  name, p->index);
      break;
    case MT_PARAM_TEXTURE:
    case MT_PARAM_SAMPLER:
      mt_str_addf(s, "%s %s [[%s(%u)]]", type, name, kind_name(p->kind),
                  p->index);
      break;
    case MT_PARAM_BUILTIN:
      mt_str_addf(s, "%s %s [[%s]]", type, name, p->builtin);
      break;
  }
}

static void print_kernel(const mt_MslKernel *k) {
  mt_Str s = MT_STR_INIT;
  mt_str_addf(&s, "  kernel void %s(", k->name);
  for (unsigned i = 0; i < k->param_count; i++) {
    if (i) mt_str_add(&s, ",\n      ");
    add_param(&s, &k->params[i]);
  }
  mt_str_add(&s, ")");
  if (k->threadgroup_static)
    mt_str_addf(&s, "\n      %zu bytes of threadgroup memory",
                k->threadgroup_static);
  if (k->missing)
    mt_str_addf(&s, "\n      needs %s: only an Apple GPU runs it", k->missing);
  printf("%s\n", mt_str_text(&s));
  mt_str_free(&s);
}

/* Is there an error among the diagnostics, not only warnings? */
static bool has_error(const mt_FrontEnd *f, const mt_MslModule *m) {
  const mt_Diagnostic *d = NULL;
  size_t n = m ? f->diagnostics(m, &d) : 0;
  for (size_t i = 0; i < n; i++)
    if (d[i].severity == MT_ERROR_SEVERITY) return true;
  return false;
}

/* A file name is untrusted: it may contain control characters. */
static void put_name(FILE *to, const char *text) {
  mt_Str shown = MT_STR_INIT;
  mt_str_add_visible(&shown, text, strlen(text), "\t");
  fputs(mt_str_text(&shown), to);
  mt_str_free(&shown);
}

static void print_failure(const mt_FrontEnd *f, const mt_MslModule *m,
                          const char *file, const mt_Error *err) {
  if (has_error(f, m)) return;
  put_name(stderr, file);
  fputs(": error: ", stderr);
  put_name(stderr, err->text);
  fputs("\n", stderr);
}

static void put_log(const char *log) {
  mt_Str shown = MT_STR_INIT;
  mt_excerpt_add(&shown, log, mt_excerpt_columns(STDERR_FILENO));
  fputs(mt_str_text(&shown), stderr);
  mt_str_free(&shown);
}

static void print_text(const mt_FrontEnd *f, const char *file, mt_Status status,
                       const mt_MslModule *m, const mt_Error *err) {
  if (m) put_log(f->log(m));
  if (status != MT_OK) {
    print_failure(f, m, file, err);
    return;
  }
  const mt_MslKernel *k;
  size_t n = f->kernels(m, &k);
  put_name(stdout, file);
  printf(": %zu kernel%s\n", n, n == 1 ? "" : "s");
  for (size_t i = 0; i < n; i++) print_kernel(&k[i]);
}

/* ----------------------------------------------------------------- as JSON */

static cJSON *json_type(const mt_Type *t, int depth) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "name", t->name);
  cJSON_AddNumberToObject(o, "size", (double)t->size);
  bool fielded = t->kind == MT_TYPE_STRUCT || t->kind == MT_TYPE_UNION;
  if (!fielded || depth > 8) return o;
  cJSON *fields = cJSON_AddArrayToObject(o, "fields");
  for (unsigned i = 0; i < t->field_count; i++) {
    cJSON *field = json_type(t->fields[i].type, depth + 1);
    cJSON_AddStringToObject(field, "field", t->fields[i].name);
    cJSON_AddNumberToObject(field, "offset", (double)t->fields[i].offset);
    cJSON_AddItemToArray(fields, field);
  }
  return o;
}

static cJSON *json_param(const mt_Param *p) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "name", p->name);
  cJSON_AddStringToObject(o, "kind", kind_name(p->kind));
  if (p->kind == MT_PARAM_BUILTIN)
    cJSON_AddStringToObject(o, "builtin", p->builtin);
  else
    cJSON_AddNumberToObject(o, "index", p->index);
  cJSON_AddStringToObject(o, "type", p->type->name);
  if (p->kind == MT_PARAM_BUFFER || p->kind == MT_PARAM_TEXTURE)
    cJSON_AddStringToObject(o, "access", access_name(p->access));
  if (p->kind == MT_PARAM_BUFFER)
    cJSON_AddStringToObject(o, "space", p->constant ? "constant" : "device");
  if (p->type->kind == MT_TYPE_STRUCT || p->type->kind == MT_TYPE_UNION)
    cJSON_AddItemToObject(o, "layout", json_type(p->type, 0));
  return o;
}

static void json_kernels(cJSON *file, const mt_FrontEnd *f,
                         const mt_MslModule *m) {
  cJSON *list = cJSON_AddArrayToObject(file, "kernels");
  const mt_MslKernel *k = NULL;
  size_t n = m ? f->kernels(m, &k) : 0;
  for (size_t i = 0; i < n; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", k[i].name);
    cJSON_AddNumberToObject(o, "line", k[i].line);
    cJSON_AddNumberToObject(o, "threadgroup_memory",
                            (double)k[i].threadgroup_static);
    if (k[i].missing) cJSON_AddStringToObject(o, "missing", k[i].missing);
    if (k[i].max_threads)
      cJSON_AddNumberToObject(o, "max_threads", k[i].max_threads);
    cJSON *params = cJSON_AddArrayToObject(o, "parameters");
    for (unsigned p = 0; p < k[i].param_count; p++)
      cJSON_AddItemToArray(params, json_param(&k[i].params[p]));
    cJSON_AddItemToArray(list, o);
  }
  const mt_Constant *c = NULL;
  n = m ? f->constants(m, &c) : 0;
  list = cJSON_AddArrayToObject(file, "constants");
  for (size_t i = 0; i < n; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", c[i].name);
    cJSON_AddNumberToObject(o, "index", c[i].index);
    cJSON_AddStringToObject(o, "type", c[i].type->name);
    cJSON_AddItemToArray(list, o);
  }
}

static void json_diagnostics(cJSON *file, const mt_FrontEnd *f,
                             const mt_MslModule *m, mt_Status status,
                             const mt_Error *err) {
  static const char *const names[] = {"note", "warning", "error"};
  cJSON *list = cJSON_AddArrayToObject(file, "diagnostics");
  const mt_Diagnostic *d = NULL;
  size_t n = m ? f->diagnostics(m, &d) : 0;
  for (size_t i = 0; i < n; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "file", d[i].file);
    cJSON_AddNumberToObject(o, "line", d[i].line);
    cJSON_AddNumberToObject(o, "column", d[i].column);
    cJSON_AddStringToObject(o, "severity", names[d[i].severity]);
    cJSON_AddStringToObject(o, "message", d[i].message);
    if (d[i].help) cJSON_AddStringToObject(o, "help", d[i].help);
    cJSON_AddItemToArray(list, o);
  }
  if (status == MT_OK || has_error(f, m)) return;
  cJSON *o = cJSON_CreateObject(); /* not an error of the source: no place */
  cJSON_AddNumberToObject(o, "line", 0);
  cJSON_AddNumberToObject(o, "column", 0);
  cJSON_AddStringToObject(o, "severity", "error");
  cJSON_AddStringToObject(o, "message", err->text);
  cJSON_AddItemToArray(list, o);
}

/* ---------------------------------------------------------------- one file */

static mt_Status read_source(const char *file, mt_Str *out, mt_Error *err) {
  if (strcmp(file, "-") != 0) return mt_file_read(file, MAX_FILE, out, err);
  char part[65536];
  for (size_t n; (n = fread(part, 1, sizeof part, stdin)) > 0;) {
    mt_str_add_bytes(out, part, n);
    if (out->length > MAX_FILE)
      return mt_error(err, MT_BADARG, "standard input is longer than 32 MB");
  }
  return MT_OK;
}

/* The front end; Clang loads meanwhile, unless the first file needs none. */
static const mt_FrontEnd *load(const Options *o, mt_Error *err) {
  mt_Str source = MT_STR_INIT;
  mt_MslOptions first = o->msl;
  first.file = o->file_count ? o->files[0] : "-";
  bool kept = strcmp(first.file, "-") != 0 &&
              read_source(first.file, &source, NULL) == MT_OK &&
              mt_source_is_kept(mt_str_text(&source), source.length, &first);
  mt_str_free(&source);
  if (!kept && !first.safe_math) mt_clang_ahead();
  return mt_compiler_symbol(MT_FRONT_END, err);
}

static int compile_file(const mt_FrontEnd *f, Options *o, const char *file,
                        cJSON *all) {
  mt_Str source = MT_STR_INIT, listing = MT_STR_INIT;
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  const char *name = strcmp(file, "-") == 0 ? "<standard input>" : file;
  o->msl.file = name;
  mt_Status status = read_source(file, &source, &err);
  bool was_read = status == MT_OK;
  if (was_read)
    status = f->compile(mt_str_text(&source), source.length, &o->msl, &m, &err);
  if (all) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", name);
    cJSON_AddBoolToObject(object, "ok", status == MT_OK);
    json_kernels(object, f, status == MT_OK ? m : NULL);
    json_diagnostics(object, f, m, status, &err);
    cJSON_AddItemToArray(all, object);
  }
  if (o->json || o->sarif) {
    /* all is said at the end */
  } else if (o->emit) {
    if (m) put_log(f->log(m));
    if (status != MT_OK) print_failure(f, m, name, &err);
    if (status == MT_OK && f->listing(m, &listing, &err) == MT_OK)
      fputs(mt_str_text(&listing), stdout);
  } else
    print_text(f, name, status, m, &err);
  f->free(m);
  mt_str_free(&source);
  mt_str_free(&listing);
  return status == MT_OK ? 0 : was_read ? 1 : 2;
}

/* ----------------------------------------------------------------- options */

static void add_define(Options *o, char *text) {
  char *equals = strchr(text, '=');
  if (equals) *equals = '\0';
  o->defines[o->msl.define_count++] =
      (mt_MslDefine){text, equals ? equals + 1 : "1"};
}

/* false: not understood. */
static bool read_options(int argc, char **argv, Options *o) {
  o->msl.unlinked = true; /* one file of several, as with metal -c */
  for (int i = 1; i < argc; i++) {
    char *a = argv[i];
    if (strcmp(a, "--json") == 0)
      o->json = true;
    else if (strcmp(a, "--sarif") == 0)
      o->sarif = true;
    else if (strncmp(a, "--sarif=", 8) == 0)
      o->sarif_file = a + 8;
    else if (strcmp(a, "--emit-llvm") == 0)
      o->emit = true;
    else if (strcmp(a, "--safe-math") == 0)
      o->msl.safe_math = true;
    else if (strncmp(a, "--std=", 6) == 0 || strncmp(a, "-std=", 5) == 0) {
      mt_Error err;
      if (mt_msl_version(strchr(a, '=') + 1, &o->msl.version, &err) != MT_OK) {
        fprintf(stderr, "mettle compile: %s\n", err.text);
        return false;
      }
    } else if ((strcmp(a, "-D") == 0 || strcmp(a, "-I") == 0) &&
               i + 1 >= argc) {
      fprintf(stderr, "mettle compile: %s needs something after it\n%s", a,
              usage);
      return false;
    } else if (strncmp(a, "-D", 2) == 0)
      add_define(o, a[2] ? a + 2 : argv[++i]);
    else if (strncmp(a, "-I", 2) == 0)
      o->folders[o->msl.include_dir_count++] = a[2] ? a + 2 : argv[++i];
    else if (a[0] == '-' && a[1] != '\0') {
      bool help = strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0;
      if (!help) mt_complain("compile: unknown option %s", a);
      fputs(usage, help ? stdout : stderr);
      return false;
    } else
      o->files[o->file_count++] = a;
  }
  if (o->file_count == 0)
    fprintf(stderr, "mettle compile: no file given\n%s", usage);
  return o->file_count > 0;
}

/* False: the file could not be written, which was said. */
static bool print_sarif(char *json, const char *file) {
  char *argv[] = {"compile", json, (char *)(file ? file : ""), NULL};
  return mt_session_main("local sarif = require 'lua.check.sarif'\n"
                         "sarif.write(sarif.compiled(arg[1]), arg[2])",
                         3, argv) == 0;
}

/* File names and diagnostics may contain any bytes; JSON must be UTF-8. */
static bool print_json(cJSON *all, const Options *o) {
  mt_Str out = MT_STR_INIT;
  char *text = cJSON_Print(all);
  bool good = true;
  if (text) mt_str_add_utf8(&out, text, strlen(text));
  if (text && o->json) puts(mt_str_text(&out));
  else if (text) good = print_sarif(out.text, o->sarif_file);
  cJSON_free(text);
  cJSON_Delete(all);
  mt_str_free(&out);
  return good;
}

int mt_command_compile(int argc, char **argv) {
  Options o = {0};
  mt_Error err = {""};
  int bad = 0;
  o.defines = calloc((size_t)argc + 1, sizeof *o.defines);
  o.folders = calloc((size_t)argc + 1, sizeof *o.folders);
  o.files = calloc((size_t)argc + 1, sizeof *o.files);
  if (!o.defines || !o.folders || !o.files || !read_options(argc, argv, &o)) {
    bad = argc > 1 &&
                  (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
              ? 0
              : 2;
    goto done;
  }
  o.msl.defines = o.defines;
  o.msl.include_dirs = o.folders;
  o.msl.colour = mt_style_on(STDERR_FILENO);
  const mt_FrontEnd *f = load(&o, &err);
  if (f == NULL) {
    fputs("mettle compile: ", stderr), put_name(stderr, err.text),
        fputs("\n", stderr);
    bad = 2;
    goto done;
  }
  cJSON *all =
      o.json || o.sarif || o.sarif_file ? cJSON_CreateArray() : NULL;
  for (size_t i = 0; i < o.file_count; i++) {
    int one = compile_file(f, &o, o.files[i], all);
    if (one > bad) bad = one;
    if (o.file_count - i > FEW) mt_clang_stay();
  }
  if (all && !print_json(all, &o)) bad = 2;
done:
  free(o.defines);
  free(o.folders);
  free(o.files);
  return bad;
}
