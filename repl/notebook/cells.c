/*
** cells.c - cells: their text as Lua, what they show, how they fail.
**
** Values are shown by lua/notebook/notebook.lua, through the functions of
** "mettle.notebook".
*/
#include "repl/notebook/cells.h"

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/files/confine.h"
#include "lua/bind/core/core.h"
#include "repl/console/console.h"
#include "repl/line/history.h"
#include "repl/lua/globals.h"
#include "repl/lua/interrupt.h"
#include "repl/lua/run.h"

/* ----------------------------------------------- require "mettle.notebook" */

static mt_Notebook *of(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(1));
}

/*
** publish(type, json): "display_data", "update_display_data" or
** "execute_result", with its content: data, metadata, transient.
*/
static int notebook_publish(lua_State *L) {
  mt_Notebook *nb = of(L);
  static const char *const types[] = {"display_data", "update_display_data",
                                      "execute_result", "clear_output", NULL};
  int type = luaL_checkoption(L, 1, NULL, types);
  size_t n;
  const char *json = luaL_checklstring(L, 2, &n);
  cJSON *content = cJSON_ParseWithLength(json, n);
  if (!cJSON_IsObject(content)) {
    cJSON_Delete(content);
    return luaL_error(L, "not enough memory for what the cell shows");
  }
  if (type == 2)
    cJSON_AddNumberToObject(content, "execution_count", nb->count);
  mt_notebook_publish(nb, types[type], content);
  return 0;
}

/* Wait for the line that the person enters; false: interrupted, or over. */
static bool wait_for_input(mt_Notebook *nb, mt_JupyterMessage *reply) {
  for (;;) {
    bool got = mt_jupyter_receive(nb->jupyter, MT_JUPYTER_STDIN,
                                  MT_NOTEBOOK_LOOK, reply);
    if (got && strcmp(reply->type, "input_reply") == 0) return true;
    if (mt_cancelled() || atomic_load(&nb->over)) return false;
  }
}

/* input(prompt) -> the line, without its newline */
static int notebook_input(lua_State *L) {
  mt_Notebook *nb = of(L);
  const char *prompt = luaL_optstring(L, 1, "");
  mt_JupyterMessage reply = {.type = ""};
  if (!mt_json_flag(nb->request.content, "allow_stdin", false))
    return luaL_error(L, "this notebook takes no input");
  mt_streams_turn(nb->request.header, nb->silent);
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "prompt", prompt);
  cJSON_AddFalseToObject(content, "password");
  mt_jupyter_send(nb->jupyter, MT_JUPYTER_STDIN, &nb->request,
                  "input_request", content);
  bool got = wait_for_input(nb, &reply);
  if (got) lua_pushstring(L, mt_json_text(reply.content, "value"));
  mt_jupyter_message_free(&reply);
  return got ? 1 : luaL_error(L, "interrupted");
}

/* base64(bytes): binary forms of a value travel as text */
static int notebook_base64(lua_State *L) {
  size_t n;
  const char *bytes = luaL_checklstring(L, 1, &n);
  mt_Str *out = mt_lua_new_str(L);
  mt_str_add_base64(out, bytes, n);
  mt_lua_push_text(L, out);
  return 1;
}

/* cell() -> the number of the cell that runs */
static int notebook_cell(lua_State *L) {
  mt_Notebook *nb = of(L);
  lua_pushinteger(L, nb->count);
  return 1;
}

/* globals(table): what cells see from now on */
static int notebook_globals(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  mt_globals_set(L);
  return 0;
}

/* The notebook is an argument, and an upvalue of each function. */
static int open_module(lua_State *L) {
  static const luaL_Reg functions[] = {{"publish", notebook_publish},
                                       {"input", notebook_input},
                                       {"base64", notebook_base64},
                                       {"cell", notebook_cell},
                                       {"globals", notebook_globals},
                                       {NULL, NULL}};
  luaL_newlibtable(L, functions);
  lua_pushvalue(L, 1);
  luaL_setfuncs(L, functions, 1);
  return 1;
}

/* ------------------------------------------------------------------ errors */

static void forget_error(mt_Notebook *nb) {
  free(nb->error.name);
  free(nb->error.message);
  cJSON_Delete(nb->error.traceback);
  nb->error = (mt_NotebookError){0};
}

/* The lines of at most 'most' bytes of a text. */
static void add_lines(cJSON *list, const char *text, size_t most,
                      const char *colour) {
  for (const char *start = text; *text && (size_t)(text - start) < most;) {
    size_t n = strcspn(text, "\n");
    mt_Str line = MT_STR_INIT;
    mt_str_add(&line, colour);
    mt_str_add_bytes(&line, text, n);
    if (colour[0]) mt_str_add(&line, "\033[0m");
    cJSON_AddItemToArray(list, cJSON_CreateString(mt_str_text(&line)));
    mt_str_free(&line);
    text += n + (text[n] == '\n');
  }
}

/* Called by what runs the cell. */
static void take_error(void *notebook, bool interrupted, const char *message,
                       const char *details) {
  mt_Notebook *nb = notebook;
  mt_Str late = MT_STR_INIT;
  forget_error(nb);
  if (interrupted && nb->sandboxed && mt_notebook_elapsed(nb) > nb->limit) {
    mt_str_addf(&late, "stopped: a cell has %g s in this sandbox", nb->limit);
    message = mt_str_text(&late);
  }
  nb->error.failed = true;
  nb->error.name = strdup(interrupted ? "Interrupted" : "Error");
  nb->error.message = strdup(message);
  nb->error.traceback = cJSON_CreateArray();
  size_t first = strcspn(message, "\n");
  add_lines(nb->error.traceback, message, first, "\033[31m");
  add_lines(nb->error.traceback, message + first + (message[first] == '\n'),
            SIZE_MAX, "");
  add_lines(nb->error.traceback, details, SIZE_MAX, "\033[90m");
  mt_str_free(&late);
}

static void add_error(const mt_NotebookError *e, cJSON *content) {
  cJSON_AddStringToObject(content, "ename", e->name ? e->name : "Error");
  cJSON_AddStringToObject(content, "evalue", e->message ? e->message : "");
  cJSON_AddItemToObject(content, "traceback",
                        e->traceback ? cJSON_Duplicate(e->traceback, true)
                                     : cJSON_CreateArray());
}

/* ----------------------------------------------------------------- execute */

/* How many '=' a long bracket needs that no text of the cell closes: more than
** stand in a row anywhere. What is quoted is run with all of Lua's globals, so
** a cell that ends the quotation would leave the sandbox. */
static size_t bracket_level(const char *text) {
  size_t longest = 0;
  while (*text) {
    size_t row = strspn(text, "=");
    if (row > longest) longest = row;
    text += row ? row : 1;
  }
  return longest + 1;
}

/*
** %%msl NAME, and Metal's language below: Lua that compiles it; %%task LESSON,
** and an answer below: Lua that judges it. An empty line stands for the first
** one, so that messages count as the cell does.
*/
static void translate_magic(const char *text, const char *function,
                            mt_Str *out) {
  size_t word = strcspn(text, " \t\r\n"), first = strcspn(text, "\n");
  mt_Str equals = MT_STR_INIT;
  for (size_t n = bracket_level(text); n > 0; n--) mt_str_add(&equals, "=");
  const char *level = mt_str_text(&equals);
  mt_str_addf(out, "return require('lua.notebook.notebook').%s([%s[", function,
              level);
  mt_str_add_bytes(out, text + word, first - word);
  mt_str_addf(out, "]%s], [%s[\n%s\n]%s])", level, level, text + first,
              level);
  if (equals.failed) out->failed = true; /* a shorter one could be closed */
  mt_str_free(&equals);
}

/* Text of the cell as Lua, and how it is run; NULL: its first line is no magic
** of ours. */
typedef mt_Exit Run(lua_State *L, const char *text, size_t n, const char *name);

static Run *translate(mt_Notebook *nb, const char *text, mt_Str *out) {
  char call[32];
  if (mt_starts(text, "%%msl") && strchr(" \t\r\n", text[5])) {
    translate_magic(text, "msl", out);
    return mt_run_trusted;
  } else if (mt_starts(text, "%%task") && strchr(" \t\r\n", text[6])) {
    translate_magic(text, "task", out);
    return mt_run_trusted;
  } else if (mt_starts(text, "%%lua") || mt_starts(text, "%lua")) {
    size_t word = text[1] == '%' ? 5 : 4;
    mt_str_add(out, text + word);
  } else if (text[0] == '%') {
    return NULL;
  } else {
    bool word = mt_console_command(nb->L, text, call);
    mt_str_add(out, word ? call : text);
  }
  return mt_run_cell;
}

static void run_code(mt_Notebook *nb, const char *text) {
  char name[32];
  mt_Str code = MT_STR_INIT;
  snprintf(name, sizeof name, "=cell %d", nb->count);
  Run *run = translate(nb, text, &code);
  mt_notebook_clock(nb, true);
  if (code.failed) {
    take_error(nb, false, "not enough memory for the cell", "");
  } else if (!run) {
    mt_str_addf(&code,
                "'%.*s' is not known: a cell is Lua, or Metal's language "
                "after %%%%msl NAME",
                (int)strcspn(text, " \t\r\n"), text);
    take_error(nb, false, mt_str_text(&code), "");
  } else if (run(nb->L, mt_str_text(&code), code.length, name) != MT_EXIT_OK &&
             !nb->error.failed) {
    take_error(nb, false, "the cell could not be run", "");
  }
  mt_notebook_clock(nb, false);
  mt_str_free(&code);
}

/* One of the requests for values that come with a cell. */
static cJSON *evaluate(mt_Notebook *nb, const char *expression) {
  lua_State *L = nb->L;
  int top = lua_gettop(L);
  lua_pushstring(L, expression);
  mt_notebook_clock(nb, true);
  bool ok = mt_notebook_call(nb, "evaluate", 1);
  mt_notebook_clock(nb, false);
  const char *text = lua_tostring(L, -1);
  cJSON *content = mt_notebook_reply(ok ? "ok" : "error");
  if (ok) {
    cJSON *data = cJSON_AddObjectToObject(content, "data");
    cJSON_AddStringToObject(data, "text/plain", text ? text : "");
    cJSON_AddObjectToObject(content, "metadata");
  } else {
    cJSON_AddStringToObject(content, "ename", "Error");
    cJSON_AddStringToObject(content, "evalue", text ? text : "");
    cJSON_AddArrayToObject(content, "traceback");
  }
  lua_settop(L, top);
  return content;
}

static void add_expressions(mt_Notebook *nb, cJSON *content) {
  const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(nb->request.content,
                                                         "user_expressions");
  cJSON *out = cJSON_AddObjectToObject(content, "user_expressions"), *value;
  const cJSON *e;
  cJSON_ArrayForEach(e, wanted) {
    if (!cJSON_IsString(e)) continue;
    value = evaluate(nb, e->valuestring);
    cJSON_AddItemToObject(out, e->string, value);
  }
  cJSON_AddArrayToObject(content, "payload");
}

static void echo_code(mt_Notebook *nb, const char *code) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "code", code);
  cJSON_AddNumberToObject(content, "execution_count", nb->count);
  mt_jupyter_publish(nb->jupyter, nb->request.header, "execute_input", content);
}

/* Once, with the first cell: what the walls around it are not made of. */
static void say_weakness(mt_Notebook *nb) {
  const char *weakness = nb->sandboxed ? mt_confine_weakness() : NULL;
  if (weakness && !nb->said_weakness && !nb->silent) {
    fprintf(stderr, "mettle: note: %s\n", weakness);
    nb->said_weakness = true;
  }
}

/* How the cell ended: its error, or the values that were asked for with it. */
static void add_outcome(mt_Notebook *nb, cJSON *content) {
  if (!nb->error.failed) {
    add_expressions(nb, content);
    return;
  }
  add_error(&nb->error, content);
  cJSON *told = cJSON_CreateObject();
  add_error(&nb->error, told);
  mt_notebook_publish(nb, "error", told);
}

static void run_cell(mt_Notebook *nb, const char *code, bool blank) {
  if (!nb->silent) echo_code(nb, code);
  mt_streams_turn(nb->request.header, nb->silent);
  forget_error(nb);
  say_weakness(nb);
  if (!blank) run_code(nb, code);
  mt_streams_turn(nb->request.header, nb->silent);
}

void mt_notebook_execute(mt_Notebook *nb, const cJSON *asked) {
  if (nb->behind_failure) {
    mt_notebook_answer(nb, "execute_reply", mt_notebook_reply("aborted"));
    return;
  }
  const char *code = mt_json_text(asked, "code");
  nb->silent = mt_json_flag(asked, "silent", false);
  bool kept = !nb->silent && mt_json_flag(asked, "store_history", true);
  bool blank = code[strspn(code, " \t\r\n")] == '\0';
  if (kept && !blank) {
    nb->count++;
    mt_history_add(code);
  }
  run_cell(nb, code, blank);
  if (nb->error.failed && mt_json_flag(asked, "stop_on_error", true))
    mt_notebook_take_waiting(nb);
  cJSON *content = mt_notebook_reply(nb->error.failed ? "error" : "ok");
  cJSON_AddNumberToObject(content, "execution_count", nb->count);
  add_outcome(nb, content);
  mt_notebook_answer(nb, "execute_reply", content);
}

/* ---------------------------------------------------------------- interface */

void mt_notebook_open_cells(mt_Notebook *nb) {
  nb->view = (mt_RunView){"lua.notebook.notebook", take_error, nb};
  mt_run_view(nb->L, &nb->view);
  lua_pushcfunction(nb->L, open_module);
  lua_pushlightuserdata(nb->L, nb);
  lua_call(nb->L, 1, 1);
  luaL_getsubtable(nb->L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_insert(nb->L, -2);
  lua_setfield(nb->L, -2, "mettle.notebook");
  lua_pop(nb->L, 1);
}

void mt_notebook_close_cells(mt_Notebook *nb) { forget_error(nb); }
