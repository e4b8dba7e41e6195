/*
** run.c - load, call, print, report.
*/
#include "repl/lua/run.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "lua/bind/core/core.h"
#include "repl/lua/chunk.h"
#include "repl/lua/globals.h"
#include "repl/lua/interrupt.h"
#include "repl/lua/long_string_hint.h"
#include "repl/lua/report.h"
#include "repl/lua/slips.h"
#include "repl/terminal/prose.h"
#include "repl/terminal/style.h"
#include "repl/terminal/terminal.h"

#define SCRIPT_MAX ((size_t)1 << 30) /* bytes */

/* --------------------------------------------------------------- of a state */

typedef struct Voice {
  const char *prefix; /* before messages; "" at a console */
  const mt_RunView *view;
} Voice;

static const char voice_key; /* of the registry */

static Voice *voice(lua_State *L) {
  static const mt_RunView terminal = {.printer = "lua.session.show"};
  lua_rawgetp(L, LUA_REGISTRYINDEX, &voice_key);
  Voice *v = lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (v) return v;
  v = lua_newuserdatauv(L, sizeof *v, 0);
  *v = (Voice){"mettle: ", &terminal};
  lua_rawsetp(L, LUA_REGISTRYINDEX, &voice_key);
  return v;
}

void mt_run_open(lua_State *L) { (void)voice(L); }

void mt_run_view(lua_State *L, const mt_RunView *view) {
  voice(L)->view = view;
}

/* ---------------------------------------------------------------- reporting */

/* The report on top of the stack, which is popped. */
static void report(lua_State *L) {
  const Voice *v = voice(L);
  if (v->view->failed == NULL) {
    mt_report_print(L, v->prefix);
    return;
  }
  mt_Str message = MT_STR_INIT, details = MT_STR_INIT;
  mt_report_take(L, &message, &details);
  v->view->failed(v->view->context, false, mt_str_text(&message),
                  mt_str_text(&details));
  mt_str_free(&message);
  mt_str_free(&details);
}

static void report_interrupt(lua_State *L) {
  const Voice *v = voice(L);
  if (v->view->failed)
    v->view->failed(v->view->context, true, "interrupted", "");
  else /* the terminal has shown ^C */
    fprintf(stderr, "%s%sinterrupted\n", isatty(STDERR_FILENO) ? "\n" : "",
            v->prefix);
}

/* ------------------------------------------------------------------ calling */

/* Call the function below 'n' arguments. Leaves its results on the stack, their
** number in '*results'; on failure prints the report. */
static mt_Exit call(lua_State *L, int n, int *results) {
  int at = lua_gettop(L) - n;
  lua_pushcfunction(L, mt_report_handler);
  lua_insert(L, at);
  mt_interrupt_begin(L);
  int status = lua_pcall(L, n, LUA_MULTRET, at);
  bool interrupted = mt_interrupt_end(L);
  lua_remove(L, at);
  fflush(stdout);
  *results = lua_gettop(L) - at + 1;
  if (status == LUA_OK) return MT_EXIT_OK;
  if (interrupted) { /* the user knows why: drop the message */
    lua_pop(L, 1);
    report_interrupt(L);
    return MT_EXIT_INTERRUPTED;
  }
  report(L);
  return MT_EXIT_ERROR;
}

static int dim_text(lua_State *L) {
  lua_pushfstring(L, "%s%s%s", mt_style(STDOUT_FILENO, MT_STYLE_DIM),
                  luaL_checkstring(L, 1),
                  mt_style(STDOUT_FILENO, MT_STYLE_PLAIN));
  return 1;
}

/* Without show.lua (not installed) there is still Lua's own print. */
static void push_printer(lua_State *L) {
  lua_getglobal(L, "require");
  lua_pushstring(L, voice(L)->view->printer);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1)) {
    lua_getfield(L, -1, "print");
    lua_pushcfunction(L, dim_text);
  } else {
    lua_getglobal(L, "print");
    lua_pushliteral(L, "");
  }
  lua_remove(L, -3);
}

/* ----------------------------------------------------------------- printing */

/* Print the 'n' values on top, and pop them. */
static mt_Exit print_values(lua_State *L, int n) {
  if (n == 0) return MT_EXIT_OK;
  int at = lua_gettop(L) - n + 1, none;
  luaL_checkstack(L, 8, NULL);
  mt_globals_push(L);
  lua_pushvalue(L, at);
  lua_setfield(L, -2, "_");
  lua_pop(L, 1);
  push_printer(L);
  lua_rotate(L, at, 2);
  mt_Exit status = call(L, n + 1, &none);
  lua_settop(L, at - 1);
  return status;
}

static mt_Exit call_and_print(lua_State *L, int n) {
  int results;
  mt_Exit status = call(L, n, &results);
  return status == MT_EXIT_OK ? print_values(L, results) : status;
}

static mt_Exit call_alone(lua_State *L, int n) {
  int results, at = lua_gettop(L) - n - 1;
  mt_Exit status = call(L, n, &results);
  lua_settop(L, at);
  return status;
}

/* ------------------------------------------------------------------ loading */

/* Replace the message on top by the sentence about [[ ]], if it applies. */
static bool explain_trap(lua_State *L, const char *text, size_t n,
                         const char *source) {
  size_t line;
  mt_Str *why = mt_lua_new_str(L);
  bool found = mt_long_string_hint(text, n, &line, why);
  if (found) {
    lua_pushfstring(L, "%s:%d: %s", source + 1, (int)line, mt_str_text(why));
    lua_replace(L, -3);
  }
  lua_pop(L, 1);
  return found;
}

/* What became of the message of a syntax error. */
typedef enum Advice { NONE, SLIP, ASTRAY } Advice;

/* Replace the message on top for known errors by a report. ASTRAY: the text is
** a kernel in MSL, or a part of one. */
static Advice advise(lua_State *L, const char *text, size_t n,
                     const char *source, bool unfinished) {
  mt_Slip slip;
  int at = lua_gettop(L);
  const char *message = lua_tostring(L, at);
  int line = mt_report_line(message);
  mt_slip_open(L, &slip);
  bool known =
      mt_slip_syntax(L, text, n, line, message, unfinished, &slip);
  if (!(known && slip.msl)) {
    lua_pushvalue(L, at);
    if (explain_trap(L, text, n, source)) {
      mt_report_syntax(L, source);
      lua_replace(L, at);
      lua_settop(L, at);
      return ASTRAY;
    }
    lua_pop(L, 1);
  }
  if (known) {
    mt_report_slip(L, source, slip.msl || line == 0 ? 1 : line, &slip);
    lua_replace(L, at);
  }
  lua_settop(L, at);
  return !known ? NONE : slip.msl ? ASTRAY : SLIP;
}

static mt_Exit report_syntax(lua_State *L, const char *text, size_t n,
                             const char *source) {
  Advice advice = advise(L, text, n, source, false);
  if (advice == NONE) mt_report_syntax(L, source);
  report(L);
  bool at_console = voice(L)->prefix[0] == '\0';
  return advice == ASTRAY && at_console ? MT_EXIT_MISTAKEN : MT_EXIT_ERROR;
}

/* The text compiles, but a kernel in it may have been cut off at a ]]. */
static void warn_of_trap(lua_State *L, const char *text, size_t n,
                         const char *source) {
  lua_pushnil(L);
  if (explain_trap(L, text, n, source)) {
    bool typed = strncmp(source, "=console#", 9) == 0;
    const char *said = lua_tostring(L, -1);
    if (typed) said = strchr(said, ' ') + 1;
    lua_pushfstring(L, "%snote: %s", voice(L)->prefix, said);
    fputs(mt_style(STDERR_FILENO, MT_STYLE_WARN), stderr);
    mt_prose_error("", lua_tostring(L, -1));
    fputs(mt_style(STDERR_FILENO, MT_STYLE_PLAIN), stderr);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* ------------------------------------------------------------------ scripts */

static void skip_first_comment(const char **text, size_t *n) {
  if (*n >= 3 && memcmp(*text, "\xef\xbb\xbf", 3) == 0) {
    *text += 3;
    *n -= 3;
  }
  if (*n == 0 || **text != '#') return;
  const char *newline = memchr(*text, '\n', *n); /* keeps the line count */
  *n = newline ? *n - (size_t)(newline - *text) : 0;
  *text = newline ? newline : "";
}

static void set_arg(lua_State *L, int argc, char **argv) {
  lua_createtable(L, argc, 1);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i);
  }
  lua_setglobal(L, "arg");
}

/* 'all' has the text; a bare expression is printed only if it was piped in. */
static mt_Exit run_script(lua_State *L, const mt_Str *all, const char *source,
                          bool piped, int argc, char **argv) {
  const char *text = mt_str_text(all);
  size_t n = all->length;
  skip_first_comment(&text, &n);
  if (n > 0 && text[0] == LUA_SIGNATURE[0]) {
    fprintf(stderr, "%s%s: compiled Lua is not run, give the source\n",
            voice(L)->prefix, source + 1);
    return MT_EXIT_ERROR;
  }
  bool ready = mt_chunk_load(L, text, n, source, false) == MT_CHUNK_READY;
  if (!ready && piped)
    ready = mt_chunk_load(L, text, n, source, true) == MT_CHUNK_READY;
  else
    piped = false;
  if (!ready) {
    if (luaL_loadbufferx(L, text, n, source, "t") == LUA_OK) lua_pop(L, 1);
    return report_syntax(L, text, n, source);
  }
  warn_of_trap(L, text, n, source);
  for (int i = 1; i < argc; i++) lua_pushstring(L, argv[i]);
  int given = argc > 1 ? argc - 1 : 0;
  return piped ? call_and_print(L, given) : call_alone(L, given);
}

/* Reads the descriptor: opening /dev/stdin would start a file at its
** beginning. */
static mt_Status read_input(mt_Str *out, mt_Error *err) {
  for (;;) {
    if (!mt_str_reserve(out, 65536))
      return mt_error(err, MT_FAIL, "standard input: not enough memory");
    ssize_t n = read(STDIN_FILENO, out->text + out->length, 65536);
    if (n == 0) return MT_OK;
    if (n < 0)
      return mt_error(err, MT_FAIL, "standard input: %s", strerror(errno));
    out->length += (size_t)n;
    out->text[out->length] = '\0';
  }
}

mt_Exit mt_run_file(lua_State *L, const char *file, int argc, char **argv) {
  bool input = strcmp(file, "-") == 0;
  int top = lua_gettop(L);
  mt_Error err;
  mt_Str *all = mt_lua_new_str(L);
  luaL_checkstack(L, argc + 8, "too many arguments");
  mt_interrupt_begin(L); /* a device or pipe may block or never end */
  mt_Status got =
      input ? read_input(all, &err) : mt_file_read(file, SCRIPT_MAX, all, &err);
  mt_interrupt_end(L);
  if (got != MT_OK) {
    fprintf(stderr, "mettle: %s\n", err.text);
    lua_settop(L, top);
    return MT_EXIT_USAGE;
  }
  const char *source = input ? "=stdin" : lua_pushfstring(L, "@%s", file);
  set_arg(L, argc, argv);
  mt_Exit status = run_script(L, all, source, input, argc, argv);
  lua_settop(L, top);
  return status;
}

mt_Exit mt_run_code(lua_State *L, const char *code) {
  static const char source[] = "=(command line)";
  size_t n = strlen(code);
  int top = lua_gettop(L);
  mt_Exit status;
  if (mt_chunk_load(L, code, n, source, true) == MT_CHUNK_READY) {
    warn_of_trap(L, code, n, source);
    status = call_and_print(L, 0);
  } else {
    lua_settop(L, top);
    luaL_loadbufferx(L, code, n, source, "t");
    status = report_syntax(L, code, n, source);
  }
  lua_settop(L, top);
  return status;
}

/* ------------------------------------------------------------------ console */

/* Below what a line gave: it may mean something else than the person thinks. */
static void add_note(lua_State *L, const char *text, size_t n) {
  mt_Str *note = mt_lua_new_str(L);
  if (mt_slip_note(L, text, n, note)) {
    fflush(stdout);
    fputs(mt_style(STDERR_FILENO, MT_STYLE_DIM), stderr);
    mt_prose_error("-- ", mt_str_text(note));
    fputs(mt_style(STDERR_FILENO, MT_STYLE_PLAIN), stderr);
    fflush(stderr);
  }
  lua_pop(L, 1);
}

mt_Exit mt_run_line(lua_State *L, const char *text, size_t n) {
  static unsigned count;
  char source[32];
  int top = lua_gettop(L);
  voice(L)->prefix = "";
  snprintf(source, sizeof source, "=console#%u", count + 1);
  mt_ChunkState state = mt_chunk_load(L, text, n, source, true);
  mt_Exit status = MT_EXIT_MORE;
  if (state == MT_CHUNK_MORE) {
    /* Cut off at its own ]], MSL, or Python's "for i in range(3):": no further
    ** line can make it valid. */
    lua_pushliteral(L, "");
    Advice advice = advise(L, text, n, source, true);
    if (advice != NONE) {
      count++;
      report(L);
      status = advice == ASTRAY ? MT_EXIT_MISTAKEN : MT_EXIT_ERROR;
    }
  } else {
    count++;
    mt_term_cooked();
    if (state == MT_CHUNK_READY) warn_of_trap(L, text, n, source);
    status = state == MT_CHUNK_READY ? call_and_print(L, 0)
                                     : report_syntax(L, text, n, source);
    if (status == MT_EXIT_OK) add_note(L, text, n);
  }
  lua_settop(L, top);
  return status;
}

/* -------------------------------------------------------------------- cells */

enum { LINES_BACK = 200 }; /* that an expression at the end may have */

/* After these a new line may go on with the statement above: a = b, then (c).
 */
static bool may_continue(const char *text) {
  return strchr("({[\"'-~.", text[strspn(text, " \t")]) != NULL;
}

/*
** Is the text from 'at' on an expression, after statements that are whole? Then
** put "return" before it, into 'out'. Both halves are compiled alone: "return"
** must not get into a string or the body of a function.
*/
static bool returns_from(lua_State *L, const char *text, size_t n, size_t at,
                         mt_Str *out) {
  mt_str_clear(out);
  mt_str_add(out, "return ");
  mt_str_add_bytes(out, text + at, n - at);
  if (!mt_chunk_compiles(L, mt_str_text(out), out->length) ||
      !mt_chunk_compiles(L, text, at))
    return false;
  mt_str_clear(out);
  mt_str_add_bytes(out, text, at);
  mt_str_add(out, "return ");
  mt_str_add_bytes(out, text + at, n - at);
  return mt_chunk_compiles(L, mt_str_text(out), out->length);
}

static bool is_comment(const char *line) {
  line += strspn(line, " \t");
  return line[0] == '\n' || line[0] == '\0' || strncmp(line, "--", 2) == 0;
}

/* The cell with "return" before the expression that it ends in. */
static bool returning(lua_State *L, const char *text, size_t n, mt_Str *out) {
  bool whole = mt_chunk_compiles(L, text, n);
  size_t at = n;
  for (int lines = 0; at > 0 && lines < LINES_BACK; lines++) {
    at--; /* over the newline */
    while (at > 0 && text[at - 1] != '\n') at--;
    if (is_comment(text + at)) continue;
    if (whole && at > 0 && may_continue(text + at)) continue;
    if (returns_from(L, text, n, at, out)) return true;
  }
  return false;
}

static mt_Exit run_cell(lua_State *L, const char *text, size_t n,
                        const char *name, bool trusted) {
  int top = lua_gettop(L);
  mt_Str *changed = mt_lua_new_str(L);
  voice(L)->prefix = "";
  if (n > 0 && text[0] == LUA_SIGNATURE[0]) text = "", n = 0;
  mt_Exit status;
  bool expression = returning(L, text, n, changed);
  const char *code = expression ? mt_str_text(changed) : text;
  size_t length = expression ? changed->length : n;
  mt_ChunkState state = mt_chunk_load(L, code, length, name, !expression);
  mt_chunk_remember(L, text, n, name); /* as it was typed */
  if (state == MT_CHUNK_READY) {
    warn_of_trap(L, text, n, name);
    if (!trusted) {
      mt_globals_push(L);
      lua_setupvalue(L, -2, 1); /* _ENV */
    }
    status = call_and_print(L, 0);
  } else {
    if (state == MT_CHUNK_MORE &&
        luaL_loadbufferx(L, text, n, name, "t") == LUA_OK)
      lua_pushliteral(L, "the cell is not complete");
    status = report_syntax(L, text, n, name);
  }
  lua_settop(L, top);
  return status;
}

mt_Exit mt_run_cell(lua_State *L, const char *text, size_t n,
                    const char *name) {
  return run_cell(L, text, n, name, false);
}

mt_Exit mt_run_trusted(lua_State *L, const char *text, size_t n,
                       const char *name) {
  return run_cell(L, text, n, name, true);
}

mt_Exit mt_run_cell_state(lua_State *L, const char *text, size_t n) {
  int top = lua_gettop(L);
  mt_ChunkState state = mt_chunk_load(L, text, n, "=cell", true);
  lua_settop(L, top);
  if (state == MT_CHUNK_MORE) return MT_EXIT_MORE;
  return state == MT_CHUNK_READY ? MT_EXIT_OK : MT_EXIT_ERROR;
}
