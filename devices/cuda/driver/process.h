/*
** process.h - NVIDIA's driver in a process of its own, seen from the console.
**
** A kernel that never ends, an illegal address (after which a context is of no
** use) or a crash of the driver ends that process and nothing else: the next
** use starts it again. What was only on the GPU is lost then; 'generation'
** tells the owners of device memory.
**
** Threads: the console thread only.
*/
#ifndef MT_CUDA_DRIVER_PROCESS_H
#define MT_CUDA_DRIVER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/process/worker_process.h"
#include "devices/cuda/driver/command.h"

#define MT_DRIVER_SPARES 8

typedef struct mt_Driver {
  unsigned number; /* of the GPU */
  mt_Channel *channel; /* NULL before the first start */
  mt_WorkerProcess *process; /* NULL: none */
  bool greeted; /* it has answered, 'facts' are known */
  uint64_t generation; /* counts the processes that had a GPU; 0: none yet */
  mt_GpuFacts facts;
  char word[64];
  mt_WorkerProcess *spare[MT_DRIVER_SPARES]; /* started, and idle */
  unsigned spares;
} mt_Driver;

/* Start the process, if there is none, and do not wait for it. */
mt_Status mt_driver_start(mt_Driver *d, mt_Error *err);

/* The same, and wait until 'facts' are known. */
mt_Status mt_driver_ready(mt_Driver *d, mt_Error *err);

typedef struct mt_DriverWait {
  double limit; /* seconds; 0: none */
  double grace; /* seconds that it is given after Ctrl-C */
  const char *notice; /* shown if it takes longer than a second; or NULL */
} mt_DriverWait;

/*
** Carry out the command in d->channel, whose 'op' this sets, and wait. MT_OK:
** the reply is there, its result may be an error of the driver's. MT_CANCELLED,
** MT_TIMEOUT: the process was killed. MT_FAIL: it has died, 'err' says how.
*/
mt_Status mt_driver_ask(mt_Driver *d, mt_DriverOp op, const mt_DriverWait *wait,
                        mt_Error *err);

/* Start processes for later, while this one still may: each time that the
** driver has to be started again, one is taken. */
void mt_driver_provide(mt_Driver *d);

void mt_driver_kill(mt_Driver *d); /* its process, if there is one */
void mt_driver_close(mt_Driver *d);

#endif
