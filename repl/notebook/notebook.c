/*
** notebook.c - the kernel's threads, and the order in which it answers.
**
** The thread that runs Lua answers the shell channel, one request after
** another. A second thread answers the control channel, so that a notebook can
** interrupt and end what runs: it sends this process the signal of Ctrl-C.
** What is printed is published by a third (jupyter/streams.h). The answers are
** in cells.c and answers.c.
*/
#include "repl/notebook/notebook.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/notice.h"
#include "base/thread.h"
#include "lua/mettle.h"
#include "repl/line/history.h"
#include "repl/lua/interrupt.h"
#include "repl/lua/run.h"
#include "repl/lua/session.h"
#include "repl/notebook/inside.h"

enum { GOODBYE = 3 }; /* seconds that what runs has to end */

/* In a sandbox: seconds beyond a cell's limit, and bytes for all of it. */
#define GRACE 5.0
#define DATA_LIMIT ((rlim_t)2 << 30)
#define FILE_LIMIT ((rlim_t)256 << 20)

mt_Notebook mt_notebook;

/* -------------------------------------------------------------- publishing */

static void say_status(const cJSON *parent, const char *state) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "execution_state", state);
  mt_jupyter_publish(mt_notebook.jupyter, parent, "status", content);
}

cJSON *mt_notebook_reply(const char *status) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "status", status);
  return content;
}

void mt_notebook_answer(const char *type, cJSON *content) {
  mt_jupyter_send(mt_notebook.jupyter, MT_JUPYTER_SHELL, &mt_notebook.request,
                  type, content);
}

/* After everything that was printed so far. */
void mt_notebook_publish(const char *type, cJSON *content) {
  if (mt_notebook.silent) {
    cJSON_Delete(content);
    return;
  }
  mt_streams_turn(mt_notebook.request.header, false);
  mt_jupyter_publish(mt_notebook.jupyter, mt_notebook.request.header, type,
                     content);
}

/* ----------------------------------------------------------- shell requests */

/*
** A cell failed: the cells that wait after it are not run. Which these are is
** settled before anybody hears of the failure; what is asked after that is a
** new beginning.
*/
void mt_notebook_take_waiting(void) {
  for (;;) {
    mt_NotebookWaiting *w = calloc(1, sizeof *w);
    if (w == NULL) return;
    w->message.type = "";
    if (!mt_jupyter_receive(mt_notebook.jupyter, MT_JUPYTER_SHELL, 0,
                            &w->message)) {
      free(w);
      return;
    }
    mt_NotebookWaiting **end = &mt_notebook.waiting;
    while (*end) end = &(*end)->next;
    *end = w;
  }
}

/* The next request, of those that waited first. */
static bool next_request(void) {
  mt_NotebookWaiting *w = mt_notebook.waiting;
  mt_notebook.behind_failure = w != NULL;
  if (w == NULL)
    return mt_jupyter_receive(mt_notebook.jupyter, MT_JUPYTER_SHELL,
                              MT_NOTEBOOK_LOOK, &mt_notebook.request);
  mt_jupyter_message_free(&mt_notebook.request);
  mt_notebook.request = w->message;
  mt_notebook.waiting = w->next;
  free(w);
  return true;
}

static void say_kernel_info(const cJSON *asked) {
  (void)asked;
  mt_notebook_answer("kernel_info_reply", mt_notebook_kernel_info());
}

static cJSON *shutdown_reply(const cJSON *asked) {
  cJSON *content = mt_notebook_reply("ok");
  cJSON_AddBoolToObject(content, "restart",
                        mt_json_flag(asked, "restart", false));
  return content;
}

static void shut_down(const cJSON *asked) {
  mt_notebook_answer("shutdown_reply", shutdown_reply(asked));
  atomic_store(&mt_notebook.over, true);
}

static const struct {
  const char *type;
  void (*answer)(const cJSON *asked);
} requests[] = {
    {"execute_request", mt_notebook_execute},
    {"complete_request", mt_notebook_complete},
    {"inspect_request", mt_notebook_inspect},
    {"is_complete_request", mt_notebook_is_complete},
    {"history_request", mt_notebook_history},
    {"comm_info_request", mt_notebook_comm_info},
    {"comm_open", mt_notebook_comm_open},
    {"kernel_info_request", say_kernel_info},
    {"shutdown_request", shut_down},
};

static void answer_request(void) {
  say_status(mt_notebook.request.header, "busy");
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    if (strcmp(mt_notebook.request.type, requests[i].type) == 0)
      requests[i].answer(mt_notebook.request.content);
  say_status(mt_notebook.request.header, "idle");
}

/* ------------------------------------------------------------------ control */

static void *end_at_last(void *none) {
  (void)none;
  sleep(GOODBYE);
  _exit(0);
}

/* What runs is interrupted, and has a moment to end. */
static void end_all(void) {
  atomic_store(&mt_notebook.over, true);
  pthread_kill(mt_notebook.main, SIGINT);
  mt_thread_start(NULL, end_at_last, NULL);
}

static void answer_control(const mt_JupyterMessage *m) {
  const char *type = NULL;
  cJSON *content = NULL;
  if (strcmp(m->type, "interrupt_request") == 0) {
    pthread_kill(mt_notebook.main, SIGINT);
    type = "interrupt_reply", content = mt_notebook_reply("ok");
  } else if (strcmp(m->type, "shutdown_request") == 0) {
    type = "shutdown_reply", content = shutdown_reply(m->content);
  } else if (strcmp(m->type, "kernel_info_request") == 0) {
    type = "kernel_info_reply", content = mt_notebook_kernel_info();
  }
  say_status(m->header, "busy");
  if (type)
    mt_jupyter_send(mt_notebook.jupyter, MT_JUPYTER_CONTROL, m, type, content);
  say_status(m->header, "idle");
  if (strcmp(m->type, "shutdown_request") == 0) end_all();
}

void mt_notebook_clock(bool runs) {
  atomic_store(&mt_notebook.since, runs ? mt_now_ns() : 0);
}

double mt_notebook_elapsed(void) {
  uint64_t since = atomic_load(&mt_notebook.since);
  return since ? (double)(mt_now_ns() - since) * 1e-9 : 0;
}

/* A cell of a stranger has had its time: it is interrupted, once; where that
** does not end it, the kernel ends, which Jupyter says and repairs. */
static void watch_cell(void) {
  static uint64_t told; /* the cell that was interrupted, by its start */
  double seconds = mt_notebook_elapsed();
  uint64_t cell = atomic_load(&mt_notebook.since);
  if (!mt_notebook.sandboxed || cell == 0) return;
  if (seconds > mt_notebook.limit + GRACE) _exit(1);
  if (seconds <= mt_notebook.limit || told == cell) return;
  told = cell;
  pthread_kill(mt_notebook.main, SIGINT);
}

/* Ends the kernel when whoever started it has died, too. */
static void *serve_control(void *none) {
  (void)none;
  pid_t parent = getppid();
  mt_JupyterMessage m = {.type = ""};
  while (!atomic_load(&mt_notebook.over)) {
    if (mt_jupyter_receive(mt_notebook.jupyter, MT_JUPYTER_CONTROL,
                           MT_NOTEBOOK_LOOK, &m))
      answer_control(&m);
    watch_cell();
    if (getppid() != parent && !atomic_load(&mt_notebook.over)) end_all();
  }
  mt_jupyter_message_free(&m);
  return NULL;
}

/* -------------------------------------------------------------------- serve */

bool mt_notebook_call(const char *name, int n) {
  lua_State *L = mt_notebook.L;
  int at = lua_gettop(L) - n + 1;
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.notebook.notebook");
  bool ok = lua_pcall(L, 1, 1, 0) == LUA_OK;
  if (ok) {
    lua_getfield(L, -1, name);
    lua_remove(L, -2); /* the module */
  }
  lua_insert(L, at);
  if (ok) {
    mt_interrupt_begin(L);
    ok = lua_pcall(L, n, 1, 0) == LUA_OK;
    mt_interrupt_end(L);
  }
  lua_settop(L, at);
  return ok;
}

static void prepare_lua(lua_State *L) {
  mt_notebook_open_cells(L);
  mt_lua_for_person(L);
  lua_pushboolean(L, mt_notebook.sandboxed);
  if (!mt_notebook_call("begin", 1)) {
    const char *why = lua_tostring(L, -1);
    mt_streams_complain(why ? why : "lua/notebook/notebook.lua is not there");
    if (mt_notebook.sandboxed) _exit(1); /* never without its walls */
  }
  lua_settop(L, 0);
}

/* Long work says what it does; the text is replaced, and goes at the end. */
static void show_notice(const char *text) {
  static unsigned notices;
  static bool shown;
  char id[32];
  if (!shown && (text == NULL || mt_notebook.silent)) return;
  if (!shown) notices++;
  snprintf(id, sizeof id, "mettle-notice-%u", notices);
  cJSON *content = cJSON_CreateObject();
  cJSON *data = cJSON_AddObjectToObject(content, "data");
  cJSON_AddStringToObject(data, "text/plain", text ? text : "");
  cJSON_AddObjectToObject(content, "metadata");
  cJSON *transient = cJSON_AddObjectToObject(content, "transient");
  cJSON_AddStringToObject(transient, "display_id", id);
  mt_jupyter_publish(mt_notebook.jupyter, mt_notebook.request.header,
                     shown ? "update_display_data" : "display_data", content);
  shown = text != NULL;
}

static void show_warning(const char *text) {
  fprintf(stderr, "mettle: %s\n", text);
}

static void serve_shell(void) {
  while (!atomic_load(&mt_notebook.over))
    if (next_request()) answer_request();
}

static int serve_with(lua_State *L) {
  pthread_t control;
  mt_Error err;
  mt_notebook.L = L;
  if (mt_streams_open(mt_notebook.jupyter, &err) != MT_OK ||
      !mt_thread_start(&control, serve_control, NULL)) {
    mt_streams_complain("the kernel could not be started");
    return MT_EXIT_ERROR;
  }
  mt_warning_set(show_warning);
  mt_notice_set(show_notice);
  mt_history_load();
  mt_notebook.earlier = mt_history_count();
  prepare_lua(L);
  say_status(NULL, "starting");
  serve_shell();
  pthread_join(control, NULL);
  mt_notebook_close_cells();
  mt_jupyter_message_free(&mt_notebook.request);
  mt_history_free();
  mt_streams_close();
  return MT_EXIT_OK;
}

static void limit(int what, rlim_t most) {
  struct rlimit l;
  if (getrlimit(what, &l) != 0) return;
  if (l.rlim_max == RLIM_INFINITY || l.rlim_max > most) l.rlim_max = most;
  if (l.rlim_cur == RLIM_INFINITY || l.rlim_cur > most) l.rlim_cur = most;
  setrlimit(what, &l);
}

static void limit_all(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit(RLIMIT_DATA, DATA_LIMIT);
#endif
  limit(RLIMIT_FSIZE, FILE_LIMIT);
}

int mt_notebook_serve(const char *connection_file, bool sandboxed,
                      double seconds) {
  mt_Error err;
  mt_notebook.sandboxed = sandboxed;
  mt_notebook.limit = seconds;
  if (sandboxed) limit_all();
  mt_notebook.main = pthread_self();
  mt_notebook.request.type = "";
  if (mt_jupyter_open(connection_file, &mt_notebook.jupyter, &err) != MT_OK) {
    fprintf(stderr, "mettle: %s\n", err.text);
    return MT_EXIT_ERROR;
  }
  lua_State *L = mt_session_open();
  int status = L ? serve_with(L) : MT_EXIT_ERROR;
  if (L) mt_interrupt_close(L);
  mt_jupyter_close(mt_notebook.jupyter);
  return status;
}
