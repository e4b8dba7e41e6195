/*
** messages.h - messages of kernels, kept until the launch is over.
**
** Threadgroups run in any order, so each message is kept with the number of
** its group, and they are sorted at the end. Only the first few hundred are
** kept: those of the lowest groups, not of the groups that ran first, so the
** output is deterministic.
**
** Threads: one at a time.
*/
#ifndef MT_MESSAGES_H
#define MT_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define MT_MESSAGE_LENGTH 240 /* characters of one, its end included */

typedef struct mt_Message mt_Message;

typedef struct mt_Messages { /* starts as zeros */
  mt_Message *list;
  size_t count;
  uint64_t number, left_out;
} mt_Messages;

/* 'order' sorts those of one group; equal ones stay in order of arrival. */
void mt_messages_keep(mt_Messages *m, uint64_t group, uint64_t order,
                      bool error, const char *text);
/* Append them, one to a line, and forget them. */
void mt_messages_take(mt_Messages *m, mt_Str *out);
void mt_messages_free(mt_Messages *m);

#endif
