/*
** counters.h - the stand-in's clock of the GPU: samples at an encoder's ends.
*/
#ifndef MT_STANDIN_COUNTERS_H
#define MT_STANDIN_COUNTERS_H

#include "tests/metal/foundation.h"

typedef struct SamplesObject { /* MTLCounterSampleBuffer */
  Object head;
  uint64_t *ticks;
  uint64_t count;
  _Atomic bool done; /* the commands that write it are */
} SamplesObject;

typedef struct PassObject { /* MTLComputePassDescriptor */
  Object head;
  uint64_t type;         /* MTLDispatchType */
  SamplesObject *samples; /* owned; or NULL */
  uint64_t start, end;
} PassObject;

extern const ClassOf standin_MTLSampleDescriptor,
    standin_MTLComputePassDescriptor;

/* The clock of the GPU now: 24 ticks a microsecond, since some moment of its
** own. */
uint64_t standin_ticks(void);

/* Methods of the device. */
bool standin_can_sample(void *device, Selector s, uint64_t point);
void *standin_counter_sets(void *device, Selector s);
void *standin_samples(void *device, Selector s, void *descriptor, void **error);
void standin_timestamps(void *device, Selector s, uint64_t *cpu, uint64_t *gpu);

#endif
