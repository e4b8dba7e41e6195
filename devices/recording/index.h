/*
** index.h - questions about a recording, answered at once however long
** it is: what a thread did, what a variable was, what memory held.
**
** A thread's events are a slice: positions in 'order', which has the numbers of
** events thread by thread. Events, positions and slices count from 0 on. The
** recording must outlive its index. Console thread.
*/
#ifndef MT_RECORDING_INDEX_H
#define MT_RECORDING_INDEX_H

#include "devices/record.h"

#define MT_NOWHERE SIZE_MAX

typedef struct mt_Slice {
  uint32_t group, thread; /* as in mt_Event */
  size_t first, count;    /* positions */
} mt_Slice;

typedef struct mt_RecordIndex mt_RecordIndex;

/* NULL: no memory, with a line in 'err'. */
mt_RecordIndex *mt_record_index_new(const mt_Recording *r, mt_Error *err);
void mt_record_index_free(mt_RecordIndex *x); /* NULL ok */

/* Threads that were recorded, by group and thread. */
size_t mt_index_slices(const mt_RecordIndex *x);
const mt_Slice *mt_index_slice(const mt_RecordIndex *x, size_t number);
/* That of a thread; NULL: it was not recorded. */
const mt_Slice *mt_index_thread(const mt_RecordIndex *x, uint32_t group,
                                uint32_t thread);
/* The event at a position. */
size_t mt_index_event(const mt_RecordIndex *x, size_t position);
/* The last position of the slice whose event is 'event' or before it;
** MT_NOWHERE: all come after. */
size_t mt_index_before(const mt_RecordIndex *x, const mt_Slice *s,
                       size_t event);

/* A visit: a thread at a line, from its line event to the next visit's. A line
** may have several line events (the parts of a loop's head, of a condition);
** they are one visit until one of them comes again. The number of the visit
** that has 'position' (before the first: 0), its first and last position, and
** how many visits the thread makes; false: none. */
typedef struct mt_Visit {
  size_t number, count;
  size_t first, last;
} mt_Visit;
bool mt_index_visit(mt_RecordIndex *x, const mt_Slice *s, size_t position,
                    mt_Visit *out);
/* Visit 'number' of the thread. */
bool mt_index_visit_at(mt_RecordIndex *x, const mt_Slice *s, size_t number,
                       mt_Visit *out);

/* The bytes of a variable after the event at 'position' of the slice, from
** events at 'since' on; 'known' has a byte for each that was set. Gives the
** position of its last change; MT_NOWHERE: it has no value. Both have room for
** the variable's size. */
size_t mt_index_variable(mt_RecordIndex *x, const mt_Slice *s,
                         unsigned variable, size_t since, size_t position,
                         char *bytes, char *known);

/* Where the activation of frame 'frame' that is running at 'position' began:
** the first position whose events are in it, or in what it calls. */
size_t mt_index_entry(const mt_RecordIndex *x, const mt_Slice *s,
                      uint32_t frame, size_t position);

/* The lanes that come to the same line in the same iterations as the line event
** 'event': of each its event, else MT_NOWHERE. */
mt_Status mt_index_lanes(mt_RecordIndex *x, size_t event,
                         size_t out[32], mt_Error *err);

/* The contents of an object after 'event' (MT_NOWHERE: before all), and a byte
** for each that is known; valid until the next call. Threadgroup memory is that
** of the event's group. The first call takes as long as the recording. */
mt_Status mt_index_memory(mt_RecordIndex *x, unsigned object, size_t event,
                          const char **bytes, const char **known,
                          mt_Error *err);
/* Is 'event' a read of threadgroup memory that its group had not written? In a
** recording of some threads only, others may have. */
bool mt_index_is_unwritten(mt_RecordIndex *x, size_t event);

/* The first event of 'x' in its order that 'y' has otherwise in the same
** thread: with 'lines' lines and variables count as well, else accesses,
** barriers and cross-lane operations alone. '*other' is y's event; MT_NOWHERE:
** the thread has no more there. False: they do not part. '*mine' may be
** MT_NOWHERE as well, where x's thread has ended. */
bool mt_index_part(const mt_RecordIndex *x, const mt_RecordIndex *y, bool lines,
                   size_t *mine, size_t *other);

#endif
