/*
** profile.c - inserts the profiler's probes into a kernel, see
** profile/profile.h.
**
** The one idea: count late. The kernel has been inlined and simplified, as any
** compiler does before instruction selection, so that the rest resembles what a
** GPU would run: variables are in registers, a short if is a select, a loop
** with a constant trip count is unrolled. Each basic block is tallied once,
** here; at run time a probe only counts how often it runs.
*/
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/host/abi/abi.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/instrument/profiler.h"
#include "devices/host/probe/probe.h"

typedef struct Work {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMBuilderRef b;
  LLVMValueRef function;
  const mt_MslKernel *kernel;
  mt_CountTable *table;
  LLVMTypeRef i32, i64, none;
  unsigned line; /* of the last instruction that had one */
  bool failed;   /* out of memory */
} Work;

static bool grow(Work *w, void **list, size_t count, size_t *room,
                 size_t item) {
  bool done = mt_sites_grow(list, count, room, item);
  w->failed |= !done;
  return done;
}

static uint32_t add_site(Work *w, mt_CountSite site) {
  mt_CountTable *t = w->table;
  if (!grow(w, (void **)&t->site, t->sites, &t->site_room, sizeof site))
    return 0;
  t->site[t->sites] = site;
  return (uint32_t)t->sites++;
}

/* ------------------------------------------------------------------- memory */

typedef enum Root {
  ROOT_NONE, /* only itself, around a loop */
  ROOT_DEVICE,
  ROOT_CONSTANT,
  ROOT_GROUP,
  ROOT_PRIVATE,
  ROOT_VIEW,    /* the descriptor of a texture: registers, on a GPU */
  ROOT_TEXTURE, /* its pixels */
  ROOT_UNKNOWN
} Root;

static Root root_of_param(Work *w, LLVMValueRef p) {
  const mt_Param *param = mt_parameter(w->kernel, w->function, p);
  if (!param) return ROOT_UNKNOWN;
  if (param->kind == MT_PARAM_TEXTURE) return ROOT_VIEW;
  if (param->kind == MT_PARAM_THREADGROUP) return ROOT_GROUP;
  return param->constant ? ROOT_CONSTANT : ROOT_DEVICE;
}

static Root either(Root a, Root b) {
  if (a == ROOT_NONE) return b;
  return b == ROOT_NONE || a == b ? a : ROOT_UNKNOWN;
}

static Root root_of(Work *w, LLVMValueRef p);

static Root root_of_object(Work *w, LLVMValueRef p) {
  if (LLVMIsUndef(p)) return ROOT_NONE;
  if (LLVMIsAArgument(p)) return root_of_param(w, p);
  if (LLVMIsAGlobalVariable(p))
    return mt_is_threadgroup(p) ? ROOT_GROUP : ROOT_CONSTANT;
  if (LLVMIsAAllocaInst(p)) return ROOT_PRIVATE;
  if (LLVMIsALoadInst(p) && root_of(w, LLVMGetOperand(p, 0)) == ROOT_VIEW)
    return ROOT_TEXTURE;
  return ROOT_UNKNOWN;
}

typedef struct Roots {
  Work *w;
  Root all;
} Roots;

static bool add_root(void *with, LLVMValueRef object) {
  Roots *r = with;
  r->all = either(r->all, root_of_object(r->w, object));
  return r->all != ROOT_UNKNOWN;
}

static Root root_of(Work *w, LLVMValueRef p) {
  Roots r = {w, ROOT_NONE};
  return mt_each_object(p, add_root, &r) ? r.all : ROOT_UNKNOWN;
}

static mt_CountSpace space_of(Root root) {
  switch (root) {
    case ROOT_DEVICE: return MT_COUNT_DEVICE;
    case ROOT_CONSTANT: return MT_COUNT_CONSTANT;
    case ROOT_GROUP: return MT_COUNT_GROUP;
    default: return MT_COUNT_FIND;
  }
}

/* ------------------------------------------------------------------- probes */

static void call(Work *w, const char *name, LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[4];
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(w->none, types, n, 0);
  LLVMValueRef f = LLVMGetNamedFunction(w->module, name);
  if (!f) {
    f = LLVMAddFunction(w->module, name, type);
    mt_add_attribute(f, "nounwind", 0);
    mt_add_attribute(f, "convergent", 0);
  }
  LLVMBuildCall2(w->b, type, f, args, n, "");
}

static LLVMValueRef number(Work *w, uint32_t n) {
  return LLVMConstInt(w->i32, n, 0);
}

/* At the builder's position. */
static void call_access(Work *w, Root root, mt_AccessHow how, uint64_t size,
                        LLVMValueRef p) {
  if (root == ROOT_PRIVATE || root == ROOT_VIEW || root == ROOT_TEXTURE) return;
  mt_CountSite site = {w->line, space_of(root), how, (uint32_t)size};
  LLVMValueRef args[] = {number(w, add_site(w, site)), p};
  call(w, MT_COUNT_ACCESS, args, 2);
}

/* ----------------------------------------------------------------- tallies */

/* The tally of this line and kind in the block whose tallies begin at
** 'first'. */
static mt_Tally *tally(Work *w, uint32_t first, mt_CountKind kind) {
  static mt_Tally nowhere;
  mt_CountTable *t = w->table;
  for (size_t i = first; i < t->tallies; i++)
    if (t->tally[i].line == w->line && t->tally[i].kind == kind)
      return &t->tally[i];
  if (!grow(w, (void **)&t->tally, t->tallies, &t->tally_room, sizeof nowhere))
    return &nowhere;
  t->tally[t->tallies] = (mt_Tally){.line = w->line, .kind = kind};
  return &t->tally[t->tallies++];
}

/* Instructions for one operation: GPUs execute MSL vectors by element. */
static unsigned width_of(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

typedef struct Cost {
  mt_CountKind kind;
  uint32_t count, operations;
} Cost;

static Cost cost_of_intrinsic(LLVMValueRef i, const char *name) {
  unsigned n = width_of(LLVMTypeOf(i));
  if (mt_starts(name, "llvm.fma.") || mt_starts(name, "llvm.fmuladd."))
    return (Cost){MT_COUNT_FLOAT, n, 2 * n};
  if (mt_starts(name, "llvm.sqrt.")) return (Cost){MT_COUNT_SPECIAL, n, n};
  if (mt_starts(name, "llvm.min") || mt_starts(name, "llvm.max"))
    return (Cost){MT_COUNT_FLOAT, n, n};
  if (mt_starts(name, "llvm.fabs.") || mt_starts(name, "llvm.copysign."))
    return (Cost){MT_COUNT_FLOAT, 0, 0}; /* a modifier of operands */
  if (mt_starts(name, "llvm.floor.") || mt_starts(name, "llvm.ceil.") ||
      mt_starts(name, "llvm.trunc.") || mt_starts(name, "llvm.rint.") ||
      mt_starts(name, "llvm.nearbyint.") || mt_starts(name, "llvm.round"))
    return (Cost){MT_COUNT_CONVERT, n, 0};
  if (mt_starts(name, "llvm.smin") || mt_starts(name, "llvm.smax") ||
      mt_starts(name, "llvm.umin") || mt_starts(name, "llvm.umax") ||
      mt_starts(name, "llvm.abs."))
    return (Cost){MT_COUNT_COMPARE, n, 0};
  if (mt_starts(name, "llvm.ct") || mt_starts(name, "llvm.fsh") ||
      mt_starts(name, "llvm.bswap") || mt_starts(name, "llvm.bitreverse") ||
      mt_starts(name, "llvm.umul") || mt_starts(name, "llvm.smul") ||
      mt_starts(name, "llvm.uadd") || mt_starts(name, "llvm.sadd") ||
      mt_starts(name, "llvm.usub") || mt_starts(name, "llvm.ssub"))
    return (Cost){MT_COUNT_INTEGER, n, 0};
  if (mt_is_copy(name) || mt_starts(name, "llvm.memset"))
    return (Cost){MT_COUNT_MEMORY, 1, 0};
  return (Cost){MT_COUNT_OTHER, 0, 0};
}

static Cost cost_of_call(LLVMValueRef i) {
  const char *name = mt_callee(i);
  if (mt_starts(name, "__mt_barrier")) return (Cost){MT_COUNT_BARRIER, 1, 0};
  if (!strcmp(name, MT_LANE_NUMBER) || mt_starts(name, MT_HOLD) ||
      mt_is_log_call(name))
    return (Cost){MT_COUNT_OTHER, 0, 0};
  /* 8 x 8 x 8 multiply-adds, shared by 32 lanes */
  if (mt_starts(name, "__mt_matrix_multiply"))
    return (Cost){MT_COUNT_SIMD, 1, 8 * 8 * 8 * 2 / MT_LANES};
  if (mt_starts(name, "__mt_")) return (Cost){MT_COUNT_SIMD, 1, 0};
  if (mt_starts(name, "llvm.")) return cost_of_intrinsic(i, name);
  return (Cost){MT_COUNT_OTHER, 1, 0};
}

static Cost cost_of(LLVMValueRef i) {
  unsigned n = width_of(LLVMTypeOf(i));
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul: return (Cost){MT_COUNT_FLOAT, n, n};
    case LLVMFDiv:
    case LLVMFRem: return (Cost){MT_COUNT_SPECIAL, n, n};
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem: return (Cost){MT_COUNT_SPECIAL, n, 0};
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return (Cost){MT_COUNT_INTEGER, n, 0};
    case LLVMGetElementPtr:
      return (Cost){MT_COUNT_INTEGER, mt_has_variable_index(i) ? 1 : 0, 0};
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt: return (Cost){MT_COUNT_CONVERT, n, 0};
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect: return (Cost){MT_COUNT_COMPARE, n, 0};
    case LLVMBr:
      return (Cost){MT_COUNT_BRANCH, LLVMIsConditional(i) ? 1 : 0, 0};
    case LLVMSwitch: return (Cost){MT_COUNT_BRANCH, 1, 0};
    case LLVMLoad:
    case LLVMStore: return (Cost){MT_COUNT_MEMORY, 1, 0};
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return (Cost){MT_COUNT_ATOMIC, 1, 0};
    case LLVMCall: return cost_of_call(i);
    default: return (Cost){MT_COUNT_OTHER, 0, 0};
  }
}

/* --------------------------------------------------------------- accesses */

static uint64_t size_of(Work *w, LLVMTypeRef t) {
  return LLVMStoreSizeOfType(w->layout, t);
}

/* A load, store or atomic, by the memory that it accesses. */
static void access(Work *w, LLVMValueRef i, uint32_t first, unsigned operand,
                   mt_AccessHow how, uint64_t size) {
  LLVMValueRef p = LLVMGetOperand(i, operand);
  Root root = root_of(w, p);
  mt_CountKind kind = how == MT_HOW_ATOMIC ? MT_COUNT_ATOMIC : MT_COUNT_MEMORY;
  if (root == ROOT_VIEW) return;
  if (root == ROOT_TEXTURE) {
    kind = MT_COUNT_TEXTURE;
    w->table->textures = true;
  }
  mt_Tally *t = tally(w, first, kind);
  t->count++;
  if (root == ROOT_PRIVATE && how == MT_HOW_READ) t->private_reads++;
  if (root == ROOT_PRIVATE && how == MT_HOW_WRITE) t->private_writes++;
  LLVMPositionBuilderBefore(w->b, i);
  call_access(w, root, how, size, p);
}

static bool is_atomic(LLVMValueRef i) {
  return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static void copy(Work *w, LLVMValueRef i, uint32_t first, bool reads) {
  LLVMValueRef n = LLVMGetOperand(i, 2);
  uint64_t size = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
  if (reads) access(w, i, first, 1, MT_HOW_READ, size);
  access(w, i, first, 0, MT_HOW_WRITE, size);
}

/* Bit 'from' of the lane's number, multiplied by 'times'. */
static LLVMValueRef bit(Work *w, LLVMValueRef lane, unsigned from,
                        unsigned times) {
  LLVMValueRef one = LLVMBuildAnd(
      w->b, LLVMBuildLShr(w->b, lane, LLVMConstInt(w->i64, from, 0), ""),
      LLVMConstInt(w->i64, 1, 0), "");
  return LLVMBuildMul(w->b, one, LLVMConstInt(w->i64, times, 0), "");
}

static LLVMValueRef sum3(Work *w, LLVMValueRef a, LLVMValueRef b,
                         LLVMValueRef c) {
  LLVMValueRef ab = LLVMBuildAdd(w->b, a, b, "");
  return c ? LLVMBuildAdd(w->b, ab, c, "") : ab;
}

/* The lanes of a SIMD-group load or store two elements of a matrix each, in the
** layout of msl/include/metal/__builtins. */
static void move_matrix(Work *w, LLVMValueRef i, const char *name,
                        uint32_t first) {
  bool load = mt_starts(name, "__mt_matrix_load");
  unsigned at = load ? 0 : 1;
  LLVMValueRef p = LLVMGetOperand(i, at), stride = LLVMGetOperand(i, at + 1);
  LLVMValueRef turned = LLVMGetOperand(i, at + 2);
  LLVMTypeRef type = strstr(name, "_f32") ? LLVMFloatTypeInContext(w->context)
                                          : LLVMInt16TypeInContext(w->context);
  tally(w, first, MT_COUNT_MEMORY)->count++;
  LLVMPositionBuilderBefore(w->b, i);
  LLVMTypeRef lane_type = LLVMFunctionType(w->i32, NULL, 0, 0);
  LLVMValueRef lane_of = LLVMGetNamedFunction(w->module, MT_LANE_NUMBER);
  if (!lane_of)
    lane_of = LLVMAddFunction(w->module, MT_LANE_NUMBER, lane_type);
  LLVMValueRef lane = LLVMBuildZExt(
      w->b, LLVMBuildCall2(w->b, lane_type, lane_of, NULL, 0, ""), w->i64, "");
  LLVMValueRef row = sum3(w, bit(w, lane, 4, 4), bit(w, lane, 1, 1),
                          bit(w, lane, 2, 2));
  LLVMValueRef column = sum3(w, bit(w, lane, 3, 4), bit(w, lane, 0, 2), NULL);
  for (unsigned e = 0; e < 2; e++) {
    LLVMValueRef c = LLVMBuildAdd(w->b, column, LLVMConstInt(w->i64, e, 0), "");
    LLVMValueRef down = LLVMBuildSelect(w->b, turned, c, row, "");
    LLVMValueRef along = LLVMBuildSelect(w->b, turned, row, c, "");
    LLVMValueRef place =
        LLVMBuildAdd(w->b, LLVMBuildMul(w->b, down, stride, ""), along, "");
    call_access(w, root_of(w, p), load ? MT_HOW_READ : MT_HOW_WRITE,
                size_of(w, type),
                LLVMBuildGEP2(w->b, type, p, &place, 1, ""));
  }
}

/* Counts an access; false: it is none. */
static bool count_access(Work *w, LLVMValueRef i, uint32_t first) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
      access(w, i, first, 0, is_atomic(i) ? MT_HOW_ATOMIC : MT_HOW_READ,
             size_of(w, LLVMTypeOf(i)));
      return true;
    case LLVMStore:
      access(w, i, first, 1, is_atomic(i) ? MT_HOW_ATOMIC : MT_HOW_WRITE,
             size_of(w, LLVMTypeOf(LLVMGetOperand(i, 0))));
      return true;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      access(w, i, first, 0, MT_HOW_ATOMIC,
             size_of(w, LLVMTypeOf(LLVMGetOperand(i, 1))));
      return true;
    case LLVMCall: {
      const char *name = mt_callee(i);
      if (mt_is_copy(name))
        copy(w, i, first, true);
      else if (mt_starts(name, "llvm.memset"))
        copy(w, i, first, false);
      else if (mt_starts(name, "__mt_matrix_load") ||
               mt_starts(name, "__mt_matrix_store"))
        move_matrix(w, i, name, first);
      else
        return false;
      return true;
    }
    default:
      return false;
  }
}

/* ------------------------------------------------------------------ blocks */

static void count_instruction(Work *w, LLVMValueRef i, uint32_t first) {
  unsigned line = LLVMGetDebugLocLine(i);
  if (line) w->line = line;
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  if (count_access(w, i, first)) return;
  Cost c = cost_of(i);
  if (!c.count && !c.operations) return;
  mt_Tally *t = tally(w, first, c.kind);
  t->count += c.count;
  t->operations += c.operations;
}

static void count_branch(Work *w, LLVMValueRef end) {
  if (LLVMGetInstructionOpcode(end) != LLVMBr || !LLVMIsConditional(end))
    return;
  mt_CountSite site = {.line = w->line};
  LLVMPositionBuilderBefore(w->b, end);
  LLVMValueRef args[] = {number(w, add_site(w, site)), LLVMGetCondition(end)};
  call(w, MT_COUNT_SPLIT, args, 2);
}

static LLVMValueRef behind_phis(LLVMBasicBlockRef b) {
  LLVMValueRef i = LLVMGetFirstInstruction(b);
  while (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i))
    i = LLVMGetNextInstruction(i);
  return i;
}

static void count_block(Work *w, LLVMBasicBlockRef b) {
  mt_CountTable *t = w->table;
  mt_TallyRun run = {.first = (uint32_t)t->tallies};
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b), next;
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (i == end) count_branch(w, end);
    count_instruction(w, i, run.first);
  }
  run.count = (uint32_t)t->tallies - run.first;
  if (!run.count ||
      !grow(w, (void **)&t->block, t->blocks, &t->block_room, sizeof run))
    return;
  LLVMPositionBuilderBefore(w->b, behind_phis(b));
  LLVMValueRef block = number(w, (uint32_t)t->blocks);
  t->block[t->blocks++] = run;
  call(w, MT_COUNT_BLOCK, &block, 1);
}

static mt_Status put_counters(void *context, LLVMModuleRef module,
                              LLVMValueRef function, const mt_MslKernel *kernel,
                              mt_Error *err) {
  mt_CountTable *out = context;
  Work w = {.module = module, .function = function, .kernel = kernel,
            .table = out, .context = LLVMGetModuleContext(module),
            .layout = LLVMGetModuleDataLayout(module)};
  w.b = LLVMCreateBuilderInContext(w.context);
  w.i32 = LLVMInt32TypeInContext(w.context);
  w.i64 = LLVMInt64TypeInContext(w.context);
  w.none = LLVMVoidTypeInContext(w.context);
  out->registers = mt_live_registers(function, w.layout); /* without probes */
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    count_block(&w, b);
  LLVMDisposeBuilder(w.b);
  return w.failed ? mt_error(err, MT_FAIL, "out of memory") : MT_OK;
}

mt_Instrumentation mt_profile_instrumentation(mt_CountTable *table) {
  return (mt_Instrumentation){.context = table, .counters = put_counters};
}
