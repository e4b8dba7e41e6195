/*
** worker_process.h - work in a process of its own, which may crash, hang or be
** stopped.
**
** For a library that nobody can vouch for over all that a person may type
** (LLVM). The process answers questions, one after the other, and ends with
** Mettle. It is begun in one of two ways:
**
**   - as a copy of this one, made by fork (Linux): it sees all that is in
**     memory at
**     that moment, and what it changes is its own. Memory that it need not see
**       is
**     better kept out of it (mt_worker_process_hide).
**   - as this program, started anew (a Mac, whose frameworks do not like
**     copies):
**     its main sees that it is asked to (mt_worker_process_asked), and serves.
**       What is
**       to be
**     done it knows from one word. Programs that do not offer this have none.
**
** METTLE_ASIDE chooses: copy, program, or 0 for none; whoever asks for one does
** the work himself then.
*/
#ifndef MT_BASE_WORKER_PROCESS_H
#define MT_BASE_WORKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

typedef struct mt_WorkerProcess mt_WorkerProcess;

/* What it does before the first question; no caller waits for it. */
typedef void (*mt_WorkerBegin)(void *context);

/* Add the answer to a question. Called in that process, by its only thread. */
typedef void (*mt_WorkerAnswer)(void *context, const void *question,
                                size_t size, mt_Str *answer);

/* NULL: there is none to be had. One thread makes, asks and frees it.
** 'begin' may be NULL. 'argument' is the word for a program started anew;
** NULL: there is none. */
mt_WorkerProcess *mt_worker_process_new(mt_WorkerBegin begin,
                                        mt_WorkerAnswer work, void *context,
                                        const char *argument);

/* In main, before all else: the word, if this process is to serve; or NULL. */
#define MT_WORKER_OPTION "--aside"
const char *mt_worker_process_asked(int argc, char **argv);

/* There: answers questions until their end; the exit status. */
int mt_worker_process_serve(mt_WorkerBegin begin, mt_WorkerAnswer work,
                            void *context);

/* In main else: this program does so when it is asked. */
void mt_worker_process_offer(void);

typedef struct mt_Question {
  const void *bytes;
  size_t size;
  double seconds;     /* of the processor's time for it; 0 = no limit. Who
                         does nothing is waited for as long, at most 20 s */
  const char *notice; /* shown if it takes longer than a second; or NULL */
} mt_Question;

/*
** Ask and wait. MT_OK: 'answer' is added to. MT_CANCELLED (base/cancel.h),
** MT_TIMEOUT: it was ended by us. MT_FAIL: it has ended, 'err' says how, with
** its last words. It answers no more but after MT_OK.
*/
mt_Status mt_worker_process_ask(mt_WorkerProcess *aside,
                                const mt_Question *question, mt_Str *answer,
                                mt_Error *err);

/*
** The same in two steps, for who does something else meanwhile: the question is
** sent, and its answer received later, in the ways of mt_worker_process_ask. In
** between mt_worker_process_answers says whether mt_worker_process_receive
** would return at once: there is an answer, or there will be none. One question
** at a time.
*/
mt_Status mt_worker_process_send(mt_WorkerProcess *aside,
                                 const mt_Question *question, mt_Error *err);
bool mt_worker_process_answers(const mt_WorkerProcess *aside);
mt_Status mt_worker_process_receive(mt_WorkerProcess *aside,
                                    const mt_Question *question, mt_Str *answer,
                                    mt_Error *err);

/* Does it still answer? */
bool mt_worker_process_usable(const mt_WorkerProcess *aside);

void mt_worker_process_free(mt_WorkerProcess *aside); /* ends it; NULL ok */

/* Whole pages that copies are made without: it is cheaper by as much. */
void mt_worker_process_hide(void *pages, size_t size);

#endif
