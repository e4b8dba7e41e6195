/*
** typeahead.h - keys that were read from the terminal before their time.
**
** The terminal answers a question where its keys come from, too. Keys found
** among an answer are put here, and the console takes them before it reads
** more. Console thread only.
*/
#ifndef MT_TYPEAHEAD_H
#define MT_TYPEAHEAD_H

#include <stdbool.h>
#include <stddef.h>

void mt_typeahead_put(const void *bytes, size_t n);
/* bytes taken, the oldest first */
size_t mt_typeahead_take(void *to, size_t most);
bool mt_typeahead_waits(void);

#endif
