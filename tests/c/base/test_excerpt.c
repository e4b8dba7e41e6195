/*
** test_excerpt.c - base/terminal/excerpt.c: lines of code that a terminal is
** too narrow for, with their carets.
**
** Guards: base/terminal/excerpt.c: lines of code that are wider than the
** terminal, cut around their caret: tabs, wide letters, every column
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/terminal/columns.h"
#include "base/terminal/excerpt.h"

static void same(const char *log, int columns, const char *want) {
  mt_Str out = MT_STR_INIT;
  mt_excerpt_add(&out, log, columns);
  assert_string_equal(mt_str_text(&out), want);
  mt_str_free(&out);
}

static void test_fits(void **state) {
  (void)state;
  static const char log[] = "a:1:3: error: a sentence that is wider than it\n"
                            "  x = oops;\n      ^~~~\n1 error generated.\n";
  same(log, 20, log);
  same(log, 0, log);
  same("", 20, "");
  same("no newline", 20, "no newline");
  same("\tx = y;\n\t    ^", 20, "\tx = y;\n\t    ^"); /* 14 columns */
  same("01234567890123456789\n   ^\n", 20, "01234567890123456789\n   ^\n");
  /* no code: nothing stands below it */
  same("0123456789012345678901234\nhelp: x\n", 20,
       "0123456789012345678901234\nhelp: x\n");
}

static void test_cuts(void **state) {
  (void)state;
  same("abcdefghijklmnopqrstuvwxyz\n  ^~~\nhelp: x\n", 20,
       "abcdefghijklmnopqrs…\n  ^~~\nhelp: x\n");
  same("abcdefghijklmnopqrstuvwxyz\n                         ^\n", 20,
       "…hijklmnopqrstuvwxyz\n                   ^\n");
  /* a caret after the last column of a line that fits */
  same("abcdefghijklmnopqrst\n                    ^\n", 20,
       "…cdefghijklmnopqrst\n                   ^\n");
  same("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n"
       "                      ~~~~^~~~~~~~~~~~~~~\n", 20,
       "…rstuvwxyzabcdefghi…\n      ~~~~^~~~~~~~~\n");
}

static void test_tabs_and_letters(void **state) {
  (void)state;
  same("\tabcdefghijklmnop\n\t  ^\n", 20,
       "        abcdefghijk…\n          ^\n");
  same("\t\tx = abcdefghijklmnopqrstuvwxyz + oops;\n"
       "\t\t                                 ^~~~\n", 30,
       "…fghijklmnopqrstuvwxyz + oops;\n                         ^~~~\n");
  /* ö takes a column, 日 two: the first is cut in its middle */
  same("/* ööööööööööööööööööööö */ y\n                            ^\n", 20,
       "…öööööööööööööö */ y\n                   ^\n");
  same("日本日本日本日本日本日本 y\n                         ^\n", 20,
       "… 日本日本日本日本 y\n                   ^\n");
  same("abcdefghijklmnopqrstuvwxyz\n"
       "                         \33[1;32m^\33[0m\n", 20,
       "…hijklmnopqrstuvwxyz\n                   \33[1;32m^\33[0m\n");
}

/* Whatever the line, the caret stands below its letter. */
static void test_every_column(void **state) {
  (void)state;
  char log[400];
  for (int length = 1; length < 90; length++)
    for (int at = 0; at <= length; at++)
      for (int columns = 20; columns < 50; columns += 7) {
        for (int i = 0; i < length; i++) log[i] = (char)('!' + (i * 7) % 50);
        if (at < length) log[at] = 'Z';
        snprintf(log + length, sizeof log - (size_t)length, "\n%*s^\n", at, "");
        mt_Str out = MT_STR_INIT;
        mt_excerpt_add(&out, log, columns);
        const char *below = strchr(mt_str_text(&out), '\n') + 1;
        const char *letter = strchr(mt_str_text(&out), 'Z');
        int wide = mt_columns(out.text, (size_t)(below - 1 - out.text));
        int caret = (int)strspn(below, " ");
        assert_true(wide <= columns && caret < columns && below[caret] == '^');
        assert_int_equal(
            letter ? mt_columns(out.text, (size_t)(letter - out.text)) : wide,
            caret);
        assert_true((letter != NULL) == (at < length));
        mt_str_free(&out);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fits), cmocka_unit_test(test_cuts),
      cmocka_unit_test(test_tabs_and_letters),
      cmocka_unit_test(test_every_column)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
