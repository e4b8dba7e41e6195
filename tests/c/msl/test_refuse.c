/*
** test_refuse.c - msl/: what Metal refuses is refused, at the right line and in
** these words, in the message or in the sentence of help.
**
** Each tests/msl/refuse/NAME.metal ends with "// expect: LINE: words"; words
** that may be one or another are separated by '|', a line that does not matter
** is '*'.
**
** Guards: msl/: tests/msl/refuse/, programs that Metal refuses, each with the
** line and the words expected; msl/diagnostics/{address_spaces, hints,
** hints_calls, hints_slips}.c, msl/reader/{refuse, address_space_overloads}.c
*/
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "msl/clang/clang.h"
#include "msl/msl.h"

#define FOLDER "tests/msl/refuse"
static const char *const inner_words[] = {
    "__msl", "__mt", "ext_vector", "_Float16", "nvptx", "<stdin>",
    "msl/include", "aka", "__set", "__column", "__builtin", "/dev/", NULL};

static char *wanted(mt_Str *source, unsigned *line) {
  char *at = strstr(source->text, "// expect: ");
  assert_non_null(at);
  char *words = strchr(at + 11, ':');
  assert_non_null(words);
  *line = at[11] == '*' ? 0 : (unsigned)atoi(at + 11);
  words += 2;
  words[strcspn(words, "\n")] = '\0';
  return words;
}

static bool says(const char *message, const char *words) {
  char one[256];
  for (const char *s = words; *s;) {
    size_t n = strcspn(s, "|");
    snprintf(one, sizeof one, "%.*s", (int)n, s);
    if (strstr(message, one)) return true;
    s += n + (s[n] == '|');
  }
  return false;
}

static void refuse(void **state) {
  const char *name = *state;
  char path[512];
  mt_Str source = MT_STR_INIT;
  mt_Error err = {""};
  unsigned line;
  snprintf(path, sizeof path, FOLDER "/%s", name);
  assert_int_equal(mt_file_read(path, 0, &source, &err), MT_OK);
  size_t length = source.length;
  char *copy = malloc(length + 1);
  memcpy(copy, source.text, length + 1);
  const char *words = wanted(&source, &line);
  mt_MslModule *m = NULL;
  mt_Status status = mt_msl_compile(copy, length, NULL, &m, &err);
  mt_clang_stay();
  bool found = false, clean = true;
  const mt_Diagnostic *d = NULL;
  size_t n = m ? mt_msl_diagnostics(m, &d) : 0;
  for (size_t i = 0; i < n; i++) {
    if (d[i].severity == MT_ERROR_SEVERITY &&
        (line == 0 || d[i].line == line) &&
        (says(d[i].message, words) || (d[i].help && says(d[i].help, words))))
      found = true;
    for (size_t k = 0; inner_words[k]; k++)
      if (strstr(d[i].message, inner_words[k])) clean = false;
  }
  if (status != MT_BADARG || !found || !clean)
    print_message("# %s: wanted line %u: %s; got\n%s%s\n", name, line, words,
                  err.text, m ? mt_msl_log(m) : "");
  mt_msl_free(m);
  free(copy);
  mt_str_free(&source);
  assert_int_equal(status, MT_BADARG);
  assert_true(found);
  assert_true(clean);
}

static int is_metal(const struct dirent *e) {
  const char *dot = strrchr(e->d_name, '.');
  return dot && strcmp(dot, ".metal") == 0;
}

int main(void) {
  struct dirent **names;
  int n = scandir(FOLDER, &names, is_metal, alphasort);
  if (n < 80) return fprintf(stderr, "only %d programs in " FOLDER "\n", n), 1;
  struct CMUnitTest *tests = calloc((size_t)n, sizeof *tests);
  for (int i = 0; i < n; i++)
    tests[i] = (struct CMUnitTest){names[i]->d_name, refuse, NULL, NULL,
                                   names[i]->d_name};
  return _cmocka_run_group_tests("refuse", tests, (size_t)n, NULL, NULL);
}
