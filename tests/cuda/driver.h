/*
** driver.h - the stand-in's side of CUDA's driver API: what there is, and how
** calls are checked.
**
** The declarations are written again from the documentation, not shared with
** devices/cuda: a mistake in one of them is seen.
**
** CUDA_STANDIN chooses what is played, words with commas:
**   none          no GPU (cuInit gives 100)
**   init=N        cuInit gives N
**   driver=N      version of the driver, 12080 where it is not said
**   sm=75         compute capability, 9.0 where it is not said
**   gpus=2        so many GPUs
**   memory=64M    memory of each, 8G where it is not said
**   lost=N        the GPU is lost in launch N
**   ptx=74        the highest PTX version that is known
**   apart         lanes of a warp that went different ways meet again only
**                 where an instruction waits for them, as PTX has it
**   steps=N       a launch of more thread instructions fails with 702
**   fail=NAME:N:E call N of the function gives E
**   counts        what was called and run is told at the end
** A call that is wrong says "PROBLEM" on stderr and fails; with
** METTLE_CUDA_STRICT=abort it aborts.
*/
#ifndef MT_CUDA_DRIVER_H
#define MT_CUDA_DRIVER_H

#include "tests/cuda/warp.h"

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  NO_BINARY_FOR_GPU = 209,
  INVALID_PTX = 218,
  UNSUPPORTED_PTX_VERSION = 222,
  OPERATING_SYSTEM = 304,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  LAUNCH_OUT_OF_RESOURCES = 701,
  LAUNCH_TIMEOUT = 702,
  HOST_MEMORY_ALREADY_REGISTERED = 712,
  HOST_MEMORY_NOT_REGISTERED = 713,
  NOT_SUPPORTED = 801,
  UNKNOWN = 999
};

typedef struct Personality {
  int init, driver, gpus;
  unsigned capability, ptx;
  uint64_t memory, lost, steps;
  char fail_name[64];
  unsigned fail_at;
  int fail_with;
  bool counts, apart;
} Personality;
const Personality *personality(void);

/* Everything that a caller holds a handle of. It is never freed, so that a
** handle that is used too late is known. */
typedef enum ObjectKind {
  OBJ_CONTEXT,
  OBJ_STREAM,
  OBJ_EVENT,
  OBJ_MODULE,
  OBJ_FUNCTION,
  OBJ_LINK
} ObjectKind;

typedef struct Context Context;
typedef struct Object {
  struct Object *next;
  ObjectKind kind;
  bool alive;
  Context *context;
} Object;

typedef struct Work Work;
struct Context {
  Object head;
  int device;
  bool primary;
  unsigned retained;
  int sticky; /* an error that every further call gives */
  Work *first, **last;
};

typedef struct Stream {
  Object head;
} Stream;

typedef struct Event {
  Object head;
  bool timed, recorded, done;
  uint64_t ns;
  unsigned pending; /* records that are not done */
} Event;

typedef struct ModuleObject {
  Object head;
  Module *module;
} ModuleObject;

/* PTX on its way to a file of machine code, which is here a word and the
** PTX. */
typedef struct LinkObject {
  Object head;
  char *code;
  size_t size;
} LinkObject;

typedef struct FunctionObject {
  Object head;
  ModuleObject *module;
  const Function *function;
  uint32_t dynamic_most; /* of shared memory, as was allowed */
} FunctionObject;

/* What waits to be done. */
struct Work {
  Work *next;
  Stream *stream; /* NULL: the default one */
  enum { W_LAUNCH, W_TO_DEVICE, W_TO_HOST, W_ON_DEVICE, W_SET, W_EVENT } kind;
  Launch *launch;
  uint64_t device, device_from, size;
  void *host;      /* of the caller */
  uint8_t *copied; /* bytes of the caller that he may change since */
  uint32_t value, value_size;
  Event *event;
  const char *name;
};

/* ------------------------------------------------------------------- calls */

typedef struct Call {
  const char *name;
  Context *context;
  CUresult error; /* the call ends with it, if not OK */
} Call;

enum { ANY = 1 /* needs no context */ };
/* Takes the lock, counts, checks. */
Call call_begin(const char *name, int flags);
void call_end(Call *c);
/* A mistake of the caller: says so; gives 'error'. */
__attribute__((format(printf, 3, 4))) CUresult problem(Call *c, CUresult error,
                                                       const char *format, ...);
void unlock_a_moment(void); /* others may call meanwhile */

#define API __attribute__((visibility("default"))) CUresult
#define BEGIN(flags)                                                          \
  __attribute__((cleanup(call_end))) Call call = call_begin(__func__, flags); \
  if (call.error != OK) return call.error
#define NEED(condition, ...)                              \
  do {                                                    \
    if (!(condition)) return problem(&call, __VA_ARGS__); \
  } while (0)

Object *object_new(ObjectKind kind, size_t size, Context *c);
/* The object that a handle is of; NULL: of none, or of one that has ended. */
void *object_of(const void *handle, ObjectKind kind, bool *was);
/* The same, with the words of the mistake. */
void *need_object(Call *c, const void *handle, ObjectKind kind,
                  CUresult *error);
Object *objects(void);

extern _Thread_local Context *current_context;

/* driver_stream.c */
Work *work_new(Context *c, Stream *s, int kind);
bool work_step(Context *c); /* false: nothing to do */
CUresult work_finish(Call *call, Stream *s, bool all); /* waits */
void work_drop(Context *c);                            /* without doing it */
uint64_t now_ns(void);

/* driver_memory.c */
uint64_t memory_limit(const Context *c);

/* driver_context.c */
void context_end(Call *c, Context *x);

/* counts, for CUDA_STANDIN=counts */
extern uint64_t count_launches, count_steps, count_modules;

#endif
