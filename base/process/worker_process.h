/*
** worker_process.h - work in a separate process, which may crash, hang or be
** stopped.
**
** For a library that may fail on unusual input (LLVM). The process answers
** questions, one after the other, and ends with Mettle. It is started in one of
** two ways:
**
**   - as a copy of this process, made by fork (Linux): it sees the memory of
**     that moment, and its changes stay its own. Exclude memory that it does
**     not need (mt_worker_process_hide).
**   - as a new instance of this program (macOS, whose frameworks do not support
**     fork): its main finds the request (mt_worker_process_asked) and serves.
**     One word tells it what to do. A program must offer this
**     (mt_worker_process_offer), or it has no worker.
**
** METTLE_WORKER chooses: copy, program, or 0 for none; callers then do the work
** in this process.
*/
#ifndef MT_BASE_WORKER_PROCESS_H
#define MT_BASE_WORKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

typedef struct mt_WorkerProcess mt_WorkerProcess;

/* Work before the first question; no caller waits for it. */
typedef void (*mt_WorkerBegin)(void *context);

/* Append the answer to a question. Called in that process, by its only
** thread. */
typedef void (*mt_WorkerAnswer)(void *context, const void *question,
                                size_t size, mt_Str *answer);

/* NULL: it could not be started. The same thread makes, asks and frees it.
** 'begin' may be NULL. 'argument' is the word for a new instance of the
** program; NULL: only a copy will do. */
mt_WorkerProcess *mt_worker_process_new(mt_WorkerBegin begin,
                                        mt_WorkerAnswer work, void *context,
                                        const char *argument);

/* The same for a process that is more than a compiler. */
typedef struct mt_WorkerOptions {
  bool fresh;     /* rather a new instance of this program than a copy of it, if
                  ** METTLE_WORKER does not choose */
  bool unlimited; /* as much memory as this process may have; killed no sooner
                  ** than others where memory runs out */
  int shared;     /* an open file that becomes its file 4; -1: none */
} mt_WorkerOptions;
mt_WorkerProcess *mt_worker_process_new_with(mt_WorkerBegin begin,
                                             mt_WorkerAnswer work,
                                             void *context,
                                             const char *argument,
                                             const mt_WorkerOptions *options);

/* First call in main: the word if this process is a worker, else NULL. */
#define MT_WORKER_OPTION "--worker"
const char *mt_worker_process_asked(int argc, char **argv);

/* In a worker: answers questions until the socket closes; returns the exit
** status. */
int mt_worker_process_serve(mt_WorkerBegin begin, mt_WorkerAnswer work,
                            void *context);
#define MT_WORKER_SHARED 4 /* the file mt_WorkerOptions.shared */
int mt_worker_process_serve_with(mt_WorkerBegin begin, mt_WorkerAnswer work,
                                 void *context,
                                 const mt_WorkerOptions *options);

/* In main otherwise: declares that this program can serve as a worker. */
void mt_worker_process_offer(void);

/* In a library: only Mettle's own program (mt_program_path) serves, on every
** system; a copy would be one of a program that is not Mettle's. */
void mt_worker_process_never_copy(void);

typedef struct mt_Question {
  const void *bytes;
  size_t size;
  double seconds;     /* limit on its processor time; 0 = none. An idle
                      ** process is given as long, from 1 s to 20 s */
  const char *notice; /* shown if it takes longer than a second; or NULL */
} mt_Question;

/*
** Ask and wait. MT_OK: the answer is appended to 'answer'. MT_CANCELLED
** (base/cancel.h), MT_TIMEOUT: this process killed it. MT_FAIL: it has ended;
** 'err' says how, by its last message. Only after MT_OK can it be asked again.
*/
mt_Status mt_worker_process_ask(mt_WorkerProcess *worker,
                                const mt_Question *question, mt_Str *answer,
                                mt_Error *err);

/*
** The same in two steps, for callers with other work to do: the question is
** sent, and its answer is received later, with the results of
** mt_worker_process_ask. In between, mt_worker_process_answers says whether
** mt_worker_process_receive would return at once, with an answer or a failure.
** One question at a time.
*/
mt_Status mt_worker_process_send(mt_WorkerProcess *worker,
                                 const mt_Question *question, mt_Error *err);
bool mt_worker_process_answers(const mt_WorkerProcess *worker);
mt_Status mt_worker_process_receive(mt_WorkerProcess *worker,
                                    const mt_Question *question, mt_Str *answer,
                                    mt_Error *err);

/* Give it a low priority, for good. */
void mt_worker_process_lower(const mt_WorkerProcess *worker);

/* Can it be asked? */
bool mt_worker_process_usable(const mt_WorkerProcess *worker);

void mt_worker_process_free(mt_WorkerProcess *worker); /* ends it; NULL ok */

/* Exclude whole pages from copies, which makes the fork cheaper. */
void mt_worker_process_hide(void *pages, size_t size);

#endif
