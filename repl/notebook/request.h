/*
** request.h - a notebook that is served, and the request that is answered.
**
** All of it belongs to the thread that runs Lua, but for 'over' and 'since'.
*/
#ifndef MT_NOTEBOOK_REQUEST_H
#define MT_NOTEBOOK_REQUEST_H

#include <lua.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "jupyter/streams.h"
#include "repl/lua/run.h"

enum { MT_NOTEBOOK_LOOK = 500 }; /* ms from one look at the world to the next */

typedef struct mt_NotebookWaiting {
  mt_JupyterMessage message;
  struct mt_NotebookWaiting *next;
} mt_NotebookWaiting;

typedef struct mt_NotebookError {
  bool failed; /* the cell; what follows is its error, owned */
  char *name, *message;
  cJSON *traceback;
} mt_NotebookError;

typedef struct mt_Notebook {
  mt_Jupyter *jupyter;
  lua_State *L;
  pthread_t main;
  atomic_bool over;            /* it was ended */
  mt_RunView view;             /* of cells */
  int count;                   /* cells executed */
  size_t earlier;              /* entries of the history before them */
  mt_JupyterMessage request;   /* the one that is answered */
  mt_NotebookError error;      /* of its cell */
  mt_NotebookWaiting *waiting; /* that waited while a cell failed */
  bool behind_failure;         /* the request is one of them */
  bool silent;                 /* it asked that nothing be published */
  bool sandboxed;              /* cells are a stranger's */
  bool said_weakness;          /* of the walls around them */
  double limit;                /* seconds that one may take then */
  _Atomic uint64_t since;      /* ns; the cell runs since then; 0: none does */
  unsigned notices;            /* of long work, so far */
  bool notice_shown;           /* the last one still is */
  uint64_t told;               /* 'since' of the cell that was interrupted */
} mt_Notebook;

/* An object with "status"; the answer to the request, which frees it. */
cJSON *mt_notebook_reply(const char *status);
void mt_notebook_answer(mt_Notebook *nb, const char *type, cJSON *content);

/* Publish for the request, after everything that was printed so far. */
void mt_notebook_publish(mt_Notebook *nb, const char *type, cJSON *content);

/*
** Call a function of lua/notebook/notebook.lua with the 'n' values on top,
** which are popped; its value is pushed, or with false what it raised. It can
** be interrupted, since values of cells have functions of their own.
*/
bool mt_notebook_call(mt_Notebook *nb, const char *name, int n);

/* Code of cells begins or ends to run: in a sandbox its time counts. */
void mt_notebook_clock(mt_Notebook *nb, bool runs);
/* Seconds that it has run; 0: none does. Any thread. */
double mt_notebook_elapsed(mt_Notebook *nb);

/* Requests that have arrived by now wait after a failure. */
void mt_notebook_take_waiting(mt_Notebook *nb);

/* The next request, of those that waited first; false: none came. */
bool mt_notebook_next(mt_Notebook *nb);

#endif
