/*
** console.c - reads chunks, line by line or pasted, and runs them.
**
** A chunk grows by lines until Lua finds it complete or wrong. Pasted lines
** are treated as if typed one after another, except that the rest of a paste is
** dropped when one of its chunks fails, and that a paste with local variables
** is run as one chunk if it compiles as one: locals end with their chunk.
*/
#include "repl/console/console.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/version.h"
#include "lua/bind/core/devices.h"
#include "repl/line/complete.h"
#include "repl/line/edit.h"
#include "repl/line/history.h"
#include "repl/lua/chunk.h"
#include "repl/lua/lua_lexer.h"
#include "repl/lua/run.h"
#include "repl/terminal/style.h"
#include "repl/terminal/terminal.h"

#define FIRST_PROMPT "mettle> "
#define NEXT_PROMPT "   ...> "

typedef struct Console {
  lua_State *L;
  mt_Str chunk; /* the lines so far, each with its newline */
  bool edited;  /* with the line editor, else plain lines */
  bool prompts; /* shown: standard input is a terminal */
  bool told_of_local;
  int inside; /* level of the long bracket the chunk ends in; -1 if none */
  char prompt[64]; /* while a lesson is open: where the learner is */
} Console;

static const char *prompt_of(const Console *c) {
  return c->chunk.length ? NEXT_PROMPT : c->prompt;
}

/* "11 coalescing 4/6 ✓10> " while a lesson is open, else the usual one. */
static void choose_prompt(Console *c) {
  lua_State *L = c->L;
  int top = lua_gettop(L), rows, columns;
  snprintf(c->prompt, sizeof c->prompt, "%s", FIRST_PROMPT);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "lua.lesson.lesson") == LUA_TTABLE &&
      lua_getfield(L, -1, "prompt") == LUA_TFUNCTION &&
      lua_pcall(L, 0, 1, 0) == LUA_OK && lua_isstring(L, -1)) {
    size_t n = lua_rawlen(L, -1);
    mt_term_size(&rows, &columns);
    if (n + 3 < sizeof c->prompt && n < (size_t)columns * 3 / 5)
      snprintf(c->prompt, sizeof c->prompt, "%s> ", lua_tostring(L, -1));
  }
  lua_settop(L, top);
}

/* Lua's require "mettle.console".remember(line): for the arrow key up. */
static int remember_line(lua_State *L) {
  mt_history_add(luaL_checkstring(L, 1));
  return 0;
}

static void open_module(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, remember_line);
  lua_setfield(L, -2, "remember");
  lua_setfield(L, -2, "mettle.console");
  lua_pop(L, 1);
}

/* ------------------------------------------------------------------- banner */

static int push_device_line(lua_State *L) {
  const mt_DeviceInfo *info = mt_device_info(mt_lua_device(L));
  lua_pushfstring(L, "%s (%s)", info->name, info->title);
  return 1;
}

/* One line on the lessons: where to begin or continue. */
static void greet_learner(lua_State *L) {
  int top = lua_gettop(L);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.lesson.greeting");
  bool ok = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_isfunction(L, -1) &&
            lua_pcall(L, 0, 1, 0) == LUA_OK && lua_isstring(L, -1);
  if (ok) printf("%s\n", lua_tostring(L, -1));
  lua_settop(L, top);
}

static void greet(lua_State *L) {
  const char *bold = mt_style(STDOUT_FILENO, MT_STYLE_BOLD);
  const char *warn = mt_style(STDOUT_FILENO, MT_STYLE_WARN);
  const char *plain = mt_style(STDOUT_FILENO, MT_STYLE_PLAIN);
  lua_pushcfunction(L, push_device_line);
  bool ok = lua_pcall(L, 0, 1, 0) == LUA_OK;
  const char *text = lua_tostring(L, -1);
  printf("%sMettle %s%s", bold, MT_VERSION, plain);
  if (ok)
    printf(", kernels run on %s\n", text);
  else
    printf("\n%sno device: %s; `mettle doctor` says more%s\n", warn,
           text ? text : "unknown", plain);
  printf("help() explains, Tab completes, Ctrl-C stops, Ctrl-D leaves\n");
  greet_learner(L);
  fflush(stdout);
  lua_pop(L, 1);
}

/* ------------------------------------------------------------------- chunks */

static bool starts_with_local(const char *text) {
  return strncmp(text, "local", 5) == 0 &&
         (text[5] == ' ' || text[5] == '\t') &&
         strncmp(text + 5 + strspn(text + 5, " \t"), "function", 8) != 0;
}

/* Warn once of a local variable, which ends with its line. */
static void tell_of_local(Console *c) {
  size_t n = c->chunk.length;
  bool one_line = n > 0 && strchr(c->chunk.text, '\n') == c->chunk.text + n - 1;
  if (c->told_of_local || !c->prompts || !one_line ||
      !starts_with_local(c->chunk.text) || strchr(c->chunk.text, ';'))
    return;
  c->told_of_local = true;
  printf("%s-- a local lives only as long as its line: leave out \"local\"%s\n",
         mt_style(STDOUT_FILENO, MT_STYLE_DIM),
         mt_style(STDOUT_FILENO, MT_STYLE_PLAIN));
}

static void tell_not_run(size_t lines) {
  fprintf(stderr, "%s-- the other %zu pasted line%s not run%s\n",
          mt_style(STDERR_FILENO, MT_STYLE_DIM), lines,
          lines == 1 ? " was" : "s were",
          mt_style(STDERR_FILENO, MT_STYLE_PLAIN));
}

static void abandon(Console *c) {
  mt_str_clear(&c->chunk);
  c->inside = -1;
}

/* Add the chunk, without the last newline, to the history. */
static void remember(Console *c) {
  if (!c->edited || c->chunk.length == 0) return;
  size_t last = c->chunk.length - 1;
  c->chunk.text[last] = '\0';
  mt_history_add(c->chunk.text);
  c->chunk.text[last] = '\n';
}

/* Is the text only that word, as users new to Lua type it, and not a variable
** of the user? */
static bool is_word(lua_State *L, const char *text, const char *word,
                    int type) {
  size_t n = strlen(word);
  if (strncmp(text, word, n) != 0 ||
      text[n + strspn(text + n, " \t\r\n;")] != '\0')
    return false;
  bool same = lua_getglobal(L, word) == type;
  lua_pop(L, 1);
  return same;
}

/* Functions that are called when only their name is typed: a user who reads
** "type next()" may leave out the parentheses. */
static const char *const commands[] = {
    "help",  "lessons",  "lesson", "puzzle", "capstone", "challenge", "next",
    "back",  "run",      "hint",   "check",  "watch",    "edit",
    "solution", "reset", "play",   "task"};

/* "puzzle(3)" for "puzzle 3", "lesson(3, 2)" for "lesson 3 2". */
static bool is_numbered(const char *text, const char *word, char call[32]) {
  unsigned n, step;
  int end = 0;
  size_t length = strlen(word);
  if (strncmp(text, word, length) != 0 || text[length] != ' ') return false;
  text += length;
  if (sscanf(text, " %3u %3u %n", &n, &step, &end) == 2 && end > 0 &&
      text[end] == '\0')
    return snprintf(call, 32, "%s(%u, %u)", word, n, step) > 0;
  end = 0;
  if (sscanf(text, " %3u %n", &n, &end) != 1 || end == 0 || text[end] != '\0')
    return false;
  return snprintf(call, 32, "%s(%u)", word, n) > 0;
}

bool mt_console_command(lua_State *L, const char *text, char call[32]) {
  static const char *const numbered[] = {"lesson", "puzzle", "capstone",
                                         "challenge"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (is_word(L, text, commands[i], LUA_TFUNCTION))
      return snprintf(call, 32, "%s()", commands[i]) > 0;
  for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
    if (is_numbered(text, numbered[i], call)) return true;
  return false;
}

/* "quit", and "quit()" too: people type both. */
static bool is_goodbye(lua_State *L, const char *text, const char *word) {
  char copy[32];
  size_t n = strlen(word);
  if (strncmp(text, word, n) != 0) return false;
  const char *rest = text + n;
  if (strncmp(rest, "()", 2) == 0) rest += 2;
  return snprintf(copy, sizeof copy, "%s%s", word, rest) < (int)sizeof copy &&
         is_word(L, copy, word, LUA_TNIL);
}

static bool wants_to_leave(const Console *c, const char *text) {
  return c->chunk.length == 0 && (is_goodbye(c->L, text, "exit") ||
                                  is_goodbye(c->L, text, "quit"));
}

static bool is_blank(const char *text) {
  return text[strspn(text, " \t\r\n")] == '\0';
}

/* MSL was entered as Lua, and more of it is waiting, pasted by a terminal that
** does not mark pastes: each further line would be another error. */
static void drop_the_rest(void) {
  size_t lines = mt_term_drop_ahead();
  if (lines > 0) tell_not_run(lines);
}

/* Add a line (or several) to the chunk. False if it failed. */
static bool take(Console *c, const char *text, size_t n) {
  if (c->chunk.length == 0 && is_blank(text)) return true;
  mt_str_add_bytes(&c->chunk, text, n);
  if (n == 0 || text[n - 1] != '\n') mt_str_add_char(&c->chunk, '\n');
  /* still inside a long string: do not compile the chunk for every line */
  if (c->inside >= 0 && !mt_lua_closes(text, n, c->inside)) return true;
  size_t before = mt_history_count();
  const char *newest = before ? mt_history_at(before - 1) : NULL;
  mt_Exit status = mt_run_line(c->L, c->chunk.text, c->chunk.length);
  if (status == MT_EXIT_MORE) {
    c->inside = mt_lua_open_level(c->chunk.text, c->chunk.length);
    return true;
  }
  /* run() has put the lesson's own lines there: they are what Up is for */
  size_t now = mt_history_count();
  if (now == before && (now == 0 || mt_history_at(now - 1) == newest))
    remember(c);
  if (status == MT_EXIT_OK) tell_of_local(c);
  if (status == MT_EXIT_MISTAKEN && c->edited) drop_the_rest();
  abandon(c);
  return status == MT_EXIT_OK;
}

/* ------------------------------------------------------------------- pastes */

static void echo(const Console *c, const char *line, size_t n, bool next) {
  mt_Str out = MT_STR_INIT;
  bool colour = mt_style_on(STDOUT_FILENO);
  mt_str_addf(&out, "\r\x1b[0K%s%s%s", colour ? "\x1b[1;36m" : "",
              next ? NEXT_PROMPT : prompt_of(c), colour ? "\x1b[0m" : "");
  for (size_t i = 0; i < n; i++) { /* pasted text may have escape sequences */
    unsigned char b = (unsigned char)line[i];
    mt_str_add_char(&out, (b < ' ' && b != '\t') || b == 127 ? '?' : line[i]);
  }
  mt_str_add_char(&out, '\n');
  mt_term_write(mt_str_text(&out), out.length);
  mt_str_free(&out);
}

static bool has_local(const char *text) {
  for (const char *at = text; at; at = strchr(at, '\n')) {
    at += *at == '\n';
    if (strncmp(at, "local", 5) == 0 && (at[5] == ' ' || at[5] == '\t'))
      return true;
  }
  return false;
}

static size_t count_lines(const char *text) {
  size_t lines = 0;
  for (; (text = strchr(text, '\n')) != NULL; text++) lines++;
  return lines;
}

static void take_paste(Console *c, const mt_Str *pasted) {
  const char *at = pasted->text, *end = at + pasted->length;
  bool whole = c->chunk.length == 0 && has_local(at) &&
               mt_chunk_compiles(c->L, at, pasted->length);
  bool ok = true;
  for (const char *newline; ok && at < end; at = newline + 1) {
    newline = strchr(at, '\n');
    echo(c, at, (size_t)(newline - at), whole && at > pasted->text);
    if (!whole) ok = take(c, at, (size_t)(newline - at) + 1);
  }
  if (whole) take(c, pasted->text, pasted->length);
  if (ok || at >= end) return;
  mt_edit_forget();
  tell_not_run(count_lines(at));
}

/* ---------------------------------------------------------------- reading */

/* A line from a terminal without line editing, or from a pipe. */
static mt_EditEnd plain_line(const Console *c, mt_Str *out) {
  char *line = NULL;
  size_t size = 0;
  mt_str_clear(out);
  if (c->prompts) {
    fputs(prompt_of(c), stdout);
    fflush(stdout);
  }
  errno = 0;
  ssize_t n = getline(&line, &size, stdin);
  bool interrupted = n < 0 && errno == EINTR;
  if (n > 0) mt_str_add_bytes(out, line, (size_t)n);
  free(line);
  if (n > 0) return MT_EDIT_LINE;
  if (c->prompts) fputs("\n", stdout);
  clearerr(stdin);
  return interrupted ? MT_EDIT_INTERRUPT : MT_EDIT_EOF;
}

/* Output that did not end its line must not be overwritten: print a mark, then
** as many spaces as a line has. From column 0 they stay on the line; from any
** other column they wrap to the next. */
static void to_new_line(void) {
  int rows, columns;
  mt_Str out = MT_STR_INIT;
  mt_term_size(&rows, &columns);
  mt_str_addf(&out, "%s<%s%*s\r\x1b[0K", mt_style(STDOUT_FILENO, MT_STYLE_DIM),
              mt_style(STDOUT_FILENO, MT_STYLE_PLAIN), columns - 1, "");
  mt_term_write(mt_str_text(&out), out.length);
  mt_str_free(&out);
}

/* Load the compiler while the person thinks. */
static void get_ready(void *context) {
  const mt_Typing *typing = context;
  mt_lua_ready(typing->L);
}

static mt_EditEnd read_more(Console *c, mt_Str *out) {
  mt_Typing typing = {c->L, &c->chunk};
  mt_EditHooks hooks = {&typing, mt_complete, mt_hint, get_ready};
  if (c->chunk.length == 0) choose_prompt(c);
  if (!c->edited) return plain_line(c, out);
  fflush(stdout);
  if (c->chunk.length == 0) to_new_line();
  return mt_edit_line(prompt_of(c), mt_style_on(STDOUT_FILENO), &hooks, out);
}

void mt_console(lua_State *L, bool banner) {
  Console c = {.L = L,
               .edited = mt_term_clever(),
               .prompts = isatty(STDIN_FILENO),
               .inside = -1};
  mt_Str text = MT_STR_INIT;
  mt_EditEnd end;
  char call[32];
  if (banner && c.prompts) greet(L);
  if (c.edited) {
    mt_history_load();
    open_module(L);
  }
  while ((end = read_more(&c, &text)) != MT_EDIT_EOF) {
    if (end == MT_EDIT_INTERRUPT)
      abandon(&c);
    else if (end == MT_EDIT_PASTE)
      take_paste(&c, &text);
    else if (wants_to_leave(&c, mt_str_text(&text)))
      break;
    else if (c.chunk.length == 0 &&
             mt_console_command(L, mt_str_text(&text), call))
      take(&c, call, strlen(call));
    else
      take(&c, mt_str_text(&text), text.length);
  }
  mt_term_cooked();
  mt_str_free(&text);
  mt_str_free(&c.chunk);
  mt_history_free();
}
