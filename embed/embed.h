/*
** embed.h - what the files of libmettle share.
**
** The one idea: devices/device.h is for one thread at a time, and processes
** that a thread starts end with it. So the library has threads of its own
** (service.c), and a public function that reaches a device is a struct with its
** arguments and a function that is called with it there. The public objects
** (include/mettle/mettle.h) wrap those of devices/ and are counted: they may be
** freed in any order.
*/
#ifndef MT_EMBED_H
#define MT_EMBED_H

#include <stdatomic.h>

#include "devices/device.h"
#include "mettle/mettle.h"

/* ------------------------------------------------------------- the thread */

typedef mt_Status (*mt_EmbedWork)(void *call, mt_Error *err);

/* Carry out work(call) on a thread of the library and wait. 'err': or NULL. */
mettle_Status mt_embed_run(mt_EmbedWork work, void *call, mettle_Error *err);

/* Forget a cancellation that this job has obeyed, unless others are running
** that have to obey it, too. */
void mt_embed_cancel_clear(void);

/* A failure of a public function that reaches no device. */
mettle_Status mt_embed_refuse(mettle_Error *err, const char *format, ...)
    MT_PRINTF(2, 3);

/* Return from a public function that was given no object. */
#define MT_NEED(object, what)                                                 \
  do {                                                                        \
    if (!(object)) return mt_embed_refuse(err, "there is no " what " (NULL)"); \
  } while (0)

/* find.c: tell base/ where Mettle's program is, and so its data. MT_FAIL: it
** was not found, or is of another build; 'err' says what to do. */
mt_Status mt_embed_find_program(mt_Error *err);

/* ------------------------------------------------------------ the objects */

/* The start of each: a count of those who use it. */
typedef struct mt_Counted {
  atomic_int users;
  mt_EmbedWork end; /* frees it, on the library's thread, after the last */
  struct mt_Counted *next; /* of those that a poll has dropped */
} mt_Counted;

void *mt_embed_new(size_t size, mt_EmbedWork end); /* zeroed, one user */
void *mt_embed_keep(void *object);                 /* NULL ok; returns it */
void mt_embed_drop(void *object);                  /* NULL ok; any thread */
void mt_embed_drop_here(void *object); /* the same on the library's thread */

struct mettle_Device {
  mt_Counted counted;
  mt_Device *device;
};

struct mettle_Library {
  mt_Counted counted;
  mettle_Device *device;
  mt_Library *library;
  /* for check and profile of kernels of another device than the host */
  char *source;
  size_t length;
  char *file;                   /* or NULL */
  char *std;                    /* or NULL */
  char **defines, **include_dirs; /* up to a NULL */
  mt_MathMode math;
};

struct mettle_Kernel {
  mt_Counted counted;
  mettle_Library *library;
  mt_Kernel *kernel;
  unsigned *params;     /* numbers of the parameters that are not builtins */
  unsigned param_count;
  mt_ConstantValue *values; /* its function constants, with their bytes */
  size_t value_count;
};

struct mettle_Buffer {
  mt_Counted counted;
  mettle_Device *device;
  mt_Buffer *buffer;
  void *outside; /* the caller's memory that is copied; NULL: none is */
  bool read_only;
};

struct mettle_Texture {
  mt_Counted counted;
  mettle_Device *device;
  mt_Texture *texture;
};

struct mettle_Launch {
  mt_Counted counted;
  mettle_Kernel *kernel;
  mt_Launch launch; /* its group is 0, 0, 0 for the default */
  mt_Arg *args;     /* launch.args */
  void **kept;      /* for each: the buffer, texture or bytes; or NULL */
};

/* device.c: compile 'from' for 'dev'. On the library's thread. */
mt_Status mt_embed_compile(const mettle_Library *from, mt_Device *dev,
                           mt_Library **out, mt_Str *log, mt_Error *err);

/* launch.c: the launch with its group chosen. */
mt_Launch mt_embed_complete(const mettle_Launch *l);

#endif
