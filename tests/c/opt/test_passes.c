/*
** test_passes.c - one pass of the engine, or one question, over small IR: the
** files of tests/passes, which say in their comments what must and must not
** become of them (file_check.h).
**
**   ; RUN: split-structs --no-overlap    passes, and options of mettle opt;
**                                        CHECK lines are about what comes out
**   ; RUN GPU: uses                      the lines are GPU: instead
**
** Code is made for x86-64-v3 on every machine, unless --target says another. A
** pass that fails gives its message as "error: …". A pass without a file is
** named.
**
**   test_passes FILE    shows what came out; FILE with or without its folder
**
** Guards: devices/opt, base/pass.c; every pass of msl/passes,
** devices/compiler/prepare, devices/host/{transform, vectorise} and
** devices/cuda/ptx alone, every question of devices/compiler/ir and
** devices/host/analyse: what must and must not become of small IR
** (tests/passes)
*/
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "devices/opt/opt.h"
#include "tests/c/file_check.h"

#define FOLDER "tests/passes"
#define MOST_FILES 400
#define TARGET "x86_64-linux-gnu,x86-64-v3"

static struct CMUnitTest cases[MOST_FILES + 1];
static size_t file_count;
static mt_Str asked; /* all passes that a file runs, between commas */

/* ------------------------------------------------------------------- files */

static int by_name(const void *a, const void *b) {
  const struct CMUnitTest *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static void test_file(void **state);

static void add_file(const char *path) {
  size_t n = strlen(path);
  if (n < 3 || strcmp(path + n - 3, ".ll")) return;
  if (file_count == MOST_FILES) { /* none is left out in silence */
    fprintf(stderr, "there are more than %d files\n", MOST_FILES);
    exit(1);
  }
  char *name = strdup(path + strlen(FOLDER) + 1);
  cases[file_count++] = (struct CMUnitTest){
      .name = name, .test_func = test_file, .initial_state = name};
}

static void find_files(const char *folder) {
  DIR *d = opendir(folder);
  struct dirent *e;
  while (d && (e = readdir(d))) {
    char path[512];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] == '.' || stat(path, &about)) continue;
#if !defined __linux__ || defined MT_DARWIN /* there is no cuda device */
    if (strcmp(e->d_name, "ptx") == 0) continue;
#endif
    if (S_ISDIR(about.st_mode)) find_files(path);
    else add_file(path);
  }
  if (d) closedir(d);
}

static char *read_file(const char *name) {
  char path[512];
  mt_Error error;
  mt_Str text = MT_STR_INIT;
  snprintf(path, sizeof path, FOLDER "/%s", name);
  if (mt_file_read(path, 1 << 20, &text, &error) != MT_OK) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
  char *copy = strdup(mt_str_text(&text));
  mt_str_free(&text);
  return copy;
}

/* -------------------------------------------------------------------- runs */

/* What one line of a file asks for. */
typedef struct Run {
  char name[32]; /* of its lines: CHECK */
  char words[CHECK_LENGTH];
  mt_OptRequest request;
} Run;

static void read_option(Run *r, const char *word, const char *value) {
  mt_OptRequest *q = &r->request;
  if (strcmp(word, "--kernel") == 0) q->kernel = value;
  else if (strcmp(word, "--target") == 0) q->target = value;
  else if (strcmp(word, "--file") == 0) q->file = value;
  else if (strcmp(word, "--group") == 0)
    sscanf(value, "%u,%u,%u", &q->group[0], &q->group[1], &q->group[2]);
  else fail_msg("RUN: there is no option %s", word);
}

/* The next line "; RUN: …" or "; RUN NAME: …" after '*at'. */
static bool next_run(const char **at, Run *r) {
  const char *found = strstr(*at, "; RUN");
  char *rest = NULL;
  if (!found) return false;
  memset(r, 0, sizeof *r);
  r->request.target = TARGET;
  if (sscanf(found, "; RUN %31[^:]", r->name) != 1) strcpy(r->name, "CHECK");
  found += strcspn(found, ":") + 1;
  snprintf(r->words, sizeof r->words, "%.*s", (int)strcspn(found, "\n"), found);
  *at = found;
  r->request.passes = strtok_r(r->words, " ", &rest);
  for (char *w; (w = strtok_r(NULL, " ", &rest));) {
    if (strcmp(w, "--no-overlap") == 0) r->request.no_overlap = true;
    else if (strcmp(w, "--long-rows") == 0) r->request.long_rows = true;
    else read_option(r, w, strtok_r(NULL, " ", &rest));
  }
  return true;
}

/* What comes out of a run, with the message where it failed. */
static void make_text(Run *r, const char *source, mt_Str *out) {
  mt_Error err = {""};
  r->request.name = "input"; /* it is part of the text */
  r->request.text = source;
  r->request.size = strlen(source);
  if (mt_opt_run(&r->request, out, &err) != MT_OK)
    mt_str_addf(out, "error: %s\n", err.text);
}

/* Is the word that a comment begins with, up to its colon, a run's line? */
static bool is_line_of_a_run(const char *source, const char *word, size_t n) {
  static const char *const kinds[] = {"", "-NEXT", "-NOT", "-COUNT"};
  for (Run r; next_run(&source, &r);)
    for (int i = 0; i < 4; i++) {
      char full[48];
      snprintf(full, sizeof full, "%s%s", r.name, kinds[i]);
      if (strlen(full) == n && memcmp(full, word, n) == 0) return true;
    }
  return false;
}

/* A line in capitals that is not read would pass in silence. */
static void refuse_other_lines(const char *name, const char *source) {
  for (const char *at = source; (at = strstr(at, "\n; ")); at++) {
    const char *word = at + 3;
    size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789");
    if (n && word[n] == ':' && strncmp(word, "RUN:", 4) &&
        !is_line_of_a_run(source, word, n))
      fail_msg("%s: no run is checked by %.*s", name, (int)n, word);
  }
}

static bool asks_for(const char *source, const char *name) {
  static const char *const kinds[] = {"", "-NOT", "-COUNT"};
  for (int i = 0; i < 3; i++) {
    char full[48], text[CHECK_LENGTH];
    const char *at = source;
    snprintf(full, sizeof full, "%s%s", name, kinds[i]);
    if (check_directive(&at, ";", full, text, sizeof text)) return true;
  }
  return false;
}

static void test_file(void **state) {
  const char *name = *state;
  char *source = read_file(name);
  const char *at = source;
  Run r;
  int runs = 0;
  bool good = true;
  refuse_other_lines(name, source);
  for (; next_run(&at, &r); runs++) {
    mt_Str out = MT_STR_INIT;
    if (!asks_for(source, r.name)) fail_msg("%s has no %s:", name, r.name);
    make_text(&r, source, &out);
    good = file_check(source, ";", r.name, mt_str_text(&out)) && good;
    mt_str_free(&out);
  }
  free(source);
  if (!runs) fail_msg("%s has no line ; RUN: PASS", name);
  if (!good)
    fail_msg("%s is not as it says; to see what came out: "
             "build/tests/test_passes %s", name, name);
}

/* ------------------------------------------------------------- each has one */

static void note_runs(const char *name) {
  char *source = read_file(name);
  const char *at = source;
  for (Run r; next_run(&at, &r);)
    mt_str_addf(&asked, ",%s,", r.request.passes);
  free(source);
}

static void miss(void *with, const char *room, const char *name) {
  char between[80];
  snprintf(between, sizeof between, ",%s,", name);
  if (strstr(mt_str_text(&asked), between)) return;
  fprintf(stderr, "no file below " FOLDER " runs '%s' of %s\n", name, room);
  ++*(int *)with;
}

static void test_each_pass(void **state) {
  (void)state;
  int missed = 0;
  for (size_t i = 0; i < file_count; i++) note_runs(cases[i].name);
  mt_opt_each(miss, &missed);
  mt_str_free(&asked);
  assert_int_equal(missed, 0);
}

/* What the runs of a file print. */
static int show(const char *path) {
  const char *in = strstr(path, FOLDER "/");
  const char *name = in ? in + strlen(FOLDER) + 1 : path;
  char *source = read_file(name);
  const char *at = source;
  for (Run r; next_run(&at, &r);) {
    mt_Str out = MT_STR_INIT;
    make_text(&r, source, &out);
    printf("; %s: %s\n%s", r.name, r.request.passes, mt_str_text(&out));
    mt_str_free(&out);
  }
  free(source);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) return show(argv[1]);
  find_files(FOLDER);
  qsort(cases, file_count, sizeof *cases, by_name);
  cases[file_count] = (struct CMUnitTest)cmocka_unit_test(test_each_pass);
  return _cmocka_run_group_tests("passes", cases, file_count + 1, NULL, NULL);
}
