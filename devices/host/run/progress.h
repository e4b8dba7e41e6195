/*
** progress.h - progress of a long check or profile, shown to the user
** (base/notice.h).
*/
#ifndef MT_HOST_RUN_PROGRESS_H
#define MT_HOST_RUN_PROGRESS_H

#include <stdint.h>

/* Start showing that 'what' is being done to 'name': "checking", "saxpy".
** Nothing is shown in the first second. Ends with mt_progress_end; one at a
** time, console thread. */
void mt_progress_begin(const char *what, const char *name);
void mt_progress_end(void);

/* A run over 'groups' threadgroups starts: run 'number' of 'all', from 1 on. */
void mt_progress_run(unsigned number, unsigned all, uint64_t groups);
/* The same for part 'part' of 'parts' (from 1 on) of a check that runs in
** parts. */
void mt_progress_part(unsigned part, unsigned parts, uint64_t groups);
void mt_progress_group(void); /* the next threadgroup starts */

#endif
