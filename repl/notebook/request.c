/*
** request.c - the request that is answered: what is said of it, what waits.
*/
#include "repl/notebook/request.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/clock.h"
#include "repl/lua/interrupt.h"

/* -------------------------------------------------------------- publishing */

cJSON *mt_notebook_reply(const char *status) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "status", status);
  return content;
}

void mt_notebook_answer(mt_Notebook *nb, const char *type, cJSON *content) {
  mt_jupyter_send(nb->jupyter, MT_JUPYTER_SHELL, &nb->request, type, content);
}

void mt_notebook_publish(mt_Notebook *nb, const char *type, cJSON *content) {
  if (nb->silent) {
    cJSON_Delete(content);
    return;
  }
  mt_streams_turn(nb->request.header, false);
  mt_jupyter_publish(nb->jupyter, nb->request.header, type, content);
}

/* ---------------------------------------------------------- what comes next */

/*
** A cell failed: the cells that wait after it are not run. Which these are is
** settled before anybody hears of the failure; what is asked after that is a
** new beginning.
*/
void mt_notebook_take_waiting(mt_Notebook *nb) {
  for (;;) {
    mt_NotebookWaiting *w = calloc(1, sizeof *w);
    if (w == NULL) return;
    w->message.type = "";
    if (!mt_jupyter_receive(nb->jupyter, MT_JUPYTER_SHELL, 0, &w->message)) {
      free(w);
      return;
    }
    mt_NotebookWaiting **end = &nb->waiting;
    while (*end) end = &(*end)->next;
    *end = w;
  }
}

bool mt_notebook_next(mt_Notebook *nb) {
  mt_NotebookWaiting *w = nb->waiting;
  nb->behind_failure = w != NULL;
  if (w == NULL)
    return mt_jupyter_receive(nb->jupyter, MT_JUPYTER_SHELL, MT_NOTEBOOK_LOOK,
                              &nb->request);
  mt_jupyter_message_free(&nb->request);
  nb->request = w->message;
  nb->waiting = w->next;
  free(w);
  return true;
}

/* -------------------------------------------------------------------- cells */

void mt_notebook_clock(mt_Notebook *nb, bool runs) {
  atomic_store(&nb->since, runs ? mt_now_ns() : 0);
}

double mt_notebook_elapsed(mt_Notebook *nb) {
  uint64_t since = atomic_load(&nb->since);
  return since ? (double)(mt_now_ns() - since) * 1e-9 : 0;
}

bool mt_notebook_call(mt_Notebook *nb, const char *name, int n) {
  lua_State *L = nb->L;
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
