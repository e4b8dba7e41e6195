/*
** memory.h - buffers, textures and threadgroup variables as they were at
** a moment of a recording; for index.c.
**
** Contents follow a cursor over the events: forwards each write is done,
** backwards undone. So the next moment costs one event, and the other end of
** the recording all of them.
*/
#ifndef MT_RECORDING_MEMORY_H
#define MT_RECORDING_MEMORY_H

#include "devices/record.h"

typedef struct mt_RecordMemory mt_RecordMemory;

mt_RecordMemory *mt_record_memory_new(
    const mt_Recording *r); /* NULL: no memory */
void mt_record_memory_free(mt_RecordMemory *m);               /* NULL ok */
/* To the moment after 'event'; SIZE_MAX: before all of them. */
void mt_record_memory_go(mt_RecordMemory *m, size_t event);
/* NULL where nothing is known of the object. */
void mt_record_memory_see(const mt_RecordMemory *m, unsigned object,
                          const char **bytes, const char **known);
/* Is 'event' a read of threadgroup memory that its group had not written? */
bool mt_record_memory_is_unwritten(const mt_RecordMemory *m, size_t event);

/* How many of the events, or places, in 'rising' are 'last' or before it. */
static inline size_t mt_count_until(const uint32_t *rising, size_t count,
                                    size_t last) {
  size_t low = 0, high = count; /* those below 'low' are */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (rising[middle] <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}

#endif
