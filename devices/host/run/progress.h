/*
** progress.h - progress of a long check or profile, shown to the user
** (base/notice.h).
*/
#ifndef MT_HOST_RUN_PROGRESS_H
#define MT_HOST_RUN_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Belongs to the check, profile or recording; progress.c alone looks inside. */
typedef struct mt_Progress {
  pthread_t thread;
  bool on;         /* the thread exists */
  bool rests;      /* it has started; under 'lock' */
  bool over;       /* it has to end; under 'lock' */
  char what[128];  /* "checking saxpy" */
  pthread_mutex_t lock;
  pthread_cond_t start, end;
  _Atomic uint64_t done, total;
  atomic_uint run, runs, part, parts;
} mt_Progress;

/* Start showing that 'what' is being done to 'name': "checking", "saxpy".
** Nothing is shown in the first second. Ends with mt_progress_end, on the same
** thread. */
void mt_progress_begin(mt_Progress *p, const char *what, const char *name);
void mt_progress_end(mt_Progress *p);

/* A run over 'groups' threadgroups starts: run 'number' of 'all', from 1 on. */
void mt_progress_run(mt_Progress *p, unsigned number, unsigned all,
                     uint64_t groups);
/* The same for part 'part' of 'parts' (from 1 on) of a check that runs in
** parts. */
void mt_progress_part(mt_Progress *p, unsigned part, unsigned parts,
                      uint64_t groups);
void mt_progress_group(mt_Progress *p); /* the next threadgroup starts */

#endif
