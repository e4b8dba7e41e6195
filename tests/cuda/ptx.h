/*
** ptx.h - a PTX module as the stand-in's interpreter holds it.
**
** The text becomes an array of instructions, each with the function that
** executes it for the lanes of a warp. A register is a row of 32 slots of 64
** bits, one for each lane, a value in the low bits of its slot; a predicate is
** a mask of 32 bits. A constant operand is such a row, too, in the module's
** pool, so that an operand is an index: a register if it is not negative, else
** ~index of a constant.
*/
#ifndef MT_CUDA_PTX_H
#define MT_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WARP 32
#define SINK INT32_MIN /* the operand _ */

typedef enum Type {
  T_NONE,
  T_PRED,
  T_B8,
  T_B16,
  T_B32,
  T_B64,
  T_B128,
  T_U8,
  T_U16,
  T_U32,
  T_U64,
  T_S8,
  T_S16,
  T_S32,
  T_S64,
  T_F16,
  T_F16X2,
  T_BF16,
  T_BF16X2,
  T_TF32,
  T_F32,
  T_F64,
  T_U16X2,
  T_S16X2,
  T_COUNT
} Type;

typedef enum Space {
  SP_GENERIC,
  SP_GLOBAL,
  SP_SHARED,
  SP_LOCAL,
  SP_CONST,
  SP_PARAM,
  SP_REG,
  SP_FRAME /* .param of a call or a function: in the thread's frame */
} Space;

typedef enum Rounding {
  R_NONE,
  R_RN,
  R_RZ,
  R_RM,
  R_RP,
  R_RNA,
  R_RNI,
  R_RZI,
  R_RMI,
  R_RPI
} Rounding;

typedef struct Inst Inst;
typedef struct Warp Warp;
typedef struct Function Function;
typedef struct Module Module;
typedef void Run(Warp *w, const Inst *i, uint32_t lanes);

/* One argument of a call, or its result: bytes of the two frames. */
typedef struct CallCopy {
  uint32_t caller, callee, size;
} CallCopy;

struct Inst {
  Run *run;
  int32_t guard; /* index of a predicate; -1: none */
  bool guard_not;
  bool control; /* changes where lanes go on */
  bool jump;    /* a plain bra */
  bool frame;   /* imm is relative to the thread's frame */
  bool stack;   /* a call, or memory of the stack */
  bool narrow;  /* a store of fewer bits than its registers have */
  uint8_t type, type2, space, vec, round, op, semantics;
  bool ftz, sat, nan, relu, abs, wide, hi, aligned;
  int32_t d[8], s[12];
  int32_t p[4]; /* predicates: results, then sources */
  bool p_not[4];
  int64_t imm; /* offset of an address */
  uint32_t target, target_count;
  uint32_t *targets;
  const Function *callee;
  CallCopy *copies; /* arguments, then results */
  uint32_t argument_count, copy_count;
  uint32_t line; /* of the text */
  const char *text;
};

/* Bytes 'shift' to 'shift' + 'size' of an address. */
typedef struct Fixup {
  uint64_t at;
  const char *symbol;
  int64_t add;
  bool generic;
  uint32_t size, shift;
} Fixup;

typedef struct Variable {
  char *name;
  Space space;
  Type type;
  uint32_t align, element, vec;
  uint64_t size;        /* 0: extern, of unknown size */
  uint64_t address;     /* in its space; of a frame, the offset */
  uint64_t offset;      /* kernel parameter: in the parameter block */
  uint8_t *bytes;       /* initial value, or NULL */
  struct Fixup *fixups; /* addresses in it */
  uint32_t fixup_count;
  bool external;
} Variable;

struct Function {
  char *name;
  bool entry, declared_only;
  Module *module;
  Variable *params; /* of an entry: kernel parameters; else of the frame */
  uint32_t param_count;
  Variable *results;
  uint32_t result_count;
  uint32_t param_bytes;
  uint32_t first, count;                       /* instructions */
  uint32_t regs, reg_count, preds, pred_count; /* its part of a warp's */
  uint32_t frame_size;                         /* bytes of local memory */
  uint32_t hardware;    /* registers of 32 bits that a GPU would take */
  uint32_t max_threads; /* .maxntid: threads of a block; 0: any */
  unsigned most_registers; /* that the caller asked for; 0: any number */
  uint32_t required[3]; /* .reqntid */
};

struct Module {
  char *text;
  void **kept; /* memory that lives as long as the module */
  uint32_t kept_count, kept_room;
  unsigned version, target; /* 78: 7.8; 75: sm_75 */
  Inst *code;
  uint32_t count, room;
  Function **functions;
  uint32_t function_count;
  Variable *variables;
  uint32_t variable_count;
  uint64_t *pool; /* rows of 32 */
  uint32_t pool_count, pool_room;
  uint32_t reg_count, pred_count;
  uint8_t *reg_size; /* in bytes */
  uint32_t reg_room;
  uint32_t shared_size;         /* static shared memory */
  uint64_t dynamic_address;     /* of extern shared memory */
  uint64_t global, global_size; /* device memory of .global and .const */
};

/* Registers that are there for every warp, filled when it starts. */
enum {
  SR_TID_X,
  SR_TID_Y,
  SR_TID_Z,
  SR_NTID_X,
  SR_NTID_Y,
  SR_NTID_Z,
  SR_CTAID_X,
  SR_CTAID_Y,
  SR_CTAID_Z,
  SR_NCTAID_X,
  SR_NCTAID_Y,
  SR_NCTAID_Z,
  SR_LANEID,
  SR_WARPID,
  SR_NWARPID,
  SR_SMID,
  SR_NSMID,
  SR_GRIDID,
  SR_MASK_EQ,
  SR_MASK_LE,
  SR_MASK_LT,
  SR_MASK_GE,
  SR_MASK_GT,
  SR_DYNAMIC_SIZE,
  SR_TOTAL_SIZE,
  SR_SCRATCH,
  SR_COUNT
};

#define SHARED_BASE 1024u /* what lies below is the system's */
#define LOCAL_BASE 16u
/* Addresses of functions. */
#define FUNCTION_BASE UINT64_C(0x100000000)
#define FUNCTION_STEP 128u

/*
** A module from PTX, or NULL, with one sentence (with the line's text) in
* 'why'.
** Its global data is to lie at 'base': global_size bytes.
*/
Module *ptx_parse(const char *text, uint64_t base, char *why, size_t why_size);
void ptx_free(Module *m);
/* How many registers of 32 bits are in use at once. */
uint32_t ptx_registers(const Module *m, const Function *f);
/* A store that NVIDIA's assembler takes for a conversion; or NULL. */
const Inst *ptx_narrow_float(const Module *m, const Function *f);
const Function *ptx_entry(const Module *m, const char *name);
Variable *ptx_variable(Module *m, const char *name);
/* The bytes of the module's global data, with addresses put in. */
bool ptx_image(const Module *m, uint8_t *image, char *why, size_t why_size);

#endif
