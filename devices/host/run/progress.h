/*
** progress.h - how far a long check or profile has come, for who waits
** (base/notice.h).
*/
#ifndef MT_HOST_RUN_PROGRESS_H
#define MT_HOST_RUN_PROGRESS_H

#include <stdint.h>

/* 'what' is done to 'name' from now on: "checking", "saxpy". Nothing is said in
** the first second. Ends with mt_progress_end; one at a time, console
** thread. */
void mt_progress_begin(const char *what, const char *name);
void mt_progress_end(void);

/* A run over 'groups' threadgroups starts: run 'number' of 'all', from 1 on. */
void mt_progress_run(unsigned number, unsigned all, uint64_t groups);
/* The same for part 'part' of 'parts', from 1 on, that a check is run in. */
void mt_progress_part(unsigned part, unsigned parts, uint64_t groups);
void mt_progress_group(void); /* one more of them starts */

#endif
