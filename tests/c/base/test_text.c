/*
** test_text.c - texts and bytes: growing strings, UTF-8, what a terminal may
** be shown, columns, words that are near each other, data between processes.
**
** Guards: base/{str, distance, serialise, status, notice, pass, pointer_map}.c,
** base/terminal/columns.c: each beside a plain way to the same answer, at the
** edges of every range
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/distance.h"
#include "base/notice.h"
#include "base/pass.h"
#include "base/pointer_map.h"
#include "base/serialise.h"
#include "base/str.h"
#include "base/terminal/columns.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define REPLACED "\xef\xbf\xbd"

/* ------------------------------------------------------------------ strings */

static void test_grows(void **state) {
  (void)state;
  mt_Str nothing = MT_STR_INIT; /* what was added is a text, even if empty */
  mt_str_addf(&nothing, "%s", "");
  assert_non_null(nothing.text);
  assert_string_equal(nothing.text, "");
  mt_str_free(&nothing);
  for (size_t first = 0; first < 200; first++) {
    if ((first < 60 || first > 70) && first % 7) continue;
    mt_Str s = MT_STR_INIT;
    for (size_t i = 0; i < first; i++)
      mt_str_add_char(&s, (char)('a' + i % 26));
    mt_str_addf(&s, "%s-%d", "xyz", 7);
    assert_int_equal(s.length, first + 5);
    assert_true(s.capacity > s.length && strlen(s.text) == s.length);
    for (size_t i = 0; i < first; i++)
      assert_int_equal(s.text[i], 'a' + i % 26);
    assert_string_equal(s.text + first, "xyz-7");
    mt_str_cut(&s, s.length + 1);
    mt_str_cut(&s, s.length);
    assert_int_equal(s.length, first + 5);
    mt_str_cut(&s, first);
    assert_int_equal(strlen(s.text), first);
    mt_str_free(&s);
    assert_string_equal(mt_str_text(&s), "");
  }
}

/* Room doubles, so that many short appends cost no more than a long one. */
static void test_room_doubles(void **state) {
  (void)state;
  mt_Str s = MT_STR_INIT;
  assert_true(mt_str_reserve(&s, 63));
  assert_int_equal(s.capacity, 64);
  assert_true(mt_str_reserve(&s, 64));
  assert_int_equal(s.capacity, 128);
  assert_true(mt_str_reserve(&s, 1000));
  assert_int_equal(s.capacity, 1024);
  mt_str_free(&s);
}

static void test_no_memory(void **state) {
  (void)state;
  mt_Str s = MT_STR_INIT;
  mt_str_add(&s, "kept");
  assert_false(mt_str_reserve(&s, SIZE_MAX));
  assert_true(s.failed);
  mt_str_add(&s, "lost");
  assert_string_equal(s.text, "kept");
  mt_str_clear(&s);
  assert_false(mt_str_reserve(&s, SIZE_MAX - 1));
  mt_str_clear(&s);
  mt_str_add(&s, "again");
  assert_false(s.failed);
  assert_false(mt_str_reserve(&s, SIZE_MAX - s.length - 1));
  assert_string_equal(mt_str_text(&s), "again");
  mt_str_free(&s);
}

static void test_lists(void **state) {
  (void)state;
  char **list = NULL, name[8];
  size_t count = 0;
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "n%d", i);
    assert_true(mt_strings_add(&list, &count, name));
  }
  assert_int_equal(count, 20);
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "n%d", i);
    assert_string_equal(list[i], name);
    free(list[i]);
  }
  free(list);
}

static void test_base64(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"", ""},         {"f", "Zg=="},         {"fo", "Zm8="},
      {"foo", "Zm9v"},  {"foob", "Zm9vYg=="},  {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"}, {"\xff\xfe\xfd", "//79"},
      {"\xfb\xef\xbe", "++++"}};
  mt_Str s = MT_STR_INIT;
  for (size_t i = 0; i < COUNT(rows); i++) {
    mt_str_clear(&s);
    mt_str_add(&s, ">");
    mt_str_add_base64(&s, rows[i][0], strlen(rows[i][0]));
    assert_string_equal(s.text + 1, rows[i][1]);
    assert_int_equal(s.length, 1 + strlen(rows[i][1]));
  }
  mt_str_free(&s);
}

/* -------------------------------------------------------------------- UTF-8 */

/* 'code' in so many bytes, whether that is right or too many. */
static void encode(uint32_t code, size_t length, unsigned char *out) {
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = length; i-- > 1; code >>= 6)
    out[i] = (unsigned char)(0x80 | (code & 0x3f));
  out[0] = (unsigned char)(lead[length] | code);
}

static size_t length_of(uint32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static const uint32_t edges[] = {
    0,      1,      0x7f,   0x80,    0x81,    0x7ff,   0x800,    0x801,
    0xfff,  0x1000, 0xd7ff, 0xd800,  0xdbff,  0xdfff,  0xe000,   0xfffd,
    0xffff, 0x10000, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10ffff, 0x110000};

static void is_utf8(const unsigned char *p, size_t n, bool valid) {
  mt_Str s = MT_STR_INIT;
  mt_str_add_utf8(&s, p, n);
  if (valid) {
    assert_int_equal(s.length, n);
    assert_memory_equal(s.text, p, n);
  } else { /* and what comes out is valid */
    mt_Str again = MT_STR_INIT;
    assert_memory_equal(s.text, REPLACED, 3);
    mt_str_add_utf8(&again, s.text, s.length);
    assert_string_equal(again.text, s.text);
    mt_str_free(&again);
  }
  mt_str_free(&s);
}

static void test_utf8(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(edges); i++) {
    uint32_t code = edges[i];
    bool is_code = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    for (size_t n = length_of(code); n <= 4; n++) {
      unsigned char p[4];
      encode(code, n, p);
      is_utf8(p, n, is_code && n == length_of(code));
      for (size_t cut = 1; cut < n; cut++) is_utf8(p, cut, false);
      for (size_t k = 1; k < n; k++) {
        unsigned char was = p[k];
        p[k] = was & 0x3f, is_utf8(p, n, false); /* no continuation */
        p[k] = was | 0xc0, is_utf8(p, n, false);
        p[k] = was;
      }
    }
  }
  for (unsigned lead = 0x80; lead < 0x100; lead++) { /* alone */
    unsigned char p[1] = {(unsigned char)lead};
    is_utf8(p, 1, false);
  }
  static const unsigned char five[] = {0xf8, 0x88, 0x80, 0x80, 0x80};
  is_utf8(five, 5, false);
}

static void test_visible(void **state) {
  (void)state;
  static const struct {
    const char *text, *keep, *shown;
  } rows[] = {
      {"plain ~ text", "", "plain ~ text"},
      {"a\tb\nc", "", "a\xe2\x90\x89" "b\xe2\x90\x8a" "c"},
      {"a\tb\nc", "\t", "a\tb\xe2\x90\x8a" "c"},
      {"a\tb\nc", "\t\n", "a\tb\nc"},
      {"\x01\x1f\x7f ", "", "\xe2\x90\x81\xe2\x90\x9f\xe2\x90\xa1 "},
      {"\33[31mred\33[0m", "", "\xe2\x90\x9b[31mred\xe2\x90\x9b[0m"},
      {"\33[31mred\33[0m", "\33", "\33[31mred\33[0m"},
      {"\33[1;38;5;09m", "\33", "\33[1;38;5;09m"},
      {"\33[m", "\33", "\33[m"},
      {"\33[", "\33", "\xe2\x90\x9b["},
      {"\33[3", "\33", "\xe2\x90\x9b[3"},
      {"\33[:m", "\33", "\xe2\x90\x9b[:m"},
      {"\33[/m", "\33", "\xe2\x90\x9b[/m"},
      {"\33[2J", "\33", "\xe2\x90\x9b[2J"},
      {"\33]0;t\a", "\33", "\xe2\x90\x9b]0;t\xe2\x90\x87"},
      {"[31m", "\33", "[31m"},
      {"\xc2\x80\xc2\x9f\xc2\xa0", "", REPLACED REPLACED "\xc2\xa0"},
      {"\xc3\x80", "", "\xc3\x80"},
      {"\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf", "",
       "\xe2\x80\xa9" REPLACED REPLACED "\xe2\x80\xaf"},
      {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "",
       "\xe2\x81\xa5" REPLACED REPLACED "\xe2\x81\xaa"},
      {"\xe2\x82\xac\xe3\x80\xaa\xe1\x81\xa7\xf0\x9f\x98\x80", "",
       "\xe2\x82\xac\xe3\x80\xaa\xe1\x81\xa7\xf0\x9f\x98\x80"},
      {"\xff\xe2\x82", "", REPLACED REPLACED REPLACED}};
  mt_Str s = MT_STR_INIT;
  for (size_t i = 0; i < COUNT(rows); i++) {
    mt_str_clear(&s);
    mt_str_add_visible(&s, rows[i].text, strlen(rows[i].text), rows[i].keep);
    assert_string_equal(mt_str_text(&s), rows[i].shown);
  }
  mt_str_clear(&s);
  mt_str_add_visible(&s, "a\0b", 3, "\n\t"); /* a NUL is in no list */
  assert_string_equal(s.text, "a\xe2\x90\x80" "b");
  mt_str_free(&s);
}

/* ------------------------------------------------------------------ columns */

static void test_characters(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(edges); i++) {
    unsigned char p[5];
    uint32_t code = 1;
    size_t n = length_of(edges[i]);
    encode(edges[i], n, p);
    p[n] = 'x';
    assert_int_equal(mt_character((char *)p, n + 1, &code), n);
    assert_int_equal(code, edges[i]);
    assert_int_equal(mt_character((char *)p, n, &code), n);
    for (size_t k = 1; k < n; k++) { /* bytes of their own */
      assert_int_equal(mt_character((char *)p, k, &code), 1);
      assert_int_equal(code, 0);
      unsigned char was = p[k];
      p[k] = was & 0x3f;
      assert_int_equal(mt_character((char *)p, n, &code), 1);
      assert_int_equal(code, 0);
      p[k] = was | 0xc0;
      assert_int_equal(mt_character((char *)p, n, &code), 1);
      p[k] = was;
    }
  }
  static const char *const bytes[] = {"\x80 23", "\xbf 23", "\xc0 23",
                                      "\xf8\x88\x80\x80\x80", "\xff 23"};
  for (size_t i = 0; i < COUNT(bytes); i++) {
    uint32_t code = 1;
    assert_int_equal(mt_character(bytes[i], strlen(bytes[i]), &code), 1);
    assert_int_equal(code, 0);
  }
}

/* Where the width changes: the first of each new width. */
static void test_widths(void **state) {
  (void)state;
  static const struct {
    uint32_t code;
    int columns;
  } first[] = {
      {0, 0},       {0x20, 1},    {0x7f, 0},    {0xa0, 1},    {0xad, 0},
      {0xae, 1},    {0x300, 0},   {0x370, 1},   {0x483, 0},   {0x48a, 1},
      {0x591, 0},   {0x5be, 1},   {0x610, 0},   {0x61b, 1},   {0x64b, 0},
      {0x660, 1},   {0x900, 0},   {0x903, 1},   {0x93c, 0},   {0x93d, 1},
      {0x941, 0},   {0x949, 1},   {0x94d, 0},   {0x94e, 1},   {0xe31, 0},
      {0xe32, 1},   {0xe34, 0},   {0xe3b, 1},   {0xe47, 0},   {0xe4f, 1},
      {0x1100, 2},  {0x1160, 1},  {0x1ab0, 0},  {0x1b00, 1},  {0x1dc0, 0},
      {0x1e00, 1},  {0x200b, 0},  {0x2010, 1},  {0x2028, 0},  {0x202f, 1},
      {0x2060, 0},  {0x2070, 1},  {0x20d0, 0},  {0x2100, 1},  {0x231a, 2},
      {0x231c, 1},  {0x23e9, 2},  {0x23ed, 1},  {0x25fd, 2},  {0x25ff, 1},
      {0x2614, 2},  {0x2616, 1},  {0x26a1, 2},  {0x26a2, 1},  {0x2705, 2},
      {0x2706, 1},  {0x274c, 2},  {0x274d, 1},  {0x2753, 2},  {0x2756, 1},
      {0x2795, 2},  {0x2798, 1},  {0x2b1b, 2},  {0x2b1d, 1},  {0x2b50, 2},
      {0x2b51, 1},  {0x2e80, 2},  {0x302a, 0},  {0x302e, 2},  {0x303f, 1},
      {0x3041, 2},  {0x3099, 0},  {0x309b, 2},  {0x4dc0, 1},  {0x4e00, 2},
      {0xa4d0, 1},  {0xa960, 2},  {0xa980, 1},  {0xac00, 2},  {0xd7a4, 1},
      {0xf900, 2},  {0xfb00, 1},  {0xfe00, 0},  {0xfe10, 1},  {0xfe20, 0},
      {0xfe30, 2},  {0xfe70, 1},  {0xfeff, 0},  {0xff00, 2},  {0xff61, 1},
      {0xffe0, 2},  {0xffe7, 1},  {0x1f300, 2}, {0x1f650, 1}, {0x1f680, 2},
      {0x1f700, 1}, {0x1f900, 2}, {0x1fa00, 1}, {0x1fa70, 2}, {0x1fb00, 1},
      {0x20000, 2}, {0x3fffe, 1}, {0xe0000, 0}, {0xe1000, 1}};
  for (size_t i = 0; i < COUNT(first); i++) {
    uint32_t end = i + 1 < COUNT(first) ? first[i + 1].code : 0x110000;
    assert_int_equal(mt_character_columns(first[i].code), first[i].columns);
    assert_int_equal(mt_character_columns(end - 1), first[i].columns);
  }
}

static void test_sequences(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int length, columns; /* of its first part */
  } rows[] = {
      {"ab", 1, 1},            {"\tb", 1, 1},         {"\nb", 1, 0},
      {"\xff" "b", 1, 1},      {"\xe2\x82\xac", 3, 1}, {"\xe4\xb8\xad", 3, 2},
      {"\xcc\x81", 2, 0},      {"\33[31mx", 5, 0},    {"\33[?25lx", 6, 0},
      {"\33[mx", 3, 0},        {"\33(Bx", 3, 0},      {"\33Mx", 2, 0},
      {"\33 Fx", 3, 0},        {"\33[", 2, 0},        {"\33", 1, 0},
      {"\33[1;2", 5, 0},       {"\33]0;t\ax", 6, 0},  {"\33]8;;u\33\\x", 8, 0},
      {"\33Pq\33\\x", 5, 0},   {"\33_a\33\\x", 5, 0}, {"\33^a\33\\x", 5, 0},
      {"\33]0;t", 5, 0},       {"\33]\33", 3, 0},     {"\33]a\33[x", 6, 0},
      {"\33]\ax", 3, 0},       {"\33(/x", 4, 0},      {"\33" "0x", 2, 0},
      {"\33[@x", 3, 0}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    int columns = 9;
    size_t n = strlen(rows[i].text);
    assert_int_equal(mt_columns_next(rows[i].text, n, &columns),
                     rows[i].length);
    assert_int_equal(columns, rows[i].columns);
  }
  static const char nul[] = "\33\0x";
  int columns;
  assert_int_equal(mt_columns_next(nul, 3, &columns), 2);
  static const char all[] = "a\33[1mb\xe4\xb8\xad\33]0;t\a!";
  assert_int_equal(mt_columns(all, sizeof all - 1), 5);
}

static void test_folds(void **state) {
  (void)state;
  static const struct {
    const char *text;
    mt_Fold fold;
    const char *out;
  } rows[] = {
      {"one two three", {0, 0, 2}, "one two three"},
      {"one two three", {0, 7, 0}, "one two\nthree"},
      {"one two three", {0, 6, 0}, "one\ntwo\nthree"},
      {"one two three", {0, 13, 2}, "one two three"},
      {"one two three", {0, 12, 2}, "one two\n  three"},
      {"one two three", {4, 11, 2}, "one two\n  three"},
      {"one two three", {4, 10, 2}, "one\n  two\n  three"},
      {"one  two", {0, 7, 1}, "one\n two"},
      {"  one two", {2, 6, 2}, "  one\n  two"},
      {" toolongforit a", {1, 4, 1}, " toolongforit\n a"},
      {"a ", {0, 1, 0}, "a "},
      {"\xe4\xb8\xad\xe4\xb8\xad \xe4\xb8\xad", {0, 7, 0},
       "\xe4\xb8\xad\xe4\xb8\xad \xe4\xb8\xad"},
      {"\xe4\xb8\xad\xe4\xb8\xad \xe4\xb8\xad", {0, 6, 0},
       "\xe4\xb8\xad\xe4\xb8\xad\n\xe4\xb8\xad"},
      {"", {0, 5, 0}, ""}};
  mt_Str s = MT_STR_INIT;
  for (size_t i = 0; i < COUNT(rows); i++) {
    mt_str_clear(&s);
    mt_columns_fold(&s, rows[i].text, strlen(rows[i].text), rows[i].fold);
    assert_string_equal(mt_str_text(&s), rows[i].out);
  }
  /* the first bytes of a text that goes on */
  static const char more[] = "a bb  cc  dd";
  for (size_t n = 0; n < sizeof more; n++)
    for (int wide = 1; wide < 14; wide++) {
      char *cut = strndup(more, n);
      mt_Str wanted = MT_STR_INIT;
      mt_str_clear(&s);
      mt_columns_fold(&s, more, n, (mt_Fold){0, wide, 0});
      mt_columns_fold(&wanted, cut, n, (mt_Fold){0, wide, 0});
      assert_string_equal(mt_str_text(&s), mt_str_text(&wanted));
      mt_str_free(&wanted);
      free(cut);
    }
  mt_str_free(&s);
}

/* ----------------------------------------------------------------- distance */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* By the definition: insert, delete, replace, swap two neighbours. */
static size_t plain_distance(const char *a, size_t n, const char *b, size_t m) {
  if (n == 0 || m == 0) return n + m;
  size_t best = plain_distance(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
  best = least(best, plain_distance(a, n - 1, b, m) + 1);
  best = least(best, plain_distance(a, n, b, m - 1) + 1);
  if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1])
    best = least(best, plain_distance(a, n - 2, b, m - 2) + 1);
  return best;
}

/* The words of three letters, up to four of them. */
static void word_of(unsigned number, char *out) {
  for (; number; number = (number - 1) / 3)
    *out++ = (char)('a' + (number - 1) % 3);
  *out = '\0';
}

static void test_distance(void **state) {
  (void)state;
  char a[8], b[8];
  for (unsigned i = 0; i < 121; i++)
    for (unsigned k = i % 5; k < 121; k += 5) {
      word_of(i, a), word_of(k, b);
      assert_int_equal(mt_distance(a, b),
                       plain_distance(a, strlen(a), b, strlen(b)));
    }
}

static void test_long_words(void **state) {
  (void)state;
  char a[MT_DISTANCE_MOST + 2], b[MT_DISTANCE_MOST + 2];
  memset(a, 'a', sizeof a), memset(b, 'a', sizeof b);
  a[MT_DISTANCE_MOST] = b[MT_DISTANCE_MOST] = '\0';
  assert_int_equal(mt_distance(a, b), 0);
  assert_int_equal(mt_distance(a, ""), MT_DISTANCE_MOST);
  a[MT_DISTANCE_MOST] = 'a', a[MT_DISTANCE_MOST + 1] = '\0';
  assert_int_equal(mt_distance(a, b), MT_DISTANCE_MOST);
  assert_int_equal(mt_distance(b, a), MT_DISTANCE_MOST);
}

/* ---------------------------------------------------------------- serialise */

static void pack_all(mt_Str *s) {
  static const uint16_t list[] = {1, 2, 3};
  mt_pack_bytes(s, "xy", 2);
  mt_pack_list(s, list, 3, sizeof *list);
  mt_pack_list(s, NULL, 0, 4);
  mt_pack_text(s, "word");
  mt_pack_text(s, "");
  mt_pack_text(s, NULL);
}

/* What pack_all has packed, from so many bytes of it; did all come out? */
static bool unpack_all(const mt_Str *s, size_t length) {
  mt_Unpacker p = {s->text, s->text + length, false};
  char two[2] = {0, 0};
  size_t count = 9, none = 9;
  mt_unpack_into(&p, two, 2);
  uint16_t *list = mt_unpack_list(&p, &count, sizeof *list);
  void *empty = mt_unpack_list(&p, &none, 4);
  const char *word = mt_unpack_text(&p), *no = mt_unpack_text(&p),
             *null = mt_unpack_text(&p);
  bool all = !p.failed && memcmp(two, "xy", 2) == 0 && count == 3 && list &&
             list[0] == 1 && list[1] == 2 && list[2] == 3 && !empty &&
             none == 0 && word && strcmp(word, "word") == 0 && no && !*no &&
             !null && p.at == p.end;
  assert_true(all || p.failed);
  assert_true(list != NULL || count == 0);
  free(list);
  return all;
}

static void test_serialise(void **state) {
  (void)state;
  mt_Str s = MT_STR_INIT;
  pack_all(&s);
  for (size_t n = 0; n < s.length; n++) assert_false(unpack_all(&s, n));
  assert_true(unpack_all(&s, s.length));
  mt_str_free(&s);
}

static void test_wrong_counts(void **state) {
  (void)state;
  struct {
    size_t count;
    char bytes[8];
  } packed = {8, "abcdefgh"};
  char *at = (char *)&packed, *end = packed.bytes + 8;
  mt_Unpacker p = {at, end, false};
  size_t count = 1;
  assert_int_equal(mt_unpack_count(&p, 1), 8);
  assert_ptr_equal(p.at, packed.bytes);
  p = (mt_Unpacker){at, end, false};
  assert_null(mt_unpack_text(&p)); /* it has no end */
  assert_true(p.failed);
  assert_null(mt_unpack_bytes(&p, 0)); /* nor has anything after it */
  p = (mt_Unpacker){at, end, false};
  assert_null(mt_unpack_list(&p, &count, 2)); /* 16 bytes */
  assert_true(p.failed && count == 0);
  packed.count = SIZE_MAX / 2 + 2; /* times two is a small number */
  p = (mt_Unpacker){at, end, false};
  assert_int_equal(mt_unpack_count(&p, 2), 0);
  assert_true(p.failed);
  packed.count = 4;
  p = (mt_Unpacker){at, end, false};
  uint16_t *list = mt_unpack_list(&p, &count, 2);
  assert_true(list && count == 4 && memcmp(list, "abcdefgh", 8) == 0);
  free(list);
}

/* ------------------------------------------------------------------- errors */

static void test_errors(void **state) {
  (void)state;
  mt_Error err;
  char much[2 * sizeof err.text];
  assert_int_equal(mt_error(NULL, MT_BADARG, "%d", 1), MT_BADARG);
  assert_int_equal(mt_error(&err, MT_TIMEOUT, "%s-%d", "a", 1), MT_TIMEOUT);
  assert_string_equal(err.text, "a-1");
  mt_error(&err, MT_FAIL, " ~\n\t%s", "\33[1mx\a\x7f\xff");
  assert_string_equal(err.text,
                      " ~\n\t\33[1mx\xe2\x90\x87\xe2\x90\xa1" REPLACED);
  memset(much, 'x', sizeof much);
  for (size_t n = sizeof err.text - 2; n < sizeof err.text + 2; n++) {
    much[n] = '\0';
    mt_error(&err, MT_FAIL, "%s", much);
    bool fits = n < sizeof err.text;
    assert_int_equal(strlen(err.text), fits ? n : sizeof err.text - 1);
    const char *last = err.text + strlen(err.text) - 3;
    assert_int_equal(strcmp(last, "...") == 0, !fits);
    much[n] = 'x';
  }
  /* what becomes too long when it is made visible stays as it is */
  memset(much, '\a', sizeof much);
  much[sizeof err.text / 2] = '\0';
  mt_error(&err, MT_FAIL, "%s", much);
  assert_string_equal(err.text, much);
}

/* ------------------------------------------------------------------- notice */

static char said[100];
static void say(const char *text) {
  snprintf(said + strlen(said), sizeof said - strlen(said), "[%s]",
           text ? text : "over");
}

static void test_notices(void **state) {
  (void)state;
  mt_warning("nobody listens");
  mt_notice("nobody listens");
  mt_warning_set(say);
  mt_warning("a\33\tb\n");
  assert_string_equal(said, "[a\xe2\x90\x9b\tb\n]");
  mt_warning_set(NULL);
  said[0] = '\0';
  mt_notice_set(say);
  mt_notice_wait(); /* nothing was begun */
  mt_notice_end();
  mt_notice_begin("work");
  mt_notice_wait(); /* it is too early */
  mt_notice_end();
  assert_string_equal(said, "");
  mt_notice_begin("work");
  usleep(1050 * 1000);
  mt_notice_wait(), mt_notice_wait(); /* once is enough */
  assert_string_equal(said, "[work]");
  mt_notice_end(), mt_notice_end();
  assert_string_equal(said, "[work][over]");
  mt_notice_begin("next");
  mt_notice_wait();
  mt_notice_set(NULL);
  assert_string_equal(said, "[work][over]");
}

/* ------------------------------------------------------------------- passes */

typedef struct Unit {
  mt_PassState state;
  char ran[20];
} Unit;

static mt_Status run_a(void *unit, mt_Error *err) {
  (void)err;
  strcat(((Unit *)unit)->ran, "a");
  return MT_OK;
}
static mt_Status run_b(void *unit, mt_Error *err) {
  (void)err;
  strcat(((Unit *)unit)->ran, "b");
  return MT_OK;
}
static mt_Status run_bad(void *unit, mt_Error *err) {
  strcat(((Unit *)unit)->ran, "!");
  return mt_error(err, MT_BADARG, "bad");
}

/* Forms: 1 "one", 2 "two", 4 without a word. Modes: 1, 2. */
static const mt_Pass rows[] = {
    {"a", "", run_a, 0, 0, 0, 1, 0},
    {"only", "", run_b, 3, 0, 0, 0, 0},
    {"skip", "", run_b, 0, 3, 0, 0, 0},
    {"b", "", run_b, 0, 0, 1, 2, 1},
    {"needs-two", "", run_a, 0, 0, 3, 0, 0},
    {"never", "", run_bad, 0, 0, 0, 0, 0}};
static const char *const forms[] = {"one", "two", NULL};

static mt_Status run_rows(size_t first, size_t count, Unit *u, mt_Error *err) {
  mt_PassTable t = {.room = "room", .pass = rows + first, .count = count,
                    .forms = forms};
  err->text[0] = u->ran[0] = '\0';
  return mt_passes_run(&t, u, err);
}

static void test_passes(void **state) {
  (void)state;
  mt_Error err;
  Unit u = {.state = {.modes = 3}};
  assert_int_equal(run_rows(0, 6, &u, &err), MT_FAIL);
  assert_string_equal(u.ran, "abb");
  assert_string_equal(err.text,
                      "room: pass 'needs-two' needs what does not hold: one");
  assert_int_equal(u.state.forms, 2);
  u.state.forms = 1;
  assert_int_equal(run_rows(4, 2, &u, &err), MT_FAIL);
  assert_non_null(strstr(err.text, "hold: two"));
  u = (Unit){.state = {.forms = 7}};
  assert_int_equal(run_rows(0, 6, &u, &err), MT_FAIL);
  assert_int_equal(u.state.forms, 6);
  assert_string_equal(u.ran, "abb");
  u.state = (mt_PassState){.modes = 1, .forms = 3};
  assert_int_equal(run_rows(4, 2, &u, &err), MT_BADARG);
  assert_string_equal(u.ran, "a!");
  u.state.modes = 1;
  assert_int_equal(run_rows(0, 3, &u, &err), MT_OK);
  assert_string_equal(u.ran, "a");
  mt_PassTable t = {.room = "room", .pass = rows, .count = 2};
  assert_ptr_equal(mt_pass_find(&t, "only"), &rows[1]);
  assert_null(mt_pass_find(&t, "skip"));
  static const mt_Pass needs = {"x", "", run_a, 0, 0, 8, 0, 0};
  t = (mt_PassTable){.room = "room", .pass = &needs, .count = 1};
  assert_int_equal(mt_passes_run(&t, &u, &err), MT_FAIL);
  assert_non_null(strstr(err.text, "hold: ?"));
  t.forms = forms;
  assert_int_equal(mt_passes_run(&t, &u, &err), MT_FAIL);
  assert_non_null(strstr(err.text, "hold: ?"));
}

/* -------------------------------------------------------------- pointer map */

static void test_pointer_map(void **state) {
  (void)state;
  static char keys[3000];
  mt_PointerMap map = {0};
  assert_int_equal(mt_pointer_map_get(&map, keys), MT_POINTER_MAP_NONE);
  for (uint32_t i = 0; i < 2000; i++) {
    assert_true(mt_pointer_map_set(&map, keys + i, i));
    assert_true(map.slots >= 2 * map.used);
    if (i % 100 == 99)
      for (uint32_t k = 0; k < 3000; k++)
        assert_int_equal(mt_pointer_map_get(&map, keys + k),
                         k <= i ? k : MT_POINTER_MAP_NONE);
  }
  assert_int_equal(map.used, 2000);
  assert_int_equal(map.slots, 4096);
  for (uint32_t i = 0; i < 2000; i += 3)
    assert_true(mt_pointer_map_set(&map, keys + i, 9));
  assert_int_equal(map.used, 2000); /* replaced, not added */
  assert_int_equal(mt_pointer_map_get(&map, keys + 3), 9);
  assert_int_equal(mt_pointer_map_get(&map, keys + 4), 4);
  mt_pointer_map_free(&map);
  assert_int_equal(map.slots + map.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grows),       cmocka_unit_test(test_room_doubles),
      cmocka_unit_test(test_no_memory),   cmocka_unit_test(test_lists),
      cmocka_unit_test(test_base64),      cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_visible),     cmocka_unit_test(test_characters),
      cmocka_unit_test(test_widths),      cmocka_unit_test(test_sequences),
      cmocka_unit_test(test_folds),       cmocka_unit_test(test_distance),
      cmocka_unit_test(test_long_words),  cmocka_unit_test(test_serialise),
      cmocka_unit_test(test_wrong_counts), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_notices),     cmocka_unit_test(test_passes),
      cmocka_unit_test(test_pointer_map),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
