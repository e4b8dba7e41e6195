/*
** command.h - what the console asks of the driver's process.
**
** Both look at one mt_Channel in shared memory (arena.h). The console writes a
** command and counts 'asked' up; the process carries it out, writes the reply
** and lets 'answered' follow. One command at a time.
*/
#ifndef MT_CUDA_DRIVER_COMMAND_H
#define MT_CUDA_DRIVER_COMMAND_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/str.h"
#include "devices/cuda/driver/cu.h"

typedef enum mt_DriverOp {
  MT_DRIVER_HELLO,    /* -> facts; the context is made after the reply */
  MT_DRIVER_ALLOC,    /* number: bytes -> address */
  MT_DRIVER_FREE,     /* pieces */
  MT_DRIVER_COPY_IN,  /* pieces: from the shared memory to the GPU */
  MT_DRIVER_COPY_OUT, /* pieces */
  MT_DRIVER_ZERO,     /* pieces */
  MT_DRIVER_LOAD,     /* load -> code */
  MT_DRIVER_UNLOAD,   /* number: id */
  MT_DRIVER_LINK,     /* load: PTX, which the machine code made of it replaces;
                      ** number: bytes that have room -> answer: its size */
  MT_DRIVER_FIT,      /* launch.id, .block and .shared -> number: blocks that
                      ** fit on a multiprocessor */
  MT_DRIVER_LAUNCH,   /* launch -> answer: nanoseconds */
  MT_DRIVER_ENQUEUE,  /* launch, number: which of a sequence, from 0 on; does
                      ** not wait */
  MT_DRIVER_FINISH,   /* number: launches of the sequence; waits -> answer:
                      ** nanoseconds of all, bytes: an mt_DriverTime for each */
  MT_DRIVER_TEXT,     /* number: address of a zero-terminated text -> text */
} mt_DriverOp;

/* A range of device memory, and of the shared memory. */
typedef struct mt_Piece {
  uint64_t address, offset, size;
} mt_Piece;

typedef struct mt_GpuFacts {
  char title[128];
  uint32_t driver; /* 12040: for CUDA 12.4 */
  uint32_t capability; /* 90: 9.0 */
  uint32_t units;
  uint32_t max_threads, max_block[3], warp;
  uint64_t shared; /* bytes, the most that a function can ask for */
  uint64_t memory; /* bytes on the card */
  uint64_t unused; /* bytes that were free when the context was made */
} mt_GpuFacts;

typedef struct mt_GpuCodeFacts {
  uint32_t registers, local, shared, constant; /* of a thread; of a block */
  uint32_t max_threads; /* of a block */
} mt_GpuCodeFacts;

typedef struct mt_DriverLaunch {
  uint64_t id;
  uint32_t groups[3], block[3];
  uint32_t shared;      /* bytes of dynamic shared memory */
  uint32_t repeats;
  uint32_t parameters;  /* 8-byte slots, in mt_Channel.bytes; the last 'size'
                        ** bytes are an mt_CudaLaunch */
  uint32_t slab_size;   /* bytes after them to be copied to 'slab' first */
  uint64_t slab;
} mt_DriverLaunch;

/* The most blocks that CUDA launches at once, in each dimension. */
#define MT_DRIVER_GROUPS {0x7fffffff, 65535, 65535}

typedef struct mt_DriverTime {
  uint64_t start, ns; /* start: after that of the first */
} mt_DriverTime;

typedef struct mt_DriverLoad {
  uint64_t id, offset, size; /* PTX in the shared memory, zero-terminated */
  uint64_t registers; /* the most for a thread; 0: as the driver likes */
} mt_DriverLoad;

#define MT_DRIVER_BYTES ((size_t)512 << 10)
#define MT_DRIVER_SEQUENCE 1024 /* launches, at most */
#define MT_DRIVER_TEXT 4096

typedef struct mt_Channel {
  _Alignas(64) _Atomic uint32_t asked;
  _Atomic uint32_t process_sleeps;
  _Alignas(64) _Atomic uint32_t answered;
  _Atomic uint32_t console_sleeps;
  /* the command */
  _Alignas(64) uint32_t op;
  uint32_t count; /* pieces in 'bytes' */
  uint64_t number;
  mt_DriverLaunch launch;
  mt_DriverLoad load;
  /* the reply */
  int32_t result; /* an mt_CuResult */
  uint32_t stage; /* of a failed launch: 0 it was refused, 1 it ran */
  uint64_t answer; /* an address or a number */
  _Atomic uint32_t finished; /* launches of the sequence that were seen to have
                             ** ended, also while FINISH waits */
  uint32_t exact; /* of a failed sequence: 'finished' is all that ended */
  mt_GpuFacts facts;
  mt_GpuCodeFacts code;
  char error[MT_CU_TEXT]; /* of 'result', in the driver's words */
  char text[MT_DRIVER_TEXT]; /* the compiler's log; why there is no GPU */
  /* pieces, parameters, a slab */
  _Alignas(64) char bytes[MT_DRIVER_BYTES];
} mt_Channel;

/* channel.c: wait until 'word' is no longer 'old', at most 'ms' milliseconds
** (-1: forever), first by looking at it again and again; false: it still is. */
bool mt_channel_wait(_Atomic uint32_t *word, uint32_t old,
                     _Atomic uint32_t *sleeps, int ms);
void mt_channel_post(_Atomic uint32_t *word, uint32_t value,
                     _Atomic uint32_t *sleeps);

/* serve.c: be the driver's process of another Mettle, for words that start with
** MT_DRIVER_WORD; returns the exit status. */
#define MT_DRIVER_WORD "cuda-gpu"
int mt_driver_serve(const char *word);
/* The same in a copy of the console; 'context' is the word. */
void mt_driver_work(void *context, const void *question, size_t size,
                    struct mt_Str *answer);

#endif
