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
#include "repl/notebook/answers.h"
#include "repl/notebook/cells.h"
#include "repl/notebook/request.h"

enum { GOODBYE = 3 }; /* seconds that what runs has to end */

/* In a sandbox: seconds beyond a cell's limit, and bytes for all of it. */
#define GRACE 5.0
#define DATA_LIMIT ((rlim_t)2 << 30)
#define FILE_LIMIT ((rlim_t)256 << 20)

/* -------------------------------------------------------------- publishing */

static void say_status(mt_Notebook *nb, const cJSON *parent,
                       const char *state) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "execution_state", state);
  mt_jupyter_publish(nb->jupyter, parent, "status", content);
}

/* ----------------------------------------------------------- shell requests */

static void say_kernel_info(mt_Notebook *nb, const cJSON *asked) {
  (void)asked;
  mt_notebook_answer(nb, "kernel_info_reply", mt_notebook_kernel_info());
}

static cJSON *shutdown_reply(const cJSON *asked) {
  cJSON *content = mt_notebook_reply("ok");
  cJSON_AddBoolToObject(content, "restart",
                        mt_json_flag(asked, "restart", false));
  return content;
}

static void shut_down(mt_Notebook *nb, const cJSON *asked) {
  mt_notebook_answer(nb, "shutdown_reply", shutdown_reply(asked));
  atomic_store(&nb->over, true);
}

static const struct {
  const char *type;
  void (*answer)(mt_Notebook *nb, const cJSON *asked);
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

static void answer_request(mt_Notebook *nb) {
  say_status(nb, nb->request.header, "busy");
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    if (strcmp(nb->request.type, requests[i].type) == 0)
      requests[i].answer(nb, nb->request.content);
  say_status(nb, nb->request.header, "idle");
}

/* ------------------------------------------------------------------ control */

static void *end_at_last(void *none) {
  (void)none;
  sleep(GOODBYE);
  _exit(0);
}

/* What runs is interrupted, and has a moment to end. */
static void end_all(mt_Notebook *nb) {
  atomic_store(&nb->over, true);
  pthread_kill(nb->main, SIGINT);
  mt_thread_start(NULL, end_at_last, NULL);
}

static void answer_control(mt_Notebook *nb, const mt_JupyterMessage *m) {
  const char *type = NULL;
  cJSON *content = NULL;
  if (strcmp(m->type, "interrupt_request") == 0) {
    pthread_kill(nb->main, SIGINT);
    type = "interrupt_reply", content = mt_notebook_reply("ok");
  } else if (strcmp(m->type, "shutdown_request") == 0) {
    type = "shutdown_reply", content = shutdown_reply(m->content);
  } else if (strcmp(m->type, "kernel_info_request") == 0) {
    type = "kernel_info_reply", content = mt_notebook_kernel_info();
  }
  say_status(nb, m->header, "busy");
  if (type)
    mt_jupyter_send(nb->jupyter, MT_JUPYTER_CONTROL, m, type, content);
  say_status(nb, m->header, "idle");
  if (strcmp(m->type, "shutdown_request") == 0) end_all(nb);
}

/* A cell of a stranger has had its time: it is interrupted, once; where that
** does not end it, the kernel ends, which Jupyter says and repairs. */
static void watch_cell(mt_Notebook *nb) {
  double seconds = mt_notebook_elapsed(nb);
  uint64_t cell = atomic_load(&nb->since);
  if (!nb->sandboxed || cell == 0) return;
  if (seconds > nb->limit + GRACE) _exit(1);
  if (seconds <= nb->limit || nb->told == cell) return;
  nb->told = cell;
  pthread_kill(nb->main, SIGINT);
}

/* Ends the kernel also when the process that started it has died. */
static void *serve_control(void *notebook) {
  mt_Notebook *nb = notebook;
  pid_t parent = getppid();
  mt_JupyterMessage m = {.type = ""};
  while (!atomic_load(&nb->over)) {
    if (mt_jupyter_receive(nb->jupyter, MT_JUPYTER_CONTROL,
                           MT_NOTEBOOK_LOOK, &m))
      answer_control(nb, &m);
    watch_cell(nb);
    if (getppid() != parent && !atomic_load(&nb->over)) end_all(nb);
  }
  mt_jupyter_message_free(&m);
  return NULL;
}

/* -------------------------------------------------------------------- serve */

static void prepare_lua(mt_Notebook *nb) {
  lua_State *L = nb->L;
  mt_notebook_open_cells(nb);
  mt_lua_for_person(L);
  lua_pushboolean(L, nb->sandboxed);
  if (!mt_notebook_call(nb, "begin", 1)) {
    const char *why = lua_tostring(L, -1);
    mt_streams_complain(why ? why : "lua/notebook/notebook.lua is not there");
    if (nb->sandboxed) _exit(1); /* never without its walls */
  }
  lua_settop(L, 0);
}

/* Whom notices go to, whose functions have no context (base/notice.h). */
static mt_Notebook *served;

/* Long work says what it does; the text is replaced, and goes at the end. */
static void show_notice(const char *text) {
  mt_Notebook *nb = served;
  bool shown = nb->notice_shown;
  char id[32];
  if (!shown && (text == NULL || nb->silent)) return;
  if (!shown) nb->notices++;
  snprintf(id, sizeof id, "mettle-notice-%u", nb->notices);
  cJSON *content = cJSON_CreateObject();
  cJSON *data = cJSON_AddObjectToObject(content, "data");
  cJSON_AddStringToObject(data, "text/plain", text ? text : "");
  cJSON_AddObjectToObject(content, "metadata");
  cJSON *transient = cJSON_AddObjectToObject(content, "transient");
  cJSON_AddStringToObject(transient, "display_id", id);
  mt_jupyter_publish(nb->jupyter, nb->request.header,
                     shown ? "update_display_data" : "display_data", content);
  nb->notice_shown = text != NULL;
}

static void show_warning(const char *text) {
  fprintf(stderr, "mettle: %s\n", text);
}

static void serve_shell(mt_Notebook *nb) {
  while (!atomic_load(&nb->over))
    if (mt_notebook_next(nb)) answer_request(nb);
}

static int serve_with(mt_Notebook *nb) {
  pthread_t control;
  mt_Error err;
  if (mt_streams_open(nb->jupyter, &err) != MT_OK ||
      !mt_thread_start(&control, serve_control, nb)) {
    mt_streams_complain("the kernel could not be started");
    return MT_EXIT_ERROR;
  }
  served = nb;
  mt_warning_set(show_warning);
  mt_notice_set(show_notice);
  mt_history_load();
  nb->earlier = mt_history_count();
  prepare_lua(nb);
  say_status(nb, NULL, "starting");
  serve_shell(nb);
  pthread_join(control, NULL);
  mt_notebook_close_cells(nb);
  mt_jupyter_message_free(&nb->request);
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
  mt_Notebook nb = {.sandboxed = sandboxed,
                    .limit = seconds,
                    .main = pthread_self(),
                    .request.type = ""};
  if (sandboxed) limit_all();
  if (mt_jupyter_open(connection_file, &nb.jupyter, &err) != MT_OK) {
    fprintf(stderr, "mettle: %s\n", err.text);
    return MT_EXIT_ERROR;
  }
  nb.L = mt_session_open();
  int status = nb.L ? serve_with(&nb) : MT_EXIT_ERROR;
  if (nb.L) mt_interrupt_close(nb.L);
  mt_jupyter_close(nb.jupyter);
  return status;
}
