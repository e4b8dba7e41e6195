/*
** test_rewrites.c - what the reader makes of small texts, each about one edge:
** tests/msl/rewrites.txt.
**
** A block of it begins with a line "== NAME"; then comes a text, and after a
** line "--" what it becomes. After "-- spaces" stands what it becomes for a
** device whose compiler keeps address spaces, after "-- problems" what is said
** of it, after "-- expanded" the text with its macros expanded. Where NAME
** begins with "tokens", its tokens with their kinds stand after "-- tokens";
** with "second", whether each line needs a second check, of address spaces;
** with "stripped", the text for its last kernel alone, that of its headers, and
** that of the signatures of its kernels.
**
**   test_rewrites write    the parts after the texts again, to be looked at
**
** Guards: msl/reader/{address_space_overloads, attributes, bools, builtins}.c,
** msl/reader/{comparisons, functions, lex, macros, own, parameters, reader}.c,
** msl/reader/{refuse, spaces, splats, step, storage, strip_kernels, types}.c:
** what becomes of small texts
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
#include "msl/reader/attributes.h"
#include "msl/reader/macros.h"
#include "msl/reader/parts.h"
#include "msl/reader/reader.h"

#define LIST "tests/msl/rewrites.txt"
#define MOST_BLOCKS 400
#define OTHERS 5 /* cases that are no blocks */

typedef struct Block {
  char *name, *text, *rest; /* 'rest': from the first "--" on */
} Block;

static mt_Str list;
static Block blocks[MOST_BLOCKS];
static struct CMUnitTest cases[MOST_BLOCKS + OTHERS];
static size_t block_count;

/* ------------------------------------------------------------- the reader */

static void add_problems(const mt_Reading *r, mt_Str *out) {
  for (uint32_t i = 0; i < r->problem_count; i++) {
    const mt_Problem *p = &r->problems[i];
    mt_str_addf(out, "%u%s %s\n", p->at, p->warning ? " warning" : "",
                p->message);
    if (p->help) mt_str_addf(out, "  %s\n", p->help);
  }
}

static void add_rewritten(const char *text, bool spaces, mt_Str *out) {
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading r;
  if (mt_lex_read(&lex, text, strlen(text), &bad) != MT_OK) {
    mt_str_addf(out, "-- problems\n%u %s\n", bad.at, bad.message);
    mt_lex_free(&lex);
    return;
  }
  assert_int_equal(mt_reader_run(&lex, spaces, &r), MT_OK);
  mt_str_add(out, spaces ? "-- spaces\n" : "--\n");
  mt_lex_write(&lex, out);
  if (r.problem_count && !spaces) {
    mt_str_add(out, "-- problems\n");
    add_problems(&r, out);
  }
  mt_reading_free(&r);
  mt_lex_free(&lex);
}

static void add_expanded(const char *text, mt_Str *out) {
  mt_str_add(out, "-- expanded\n");
  if (mt_macros_expand(text, strlen(text), NULL, 0, out) != MT_OK)
    mt_str_add(out, "not understood\n");
}

static void add_tokens(const char *text, mt_Str *out) {
  mt_Lex lex;
  mt_LexError bad;
  mt_str_add(out, "-- tokens\n");
  if (mt_lex_read(&lex, text, strlen(text), &bad) != MT_OK)
    mt_str_addf(out, "%u %s\n", bad.at, bad.message);
  for (uint32_t i = 0; bad.message == NULL && i < lex.count; i++) {
    const mt_Token *t = &lex.tokens[i];
    mt_str_addf(out, "%c %.*s", "npsd"[t->kind], (int)t->length, text + t->at);
    if (t->match) mt_str_addf(out, " %u", t->match);
    mt_str_add(out, "\n");
  }
  for (uint32_t i = 0; bad.message == NULL && i < lex.directive_count; i++) {
    const mt_Token *d = &lex.directives[i];
    mt_str_addf(out, "[%.*s]\n", (int)d->length, text + d->at);
  }
  mt_lex_free(&lex);
}

/* Each line is a text of its own. */
static void add_second(const char *text, mt_Str *out) {
  mt_str_add(out, "-- second\n");
  for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
    mt_Lex lex;
    mt_LexError bad;
    mt_Reading r;
    size_t length = (size_t)(end - text);
    assert_int_equal(mt_lex_read(&lex, text, length, &bad), MT_OK);
    assert_int_equal(mt_reader_run(&lex, false, &r), MT_OK);
    mt_str_add(out, r.second ? "yes\n" : "no\n");
    mt_reading_free(&r);
    mt_lex_free(&lex);
  }
}

typedef enum Part { ONLY, HEADERS, SIGNATURES } Part;

static void add_stripped(const char *text, Part part, mt_Str *out) {
  static const char *const marks[] = {"-- only\n", "-- headers\n",
                                      "-- signatures\n"};
  mt_Str behind = MT_STR_INIT;
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading r;
  assert_int_equal(mt_lex_read(&lex, text, strlen(text), &bad), MT_OK);
  assert_int_equal(mt_reader_run(&lex, false, &r), MT_OK);
  assert_true(r.kernel_count > 0);
  const char *last = r.kernels[r.kernel_count - 1].name;
  mt_str_add(out, marks[part]);
  if (part == HEADERS) mt_reading_headers(&lex, &r);
  else if (!(part == ONLY ? mt_reading_only(&lex, &r, &last, 1)
                          : mt_reading_signatures(&lex, &r, &behind)))
    mt_str_add(out, "it cannot be done\n");
  mt_lex_write(&lex, out);
  mt_str_add(out, mt_str_text(&behind));
  mt_str_free(&behind);
  mt_reading_free(&r);
  mt_lex_free(&lex);
}

/* Macros are expanded in texts that have some, and address spaces shown where
** they are kept; all that comes out is in the list. */
static void describe(const char *name, const char *text, mt_Str *out) {
  mt_Str plain = MT_STR_INIT, spaces = MT_STR_INIT;
  if (strncmp(name, "tokens", 6) == 0) add_tokens(text, out);
  else if (strncmp(name, "second", 6) == 0) add_second(text, out);
  else if (strncmp(name, "stripped", 8) == 0)
    for (Part part = ONLY; part <= SIGNATURES; part++)
      add_stripped(text, part, out);
  else if (strstr(text, "#define")) add_expanded(text, out);
  else {
    add_rewritten(text, false, &plain);
    add_rewritten(text, true, &spaces);
    mt_str_add(out, mt_str_text(&plain));
    if (strstr(mt_str_text(&spaces), "address_space("))
      mt_str_add(out, mt_str_text(&spaces));
  }
  assert_false(out->failed);
  mt_str_free(&plain), mt_str_free(&spaces);
}

/* -------------------------------------------------------------------- list */

static char *copied(const char *from, const char *to) {
  char *s = strndup(from, (size_t)(to - from));
  assert_non_null(s);
  return s;
}

/* The place of a line that begins with 'mark', or the end. */
static const char *line_with(const char *s, const char *mark) {
  while (*s && strncmp(s, mark, strlen(mark))) {
    s += strcspn(s, "\n");
    s += *s == '\n';
  }
  return s;
}

static void test_block(void **state) {
  const Block *b = *state;
  mt_Str now = MT_STR_INIT;
  describe(b->name, b->text, &now);
  assert_string_equal(mt_str_text(&now), b->rest);
  mt_str_free(&now);
}

static mt_Str rewritten(const char *text) {
  mt_Str out = MT_STR_INIT;
  add_rewritten(text, false, &out);
  return out;
}

/* What is rewritten does not depend on how far it is from the beginning; but
** annotations have their place in the text. */
static void test_far(void **state) {
  (void)state;
  char filler[701];
  int tried = 0;
  memset(filler, ';', 700), filler[700] = '\0';
  for (size_t i = 0; i < block_count; i++) {
    const Block *b = &blocks[i];
    if (strncmp(b->rest, "--\n", 3) || strstr(b->rest, "annotate") ||
        strstr(b->rest, "_Pragma") || strstr(b->rest, "-- problems"))
      continue;
    mt_Str far = MT_STR_INIT, near = rewritten(b->text), wanted = MT_STR_INIT;
    mt_str_addf(&far, "%s%s", filler, b->text);
    mt_Str now = rewritten(mt_str_text(&far));
    mt_str_addf(&wanted, "--\n%s%s", filler, mt_str_text(&near) + 3);
    assert_string_equal(mt_str_text(&now), mt_str_text(&wanted));
    mt_str_free(&far), mt_str_free(&near);
    mt_str_free(&wanted), mt_str_free(&now);
    tried++;
  }
  assert_true(tried > 8);
}

/* Kernels that are compiled when they are launched, and then that they are not
** any more. */
static void test_not_lazy(void **state) {
  (void)state;
  static const char text[] = "int f(int a) { return a; }\n"
                             "kernel void k(device int *o) { o[0] = f(1); }\n";
  mt_Str plain = rewritten(text), lazy = MT_STR_INIT, back = MT_STR_INIT;
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading r;
  assert_int_equal(mt_lex_read(&lex, text, strlen(text), &bad), MT_OK);
  assert_int_equal(mt_reader_run(&lex, false, &r), MT_OK);
  r.kernel_count = 0; /* so that none is marked as used */
  mt_reading_lazy(&lex, &r);
  mt_lex_write(&lex, &lazy);
  assert_non_null(strstr(lazy.text, "attribute push"));
  assert_non_null(strstr(lazy.text, "attribute pop"));
  mt_reading_not_lazy(&lex);
  mt_str_add(&back, "--\n");
  mt_lex_write(&lex, &back);
  assert_string_equal(back.text, plain.text);
  mt_reading_free(&r);
  mt_lex_free(&lex);
  mt_str_free(&plain), mt_str_free(&lazy), mt_str_free(&back);
}

/* FNV-1a's own examples. */
static void test_hash(void **state) {
  (void)state;
  assert_int_equal(mt_lex_hash("", 0), 0x811c9dc5u);
  assert_int_equal(mt_lex_hash("a", 1), 0xe40c292cu);
  assert_int_equal(mt_lex_hash("foobar", 6), 0xbf9cf968u);
  assert_int_equal(mt_lex_hash("foobarbaz", 6), 0xbf9cf968u);
}

/* The '>' of the '<' that stands before 'n' names; 0: it is too far. */
static uint32_t angle_of(uint32_t n) {
  mt_Str text = MT_STR_INIT;
  mt_Lex lex;
  mt_LexError bad;
  mt_str_add(&text, "<");
  for (uint32_t i = 0; i < n; i++) mt_str_add(&text, "a ");
  mt_str_add(&text, ">;");
  assert_int_equal(mt_lex_read(&lex, text.text, text.length, &bad), MT_OK);
  uint32_t close = mt_read_angle(&lex, 0);
  mt_lex_free(&lex);
  mt_str_free(&text);
  return close;
}

/* A list of arguments is looked for so far and no further: in a text of many
** '<' each would be followed to the end. */
static void test_far_angles(void **state) {
  (void)state;
  assert_int_equal(angle_of(0), 1);
  assert_int_equal(angle_of(1), 2);
  assert_int_equal(angle_of(1998), 1999);
  assert_int_equal(angle_of(1999), 0);
  assert_int_equal(angle_of(2500), 0);
}

static const char *nearest(const char *name, const char *word) {
  const char *const words[] = {word, NULL};
  const char *found = mt_nearest_word(name, words);
  return found ? found : "none";
}

/* One letter that is left out, put in or changed is one step; a third of the
** letters, and one more, may be wrong. */
static void test_nearest(void **state) {
  (void)state;
  assert_string_equal(nearest("abcd", "abcd"), "abcd");
  assert_string_equal(nearest("xaby", "ab"), "ab");
  assert_string_equal(nearest("xabyz", "ab"), "none");
  assert_string_equal(nearest("b", "ab"), "ab");
  assert_string_equal(nearest("b", "abc"), "none");
  assert_string_equal(nearest("xbyd", "abcd"), "abcd");
  assert_string_equal(nearest("xbyz", "abcd"), "none");
  assert_string_equal(nearest("bacd", "abcd"), "abcd");
  assert_string_equal(nearest("abcdef", "bcdefg"), "bcdefg");
  assert_string_equal(nearest("abcdef", "cdefgh"), "none");
  assert_string_equal(nearest("aabbccd", "abcd"), "abcd");
  static const char *const words[] = {"abcx", "abyd", "abcd", "abcd2", NULL};
  assert_string_equal(mt_nearest_word("abcd", words), "abcd");
  assert_string_equal(mt_nearest_word("abce", words), "abcx");
}

static void read_list(void) {
  mt_Error err;
  if (mt_file_read(LIST, 1 << 20, &list, &err) != MT_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  const char *s = line_with(mt_str_text(&list), "== ");
  while (*s && block_count < MOST_BLOCKS) {
    const char *name = s + 3, *text = strchr(name, '\n') + 1,
               *end = line_with(text, "== "), *rest = line_with(text, "--");
    if (rest > end) rest = end;
    Block *b = &blocks[block_count];
    *b = (Block){copied(name, text - 1), copied(text, rest),
                 copied(rest, end)};
    cases[block_count++] = (struct CMUnitTest){
        .name = b->name, .test_func = test_block, .initial_state = b};
    s = end;
  }
  assert_true(block_count < MOST_BLOCKS);
}

static int write_list(void) {
  const char *text = mt_str_text(&list);
  size_t head = (size_t)(line_with(text, "== ") - text);
  FILE *f = fopen(LIST, "w");
  if (f == NULL || fwrite(text, 1, head, f) != head) return 1;
  for (size_t i = 0; i < block_count; i++) {
    mt_Str now = MT_STR_INIT;
    describe(blocks[i].name, blocks[i].text, &now);
    fprintf(f, "== %s\n%s%s", blocks[i].name, blocks[i].text,
            mt_str_text(&now));
    mt_str_free(&now);
  }
  return fclose(f) ? 1 : 0;
}

int main(int argc, char **argv) {
  read_list();
  if (argc == 2 && strcmp(argv[1], "write") == 0) return write_list();
  static const struct CMUnitTest others[OTHERS] = {
      cmocka_unit_test(test_far), cmocka_unit_test(test_not_lazy),
      cmocka_unit_test(test_hash), cmocka_unit_test(test_far_angles),
      cmocka_unit_test(test_nearest)};
  memcpy(cases + block_count, others, sizeof others);
  int failed = _cmocka_run_group_tests("rewrites", cases, block_count + OTHERS,
                                       NULL, NULL);
  for (size_t i = 0; i < block_count; i++)
    free(blocks[i].name), free(blocks[i].text), free(blocks[i].rest);
  mt_str_free(&list);
  return failed;
}
