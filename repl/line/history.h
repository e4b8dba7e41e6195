/*
** history.h - chunks entered in this session and in earlier ones.
**
** An entry is a whole chunk, newlines included. The file (state folder,
** "history", 0600) has one entry per line, with \n and \\ for newline and
** backslash; each entry is appended when it is made, so that two concurrent
** consoles lose nothing. Console thread only.
*/
#ifndef MT_HISTORY_H
#define MT_HISTORY_H

#include <stddef.h>

#define MT_HISTORY_MAX 1000 /* entries kept */

void mt_history_load(void); /* without a state folder: starts empty */
void mt_history_add(const char *text); /* unless it repeats the last entry */
size_t mt_history_count(void);
const char *mt_history_at(size_t i); /* 0 is the oldest; NULL past the end */
void mt_history_free(void);

#endif
