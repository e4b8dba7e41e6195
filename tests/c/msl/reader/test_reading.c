/*
** test_reading.c - all that the reader makes of the texts in tests/msl, beside
** tests/msl/reading.txt, which has a line for each: its name and a number made
** of every rewritten line, problem, kernel and parameter.
**
** What the lines mean to Clang is for the other suites to see; here none of
** them changes unseen. A change that means to change them, of the reader or of
** a text, has the list written again and its difference looked at:
**
**   test_reading show run/NAME.metal    what the number is made of
**   test_reading write                  the list, with all texts there are
**
** Guards: msl/reader/: what is rewritten in the texts of tests/msl, problems,
** kernels and parameters; macros, signatures, versions; what is left out of a
** text for kernels that are compiled alone
*/
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "msl/reader/macros.h"
#include "msl/reader/reader.h"
#include "msl/reader/signatures.h"
#include "msl/reader/versions.h"

#define FOLDER "tests/msl/"
#define LIST FOLDER "reading.txt"

/* ------------------------------------------------------------------- lines */

static size_t line_of(const char *text, size_t at) {
  size_t line = 1;
  for (size_t i = 0; i < at; i++) line += text[i] == '\n';
  return line;
}

/* The lines of 'now' that differ from those of 'was', which has as many. */
static void add_changed(const char *was, const char *now, const char *mark,
                        mt_Str *out) {
  for (size_t line = 1; *now; line++) {
    size_t a = strcspn(was, "\n"), b = strcspn(now, "\n");
    if (a != b || memcmp(was, now, a))
      mt_str_addf(out, "%zu%s %.*s\n", line, mark, (int)b, now);
    was += a + (was[a] == '\n');
    now += b + (now[b] == '\n');
  }
}

static void add_param(const mt_ReadParam *p, const char *text, mt_Str *out) {
  mt_str_addf(out, "p %s: %s|%s|%s|%s|%s|%s %zu%s%s%s%s\n", p->name, p->space,
              p->form, p->type, p->bounds, p->attribute,
              p->index ? p->index : "-", line_of(text, p->at),
              p->named ? " named" : "", p->constant ? " constant" : "",
              p->conditional ? " conditional" : "", p->doubt ? " doubt" : "");
}

static void add_kernel(const mt_ReadKernel *k, const char *text, mt_Str *out) {
  mt_str_addf(out, "k %s %s %s %s %zu %u-%u %u,%u %s %u%s%s%s\n", k->name,
              k->host ? k->host : "-", k->head, k->args, line_of(text, k->at),
              k->first, k->end, k->start, k->called,
              k->spaces ? k->spaces : "-", k->depth,
              k->instance ? " instance" : "", k->doubt ? " doubt" : "",
              k->unwanted ? " unwanted" : "");
  for (uint32_t i = 0; i < k->count; i++) add_param(&k->params[i], text, out);
}

static void add_reading(const mt_Reading *r, const char *text, mt_Str *out) {
  for (uint32_t i = 0; i < r->problem_count; i++) {
    const mt_Problem *p = &r->problems[i];
    mt_str_addf(out, "! %u%s %s\n%s%s", p->at, p->warning ? " warning" : "",
                p->message, p->help ? p->help : "", p->help ? "\n" : "");
  }
  for (uint32_t i = 0; i < r->shared_count; i++)
    mt_str_addf(out, "shared %s\n", r->shared[i]);
  if (r->second) mt_str_add(out, "second\n");
  for (uint32_t i = 0; i < r->kernel_count; i++)
    add_kernel(&r->kernels[i], text, out);
}

/* ------------------------------------------------------------- the reader */

/* What is done after the reader's own edits; 'SPACES': they keep address
** spaces. */
typedef enum Way { PLAIN, SPACES, LAZY, ONLY, HEADERS, SIGNATURES } Way;

static void edit(mt_Lex *lex, mt_Reading *r, Way way, mt_Str *out) {
  uint32_t n = r->kernel_count;
  const char *last = n ? r->kernels[n - 1].name : "";
  if (way == LAZY) mt_reading_lazy(lex, r);
  if (way == HEADERS) mt_reading_headers(lex, r);
  if (way == ONLY)
    mt_str_addf(out, "only %d\n", mt_reading_only(lex, r, &last, 1));
  if (way == SIGNATURES)
    mt_str_addf(out, "signatures %d\n", mt_reading_signatures(lex, r, out));
}

static void add_way(const char *text, size_t length, Way way, mt_Str *out) {
  static const char *const marks[] = {"",  "s", " lazy", " only",
                                      " headers", " signatures"};
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading r;
  mt_Str now = MT_STR_INIT, plain = MT_STR_INIT;
  if (mt_lex_read(&lex, text, length, &bad) != MT_OK) {
    mt_str_addf(out, "! %u %s\n", bad.at, bad.message);
    mt_lex_free(&lex);
    return;
  }
  assert_int_equal(mt_reader_run(&lex, way == SPACES, &r), MT_OK);
  if (way == PLAIN) add_reading(&r, text, out);
  if (way > SPACES) mt_lex_write(&lex, &plain);
  edit(&lex, &r, way, out);
  mt_lex_write(&lex, &now);
  add_changed(way > SPACES ? mt_str_text(&plain) : text, mt_str_text(&now),
              marks[way], out);
  mt_reading_free(&r);
  mt_lex_free(&lex);
  mt_str_free(&now), mt_str_free(&plain);
}

/* ----------------------------------------- what is known without a compiler */

static void add_later(const char *text, size_t length, mt_Str *out) {
  mt_Lex lex;
  mt_LexError bad;
  mt_Later later = {0};
  if (mt_lex_read(&lex, text, length, &bad) == MT_OK)
    while (mt_msl_later(&lex, 210, &later))
      mt_str_addf(out, "later %s %.*s %u %u%s\n", later.entry,
                  (int)later.length, later.name, later.at, later.since,
                  later.library ? " library" : "");
  mt_lex_free(&lex);
}

static void add_signatures(const char *text, size_t length, const mt_Reading *r,
                           mt_Str *out) {
  mt_Signatures *s = mt_signatures_read(text, length, NULL, 0);
  for (uint32_t i = 0; s && i < r->kernel_count; i++) {
    const char *name = r->kernels[i].name;
    const mt_ReadKernel *k = mt_signatures_find(s, name);
    mt_str_addf(out, "found %s: %u at %zu, logs %d\n", name, k ? k->count : 0,
                mt_signatures_place(s, name), mt_signatures_logs(s, name));
    for (uint32_t p = 0; k && p < k->count; p++) {
      unsigned index = 999;
      mt_signature_index(&k->params[p], &index);
      mt_str_addf(out, " %s %u ", k->params[p].type, index);
      mt_signatures_type(s, name, p, false, out);
      mt_str_add(out, " ");
      mt_signatures_type(s, name, p, true, out);
      mt_str_add(out, "\n");
    }
  }
  mt_signatures_free(s);
}

static void add_expanded(const char *text, size_t length, mt_Str *out) {
  mt_Str now = MT_STR_INIT;
  if (strstr(text, "\n#define") && length < 4000) {
    if (mt_macros_expand(text, length, NULL, 0, &now) != MT_OK)
      mt_str_add(out, "not expanded\n");
    mt_str_addf(out, "expanded %s\n", mt_str_text(&now));
  }
  mt_str_free(&now);
}

static void add_all(const char *text, size_t length, mt_Str *out) {
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading r = {0};
  for (Way way = PLAIN; way <= SIGNATURES; way++)
    add_way(text, length, way, out);
  add_later(text, length, out);
  if (mt_lex_read(&lex, text, length, &bad) == MT_OK &&
      mt_reader_run(&lex, false, &r) == MT_OK)
    add_signatures(text, length, &r, out);
  mt_reading_free(&r);
  mt_lex_free(&lex);
  add_expanded(text, length, out);
}

static void read_text(const char *name, mt_Str *out) {
  char path[512];
  mt_Error err;
  snprintf(path, sizeof path, FOLDER "%s", name);
  if (mt_file_read(path, 1 << 20, out, &err) != MT_OK) fail_msg("%s", err.text);
}

static void describe(const char *name, mt_Str *out) {
  mt_Str text = MT_STR_INIT;
  read_text(name, &text);
  add_all(mt_str_text(&text), text.length, out);
  mt_str_free(&text);
}

/* -------------------------------------------------------------------- list */

/* FNV-1a */
static uint64_t number_of(const char *name) {
  mt_Str all = MT_STR_INIT;
  uint64_t h = 0xcbf29ce484222325u;
  describe(name, &all);
  for (size_t i = 0; i < all.length; i++)
    h = (h ^ (unsigned char)all.text[i]) * 0x100000001b3u;
  assert_false(all.failed);
  mt_str_free(&all);
  return h;
}

/* A text that is not in the list is not compared: it may be new. */
static void test_list(void **state) {
  (void)state;
  mt_Str list = MT_STR_INIT;
  char name[200];
  unsigned long long number;
  int bad = 0, used, seen = 0;
  read_text("reading.txt", &list);
  for (const char *at = mt_str_text(&list);
       sscanf(at, "%199s %llx\n%n", name, &number, &used) == 2; at += used) {
    seen++;
    if (number_of(name) == number) continue;
    if (bad++ < 9) fprintf(stderr, "another reading of %s\n", name);
  }
  mt_str_free(&list);
  assert_true(seen > 900);
  if (bad)
    fail_msg("of %d texts the reader makes something else; where that is meant "
             "or the text has changed: build/tests/test_reading write", bad);
}

/* What is said of a version that is none, which lists all that are. */
static void test_versions(void **state) {
  (void)state;
  static const char *const none[] = {
      "",          "metal",           "metal9.9",        "metal2.5",
      "metal3.10", "metal31.0",       "macos_metal2.4",  "macos-",
      "macos",     "macos-macos-metal2.4", "macosXmetal2.4", "metal2.4 ",
      "ios-metal2.4"};
  mt_Error err;
  unsigned version;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    char wanted[300];
    snprintf(wanted, sizeof wanted,
             "'%s' is no version of the Metal Shading Language that is known "
             "here: there are metal2.0, metal2.1, metal2.2, metal2.3, "
             "metal2.4, metal3.0, metal3.1, metal3.2, metal4.0",
             none[i]);
    assert_int_equal(mt_msl_version(none[i], &version, &err), MT_BADARG);
    assert_string_equal(err.text, wanted);
    assert_int_equal(version, MT_MSL_NEWEST);
  }
  assert_int_equal(mt_msl_version("macos-metal2.4", &version, &err), MT_OK);
  assert_int_equal(version, 240);
  assert_int_equal(mt_msl_version("metal3.2", &version, &err), MT_OK);
  assert_int_equal(version, 320);
  assert_int_equal(mt_msl_version(NULL, &version, &err), MT_OK);
  assert_int_equal(version, MT_MSL_NEWEST);
}

static int write_list(void) {
  static const char *const folders[] = {"run", "refuse"};
  FILE *f = fopen(LIST, "w");
  for (int i = 0; f && i < 2; i++) {
    char pattern[80];
    glob_t found;
    snprintf(pattern, sizeof pattern, FOLDER "%s/*.metal", folders[i]);
    if (glob(pattern, 0, NULL, &found)) continue;
    for (size_t n = 0; n < found.gl_pathc; n++) {
      const char *name = found.gl_pathv[n] + strlen(FOLDER);
      fprintf(f, "%s %016llx\n", name, (unsigned long long)number_of(name));
    }
    globfree(&found);
  }
  return f && fclose(f) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_list),
                                    cmocka_unit_test(test_versions)};
  mt_Str all = MT_STR_INIT;
  if (argc == 2 && strcmp(argv[1], "write") == 0) return write_list();
  if (argc != 3 || strcmp(argv[1], "show"))
    return cmocka_run_group_tests_name("reading", tests, NULL, NULL);
  describe(argv[2], &all);
  fputs(mt_str_text(&all), stdout);
  mt_str_free(&all);
  return 0;
}
