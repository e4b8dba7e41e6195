/*
** inside.h - what the files of the notebook's kernel share:
** the request that is answered, and how.
**
**   notebook.c  the threads, the order of requests, the end
**   cells.c     execute: cells, their errors, "mettle.notebook"
**   answers.c   complete, inspect, history and the others
**
** All of it belongs to the thread that runs Lua, but for 'over'.
*/
#ifndef MT_NOTEBOOK_INSIDE_H
#define MT_NOTEBOOK_INSIDE_H

#include <lua.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "jupyter/streams.h"

enum { MT_NOTEBOOK_LOOK = 500 }; /* ms from one look at the world to the next */

typedef struct mt_NotebookWaiting {
  mt_JupyterMessage message;
  struct mt_NotebookWaiting *next;
} mt_NotebookWaiting;

typedef struct mt_Notebook {
  mt_Jupyter *jupyter;
  lua_State *L;
  pthread_t main;
  atomic_bool over;            /* somebody ended it */
  int count;                   /* cells executed */
  size_t earlier;              /* entries of the history before them */
  mt_JupyterMessage request;   /* the one that is answered */
  mt_NotebookWaiting *waiting; /* that waited while a cell failed */
  bool behind_failure;         /* the request is one of them */
  bool silent;                 /* it asked that nothing be published */
  bool sandboxed;              /* cells are a stranger's */
  double limit;                /* seconds that one may take then */
  _Atomic uint64_t since;      /* ns; the cell runs since then; 0: none does */
} mt_Notebook;

extern mt_Notebook mt_notebook;

/* An object with "status"; the answer to the request, which frees it. */
cJSON *mt_notebook_reply(const char *status);
void mt_notebook_answer(const char *type, cJSON *content);

/* Publish for the request, after everything that was printed so far. */
void mt_notebook_publish(const char *type, cJSON *content);

/*
** Call a function of lua/notebook/notebook.lua with the 'n' values on top,
** which are popped; its value is pushed, or with false what it raised. It can
** be interrupted, since values of cells have functions of their own.
*/
bool mt_notebook_call(const char *name, int n);

/* Code of cells begins or ends to run: in a sandbox its time counts. */
void mt_notebook_clock(bool runs);
/* Seconds that it has run; 0: none does. Any thread. */
double mt_notebook_elapsed(void);

/* Requests that have arrived by now wait after a failure. */
void mt_notebook_take_waiting(void);

/* Answers: each gets the content of its request. */
void mt_notebook_execute(const cJSON *asked);
void mt_notebook_complete(const cJSON *asked);
void mt_notebook_inspect(const cJSON *asked);
void mt_notebook_is_complete(const cJSON *asked);
void mt_notebook_history(const cJSON *asked);
void mt_notebook_comm_info(const cJSON *asked);
void mt_notebook_comm_open(const cJSON *asked);
cJSON *mt_notebook_kernel_info(void);

/* Values and errors of cells go to the notebook; "mettle.notebook" is there. */
void mt_notebook_open_cells(lua_State *L);
void mt_notebook_close_cells(void);

#endif
