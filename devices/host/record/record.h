/*
** record.h - the run-time half of the recorder (devices/record.h).
**
** A recorded kernel is instrumented with calls of __mt_probe_record…
** (instrument/record.c), which become calls of the mt_record_… functions below:
** thread by thread, each with the thread's index in its group. They append
** events. The code runs like every launch: a fault, the time limit and Ctrl-C
** end it, and memory is taken only up to the limits of the options.
**
**   recorder.c  what recorded code calls: events and their values
**   objects.c   the buffers, textures and variables of a launch, by address
**   record.c    mt_record_run: the recorded run, the plain run, the comparison
**
** A recorded launch runs on one OS thread. Its state is in its mt_Recorder,
** which the helpers get as their first argument: several may be alive at once.
*/
#ifndef MT_HOST_RECORD_RECORD_H
#define MT_HOST_RECORD_RECORD_H

#include <llvm-c/Core.h>

#include "devices/host/sites/sites.h"
#include "devices/host/kernel/kernel.h"
#include "devices/host/run/run.h"
#include "devices/record.h"

/* ------------------------------------------- helpers of the generated code */

typedef struct mt_Recorder mt_Recorder;

void mt_record_at(mt_Recorder *r, uint32_t index, uint32_t site,
                  uint32_t instance, const char *p);
void mt_record_old(mt_Recorder *r, uint32_t index, uint32_t site,
                   uint32_t instance, const char *p);
void mt_record_wait(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance);
void mt_record_pass(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance);
void mt_record_lanes(mt_Recorder *r, uint32_t index, uint32_t site,
                     uint32_t instance, uint32_t from, uint64_t value);
/* 'site' is of a lane's first element, the next one of its second. */
void mt_record_matrix(mt_Recorder *r, uint32_t index, uint32_t site,
                      uint32_t instance, const char *p, int64_t stride,
                      uint32_t turned);
void mt_record_line(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance);
void mt_record_value(mt_Recorder *r, uint32_t index, uint32_t site,
                     uint32_t instance, uint32_t offset, uint64_t a, uint64_t b,
                     uint64_t c, uint64_t d);
void mt_record_copy(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance, uint32_t offset, const char *p);
void mt_record_pointer(mt_Recorder *r, uint32_t index, uint32_t site,
                       uint32_t instance, uint32_t offset, const char *p);
void mt_record_base(mt_Recorder *r, uint32_t index, uint32_t root,
                    const char *p);

/* -------------------------------------------------------------- at run time */

#define MT_GROUP_MOST 1024 /* threads of a group */

struct mt_Recorder {
  const mt_Launch *launch;
  const mt_RecordOptions *options;
  const mt_SiteTable *sites;
  mt_Recording *out;
  size_t room, pool_room;     /* that are allocated */
  uint64_t most_events, most_bytes;
  const char **start;         /* by object: its address; NULL: not known */
  int *object;                /* by root: its object; -1: none */
  size_t objects;             /* that there is room for */
  const mt_Group *group;      /* the running one */
  uint32_t number;            /* of it */
  bool chosen;                /* some of its threads are recorded */
  bool all;                   /* all of them */
  bool wanted[MT_GROUP_MOST]; /* else these */
  uint32_t epoch[MT_GROUP_MOST]; /* by thread */
  char old[8];                /* the value before an atomic */
  mt_Progress progress;
};

/* objects.c: the launch's arguments and the kernel's variables. */
mt_Status mt_record_map(mt_Recorder *r, mt_Error *err);
void mt_record_unmap(mt_Recorder *r);
/* What arguments hold before the launch; false: there is no memory for it, and
** some have none. */
bool mt_record_keep_contents(mt_Recorder *r);
/* A group starts: the addresses of its arguments. */
void mt_record_find(mt_Recorder *r, const mt_Group *g);
/* The object of an access and the offset in it; MT_NO_OBJECT: none. */
unsigned mt_record_object(const mt_Recorder *r, const mt_Site *s,
                          const char *p, int64_t *offset);

/* recorder.c: a group starts. */
void mt_record_group(const mt_Group *g, uint64_t number);

mt_Status mt_record_run(const mt_Launch *launch,
                        const mt_RecordOptions *options, mt_Recording *out,
                        mt_Error *err);

#endif
