/*
** test_macros_value.c - msl/reader/macros_value.c: the value of a condition,
** beside the value that this suite's own compiler gives the same text.
**
** Every operator stands before every other one, with numbers for which each
** wrong precedence, direction or operator gives another value for some row.
**
** Guards: msl/reader/macros_value.c: conditions of #if beside the values that a
** C compiler gives them; what is unknown
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "msl/reader/macros_parts.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Woverflow"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wbitwise-op-parentheses"
#pragma GCC diagnostic ignored "-Wshift-op-parentheses"
#pragma GCC diagnostic ignored "-Wlogical-op-parentheses"
#pragma GCC diagnostic ignored "-Wparentheses-equality"
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#endif
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"

/* As the reader has them: '>' is always a token of its own. */
static size_t pieces(const char *text, mt_MacroPiece *out) {
  static const char *const two[] = {"||", "&&", "==", "!=", "<=", "<<"};
  size_t n = 0;
  for (const char *p = text; *p;) {
    size_t length = 1;
    mt_TokenKind kind = MT_TOKEN_PUNCT;
    if (*p == ' ') {
      p++;
      continue;
    }
    size_t word = strspn(p, "_abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'");
    if (word) {
      length = word;
      kind = *p >= '0' && *p <= '9' ? MT_TOKEN_NUMBER : MT_TOKEN_NAME;
    }
    for (size_t i = 0; i < COUNT(two); i++)
      if (strncmp(p, two[i], 2) == 0) length = 2;
    out[n++] = (mt_MacroPiece){
        .text = p, .length = (uint32_t)length, .kind = kind, .parameter = -1};
    p += length;
  }
  return n;
}

static long value(const char *text, bool zero, bool *known) {
  mt_MacroPiece *items = calloc(strlen(text) + 1, sizeof *items);
  mt_MacroPieces list = {.items = items, .count = pieces(text, items)};
  long v = mt_macros_value(&list, zero, known);
  free(items);
  return v;
}

static void is(const char *text, long wanted) {
  bool known;
  long v = value(text, true, &known);
  if (!known || v != wanted)
    fail_msg("%s: %s %ld, expected %ld", text, known ? "known," : "unknown,",
             v, wanted);
}

static void is_unknown(const char *text) {
  bool known;
  value(text, true, &known);
  if (known) fail_msg("%s: is known", text);
}

#define ROW(...) {#__VA_ARGS__, (long)(__VA_ARGS__)}
/* operator 'a' before and after each other one */
#define PAIRS(a)                                                              \
  ROW(6l a 3l || 0l), ROW(6l a 3l && 0l), ROW(6l a 3l | 8l),                  \
      ROW(6l a 3l ^ 5l), ROW(6l a 3l & 5l), ROW(6l a 3l == 2l),               \
      ROW(6l a 3l != 2l), ROW(6l a 3l < 2l), ROW(6l a 3l <= 2l),              \
      ROW(6l a 3l > 1l), ROW(6l a 3l >= 1l), ROW(6l a 3l << 1l),              \
      ROW(6l a 3l >> 1l), ROW(6l a 3l + 2l), ROW(6l a 3l - 2l),               \
      ROW(6l a 3l * 2l), ROW(6l a 3l / 2l), ROW(6l a 3l % 2l),                \
      ROW(3l a 3l), ROW(4l a 3l), ROW(3l a 4l), ROW(0l a 3l),                 \
      ROW(7l a 2l == 1l), ROW(1l a 2l & 3l), ROW(2l a 1l | 4l),               \
      ROW(4l a 6l ^ 2l), ROW(5l a 5l == 1l), ROW(1l a 1l << 2l)

static void test_operators(void **state) {
  (void)state;
  static const struct {
    const char *text;
    long value;
  } rows[] = {PAIRS(||), PAIRS(&&), PAIRS(|),  PAIRS(^), PAIRS(&), PAIRS(==),
              PAIRS(!=), PAIRS(<),  PAIRS(<=), PAIRS(>), PAIRS(>=), PAIRS(<<),
              PAIRS(>>), PAIRS(+),  PAIRS(-),  PAIRS(*), PAIRS(/),  PAIRS(%)};
  for (size_t i = 0; i < COUNT(rows); i++) is(rows[i].text, rows[i].value);
}

static void test_order(void **state) {
  (void)state;
  static const struct {
    const char *text;
    long value;
  } rows[] = {
      ROW(9 - 4 - 3), ROW(64 / 4 / 2), ROW(64 / 4 * 2), ROW(1 << 2 << 3),
      ROW(2 & 3 == 3), ROW((2 & 3) == 2), ROW(-3 + 5), ROW(-(3 + 5)),
      ROW(!0 + 1), ROW(!5), ROW(~5), ROW(-5), ROW(+5), ROW(!!7), ROW(- - 4),
      ROW(1 ? 2 : 3), ROW(0 ? 2 : 3), ROW(1 ? 0 ? 4 : 5 : 6),
      ROW(0 ? 4 : 1 ? 5 : 6), ROW(2 > 1 ? 7 : 8),
      ROW(-8l >> 1l), ROW(1l << 62l), ROW(1l << 63l >> 63l), ROW(-7l / 2l),
      ROW(-7l % 2l), ROW(7l / -1l), ROW(7l % -1l), ROW(0x1fl), ROW(017l),
      ROW(0ul), ROW(10uL), ROW(((((3)))))};
  for (size_t i = 0; i < COUNT(rows); i++) is(rows[i].text, rows[i].value);
  is("0b101", 5);
  is("0B11 + 1", 4);
  is("1'000", 1000);
  is("true", 1);
  is("false", 0);
}

/* A value stays unknown unless the other side decides alone. */
static void test_unknown(void **state) {
  (void)state;
  static const char *const rows[] = {
      "__X", "_X", "METAL_X", "TARGET_X", "f(1)", "f(0) + 1", "1 && __X",
      "__X && 1", "0 || __X", "__X || 0", "__X ? 1 : 0", "-__X", "!__X",
      "(__X)", "1 + __X", "__X * 0", "1 / 0", "1 % 0", "1 << 64", "1 >> 64",
      "1 << -1", "1.5", "1 ? __X : 2", "a__b"};
  for (size_t i = 0; i < COUNT(rows); i++) is_unknown(rows[i]);
  is("0 && __X", 0);
  is("__X && 0", 0);
  is("1 || __X", 1);
  is("__X || 2", 1);
  is("0 ? __X : 2", 2);
  is("f(1, (2)) || 1", 1);
  is("1 << 63 < 0", 1);
}

static void test_names(void **state) {
  (void)state;
  bool known;
  is("x", 0);
  is("x_y + 1", 1);
  is("_x", 0);
  is("METAL", 0);
  is("METAL_ + 2", 2);
  is("TARGETX", 0);
  value("x", false, &known);
  assert_false(known);
  assert_int_equal(value("true", false, &known), 1);
  assert_true(known);
}

/* What is no expression has no value. */
static void test_malformed(void **state) {
  (void)state;
  static const char *const rows[] = {"", "+", "1 +", "(1", "1)", "1 2",
                                     "1 ? 2", "1 ? 2 3", "f(1", "()", ":",
                                     "1 = 1", "* 2", "1 || ", "1 || (",
                                     "0 && )"};
  for (size_t i = 0; i < COUNT(rows); i++) is_unknown(rows[i]);
}

/* 'n' of 'open' before 1, and of 'close' after it */
static void nested(const char *open, const char *close, size_t n, char *out) {
  *out = '\0';
  for (size_t i = 0; i < n; i++) strcat(out, open);
  strcat(out, "1");
  for (size_t i = 0; i < n; i++) strcat(out, close);
}

static void test_nested(void **state) {
  (void)state;
  char text[5000];
  nested("(", ")", 90, text);
  is(text, 1);
  nested("(", ")", 1000, text);
  is_unknown(text);
  nested("-", "", 190, text);
  is(text, 1);
  nested("- ", "", 1000, text);
  is_unknown(text);
  nested("1 + ", "", 900, text); /* as long, but not nested */
  is(text, 901);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operators), cmocka_unit_test(test_order),
      cmocka_unit_test(test_unknown),   cmocka_unit_test(test_names),
      cmocka_unit_test(test_malformed), cmocka_unit_test(test_nested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
