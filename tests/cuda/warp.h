/*
** warp.h - a launch, its blocks and warps while they run.
**
** The lanes of a warp that are at one place run together: of all that can run,
** those that are deepest in calls and there at the lowest place, so that lanes
** that went different ways meet again where the ways do. Lanes wait at a
** barrier of the block, or at an instruction that needs other lanes of the
** warp. When no lane can run and not all have ended, that is a deadlock, which
** is an error.
*/
#ifndef MT_CUDA_WARP_H
#define MT_CUDA_WARP_H

#include "tests/cuda/ptx.h"

#include <setjmp.h>

#define BARRIERS 16
#define CALL_DEPTH 64

/* Generic addresses of shared memory, of a thread's own, and of parameters. */
#define WINDOW_SIZE UINT64_C(0x1000000)
#define SHARED_WINDOW UINT64_C(0x7c0000000000)
#define LOCAL_WINDOW (SHARED_WINDOW + WINDOW_SIZE)
#define PARAM_WINDOW (SHARED_WINDOW + 2 * WINDOW_SIZE)

/* What the driver says of a launch that failed. */
enum {
  FAULT_ADDRESS = 700,
  FAULT_MISALIGNED = 716,
  FAULT_SPACE = 717,
  FAULT_PC = 718,
  FAULT_LAUNCH = 719, /* trap, deadlock, stack */
  FAULT_INSTRUCTION = 715
};

typedef struct Launch Launch;
typedef struct Block Block;

typedef struct CallFrame {
  uint32_t back;  /* where the lane goes on */
  uint32_t frame; /* of the caller */
  uint32_t top;
  const Inst *call;
  const Function *callee;
  uint64_t *saved; /* registers and predicates of a callee called again */
} CallFrame;

/* Of a lane, started and not waited for (op_copy.c). */
typedef struct Copy {
  uint8_t *to;
  const uint8_t *from;
  uint32_t group; /* of its lane's */
  uint8_t lane, size, given; /* what is not given is zero */
} Copy;

struct Warp {
  uint64_t *regs; /* rows of 32 */
  uint32_t *preds;
  const uint64_t *pool;
  const Inst *code;
  Block *block;
  Launch *launch;
  uint32_t index;  /* in the block */
  uint32_t active; /* lanes that run now */
  uint32_t alive, runnable;
  uint32_t gathering; /* lanes that wait for others at one instruction */
  uint32_t at_barrier;
  uint32_t carry;
  uint32_t now; /* the instruction */
  bool again;   /* other lanes may have to run next */
  uint32_t pc[WARP], depth[WARP], frame[WARP], top[WARP];
  uint32_t members[WARP]; /* whom each of 'gathering' waits for */
  uint8_t barrier[WARP];  /* where each of 'at_barrier' waits */
  const Inst *barrier_inst[WARP];
  uint8_t *local;   /* local_size bytes for each lane */
  CallFrame *calls; /* CALL_DEPTH for each lane; NULL: no calls */
  uint32_t turns;
  uint32_t party[WARP]; /* Launch.apart: those that go together */
  uint32_t parties;
  Copy *copy;
  uint32_t copies, copy_room;
  uint32_t group[WARP]; /* that copies of each lane are put in now */
};

struct Block {
  Launch *launch;
  bool busy;
  uint32_t id[3];
  uint8_t *shared; /* from SHARED_BASE on */
  Warp *warps;
  uint32_t alive;
  struct Barrier {
    uint32_t arrived, wanted; /* 0: all that are alive */
    uint32_t popc;            /* of bar.red */
  } barriers[BARRIERS];
  uint64_t steps;
};

struct Launch {
  const Module *module;
  const Function *entry;
  uint32_t grid[3], block[3];
  uint32_t shared_size; /* static and dynamic */
  uint32_t dynamic_size;
  uint8_t *params;
  uint32_t threads, warps, local_size;
  uint64_t next, blocks; /* not yet begun; all */
  Block *resident;
  uint32_t turn;
  uint64_t steps;      /* of threads */
  uint64_t step_limit; /* 0: none */
  uint64_t id;
  bool calls;
  bool apart; /* lanes that went different ways meet again only at instructions
              ** that wait for them: what PTX promises, and not more */
  int fault;
  char why[600];
  jmp_buf jump;
};

/* A launch that is ready to run; 'params' are copied. */
Launch *launch_new(const Module *m, const Function *entry,
                   const uint32_t grid[3], const uint32_t block[3],
                   uint32_t dynamic_size, const void *params);
/* Runs about 'budget' warp instructions. True: it has ended, with or without a
** fault. */
bool launch_run(Launch *l, uint64_t budget);
void launch_free(Launch *l);

/* For the functions that execute instructions. */
_Noreturn __attribute__((format(printf, 5, 6))) void fault(
    Warp *w, const Inst *i, int lane, int code, const char *format, ...);
/*
** Lanes of 'lanes' wait here until all of 'members' (per lane) that have not
** ended are here, too (i->hi: at any instruction of the kind). Returns those
** that are complete and run the instruction now; the others wait.
*/
uint32_t gather(Warp *w, const Inst *i, uint32_t lanes,
                const uint64_t *members);
void end_lanes(Warp *w, uint32_t lanes);
void arrive(Warp *w, const Inst *i, uint32_t lanes, unsigned id,
            uint32_t wanted, bool wait);

static inline const uint64_t *src(const Warp *w, int32_t o) {
  return o >= 0 ? w->regs + (size_t)o * WARP : w->pool + (size_t)~o * WARP;
}

static inline uint64_t *dst(const Warp *w, int32_t o) {
  return w->regs + (size_t)(o == SINK ? SR_SCRATCH : o) * WARP;
}

static inline uint32_t read_predicate(const Warp *w, const Inst *i, int n) {
  uint32_t v = w->preds[i->p[n]];
  return i->p_not[n] ? ~v : v;
}

static inline void write_predicate(Warp *w, int32_t p, uint32_t lanes,
                                   uint32_t value) {
  if (p >= 0) w->preds[p] = (w->preds[p] & ~lanes) | (value & lanes);
}

/* For each lane l of 'lanes'. */
#define EACH(lanes, ...)                                               \
  do {                                                                 \
    if ((lanes) == UINT32_MAX) {                                       \
      for (int l = 0; l < WARP; l++) {                                 \
        __VA_ARGS__;                                                   \
      }                                                                \
    } else {                                                           \
      for (uint32_t left_ = (lanes); left_ != 0; left_ &= left_ - 1) { \
        int l = __builtin_ctz(left_);                                  \
        __VA_ARGS__;                                                   \
      }                                                                \
    }                                                                  \
  } while (0)

static inline float f32_of(uint64_t bits) {
  union {
    uint32_t u;
    float f;
  } v = {.u = (uint32_t)bits};
  return v.f;
}
static inline uint64_t bits_f32(float f) {
  union {
    float f;
    uint32_t u;
  } v = {.f = f};
  return v.u;
}
static inline double f64_of(uint64_t bits) {
  union {
    uint64_t u;
    double f;
  } v = {.u = bits};
  return v.f;
}
static inline uint64_t bits_f64(double f) {
  union {
    double f;
    uint64_t u;
  } v = {.f = f};
  return v.u;
}

#endif
