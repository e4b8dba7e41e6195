/*
** record.h - the recorder: a launch with every access of its threads noted.
**
** The host device runs the kernel thread by thread, in one order (mt_Schedule):
** threadgroup after threadgroup, and within one SIMD-group after SIMD-group,
** each thread until it ends or has to wait (at a barrier, for its SIMD-group).
** Each access
** of the source is there, with its line: probes are put in before the code is
** optimised. Then the launch is run again without them, from the same contents;
** the buffers end with that answer, and the recording says whether its own was
** the same.
**
** A recording is a list of events in the order in which they happened. What all
** events of one place in the source share is in its site, what all accesses of
** one buffer or variable share in its object. A GPU runs 32 threads in step:
** mt_steps_new brings the events into that order and counts what each step
** costs.
*/
#ifndef MT_RECORD_H
#define MT_RECORD_H

#include "base/kernel_types/type_text.h"
#include "devices/check.h"

typedef enum mt_EventKind {
  MT_EVENT_READ,
  MT_EVENT_WRITE,
  MT_EVENT_ATOMIC,       /* its value: before, then after */
  MT_EVENT_BARRIER,      /* of the threadgroup: the thread arrives */
  MT_EVENT_SIMD_BARRIER,
  MT_EVENT_LANES,        /* a cross-lane operation: its value is the result */
  MT_EVENT_LINE,         /* the thread comes to a line */
  MT_EVENT_VALUE,        /* a variable gets a value: its number is the object's,
                         ** the offset that in the variable */
  MT_EVENT_KINDS
} mt_EventKind;

const char *mt_event_name(mt_EventKind kind); /* "read", "write", … */

/* One event: 32 bytes. */
typedef struct mt_Event {
  uint32_t group;    /* number of the threadgroup: x fastest, then y, z */
  uint16_t thread;   /* thread_index_in_threadgroup */
  uint16_t site;
  uint32_t epoch;    /* barriers that the thread has passed */
  uint32_t instance; /* a number for the iterations of the loops around it:
                     ** equal for lanes that are in the same ones */
  uint64_t where;    /* mt_event_object, mt_event_offset */
  uint64_t value;    /* mt_event_value */
} mt_Event;

/* An access: its object, and the bytes from that object's start; a value: its
** variable. */
#define MT_NO_OBJECT 0xffffu
static inline unsigned mt_event_object(const mt_Event *e) {
  return (unsigned)(e->where >> 48);
}
static inline int64_t mt_event_offset(const mt_Event *e) {
  return (int64_t)(e->where << 16) >> 16;
}
static inline uint64_t mt_event_where(unsigned object, int64_t offset) {
  return (uint64_t)object << 48 | ((uint64_t)offset & 0xffffffffffffu);
}

/* A cross-lane operation: the lane that gave the value, as the offset. */
#define MT_SEVERAL_LANES (-1)

/* A place in the source that makes events. */
typedef struct mt_RecordSite {
  mt_EventKind kind;
  mt_SourcePlace place; /* strings belong to the kernel */
  uint32_t size;        /* bytes of the access */
  uint32_t bytes;       /* of the value: twice the size for atomics; 0: none */
  uint32_t frame;       /* where it is: number of a frame */
  uint32_t variable;    /* value: number of its variable */
  char name[48];        /* cross-lane: "simd_sum"; value: the private variable
                        ** that it points to, or "" */
  char type[16];        /* of the value, or of its elements: "f32", "s64"; of
                        ** accesses, integers are called signed; "ptr": the
                        ** value is a 'where' of mt_Event; "": unknown */
} mt_RecordSite;

/* A function in one place where it is called. Number 0 is the kernel. */
typedef struct mt_RecordFrame {
  char name[64];
  uint32_t parent;      /* the frame that calls it, */
  uint32_t line;        /* on this line */
} mt_RecordFrame;

/* A local variable or parameter of the source, in one frame. */
typedef struct mt_RecordVariable {
  char name[48];
  const mt_Type *type;  /* NULL: unknown */
  uint32_t size;        /* bytes */
  uint32_t frame;
  uint32_t line, last;  /* of its declaration, of its scope's end (0: that of
                        ** its function) */
} mt_RecordVariable;

/* A buffer, texture or variable of the threadgroup or the program. */
typedef struct mt_RecordObject {
  mt_Space space;       /* device, constant, threadgroup, texture */
  char name[64];        /* the parameter or variable: "x", "job.sums" */
  const mt_Type *type;  /* of its elements; NULL: unknown. The kernel's */
  uint32_t element;     /* bytes of one element, or of a pixel */
  uint64_t size;        /* bytes */
  uint32_t rows[2];     /* inner dimensions of tile[9][8][7]: 8, 7; else 0 */
  uint64_t address;     /* of its first byte, modulo lines and banks: a buffer's
                        ** in its memory, a variable's in its group's */
  int param;            /* the parameter; -1: a variable */
  uint32_t extent[3];   /* texture: width, height, slices; else 0 */
  mt_PixelFormat format; /* texture */
  uint64_t row_bytes, slice_bytes; /* texture */
  uint64_t handle;      /* texture: what the kernel's variables hold */
  char *before;         /* its contents before the launch; NULL: not known */
  int within;           /* its memory is a part of this object's, from this */
  uint64_t within_at;   /* byte on; -1: its own */
} mt_RecordObject;

/* An output whose recorded answer is not the plain launch's. */
typedef struct mt_RecordDifference {
  const char *name;     /* of the parameter */
  uint64_t elements;    /* how many differ */
  uint64_t first;       /* the first of them */
  double worst; /* of floats: the largest difference by the value's size;
                        ** infinite for others */
} mt_RecordDifference;

/* The order in which threads run. */
typedef enum mt_Schedule {
  MT_SCHEDULE_THREADS, /* each until it ends or waits, from the first on */
  MT_SCHEDULE_LINES,   /* the same line by line, in a SIMD-group; with values */
  MT_SCHEDULE_REVERSED, /* from the last thread of the last group on */
  MT_SCHEDULE_SHUFFLED  /* groups, SIMD-groups and lanes by a seed */
} mt_Schedule;

typedef struct mt_RecordOptions {
  uint64_t events;      /* at most; 0 = 1,000,000 */
  uint64_t bytes;       /* of events and values, at most; 0 = 1 GB */
  int64_t group;        /* record only this threadgroup, by number; -1 = all */
  const uint32_t *threads; /* record only these, by their number in the grid (x
                        ** fastest, then y, z); NULL = all */
  size_t thread_count;
  bool values;          /* lines and variables, too */
  mt_Schedule schedule;
  uint64_t seed;        /* MT_SCHEDULE_SHUFFLED */
  bool no_plain;        /* do not run the plain launch afterwards */
} mt_RecordOptions;

typedef struct mt_Recording {
  mt_Event *events;
  size_t count;
  uint64_t left_out;    /* events over the limits */
  uint64_t unplaced;    /* accesses of memory that is no object */
  unsigned char *pool;  /* values of more than 8 bytes */
  size_t pool_bytes;
  mt_RecordSite *sites; /* from 1 on */
  size_t site_count;
  mt_RecordObject *objects;
  size_t object_count;
  mt_RecordFrame *frames;
  size_t frame_count;
  mt_RecordVariable *variables;
  size_t variable_count;
  mt_TypeStore types;   /* of variables */
  uint32_t grid[3], group[3], groups[3]; /* threads; of a group; groups */
  char **unrecorded;    /* sentences: what is not in the recording */
  size_t unrecorded_count;
  bool compared;        /* with the plain launch's answer */
  mt_RecordDifference *differences;
  size_t difference_count;
  const char *file; /* of the kernel, if included; NULL: the source itself */
  const char *text;     /* the text of that file; NULL: it cannot be read */
  size_t text_length;
} mt_Recording;

/*
** Record 'launch', whose kernel must belong to the host device. MT_OK: it ran.
** MT_BADARG as mt_launch. MT_FAIL (a fault), MT_CANCELLED, MT_TIMEOUT: the
** recording has the events until then, and the buffers are as the recorded run
** left them. Free 'out' with mt_recording_free in any case. It points to the
** kernel's types and file names: keep the kernel.
*/
mt_Status mt_record(const mt_Launch *launch, const mt_RecordOptions *options,
                    mt_Recording *out, mt_Error *err);
void mt_recording_free(mt_Recording *r);

/* The bytes of an event's value, sites[].bytes of them; valid as long as
** both. */
const void *mt_event_value(const mt_Recording *r, const mt_Event *e);

/* Where a thread of an event is. */
mt_ThreadAt mt_event_thread(const mt_Recording *r, const mt_Event *e);

/* ------------------------------------------------------------------- steps */

/* What a SIMD-group does in step: one site, in one iteration, by the lanes that
** are there. */
typedef struct mt_Step {
  size_t first, count;  /* its events, in mt_Steps.order, by lane */
  uint32_t group, epoch;
  uint32_t mask;        /* the lanes */
  uint16_t simdgroup, site;
  uint32_t units;       /* device memory: lines of 128 bytes; threadgroup
                        ** memory: passes over the banks; else 0 */
  uint32_t ideal;       /* the same if the bytes were contiguous */
  uint32_t queue;       /* atomics: the most lanes at one address; else 0 */
} mt_Step;

/* Ordered by threadgroup, epoch, SIMD-group, then as its lanes go along. */
typedef struct mt_Steps {
  mt_Step *step;
  size_t count;
  uint32_t *order;      /* numbers of events, step by step */
} mt_Steps;

mt_Status mt_steps_new(const mt_Recording *r, mt_Steps *out, mt_Error *err);
void mt_steps_free(mt_Steps *s);

#endif
