/*
** notebook.c - execute, complete, inspect and the other requests of Jupyter.
**
** The thread that runs Lua answers the shell channel, one request after
** another. A second thread answers the control channel, so that a notebook can
** interrupt and end what runs: it sends this process the signal of Ctrl-C.
** What is printed is published by a third (jupyter/streams.h). Values are shown
** by lua/notebook.lua, through the functions of "mettle.notebook" below.
*/
#include "repl/notebook.h"

#include <fnmatch.h>
#include <lauxlib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/notice.h"
#include "jupyter/streams.h"
#include "lua/mettle.h"
#include "repl/complete.h"
#include "repl/console.h"
#include "repl/history.h"
#include "repl/interrupt.h"
#include "repl/run.h"
#include "repl/session.h"

enum {
  LOOK = 500, /* milliseconds from one look at the world to the next */
  GOODBYE = 3 /* seconds that what runs has to end */
};

typedef struct Waiting {
  mt_JupyterMessage message;
  struct Waiting *next;
} Waiting;

static struct {
  mt_Jupyter *jupyter;
  lua_State *L;
  pthread_t main;
  atomic_bool over;          /* somebody ended it */
  int count;                 /* cells executed */
  size_t earlier;            /* entries of the history before them */
  mt_JupyterMessage request; /* the one that is answered */
  Waiting *waiting;          /* requests that waited while a cell failed */
  bool behind_failure;       /* the request is one of them */
  bool silent;               /* it asked that nothing be published */
  bool failed;               /* the cell; what follows is its error */
  char *error_name, *error_message;
  cJSON *traceback;
} nb;

/* -------------------------------------------------------------- publishing */

static void say_status(const cJSON *parent, const char *state) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "execution_state", state);
  mt_jupyter_publish(nb.jupyter, parent, "status", content);
}

static cJSON *reply_of(const char *status) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "status", status);
  return content;
}

static void answer(const char *type, cJSON *content) {
  mt_jupyter_send(nb.jupyter, MT_JUPYTER_SHELL, &nb.request, type, content);
}

/* After everything that was printed so far. */
static void publish_now(const char *type, cJSON *content) {
  if (nb.silent) {
    cJSON_Delete(content);
    return;
  }
  mt_streams_turn(nb.request.header, false);
  mt_jupyter_publish(nb.jupyter, nb.request.header, type, content);
}

/* ------------------------------------------------- require "mettle.notebook"
 */

/*
** publish(type, json): "display_data", "update_display_data" or
** "execute_result", with its content: data, metadata, transient.
*/
static int notebook_publish(lua_State *L) {
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
  if (type == 2) cJSON_AddNumberToObject(content, "execution_count", nb.count);
  publish_now(types[type], content);
  return 0;
}

/* Wait for the line that the person enters; false: interrupted, or over. */
static bool wait_for_input(mt_JupyterMessage *reply) {
  for (;;) {
    bool got = mt_jupyter_receive(nb.jupyter, MT_JUPYTER_STDIN, LOOK, reply);
    if (got && strcmp(reply->type, "input_reply") == 0) return true;
    if (mt_cancelled() || atomic_load(&nb.over)) return false;
  }
}

/* input(prompt) -> the line, without its newline */
static int notebook_input(lua_State *L) {
  const char *prompt = luaL_optstring(L, 1, "");
  mt_JupyterMessage reply = {.type = ""};
  if (!mt_json_flag(nb.request.content, "allow_stdin", false))
    return luaL_error(L, "this notebook takes no input");
  mt_streams_turn(nb.request.header, nb.silent);
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "prompt", prompt);
  cJSON_AddFalseToObject(content, "password");
  mt_jupyter_send(nb.jupyter, MT_JUPYTER_STDIN, &nb.request, "input_request",
                  content);
  bool got = wait_for_input(&reply);
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
  lua_pushinteger(L, nb.count);
  return 1;
}

static int open_module(lua_State *L) {
  static const luaL_Reg functions[] = {{"publish", notebook_publish},
                                       {"input", notebook_input},
                                       {"base64", notebook_base64},
                                       {"cell", notebook_cell},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

/* ------------------------------------------------------------------ errors */

static void forget_error(void) {
  free(nb.error_name);
  free(nb.error_message);
  cJSON_Delete(nb.traceback);
  nb.error_name = nb.error_message = NULL;
  nb.traceback = NULL;
  nb.failed = false;
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
static void take_error(bool interrupted, const char *message,
                       const char *details) {
  forget_error();
  nb.failed = true;
  nb.error_name = strdup(interrupted ? "Interrupted" : "Error");
  nb.error_message = strdup(message);
  nb.traceback = cJSON_CreateArray();
  size_t first = strcspn(message, "\n");
  add_lines(nb.traceback, message, first, "\033[31m");
  add_lines(nb.traceback, message + first + (message[first] == '\n'), SIZE_MAX,
            "");
  add_lines(nb.traceback, details, SIZE_MAX, "\033[90m");
}

static void add_error(cJSON *content) {
  cJSON_AddStringToObject(content, "ename",
                          nb.error_name ? nb.error_name : "Error");
  cJSON_AddStringToObject(content, "evalue",
                          nb.error_message ? nb.error_message : "");
  cJSON_AddItemToObject(
      content, "traceback",
      nb.traceback ? cJSON_Duplicate(nb.traceback, true) : cJSON_CreateArray());
}

/* ----------------------------------------------------------------- execute */

/* A long bracket that the text does not close: its number of '='. */
static int free_level(const char *text) {
  char mark[64] = "]";
  for (int level = 0; level < 60; level++) {
    mark[level + 1] = ']';
    mark[level + 2] = '\0';
    if (!strstr(text, mark)) return level;
    mark[level + 1] = '=';
  }
  return 60;
}

/*
** %%msl NAME, and Metal's language below: Lua that compiles it; %%task LESSON,
** and an answer below: Lua that judges it. An empty line stands for the first
** one, so that messages count as the cell does.
*/
static void translate_magic(const char *text, const char *function,
                            mt_Str *out) {
  size_t word = strcspn(text, " \t\r\n"), first = strcspn(text, "\n");
  int level = free_level(text);
  char equals[64];
  memset(equals, '=', (size_t)level);
  equals[level] = '\0';
  mt_str_addf(out, "return require('lua.notebook').%s([%s[", function, equals);
  mt_str_add_bytes(out, text + word, first - word);
  mt_str_addf(out, "]%s], [%s[\n%s\n]%s])", equals, equals, text + first,
              equals);
}

/* Text of the cell as Lua; false: its first line is no magic of ours. */
static bool translate(const char *text, mt_Str *out) {
  char call[32];
  if (mt_starts(text, "%%msl") && strchr(" \t\r\n", text[5])) {
    translate_magic(text, "msl", out);
  } else if (mt_starts(text, "%%task") && strchr(" \t\r\n", text[6])) {
    translate_magic(text, "task", out);
  } else if (mt_starts(text, "%%lua") || mt_starts(text, "%lua")) {
    size_t word = text[1] == '%' ? 5 : 4;
    mt_str_add(out, text + word);
  } else if (text[0] == '%') {
    return false;
  } else {
    bool word = mt_console_command(nb.L, text, call);
    mt_str_add(out, word ? call : text);
  }
  return true;
}

static void run_code(const char *text) {
  char name[32];
  mt_Str code = MT_STR_INIT;
  snprintf(name, sizeof name, "=cell %d", nb.count);
  if (!translate(text, &code)) {
    mt_str_addf(&code,
                "'%.*s' is not known: a cell is Lua, or Metal's language "
                "after %%%%msl NAME",
                (int)strcspn(text, " \t\r\n"), text);
    take_error(false, mt_str_text(&code), "");
  } else if (mt_run_cell(nb.L, mt_str_text(&code), code.length, name) !=
                 MT_EXIT_OK &&
             !nb.failed) {
    take_error(false, "the cell could not be run", "");
  }
  mt_str_free(&code);
}

/* One of the requests for values that come with a cell. */
static cJSON *evaluate(const char *expression) {
  lua_State *L = nb.L;
  int top = lua_gettop(L);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.notebook");
  bool ok = lua_pcall(L, 1, 1, 0) == LUA_OK &&
            lua_getfield(L, -1, "evaluate") == LUA_TFUNCTION;
  lua_pushstring(L, expression);
  mt_interrupt_begin(L);
  ok = ok && lua_pcall(L, 1, 1, 0) == LUA_OK;
  mt_interrupt_end(L);
  const char *text = lua_tostring(L, -1);
  cJSON *content = reply_of(ok ? "ok" : "error");
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

static void add_expressions(cJSON *content) {
  const cJSON *wanted =
      cJSON_GetObjectItemCaseSensitive(nb.request.content, "user_expressions");
  cJSON *out = cJSON_AddObjectToObject(content, "user_expressions"), *value;
  const cJSON *e;
  cJSON_ArrayForEach(e, wanted) {
    if (!cJSON_IsString(e)) continue;
    value = evaluate(e->valuestring);
    cJSON_AddItemToObject(out, e->string, value);
  }
  cJSON_AddArrayToObject(content, "payload");
}

/*
** A cell failed: the cells that wait behind it are not run. Which these are is
** settled before anybody hears of the failure; what is asked after that is a
** new beginning.
*/
static void take_waiting(void) {
  for (;;) {
    Waiting *w = calloc(1, sizeof *w);
    if (w == NULL) return;
    w->message.type = "";
    if (!mt_jupyter_receive(nb.jupyter, MT_JUPYTER_SHELL, 0, &w->message)) {
      free(w);
      return;
    }
    Waiting **end = &nb.waiting;
    while (*end) end = &(*end)->next;
    *end = w;
  }
}

/* The next request, of those that waited first. */
static bool next_request(void) {
  Waiting *w = nb.waiting;
  nb.behind_failure = w != NULL;
  if (w == NULL)
    return mt_jupyter_receive(nb.jupyter, MT_JUPYTER_SHELL, LOOK, &nb.request);
  mt_jupyter_message_free(&nb.request);
  nb.request = w->message;
  nb.waiting = w->next;
  free(w);
  return true;
}

static void echo_code(const char *code) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "code", code);
  cJSON_AddNumberToObject(content, "execution_count", nb.count);
  mt_jupyter_publish(nb.jupyter, nb.request.header, "execute_input", content);
}

static void execute(const cJSON *asked) {
  if (nb.behind_failure) {
    answer("execute_reply", reply_of("aborted"));
    return;
  }
  const char *code = mt_json_text(asked, "code");
  nb.silent = mt_json_flag(asked, "silent", false);
  bool kept = !nb.silent && mt_json_flag(asked, "store_history", true);
  bool blank = code[strspn(code, " \t\r\n")] == '\0';
  if (kept && !blank) {
    nb.count++;
    mt_history_add(code);
  }
  if (!nb.silent) echo_code(code);
  mt_streams_turn(nb.request.header, nb.silent);
  forget_error();
  if (!blank) run_code(code);
  mt_streams_turn(nb.request.header, nb.silent);
  if (nb.failed && mt_json_flag(asked, "stop_on_error", true)) take_waiting();
  cJSON *content = reply_of(nb.failed ? "error" : "ok");
  cJSON_AddNumberToObject(content, "execution_count", nb.count);
  if (nb.failed) {
    add_error(content);
    cJSON *told = cJSON_CreateObject();
    add_error(told);
    publish_now("error", told);
  } else {
    add_expressions(content);
  }
  answer("execute_reply", content);
}

/* ---------------------------------------------------- other shell requests */

/* Jupyter counts characters, Mettle bytes. */
static size_t bytes_of(const char *text, size_t characters) {
  size_t n = 0;
  while (text[n] && characters > 0) {
    n++;
    while (((unsigned char)text[n] & 0xc0) == 0x80) n++;
    characters--;
  }
  return n;
}

static size_t characters_of(const char *text, size_t bytes) {
  size_t n = 0;
  for (size_t i = 0; i < bytes && text[i]; i++)
    n += ((unsigned char)text[i] & 0xc0) != 0x80;
  return n;
}

static size_t cursor_in(const cJSON *asked, const char *code) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(asked, "cursor_pos");
  if (!cJSON_IsNumber(at) || at->valuedouble < 0) return strlen(code);
  return bytes_of(code, (size_t)at->valuedouble);
}

static void complete(const cJSON *asked) {
  const char *code = mt_json_text(asked, "code");
  size_t at = cursor_in(asked, code), line = at;
  while (line > 0 && code[line - 1] != '\n') line--;
  mt_Str above = MT_STR_INIT, before = MT_STR_INIT;
  mt_Choices choices = {0};
  mt_str_add_bytes(&above, code, line);
  mt_str_add_bytes(&before, code + line, at - line);
  mt_Typing typing = {nb.L, &above};
  if (code[0] != '%') mt_complete(&typing, mt_str_text(&before), &choices);
  cJSON *content = reply_of("ok"), *matches = cJSON_CreateArray();
  for (size_t i = 0; i < choices.count; i++)
    cJSON_AddItemToArray(matches, cJSON_CreateString(choices.choices[i]));
  cJSON_AddItemToObject(content, "matches", matches);
  cJSON_AddNumberToObject(content, "cursor_start",
                          (double)characters_of(code, at - choices.typed));
  cJSON_AddNumberToObject(content, "cursor_end",
                          (double)characters_of(code, at));
  cJSON_AddObjectToObject(content, "metadata");
  answer("complete_reply", content);
  mt_choices_free(&choices);
  mt_str_free(&above);
  mt_str_free(&before);
}

/* Help on what stands at the cursor, by lua/notebook.lua. */
static void inspect(const cJSON *asked) {
  lua_State *L = nb.L;
  int top = lua_gettop(L);
  const char *code = mt_json_text(asked, "code");
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.notebook");
  bool found = lua_pcall(L, 1, 1, 0) == LUA_OK &&
               lua_getfield(L, -1, "inspect") == LUA_TFUNCTION;
  lua_pushstring(L, code);
  lua_pushinteger(L, (lua_Integer)cursor_in(asked, code));
  found = found && lua_pcall(L, 2, 1, 0) == LUA_OK && lua_isstring(L, -1);
  cJSON *content = reply_of("ok");
  cJSON_AddBoolToObject(content, "found", found);
  cJSON *data = cJSON_AddObjectToObject(content, "data");
  if (found) cJSON_AddStringToObject(data, "text/plain", lua_tostring(L, -1));
  cJSON_AddObjectToObject(content, "metadata");
  answer("inspect_reply", content);
  lua_settop(L, top);
}

static void is_complete(const cJSON *asked) {
  const char *code = mt_json_text(asked, "code");
  char call[32];
  bool magic = code[0] == '%';
  mt_Exit state = magic || mt_console_command(nb.L, code, call)
                      ? MT_EXIT_OK
                      : mt_run_cell_state(nb.L, code, strlen(code));
  cJSON *content = reply_of(state == MT_EXIT_OK     ? "complete"
                            : state == MT_EXIT_MORE ? "incomplete"
                                                    : "invalid");
  if (state == MT_EXIT_MORE) cJSON_AddStringToObject(content, "indent", "  ");
  answer("is_complete_reply", content);
}

static size_t number_in(const cJSON *asked, const char *name,
                        size_t otherwise) {
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(asked, name);
  return cJSON_IsNumber(v) && v->valueint >= 0 ? (size_t)v->valueint
                                               : otherwise;
}

/* [session, line, text], or with [text, output]: outputs are not kept. */
static cJSON *history_entry(size_t i, bool output) {
  cJSON *entry = cJSON_CreateArray();
  cJSON *text = cJSON_CreateString(mt_history_at(i));
  cJSON_AddItemToArray(entry, cJSON_CreateNumber(i >= nb.earlier));
  size_t line = i >= nb.earlier ? i - nb.earlier : i;
  cJSON_AddItemToArray(entry, cJSON_CreateNumber((double)line + 1));
  if (output) {
    cJSON *both = cJSON_CreateArray();
    cJSON_AddItemToArray(both, text);
    cJSON_AddItemToArray(both, cJSON_CreateNull());
    text = both;
  }
  cJSON_AddItemToArray(entry, text);
  return entry;
}

/* Is the entry typed once more, later? */
static bool comes_again(size_t i, size_t count) {
  for (size_t k = i + 1; k < count; k++)
    if (strcmp(mt_history_at(k), mt_history_at(i)) == 0) return true;
  return false;
}

/*
** The last n entries ("tail"), the last n that match ("search"), or lines of
** this session ("range"). Earlier sessions, and the console's, are one: 0.
*/
static void history(const cJSON *asked) {
  const char *how = mt_json_text(asked, "hist_access_type");
  const char *pattern = mt_json_text(asked, "pattern");
  bool search = strcmp(how, "search") == 0, range = strcmp(how, "range") == 0;
  bool unique = mt_json_flag(asked, "unique", false);
  bool output = mt_json_flag(asked, "output", false);
  size_t count = mt_history_count(), most = number_in(asked, "n", count);
  size_t from = 0, to = count;
  if (range) {
    size_t first = number_in(asked, "start", 1);
    size_t stop = number_in(asked, "stop", count + 1);
    from = nb.earlier + (first ? first - 1 : 0);
    if (stop > 0 && nb.earlier + stop - 1 < to) to = nb.earlier + stop - 1;
    most = count;
  }
  cJSON *content = reply_of("ok");
  cJSON *list = cJSON_AddArrayToObject(content, "history");
  for (size_t i = to; i > from && most > 0; i--) {
    if (search && fnmatch(pattern, mt_history_at(i - 1), 0) != 0) continue;
    if (unique && comes_again(i - 1, count)) continue;
    cJSON_InsertItemInArray(list, 0, history_entry(i - 1, output));
    most--;
  }
  answer("history_reply", content);
}

static void comm_info(const cJSON *asked) {
  (void)asked;
  cJSON *content = reply_of("ok");
  cJSON_AddObjectToObject(content, "comms");
  answer("comm_info_reply", content);
}

/* There are no widgets here: whoever opens one is told so. */
static void comm_open(const cJSON *asked) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "comm_id", mt_json_text(asked, "comm_id"));
  cJSON_AddObjectToObject(content, "data");
  mt_jupyter_publish(nb.jupyter, nb.request.header, "comm_close", content);
}

static cJSON *kernel_info(void) {
  cJSON *content = reply_of("ok");
  cJSON_AddStringToObject(content, "protocol_version", MT_JUPYTER_PROTOCOL);
  cJSON_AddStringToObject(content, "implementation", "mettle");
  cJSON_AddStringToObject(content, "implementation_version", MT_VERSION);
  cJSON_AddStringToObject(content, "banner",
                          "Mettle " MT_VERSION
                          ": Metal compute kernels, from "
                          "Lua. help() explains, Tab completes.");
  cJSON_AddFalseToObject(content, "debugger");
  cJSON_AddArrayToObject(content, "help_links");
  cJSON *language = cJSON_AddObjectToObject(content, "language_info");
  cJSON_AddStringToObject(language, "name", "lua");
  cJSON_AddStringToObject(language, "version",
                          LUA_VERSION_MAJOR "." LUA_VERSION_MINOR);
  cJSON_AddStringToObject(language, "mimetype", "text/x-lua");
  cJSON_AddStringToObject(language, "file_extension", ".lua");
  cJSON_AddStringToObject(language, "pygments_lexer", "lua");
  cJSON_AddStringToObject(language, "codemirror_mode", "lua");
  return content;
}

static void say_kernel_info(const cJSON *asked) {
  (void)asked;
  answer("kernel_info_reply", kernel_info());
}

static cJSON *shutdown_reply(const cJSON *asked) {
  cJSON *content = reply_of("ok");
  cJSON_AddBoolToObject(content, "restart",
                        mt_json_flag(asked, "restart", false));
  return content;
}

static void shut_down(const cJSON *asked) {
  answer("shutdown_reply", shutdown_reply(asked));
  atomic_store(&nb.over, true);
}

static const struct {
  const char *type;
  void (*answer)(const cJSON *asked);
} requests[] = {
    {"execute_request", execute},    {"complete_request", complete},
    {"inspect_request", inspect},    {"is_complete_request", is_complete},
    {"history_request", history},    {"comm_info_request", comm_info},
    {"comm_open", comm_open},        {"kernel_info_request", say_kernel_info},
    {"shutdown_request", shut_down},
};

static void answer_request(void) {
  say_status(nb.request.header, "busy");
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    if (strcmp(nb.request.type, requests[i].type) == 0)
      requests[i].answer(nb.request.content);
  say_status(nb.request.header, "idle");
}

/* ------------------------------------------------------------------ control */

static void *end_at_last(void *none) {
  (void)none;
  sleep(GOODBYE);
  _exit(0);
}

/* What runs is interrupted, and has a moment to end. */
static void end_all(void) {
  pthread_t late;
  atomic_store(&nb.over, true);
  pthread_kill(nb.main, SIGINT);
  if (pthread_create(&late, NULL, end_at_last, NULL) == 0) pthread_detach(late);
}

static void answer_control(const mt_JupyterMessage *m) {
  const char *type = NULL;
  cJSON *content = NULL;
  if (strcmp(m->type, "interrupt_request") == 0) {
    pthread_kill(nb.main, SIGINT);
    type = "interrupt_reply", content = reply_of("ok");
  } else if (strcmp(m->type, "shutdown_request") == 0) {
    type = "shutdown_reply", content = shutdown_reply(m->content);
  } else if (strcmp(m->type, "kernel_info_request") == 0) {
    type = "kernel_info_reply", content = kernel_info();
  }
  say_status(m->header, "busy");
  if (type) mt_jupyter_send(nb.jupyter, MT_JUPYTER_CONTROL, m, type, content);
  say_status(m->header, "idle");
  if (strcmp(m->type, "shutdown_request") == 0) end_all();
}

/* Ends the kernel when whoever started it has died, too. */
static void *serve_control(void *none) {
  (void)none;
  pid_t parent = getppid();
  mt_JupyterMessage m = {.type = ""};
  while (!atomic_load(&nb.over)) {
    if (mt_jupyter_receive(nb.jupyter, MT_JUPYTER_CONTROL, LOOK, &m))
      answer_control(&m);
    if (getppid() != parent && !atomic_load(&nb.over)) end_all();
  }
  mt_jupyter_message_free(&m);
  return NULL;
}

static bool start_control(pthread_t *thread) {
  sigset_t all, before;
  sigfillset(&all); /* Ctrl-C is for the thread that runs Lua */
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool ok = pthread_create(thread, NULL, serve_control, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

/* -------------------------------------------------------------------- serve */

static void prepare_lua(lua_State *L) {
  luaL_requiref(L, "mettle.notebook", open_module, 0);
  lua_pop(L, 1);
  mt_lua_for_person(L);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.notebook");
  bool ok = lua_pcall(L, 1, 1, 0) == LUA_OK &&
            lua_getfield(L, -1, "begin") == LUA_TFUNCTION &&
            lua_pcall(L, 0, 0, 0) == LUA_OK;
  if (!ok) {
    const char *why = lua_tostring(L, -1);
    mt_streams_complain(why ? why : "lua/notebook.lua is not there");
  }
  lua_settop(L, 0);
}

/* Long work says what it does; the text is replaced, and goes at the end. */
static void show_notice(const char *text) {
  static unsigned notices;
  static bool shown;
  char id[32];
  if (!shown && text == NULL) return;
  if (!shown) notices++;
  snprintf(id, sizeof id, "mettle-notice-%u", notices);
  cJSON *content = cJSON_CreateObject();
  cJSON *data = cJSON_AddObjectToObject(content, "data");
  cJSON_AddStringToObject(data, "text/plain", text ? text : "");
  cJSON_AddObjectToObject(content, "metadata");
  cJSON *transient = cJSON_AddObjectToObject(content, "transient");
  cJSON_AddStringToObject(transient, "display_id", id);
  mt_jupyter_publish(nb.jupyter, nb.request.header,
                     shown ? "update_display_data" : "display_data", content);
  shown = text != NULL;
}

static void show_warning(const char *text) {
  fprintf(stderr, "mettle: %s\n", text);
}

static void serve_shell(void) {
  while (!atomic_load(&nb.over))
    if (next_request()) answer_request();
}

static int serve_with(lua_State *L) {
  static const mt_RunView view = {"lua.notebook", take_error};
  pthread_t control;
  mt_Error err;
  nb.L = L;
  if (mt_streams_open(nb.jupyter, &err) != MT_OK || !start_control(&control)) {
    mt_streams_complain("the kernel could not be started");
    return MT_EXIT_ERROR;
  }
  mt_warning_set(show_warning);
  mt_notice_set(show_notice);
  mt_run_view(&view);
  mt_history_load();
  nb.earlier = mt_history_count();
  prepare_lua(L);
  say_status(NULL, "starting");
  serve_shell();
  pthread_join(control, NULL);
  forget_error();
  mt_jupyter_message_free(&nb.request);
  mt_history_free();
  mt_streams_close();
  return MT_EXIT_OK;
}

int mt_notebook_serve(const char *connection_file) {
  mt_Error err;
  nb.main = pthread_self();
  nb.request.type = "";
  if (mt_jupyter_open(connection_file, &nb.jupyter, &err) != MT_OK) {
    fprintf(stderr, "mettle: %s\n", err.text);
    return MT_EXIT_ERROR;
  }
  lua_State *L = mt_session_open();
  int status = L ? serve_with(L) : MT_EXIT_ERROR;
  if (L) mt_interrupt_close(L);
  mt_jupyter_close(nb.jupyter);
  return status;
}
