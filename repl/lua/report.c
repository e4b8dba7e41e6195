/*
** report.c - makes and prints error reports.
**
** A report is a Lua table {message, details}, made while the stack of the
** failed code still exists. Chunks typed at the console are called "console#17"
** internally, so that the text of each can be found; messages show "console".
*/
#include "repl/lua/report.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/terminal/excerpt.h"
#include "lua/bind/core/core.h"
#include "repl/lua/chunk.h"
#include "repl/lua/long_string_hint.h"
#include "repl/lua/nearest.h"
#include "repl/terminal/prose.h"
#include "repl/terminal/style.h"

#define REPORT "mettle.report" /* registry: the metatable of reports */

enum { MOST_CALLERS = 6, DEEPEST = 100, WIDEST = 100 };

/* ----------------------------------------------------------------- sources */

/* Push line 'number' of the chunk 'source' (as in lua_Debug), or nothing. */
static bool push_line(lua_State *L, const char *source, int number) {
  if (source[0] == '@') {
    mt_Str *text = mt_lua_new_str(L);
    mt_Status status = mt_file_read(source + 1, 1 << 20, text, NULL);
    mt_lua_push_text(L, text);
    lua_remove(L, -2);
    if (status != MT_OK) return lua_pop(L, 1), false;
  } else {
    mt_chunk_source(L, source);
    if (!lua_isstring(L, -1)) return lua_pop(L, 1), false;
  }
  const char *line = lua_tostring(L, -1);
  for (; line && number > 1; number--)
    if ((line = strchr(line, '\n')) != NULL) line++;
  if (line == NULL) return lua_pop(L, 1), false;
  size_t n = strcspn(line, "\n\r");
  lua_pushlstring(L, line, n < WIDEST ? n : WIDEST);
  lua_remove(L, -2);
  return true;
}

/* A typed chunk of one line: it is visible just above the message. */
static bool is_plain_to_see(lua_State *L, const char *source) {
  mt_chunk_source(L, source);
  const char *text = lua_tostring(L, -1);
  const char *newline = text ? strchr(text, '\n') : NULL;
  bool one_line =
      source[0] == '=' && text && (newline == NULL || newline[1] == '\0');
  lua_pop(L, 1);
  return one_line;
}

/* Code of Mettle itself, in lua/ below the data folder. */
static bool is_ours(const char *source) {
  const char *data = mt_dir_data();
  size_t n = data ? strlen(data) : 0;
  return data && source[0] == '@' && strncmp(source + 1, data, n) == 0 &&
         strncmp(source + 1 + n, "/lua/", 5) == 0;
}

/* ------------------------------------------------------------------- parts */

/* "console#17:" anywhere in the text reads "console:". */
static void add_readable(mt_Str *out, const char *text) {
  static const char mark[] = "console#";
  for (const char *at; (at = strstr(text, mark)) != NULL; text = at) {
    mt_str_add_bytes(out, text, (size_t)(at - text) + strlen("console"));
    at += strlen(mark);
    while (isdigit((unsigned char)*at)) at++;
  }
  mt_str_add(out, text);
}

static void add_excerpt(lua_State *L, mt_Str *out, const char *source,
                        int number) {
  if (!push_line(L, source, number)) return;
  mt_str_addf(out, "%5d | %s\n", number, lua_tostring(L, -1));
  lua_pop(L, 1);
}

static void add_caller(lua_State *L, mt_Str *out, const lua_Debug *ar) {
  mt_str_add(out, "  called from ");
  add_readable(out, ar->short_src);
  mt_str_addf(out, ":%d", ar->currentline);
  if (push_line(L, ar->source, ar->currentline)) {
    const char *code = lua_tostring(L, -1);
    mt_str_addf(out, ": %s", code + strspn(code, " \t"));
    lua_pop(L, 1);
  }
  mt_str_add(out, "\n");
}

/* Add the user's Lua frames above the error: the first with its line if
** 'excerpt', then its callers. '*where' receives the first. */
static bool add_frames(lua_State *L, mt_Str *out, bool excerpt,
                       lua_Debug *where) {
  lua_Debug ar;
  int seen = 0;
  /* bounded: finding a level takes time linear in its depth */
  for (int level = 1; level < DEEPEST && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline <= 0 || is_ours(ar.source)) continue;
    if (seen++ == 0) {
      *where = ar;
      if (excerpt && !is_plain_to_see(L, ar.source))
        add_excerpt(L, out, ar.source, ar.currentline);
    } else if (seen <= MOST_CALLERS && !is_plain_to_see(L, ar.source)) {
      add_caller(L, out, &ar);
    }
  }
  if (seen > MOST_CALLERS && out->length > 0)
    mt_str_add(out, "  ... and more calls\n");
  return seen > 0;
}

/* The message without "…/lua/measure/sweep.lua:33:" if that is a file of
** Mettle. */
static const char *without_our_place(const char *message) {
  const char *data = mt_dir_data();
  size_t n = data ? strlen(data) : 0;
  if (data == NULL || strncmp(message, data, n) != 0 ||
      strncmp(message + n, "/lua/", 5) != 0)
    return message;
  const char *colon = strchr(message + n, ':');
  if (colon == NULL || !isdigit((unsigned char)colon[1])) return message;
  const char *rest = colon + 1 + strspn(colon + 1, "0123456789");
  return strncmp(rest, ": ", 2) == 0 ? rest + 2 : message;
}

/* A syntax error in dofile or require may be the [[ ]] trap: search the file
** that the message names. */
static void add_trap(lua_State *L, mt_Str *out, const char *message) {
  const char *end = strstr(message, ".lua:");
  if (end == NULL || !strstr(end, " near ")) return;
  const char *start = end;
  while (start > message && !isspace((unsigned char)start[-1]) &&
         start[-1] != '\'')
    start--;
  lua_pushlstring(L, start, (size_t)(end - start) + strlen(".lua"));
  mt_Str *text = mt_lua_new_str(L), *why = mt_lua_new_str(L);
  size_t line;
  if (mt_file_read(lua_tostring(L, -3), 1 << 20, text, NULL) == MT_OK &&
      mt_long_string_hint(text->text, text->length, &line, why))
    mt_str_addf(out, "%s:%zu: %s\n", lua_tostring(L, -3), line, why->text);
  lua_pop(L, 3);
}

/* Point to the glossary's entry on a compiler's error. */
static void add_word(lua_State *L, mt_Str *out, const char *message) {
  int top = lua_gettop(L);
  if (!strstr(message, "error: ") || !strchr(message, '\n')) return;
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.reference.glossary");
  if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1) &&
      lua_getfield(L, -1, "about") == LUA_TFUNCTION) {
    lua_pushstring(L, message);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING)
      mt_str_addf(out, "see glossary \"%s\"\n", lua_tostring(L, -1));
  }
  lua_settop(L, top);
}

/* ------------------------------------------------------------------ reports */

/* Push {message, details}. */
static void push_report(lua_State *L, const mt_Str *message,
                        const mt_Str *details) {
  lua_createtable(L, 2, 0);
  mt_lua_push_text(L, message);
  lua_rawseti(L, -2, 1);
  mt_lua_push_text(L, details);
  lua_rawseti(L, -2, 2);
  luaL_newmetatable(L, REPORT);
  lua_setmetatable(L, -2);
}

/* Error values that are not strings: their own text, or their contents. */
static void push_error_text(lua_State *L, int index) {
  index = lua_absindex(L, index);
  bool plain_table = lua_istable(L, index) &&
                     luaL_getmetafield(L, index, "__tostring") == LUA_TNIL;
  if (!plain_table) {
    luaL_tolstring(L, index, NULL);
    return;
  }
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.session.show");
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) {
    lua_getfield(L, -1, "text");
    lua_pushvalue(L, index);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_isstring(L, -1)) return;
  }
  luaL_tolstring(L, index, NULL);
}

/* "console:3: ", unless the one line that was typed stands above. */
static void add_place(lua_State *L, mt_Str *out, const char *source,
                      const char *name, int line) {
  if (is_plain_to_see(L, source)) return;
  add_readable(out, name);
  mt_str_addf(out, ":%d: ", line);
}

/* Add the sentence of a slip to the message, its corrected line to the
** details. */
static void add_slip(mt_Str *message, mt_Str *details, const mt_Slip *slip) {
  mt_str_add(message, mt_str_text(slip->say));
  if (slip->written->length == 0) return;
  mt_str_addf(details, "  write: %s\n", mt_str_text(slip->written));
}

/* What Lua says of the learner's own line, in the learner's terms; false if it
** stays as it is. */
static bool explain_slip(lua_State *L, const lua_Debug *where,
                         const char *text, mt_Str *message, mt_Str *details) {
  mt_Slip slip;
  int top = lua_gettop(L);
  if (strchr(text, '\n') || !push_line(L, where->source, where->currentline))
    return false;
  mt_slip_open(L, &slip);
  bool known = mt_slip_failed(L, lua_tostring(L, top + 1), text, &slip);
  if (known) {
    add_place(L, message, where->source, where->short_src,
              where->currentline);
    add_slip(message, details, &slip);
    if (slip.guess) mt_nearest_suggest(L, text, message);
  }
  lua_settop(L, top);
  return known;
}

int mt_report_handler(lua_State *L) {
  lua_Debug where;
  push_error_text(L, 1);
  mt_Str *message = mt_lua_new_str(L), *details = mt_lua_new_str(L);
  const char *text = lua_tostring(L, -3), *rest = without_our_place(text);
  add_trap(L, details, text);
  add_word(L, details, text);
  /* a compiler's message of several lines has its own */
  bool found = add_frames(L, details, !strchr(text, '\n'), &where);
  bool known = rest == text && found &&
               explain_slip(L, &where, text, message, details);
  if (rest != text && found) {
    add_readable(message, where.short_src);
    mt_str_addf(message, ":%d: ", where.currentline);
  }
  if (!known) {
    add_readable(message, rest);
    mt_nearest_suggest(L, rest, message);
  }
  push_report(L, message, details);
  return 1;
}

void mt_report_slip(lua_State *L, const char *source, int line,
                    const mt_Slip *slip) {
  mt_Str *message = mt_lua_new_str(L), *details = mt_lua_new_str(L);
  add_place(L, message, source, source + 1, line);
  if (!is_plain_to_see(L, source)) add_excerpt(L, details, source, line);
  add_slip(message, details, slip);
  push_report(L, message, details);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

int mt_report_line(const char *message) {
  const char *colon = strchr(message, ':');
  for (; colon; colon = strchr(colon + 1, ':')) {
    char *end;
    long line = strtol(colon + 1, &end, 10);
    if (end > colon + 1 && *end == ':') return (int)line;
  }
  return 0;
}

void mt_report_syntax(lua_State *L, const char *source) {
  int at = lua_gettop(L);
  const char *text = lua_tostring(L, at);
  mt_Str *message = mt_lua_new_str(L), *details = mt_lua_new_str(L);
  int line = text ? mt_report_line(text) : 0;
  add_readable(message, text ? text : "error");
  if (line > 0 && !is_plain_to_see(L, source))
    add_excerpt(L, details, source, line);
  push_report(L, message, details);
  lua_replace(L, at);
  lua_settop(L, at);
}

static const char *field(lua_State *L, int i) {
  lua_rawgeti(L, -1, i);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1); /* the table keeps it */
  return text ? text : "";
}

static bool is_report(lua_State *L) {
  if (!lua_istable(L, -1) || !lua_getmetatable(L, -1)) return false;
  luaL_getmetatable(L, REPORT);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

/* A message may quote a file or its name, with control characters. The colours
** of a compiler's log are kept. */
static void put_visible(const char *text, const char *keep) {
  mt_Str shown = MT_STR_INIT;
  mt_str_add_visible(&shown, text, strlen(text), keep);
  fputs(mt_str_text(&shown), stderr);
  mt_str_free(&shown);
}

/* 'n' bytes of prose that begin at column 'at', wrapped to the terminal. */
static void put_prose(const char *text, size_t n, int at) {
  mt_Str shown = MT_STR_INIT, wrapped = MT_STR_INIT;
  mt_str_add_visible(&shown, text, n, "\t\033");
  mt_prose_add(&wrapped, mt_str_text(&shown), shown.length, at,
               mt_excerpt_columns(STDERR_FILENO));
  fputs(mt_str_text(&wrapped), stderr);
  mt_str_free(&shown);
  mt_str_free(&wrapped);
}

/* Is this line of a compiler's output a sentence, not code and carets? */
static bool is_sentence(const char *line, size_t n) {
  static const char *const marks[] = {"help: ", ": error: ", ": warning: ",
                                      ": note: "};
  for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
    const char *at = strstr(line, marks[m]);
    if (at && at < line + n) return true;
  }
  return false;
}

/* One sentence in red, wrapped to the terminal; of a compiler's output after it
** the sentences alone are wrapped, and code is cut around its caret. */
static void put_message(const char *prefix, const char *message) {
  size_t n = strcspn(message, "\n");
  fprintf(stderr, "%s%s", prefix, mt_style(STDERR_FILENO, MT_STYLE_ERROR));
  put_prose(message, n, (int)strlen(prefix));
  fputs(mt_style(STDERR_FILENO, MT_STYLE_PLAIN), stderr);
  mt_Str rest = MT_STR_INIT;
  mt_excerpt_add(&rest, message + n, mt_excerpt_columns(STDERR_FILENO));
  for (const char *line = mt_str_text(&rest); *line; line += n) {
    fputc('\n', stderr);
    line++;
    n = strcspn(line, "\n");
    if (is_sentence(line, n)) {
      put_prose(line, n, 0);
    } else {
      char *code = strndup(line, n);
      if (code) put_visible(code, "\t\033");
      free(code);
    }
  }
  mt_str_free(&rest);
  fputc('\n', stderr);
}

static void put_details(const char *details) {
  if (details[0] == '\0') return;
  fputs(mt_style(STDERR_FILENO, MT_STYLE_DIM), stderr);
  put_visible(details, "\n\t");
  fputs(mt_style(STDERR_FILENO, MT_STYLE_PLAIN), stderr);
}

/* The message on top, and what stands below it. */
static const char *read_report(lua_State *L, const char **details) {
  bool whole = is_report(L); /* else no memory, or an error in the handler */
  const char *text = whole ? field(L, 1) : lua_tostring(L, -1);
  *details = whole ? field(L, 2) : "";
  return text ? text : "error";
}

void mt_report_print(lua_State *L, const char *prefix) {
  const char *details, *message = read_report(L, &details);
  fflush(stdout);
  put_message(prefix, message);
  put_details(details);
  fflush(stderr);
  lua_pop(L, 1);
}

void mt_report_take(lua_State *L, mt_Str *message, mt_Str *details) {
  const char *below, *text = read_report(L, &below);
  mt_str_add_visible(message, text, strlen(text), "\n\t\033");
  mt_str_add_visible(details, below, strlen(below), "\n\t");
  lua_pop(L, 1);
}

void mt_complain(const char *fmt, ...) {
  mt_Error text;
  va_list args;
  va_start(args, fmt);
  mt_verror(&text, MT_OK, fmt, args);
  va_end(args);
  fprintf(stderr, "mettle: %s\n", text.text);
}
