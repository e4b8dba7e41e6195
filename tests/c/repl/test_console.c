/*
** test_console.c - the parts of the console that need no terminal: cells, Lua
** text, the [[ ]] trap, history.
**
** Guards: repl/: wrapped prose, cells, Lua text, the `[[ ]]` trap, history;
** repl/line/{choices, column_encoding, history}.c, repl/lua/{globals,
** long_string_hint, lua_lexer, names, nearest}.c, repl/terminal/prose.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "repl/line/column_encoding.h"
#include "repl/line/history.h"
#include "repl/lua/long_string_hint.h"
#include "repl/lua/lua_lexer.h"
#include "repl/terminal/prose.h"

/* -------------------------------------------------------------------- prose */

static void wraps_to(const char *text, int at, int columns,
                     const char *wanted) {
  mt_Str out = MT_STR_INIT;
  mt_prose_add(&out, text, strlen(text), at, columns);
  assert_string_equal(mt_str_text(&out), wanted);
  mt_str_free(&out);
}

static void prose_is_broken_between_words(void **state) {
  (void)state;
  wraps_to("one two three four", 0, 10, "one two\n  three\n  four");
  wraps_to("one two three four", 0, 0, "one two three four");
  wraps_to("one two three four", 0, 80, "one two three four");
  wraps_to("one two", 4, 10, "one\n  two"); /* after a prefix */
  wraps_to("one two", 3, 10, "one two");
  wraps_to("a-word-that-is-longer-than-the-window b", 0, 10,
           "a-word-that-is-longer-than-the-window\n  b");
  wraps_to("gr\xc3\xbc\xc3\x9f"
           "e sie", 0, 9, "gr\xc3\xbc\xc3\x9f" "e sie"); /* nine columns */
  wraps_to("first line\n  code of   a compiler, long", 0, 12,
           "first line\n  code of   a compiler, long");
  wraps_to("", 0, 10, "");
  wraps_to("   ", 0, 10, "   ");
}

/* -------------------------------------------------------------------- cells */

static void cells_of(const char *text, size_t columns) {
  mt_Str cells = MT_STR_INIT, back = MT_STR_INIT;
  mt_column_reset();
  assert_true(mt_column_encode(text, strlen(text), &cells));
  assert_int_equal(cells.length, columns);
  mt_column_decode(cells.text, cells.length, &back);
  assert_string_equal(back.text, text);
  mt_str_free(&cells);
  mt_str_free(&back);
}

static void cells_keep_text(void **state) {
  (void)state;
  cells_of("plain", 5);
  cells_of("tab\tand\nnewline", 15);
  cells_of(
      "gr\xc3\xbc\xc3\x9f"
      "e",
      5);                                  /* grüße */
  cells_of("\xe6\xbc\xa2\xe5\xad\x97", 4); /* two wide characters */
  cells_of("\xf0\x9f\x98\x80!", 3);        /* an emoji */
  cells_of("e\xcc\x81", 2);                /* a combining accent */
  cells_of("bad \xff\xc3 bytes \x80", 14); /* not UTF-8 */
  cells_of("\x1b[31mescape\x01", 12);
}

static void cells_show_no_control(void **state) {
  (void)state;
  static const char text[] =
      "a\x1b\x07"
      "b\n\t";
  mt_Str cells = MT_STR_INIT, shown = MT_STR_INIT;
  mt_column_reset();
  assert_true(mt_column_encode(text, strlen(text), &cells));
  mt_column_show(cells.text, cells.length, &shown);
  assert_string_equal(shown.text,
                      "a\xc2\xb7\xc2\xb7"
                      "b\xe2\x86\xb5 ");
  mt_str_free(&cells);
  mt_str_free(&shown);
}

static void cells_run_out_cleanly(void **state) {
  (void)state;
  mt_Str cells = MT_STR_INIT;
  mt_column_reset();
  mt_str_add(&cells, "kept");
  char many[2 * 200 + 1];
  for (int i = 0; i < 200; i++) { /* U+0400 on: one column each */
    many[2 * i] = (char)(0xd0 + i / 64);
    many[2 * i + 1] = (char)(0x80 + i % 64);
  }
  many[400] = '\0';
  assert_false(mt_column_encode(many, 400, &cells));
  assert_string_equal(cells.text, "kept");
  mt_column_reset();
  assert_true(mt_column_encode(many, 160, &cells));
  mt_str_free(&cells);
}

/* ----------------------------------------------------------------- Lua text */

static mt_LuaPart part_at_end(const char *text, int *closed) {
  mt_LuaToken t = {MT_LUA_CODE, 0, 0, 0, -1, 1};
  size_t n = strlen(text);
  for (size_t at = 0; at < n; at = t.end) t = mt_lua_token(text, n, at);
  *closed = t.closed;
  return t.part;
}

static void lua_text_is_told_apart(void **state) {
  (void)state;
  static const struct {
    const char *text;
    mt_LuaPart part;
    int closed;
  } cases[] = {{"x = 'a", MT_LUA_STRING, 0},
               {"x = 'a\\'b'", MT_LUA_STRING, 1},
               {"x = \"it's", MT_LUA_STRING, 0},
               {"x -- it's", MT_LUA_COMMENT, 0},
               {"k = [==[ ]] ]=] ", MT_LUA_LONG, 0},
               {"k = [==[ ]] ]==]", MT_LUA_LONG, 1},
               {"--[[ a\n b", MT_LUA_BLOCK, 0},
               {"--[ a\nb", MT_LUA_NAME, 1},
               {"a[b[c]]", MT_LUA_CODE, 1},
               {"name_1", MT_LUA_NAME, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int closed;
    assert_int_equal(part_at_end(cases[i].text, &closed), cases[i].part);
    assert_int_equal(closed, cases[i].closed);
  }
}

/* --------------------------------------------------------------------- trap */

static void trap_is_seen(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t line; /* 0: no trap */
  } cases[] = {
      {"k = [[void f(device float *a [[buffer(0)]]) {}]]", 1},
      {"k = [[\nvoid f(\n  uint i [[ thread_position_in_grid ]]", 3},
      {"k = [[ [[kernel, max_total_threads_per_threadgroup(64)]] void", 1},
      {"--[[ [[buffer(0)]] ]]", 1},
      {"f([[x [[host_name(\"add\")]] ]])", 1},
      {"f([[x [[user(a::b)]] ]])", 1},
      {"k = [=[void f(device float *a [[buffer(0)]]) {}]=]", 0},
      {"s = [[plain]]", 0},
      {"s = [[a[b[1]]", 0},
      {"s = [[ lua: t[ [[x]]", 1},
      {"-- [[ [[buffer(0)]] ]]", 0},
      {"s = '[[ [[buffer(0)]]'", 0},
      {"s = [[ [[1]] .. 'x'", 0},
      {"k = [[ unfinished [[buffer(0)", 0},
      {"", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t line = 0;
    mt_Str out = MT_STR_INIT;
    bool seen = mt_long_string_hint(cases[i].text, strlen(cases[i].text), &line,
                                    &out);
    if (seen != (cases[i].line > 0)) print_error("%s\n", cases[i].text);
    assert_int_equal(seen, cases[i].line > 0);
    if (seen) {
      assert_int_equal(line, cases[i].line);
      assert_non_null(strstr(out.text, "[=[ ... ]=]"));
    }
    mt_str_free(&out);
  }
}

/* ----------------------------------------------------------------- brackets */

static void brackets_are_followed(void **state) {
  (void)state;
  static const char text[] = "k = [==[\n a ]] ]=] ";
  assert_int_equal(mt_lua_open_level(text, strlen(text)), 2);
  assert_int_equal(mt_lua_open_level("k = [[a]]", 9), -1);
  assert_int_equal(mt_lua_open_level("k = 'a", 6), -1);
  assert_true(mt_lua_closes("x ]==] y", 8, 2));
  assert_false(mt_lua_closes("x ]=] ]] y", 10, 2));
}

/* ------------------------------------------------------------------ history */

static void history_survives(void **state) {
  (void)state;
  char folder[] = "/tmp/mettle-history-XXXXXX", path[256];
  assert_non_null(mkdtemp(folder));
  setenv("XDG_STATE_HOME", folder, 1);
  mt_history_load();
  mt_history_add("one");
  mt_history_add("one"); /* not twice */
  mt_history_add("  \n ");
  mt_history_add("two\n  lines \\n and \\\\");
  assert_int_equal(mt_history_count(), 2);
  mt_history_free();
  mt_history_load();
  assert_int_equal(mt_history_count(), 2);
  assert_string_equal(mt_history_at(1), "two\n  lines \\n and \\\\");
  assert_null(mt_history_at(2));

  char entry[32];
  for (int i = 0; i < 3 * MT_HISTORY_MAX; i++) {
    snprintf(entry, sizeof entry, "entry %d", i);
    mt_history_add(entry);
  }
  mt_history_free();
  mt_history_load(); /* and the file is cut */
  assert_int_equal(mt_history_count(), MT_HISTORY_MAX);
  assert_string_equal(mt_history_at(MT_HISTORY_MAX - 1), entry);
  mt_history_free();

  struct stat info;
  mt_Str text = MT_STR_INIT;
  snprintf(path, sizeof path, "%s/history", mt_dir_state());
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0600);
  assert_int_equal(mt_file_read(path, 0, &text, NULL), MT_OK);
  size_t lines = 0;
  for (size_t i = 0; i < text.length; i++) lines += text.text[i] == '\n';
  assert_int_equal(lines, MT_HISTORY_MAX);
  mt_str_free(&text);

  /* a disk failed */
  static const char torn[] = "first\n\0\0\0\0second\nthi\0rd\n\0";
  assert_int_equal(mt_file_write(path, torn, sizeof torn - 1, 0600, NULL),
                   MT_OK);
  mt_history_load();
  assert_int_equal(mt_history_count(), 3);
  assert_string_equal(mt_history_at(1), "second");
  assert_string_equal(mt_history_at(2), "third");
  mt_history_free();
  unlink(path);
  rmdir(mt_dir_state());
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prose_is_broken_between_words),
      cmocka_unit_test(cells_keep_text),
      cmocka_unit_test(cells_show_no_control),
      cmocka_unit_test(cells_run_out_cleanly),
      cmocka_unit_test(lua_text_is_told_apart),
      cmocka_unit_test(trap_is_seen),
      cmocka_unit_test(brackets_are_followed),
      cmocka_unit_test(history_survives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
