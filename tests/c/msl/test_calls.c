/*
** test_calls.c - msl/include: each call of tests/msl/calls/calls.txt is taken
** or refused as Apple's compiler does it, and what is refused says in its help
** what to write.
**
** A call is a function on a line of its own, so that the line of an error tells
** which it was. The calls that are refused go to the compiler some at a time:
** it gives up after a number of errors.
**
** Guards: msl/include: each call of tests/msl/calls/calls.txt is taken or
** refused as Apple's compiler does it, with where that is seen, and the help
** says what to write; msl/diagnostics/hints_calls.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "msl/msl.h"

#define TABLE "tests/msl/calls/calls.txt"
#define MOST 400    /* rows */
#define AT_ONCE 20  /* refused calls */
#define HEAD "#include <metal_stdlib>\nusing namespace metal;\n" /* two lines */

typedef struct Row {
  bool accept;
  char *call, *words, *source;
} Row;

static Row rows[MOST];
static size_t count;
static mt_Str table, declarations;

/* The next part of a row, up to '|' or its end, without blanks around. */
static char *part(char **s) {
  char *begin = *s + strspn(*s, " "), *end = begin + strcspn(begin, "|");
  *s = end + (*end == '|');
  while (end > begin && end[-1] == ' ') end--;
  *end = '\0';
  return begin;
}

static int read_table(void **state) {
  (void)state;
  mt_Error err = {""};
  if (mt_file_read(TABLE, 0, &table, &err) != MT_OK) return -1;
  for (char *line = strtok(table.text, "\n"); line && count < MOST;
       line = strtok(NULL, "\n")) {
    if (strncmp(line, "declarations ", 13) == 0) {
      mt_str_addf(&declarations, "%s%s", declarations.length ? ", " : "",
                  line + 13);
      continue;
    }
    bool accept = strncmp(line, "accept |", 8) == 0;
    if (!accept && strncmp(line, "refuse |", 8) != 0) continue;
    char *s = line + 8;
    Row *r = &rows[count++];
    r->accept = accept;
    r->call = part(&s);
    r->words = accept ? "" : part(&s);
    r->source = part(&s);
  }
  return 0;
}

static int free_table(void **state) {
  (void)state;
  mt_str_free(&table);
  mt_str_free(&declarations);
  return 0;
}

static void add_call(mt_Str *text, const Row *r, size_t n) {
  mt_str_addf(text, "void c%zu(%s) { (void)(%s); }\n", n,
              mt_str_text(&declarations), r->call);
}

/* What the compiler says of line 'line': the first error, or NULL. */
static const mt_Diagnostic *error_at(const mt_MslModule *m, unsigned line) {
  const mt_Diagnostic *d = NULL;
  size_t n = m ? mt_msl_diagnostics(m, &d) : 0;
  for (size_t i = 0; i < n; i++)
    if (d[i].severity == MT_ERROR_SEVERITY && d[i].line == line) return &d[i];
  return NULL;
}

static void accepted(void **state) {
  (void)state;
  mt_Str text = MT_STR_INIT;
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  size_t n = 0;
  mt_str_add(&text, HEAD);
  for (size_t i = 0; i < count; i++)
    if (rows[i].accept) add_call(&text, &rows[i], n++);
  assert_true(n > 50);
  mt_Status status = mt_msl_compile(text.text, text.length, NULL, &m, &err);
  if (status != MT_OK)
    print_message("# %s\n%s\n", err.text, m ? mt_msl_log(m) : "");
  mt_msl_free(m);
  mt_str_free(&text);
  assert_int_equal(status, MT_OK);
}

static unsigned refuse_some(const size_t *which, size_t n) {
  mt_Str text = MT_STR_INIT;
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  unsigned bad = 0;
  mt_str_add(&text, HEAD);
  for (size_t i = 0; i < n; i++) add_call(&text, &rows[which[i]], i);
  mt_msl_compile(text.text, text.length, NULL, &m, &err);
  for (size_t i = 0; i < n; i++) {
    const Row *r = &rows[which[i]];
    const mt_Diagnostic *d = error_at(m, (unsigned)i + 3);
    if (d && (r->words[0] == '\0' || (d->help && strstr(d->help, r->words))))
      continue;
    print_message("# %s: %s; help: %s; wanted '%s'\n", r->call,
                  d ? d->message : "was taken", d && d->help ? d->help : "none",
                  r->words);
    bad++;
  }
  mt_msl_free(m);
  mt_str_free(&text);
  return bad;
}

static void refused(void **state) {
  (void)state;
  size_t which[AT_ONCE], n = 0, all = 0;
  unsigned bad = 0;
  for (size_t i = 0; i <= count; i++) {
    if (i < count && !rows[i].accept) which[n++] = i, all++;
    if (n == AT_ONCE || (i == count && n)) bad += refuse_some(which, n), n = 0;
  }
  assert_true(all > 40);
  assert_int_equal(bad, 0);
}

/* Every row says where it is from. */
static void sources(void **state) {
  (void)state;
  for (size_t i = 0; i < count; i++)
    if (strcmp(rows[i].source, "rules") != 0 &&
        strncmp(rows[i].source, "https://", 8) != 0)
      fail_msg("%s: no source", rows[i].call);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepted),
      cmocka_unit_test(refused),
      cmocka_unit_test(sources),
  };
  return cmocka_run_group_tests(tests, read_table, free_table);
}
