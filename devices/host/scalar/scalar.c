/*
** scalar.c - compiles a kernel to run thread by thread, see scalar.h.
**
** The one idea: the kernel is left as it is and wrapped twice: in a function
** that runs one thread, computing the kernel's arguments from the thread's
** position, and in one that runs a threadgroup. Inside the kernel only calls
** that synchronise are replaced: each records its key (run/fiber.h) and calls
** the scheduler.
*/
#include "devices/host/scalar/scalar.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/run/run.h"

typedef struct Build {
  mt_Target *target;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef b;
  LLVMTypeRef i32, i64, ptr, none;
  const mt_MslKernel *kernel;
  LLVMValueRef function; /* the kernel */
  LLVMValueRef self;     /* in the kernel: placeholder call for its fiber */
  LLVMValueRef group;    /* and for its mt_Group */
  mt_LoopNest order;
  /* barriers do not wait for threads that have returned */
  bool without_returned;
  unsigned cells;        /* cells of values that inactive lanes hold */
  LLVMValueRef *counter; /* by loop: iterations so far; NULL: not needed */
  bool logs;             /* there are some outside the kernel */
  mt_ScalarProbe *probe; /* lowers calls of instrumentation; or NULL */
  mt_Error *err;
} Build;

static LLVMValueRef int32(const Build *s, uint32_t n) {
  return LLVMConstInt(s->i32, n, 0);
}

static LLVMValueRef field(Build *s, LLVMValueRef base, size_t offset) {
  LLVMValueRef at = LLVMConstInt(s->i64, offset, 0);
  return LLVMBuildInBoundsGEP2(s->b, LLVMInt8TypeInContext(s->context), base,
                               &at, 1, "");
}

static LLVMValueRef load32(Build *s, LLVMValueRef base, size_t offset) {
  return LLVMBuildLoad2(s->b, s->i32, field(s, base, offset), "");
}

/* mt_Group does not change while the group runs: an invariant load. */
static LLVMValueRef unchanging(Build *s, LLVMValueRef load) {
  LLVMSetMetadata(load,
                  LLVMGetMDKindIDInContext(s->context, "invariant.load", 14),
                  LLVMMetadataAsValue(
                      s->context, LLVMMDNodeInContext2(s->context, NULL, 0)));
  return load;
}

/* A runtime function or placeholder, declared on first use. */
static LLVMValueRef declare(Build *s, const char *name, LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetNamedFunction(s->module, name);
  return f ? f : LLVMAddFunction(s->module, name, type);
}

static LLVMValueRef call(Build *s, LLVMValueRef f, LLVMValueRef *args,
                         unsigned n) {
  return LLVMBuildCall2(s->b, LLVMGlobalGetValueType(f), f, args, n, "");
}

/* ------------------------------------------- keys of calls that synchronise */

static void go_to_start(Build *s, LLVMValueRef f) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
  LLVMPositionBuilderBefore(s->b, LLVMGetFirstInstruction(entry));
}

/* A new block for code without a source line. */
static void go_to_new_block(Build *s, LLVMValueRef f) {
  LLVMPositionBuilderAtEnd(s->b,
                           LLVMAppendBasicBlockInContext(s->context, f, ""));
  LLVMSetCurrentDebugLocation2(s->b, NULL);
}

static void put_key(Build *s, unsigned *n, LLVMValueRef word) {
  size_t at = offsetof(mt_Fiber, key) + *n * sizeof(uint32_t);
  if (*n < MT_KEY_MAX) LLVMBuildStore(s->b, word, field(s, s->self, at));
  ++*n;
}

static void put_loops(Build *s, unsigned *n, int loop) {
  if (loop < 0) return;
  put_loops(s, n, s->order.loops[loop].parent);
  put_key(s, n, int32(s, (uint32_t)s->order.loops[loop].header));
  put_key(s, n, LLVMBuildLoad2(s->b, s->i32, s->counter[loop], ""));
}

static bool write_key(Build *s, int block, uint32_t place) {
  unsigned n = 0;
  put_loops(s, &n, s->order.loop[block]);
  put_key(s, &n, int32(s, (uint32_t)block));
  put_key(s, &n, int32(s, place));
  LLVMBuildStore(s->b, int32(s, n),
                 field(s, s->self, offsetof(mt_Fiber, key_length)));
  return n <= MT_KEY_MAX;
}

/* ----------------------------------------- replacing calls that synchronise */

static LLVMValueRef to_word(Build *s, LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind:
      return LLVMBuildPtrToInt(s->b, v, s->i64, "");
    case LLVMFloatTypeKind:
      v = LLVMBuildBitCast(s->b, v, s->i32, "");
      break;
    case LLVMVectorTypeKind: /* a pair of floats */
      return LLVMBuildBitCast(s->b, v, s->i64, "");
    default:
      break;
  }
  return LLVMBuildIntCast2(s->b, v, s->i64, 0, "");
}

static LLVMValueRef from_word(Build *s, LLVMValueRef w, LLVMTypeRef t) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind:
      w = LLVMBuildTrunc(s->b, w, s->i32, "");
      return LLVMBuildBitCast(s->b, w, t, "");
    case LLVMVectorTypeKind:
      return LLVMBuildBitCast(s->b, w, t, "");
    default:
      return LLVMBuildIntCast2(s->b, w, t, 0, "");
  }
}

static LLVMValueRef wait_call(Build *s, LLVMValueRef old, uint32_t op) {
  LLVMTypeRef params[] = {s->ptr, s->i32, s->i32, s->i64,
                          s->i64, s->i64, s->i64};
  LLVMValueRef wait = declare(s, "mt_fiber_wait",
                              LLVMFunctionType(s->i64, params, 7, 0));
  LLVMValueRef args[7] = {s->self, int32(s, op),
                          int32(s, LLVMGetDebugLocLine(old))};
  unsigned n = LLVMGetNumArgOperands(old);
  for (unsigned i = 0; i < 4; i++)
    args[3 + i] = i < n ? to_word(s, LLVMGetOperand(old, i))
                        : LLVMConstInt(s->i64, 0, 0);
  return call(s, wait, args, 7);
}

/* The cells in which inactive lanes hold the operands of this call. */
static void write_cells(Build *s, LLVMValueRef call) {
  if (s->cells == 0) return;
  for (unsigned k = 0; k < 2; k++)
    LLVMBuildStore(s->b, int32(s, (uint32_t)mt_inactive_cell(call, k)),
                   field(s, s->self, offsetof(mt_Fiber, cell) + k * 4));
}

/* What instrumented code reports to. */
static LLVMValueRef observer(Build *s) {
  LLVMValueRef at = field(s, s->group, offsetof(mt_Group, observer));
  return unchanging(s, LLVMBuildLoad2(s->b, s->ptr, at, ""));
}

/* Replace one call of a builtin. Returns false if it is not supported. */
static bool change_call(Build *s, LLVMValueRef old, const char *name, int block,
                        uint32_t place) {
  LLVMTypeRef type = LLVMTypeOf(old);
  uint32_t op = mt_lane_op(name);
  LLVMValueRef value;
  if (mt_is_probe(name) && s->probe) {
    LLVMPositionBuilderBefore(s->b, old);
    value = s->probe(s->module, s->b, old, name,
                     load32(s, s->self, offsetof(mt_Fiber, index)),
                     observer(s));
  } else if (mt_is_log_call(name)) {
    LLVMPositionBuilderBefore(s->b, old);
    mt_log_scalar(s->module, s->b, old,
                  load32(s, s->self, offsetof(mt_Fiber, index)));
    value = NULL;
  } else if (strcmp(name, MT_LANE_NUMBER) == 0) {
    LLVMPositionBuilderBefore(s->b, old);
    value = load32(s, s->self, offsetof(mt_Fiber, index));
    value = LLVMBuildAnd(s->b, value, int32(s, MT_LANES - 1), "");
  } else if (op == MT_OP_NONE) {
    mt_error(s->err, MT_FAIL, "the host device does not know %s", name);
    return false;
  } else {
    mt_loop_counters_add(&s->order, s->function, s->b, s->counter,
                         s->order.loop[block]);
    LLVMPositionBuilderBefore(s->b, old);
    if (!write_key(s, block, place)) {
      mt_error(s->err, MT_FAIL, "kernel '%s' waits inside too many loops",
               s->kernel->name);
      return false;
    }
    write_cells(s, old);
    value = from_word(s, wait_call(s, old, op),
                      type == s->none ? s->i64 : type);
  }
  if (type != s->none) LLVMReplaceAllUsesWith(old, value);
  LLVMInstructionEraseFromParent(old);
  return true;
}

static const char *builtin_called(LLVMValueRef i) {
  const char *name = mt_callee(i);
  return strncmp(name, "__mt_", 5) == 0 ? name : NULL;
}

static bool change_calls(Build *s) {
  uint32_t place = 0;
  for (int n = 0; n < s->order.blocks && s->order.block[n]; n++) {
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(s->order.block[n]); i;
         i = next) {
      next = LLVMGetNextInstruction(i);
      const char *name = builtin_called(i);
      if (name && !change_call(s, i, name, n, place++)) return false;
    }
  }
  return true;
}

static mt_Status make_calls_wait(Build *s) {
  mt_Status status = mt_loop_nest_make(s->function, &s->order, s->err);
  if (status != MT_OK) return status;
  LLVMValueRef counters[1024] = {NULL};
  if (s->order.loop_count > 1024)
    return mt_error(s->err, MT_FAIL, "kernel '%s' has too many loops",
                    s->kernel->name);
  s->counter = counters;
  LLVMTypeRef stand_in = LLVMFunctionType(s->ptr, NULL, 0, 0);
  go_to_start(s, s->function);
  s->group = call(s, declare(s, "mt_own_group", stand_in), NULL, 0);
  s->self = call(s, declare(s, "mt_self", stand_in), NULL, 0);
  bool ok = change_calls(s);
  s->counter = NULL;
  return ok ? MT_OK : MT_FAIL;
}

/* os_log and asserts in functions that have stayed functions, where the thread
** is not known: it is put in when the thread ends. */
static void change_logs(Build *s) {
  for (LLVMValueRef f = LLVMGetFirstFunction(s->module); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || f == s->function) continue;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!mt_is_log_call(mt_callee(i))) continue;
        LLVMPositionBuilderBefore(s->b, i);
        mt_log_scalar(s->module, s->b, i, int32(s, MT_UNKNOWN_THREAD));
        LLVMInstructionEraseFromParent(i);
        s->logs = true;
      }
  }
}

/* ---------------------------------------------------- arguments of a thread */

typedef struct Place {
  LLVMValueRef group, self;
  LLVMValueRef local[3]; /* thread_position_in_threadgroup */
} Place;

static LLVMValueRef group32(Build *s, const Place *p, size_t offset,
                            unsigned d) {
  return unchanging(s, load32(s, p->group, offset + d * sizeof(uint32_t)));
}

static LLVMValueRef count_of(Build *s, const Place *p, size_t offset,
                             uint32_t per) {
  LLVMValueRef n = group32(s, p, offset, 0);
  n = LLVMBuildMul(s->b, n, group32(s, p, offset, 1), "");
  n = LLVMBuildMul(s->b, n, group32(s, p, offset, 2), "");
  n = LLVMBuildAdd(s->b, n, int32(s, per - 1), "");
  return LLVMBuildUDiv(s->b, n, int32(s, per), "");
}

static LLVMValueRef in_grid(Build *s, const Place *p, unsigned d) {
  LLVMValueRef at = group32(s, p, offsetof(mt_Group, position), d);
  at = LLVMBuildMul(s->b, at, group32(s, p, offsetof(mt_Group, size), d), "");
  return LLVMBuildAdd(s->b, at, p->local[d], "");
}

/* Attributes that are fields of mt_Group: three uint32_t at 'offset'. */
static const struct {
  const char *name;
  size_t offset;
} fields[] = {
    {"threadgroup_position_in_grid", offsetof(mt_Group, position)},
    {"threadgroups_per_grid", offsetof(mt_Group, groups)},
    {"threads_per_grid", offsetof(mt_Group, grid)},
    {"grid_size", offsetof(mt_Group, grid)},
    {"threads_per_threadgroup", offsetof(mt_Group, actual)},
    {"dispatch_threads_per_threadgroup", offsetof(mt_Group, size)},
};

/* Those that follow from the thread's index, by / or %, or from the number of
** threads in the group: the actual one (a) or the dispatched one (d), in units
** of 'per'. */
typedef struct Counted {
  const char *name;
  uint32_t per;
  char how;
} Counted;

static const Counted counted[] = {
    {"thread_index_in_threadgroup", 1, '/'},
    {"thread_index_in_simdgroup", MT_LANES, '%'},
    {"simdgroup_index_in_threadgroup", MT_LANES, '/'},
    {"thread_index_in_quadgroup", 4, '%'},
    {"quadgroup_index_in_threadgroup", 4, '/'},
    {"simdgroups_per_threadgroup", MT_LANES, 'a'},
    {"dispatch_simdgroups_per_threadgroup", MT_LANES, 'd'},
    {"quadgroups_per_threadgroup", 4, 'a'},
    {"dispatch_quadgroups_per_threadgroup", 4, 'd'},
};

static LLVMValueRef count_by(Build *s, const Place *p, const Counted *c) {
  LLVMValueRef per = int32(s, c->per);
  LLVMValueRef index = load32(s, p->self, offsetof(mt_Fiber, index));
  switch (c->how) {
    case '/': return LLVMBuildUDiv(s->b, index, per, "");
    case '%': return LLVMBuildURem(s->b, index, per, "");
    case 'a': return count_of(s, p, offsetof(mt_Group, actual), c->per);
    default: return count_of(s, p, offsetof(mt_Group, size), c->per);
  }
}

/* Component d of the attribute; NULL: unknown attribute. */
static LLVMValueRef attribute(Build *s, const Place *p, const char *name,
                              unsigned d) {
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(name, fields[i].name) == 0)
      return group32(s, p, fields[i].offset, d);
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
    if (strcmp(name, counted[i].name) == 0)
      return count_by(s, p, &counted[i]);
  if (strcmp(name, "thread_position_in_grid") == 0) return in_grid(s, p, d);
  if (strcmp(name, "thread_position_in_threadgroup") == 0) return p->local[d];
  if (strcmp(name, "grid_origin") == 0) return int32(s, 0);
  if (strcmp(name, "thread_execution_width") == 0 ||
      strcmp(name, "threads_per_simdgroup") == 0)
    return int32(s, MT_LANES);
  return NULL;
}

/* The attribute in the kernel's type: uint, ushort, ulong, or a vector. */
static LLVMValueRef builtin(Build *s, const Place *p, const char *name,
                            LLVMTypeRef type) {
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  unsigned n = vector ? LLVMGetVectorSize(type) : 1;
  LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
  LLVMValueRef all = LLVMGetUndef(type);
  for (unsigned d = 0; d < n; d++) {
    LLVMValueRef x = d < 3 ? attribute(s, p, name, d) : int32(s, 0);
    if (!x) return NULL;
    x = LLVMBuildIntCast2(s->b, x, element, 0, "");
    if (!vector) return x;
    all = LLVMBuildInsertElement(s->b, all, x, int32(s, d), "");
  }
  return all;
}

static LLVMValueRef bound(Build *s, const Place *p, unsigned i,
                          LLVMTypeRef type) {
  LLVMValueRef args = unchanging(
      s, LLVMBuildLoad2(s->b, s->ptr,
                        field(s, p->group, offsetof(mt_Group, args)), ""));
  return unchanging(
      s, LLVMBuildLoad2(s->b, type, field(s, args, i * sizeof(uint64_t)), ""));
}

/* --------------------------------------------------------------- one thread */

/* void mt_thread(mt_Group *, mt_Fiber *, x, y, z): the kernel for one
** thread. */
static LLVMValueRef make_thread(Build *s) {
  LLVMTypeRef params[] = {s->ptr, s->ptr, s->i32, s->i32, s->i32};
  LLVMValueRef f = LLVMAddFunction(s->module, "mt_thread",
                                   LLVMFunctionType(s->none, params, 5, 0));
  go_to_new_block(s, f);
  Place p = {LLVMGetParam(f, 0), LLVMGetParam(f, 1),
             {LLVMGetParam(f, 2), LLVMGetParam(f, 3), LLVMGetParam(f, 4)}};
  enum { MOST = 256 };
  LLVMValueRef args[MOST];
  unsigned n = LLVMCountParams(s->function);
  if (n != s->kernel->param_count || n > MOST) {
    mt_error(s->err, MT_FAIL, "kernel '%s' has %u parameters in its code, %u "
             "in its description", s->kernel->name, n, s->kernel->param_count);
    return NULL;
  }
  for (unsigned i = 0; i < n; i++) {
    const mt_Param *param = &s->kernel->params[i];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(s->function, i));
    args[i] = param->kind == MT_PARAM_BUILTIN
                  ? builtin(s, &p, param->builtin, type)
                  : bound(s, &p, i, type);
    if (!args[i]) {
      mt_error(s->err, MT_BADARG, "kernel '%s': the host device does not know "
               "[[%s]]", s->kernel->name, param->builtin);
      return NULL;
    }
  }
  call(s, s->function, args, n);
  LLVMValueRef index = s->logs ? load32(s, p.self, offsetof(mt_Fiber, index))
                               : NULL;
  if (index)
    mt_build_call(s->module, s->b, "mt_assert_placed", s->none, &index, 1);
  LLVMBuildRetVoid(s->b);
  return f;
}

/* After inlining: replace every call of the stand-in by the parameter. */
static void replace_stand_in(Build *s, const char *name, LLVMValueRef param) {
  LLVMValueRef stand_in = LLVMGetNamedFunction(s->module, name);
  if (!stand_in) return;
  for (LLVMUseRef u; (u = LLVMGetFirstUse(stand_in)) != NULL;) {
    LLVMValueRef use = LLVMGetUser(u);
    LLVMReplaceAllUsesWith(use, param);
    LLVMInstructionEraseFromParent(use);
  }
  LLVMDeleteFunction(stand_in);
}

static void bind_threadgroup(Build *s, LLVMValueRef f) {
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
  LLVMPositionBuilderBefore(s->b, first);
  LLVMValueRef base = LLVMBuildLoad2(
      s->b, s->ptr,
      field(s, LLVMGetParam(f, 0), offsetof(mt_Group, threadgroup)), "");
  mt_threadgroup_bind(f, base, first);
}

static mt_Status inline_kernel(Build *s, LLVMValueRef thread) {
  LLVMSetLinkage(s->function, LLVMInternalLinkage);
  mt_add_attribute(s->function, "alwaysinline", 0);
  LLVMMetadataRef lines = LLVMGetSubprogram(s->function);
  mt_Status status =
      mt_run_passes(s->target, s->module, "always-inline,globaldce", s->err);
  if (status != MT_OK) return status;
  if (lines) LLVMSetSubprogram(thread, lines);
  replace_stand_in(s, "mt_own_group", LLVMGetParam(thread, 0));
  replace_stand_in(s, "mt_self", LLVMGetParam(thread, 1));
  bind_threadgroup(s, thread);
  return MT_OK;
}

/* ---------------------------------------------------------- one threadgroup */

/* Loops over x, y and z up to mt_Group.actual, one in the other. */
typedef struct Nest {
  LLVMValueRef f, thread, self, at[3];
} Nest;

static void emit_loops(Build *s, Nest *n, int d) {
  if (d < 0) {
    LLVMValueRef args[] = {LLVMGetParam(n->f, 0), n->self, n->at[0], n->at[1],
                           n->at[2]};
    call(s, n->thread, args, 5);
    LLVMValueRef next = LLVMBuildAdd(
        s->b, LLVMBuildLoad2(s->b, s->i32, n->self, ""), int32(s, 1), "");
    /* 'self' is an mt_Fiber of which only 'index', its first field, exists */
    LLVMBuildStore(s->b, next, n->self);
    return;
  }
  LLVMBasicBlockRef before = LLVMGetInsertBlock(s->b);
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(s->context, n->f, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(s->context, n->f, "");
  LLVMValueRef limit =
      load32(s, LLVMGetParam(n->f, 0),
             offsetof(mt_Group, actual) + (size_t)d * sizeof(uint32_t));
  LLVMBuildBr(s->b, body);
  LLVMPositionBuilderAtEnd(s->b, body);
  LLVMValueRef i = n->at[d] = LLVMBuildPhi(s->b, s->i32, "");
  emit_loops(s, n, d - 1);
  LLVMValueRef next = LLVMBuildAdd(s->b, i, int32(s, 1), "");
  LLVMValueRef from[] = {int32(s, 0), next};
  LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(s->b)};
  LLVMAddIncoming(i, from, blocks, 2);
  LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntULT, next, limit, "");
  LLVMBuildCondBr(s->b, more, body, end);
  LLVMPositionBuilderAtEnd(s->b, end);
}

static void emit_fibers(Build *s, LLVMValueRef f, LLVMValueRef thread,
                        size_t private_bytes) {
  LLVMTypeRef params[] = {s->ptr, s->ptr, s->i64, s->i64, s->i64};
  LLVMValueRef run = declare(s, "mt_fibers_run",
                             LLVMFunctionType(s->none, params, 5, 0));
  LLVMValueRef args[] = {LLVMGetParam(f, 0), thread,
                         LLVMConstInt(s->i64, private_bytes, 0),
                         LLVMConstInt(s->i64, s->without_returned, 0),
                         LLVMConstInt(s->i64, s->cells, 0)};
  call(s, run, args, 5);
}

static mt_Status make_group(Build *s, LLVMValueRef thread,
                            const mt_Prepared *p, LLVMValueRef *out) {
  LLVMValueRef f = LLVMAddFunction(s->module, "mt_group",
                                   LLVMFunctionType(s->none, &s->ptr, 1, 0));
  go_to_new_block(s, f);
  if (p->waits) {
    emit_fibers(s, f, thread, p->private_bytes);
  } else {
    mt_add_attribute(thread, "alwaysinline", 0);
    Nest n = {.f = f, .thread = thread};
    n.self = LLVMBuildAlloca(s->b, s->i32, "index");
    LLVMBuildStore(s->b, int32(s, 0), n.self);
    emit_loops(s, &n, 2);
  }
  LLVMBuildRetVoid(s->b);
  *out = f;
  LLVMMetadataRef lines = LLVMGetSubprogram(thread);
  LLVMSetLinkage(thread, LLVMInternalLinkage); /* it has its caller now */
  if (p->waits) return MT_OK;
  mt_Status status =
      mt_run_passes(s->target, s->module, "always-inline,globaldce", s->err);
  if (status == MT_OK && lines) LLVMSetSubprogram(f, lines);
  return status;
}

mt_Status mt_scalar_build(mt_Prepared *p, const mt_MslKernel *kernel,
                          bool without_returned, mt_ScalarProbe *probe,
                          LLVMValueRef *group_function, mt_Error *err) {
  Build s = {.target = p->target,
             .module = p->module,
             .kernel = kernel,
             .context = LLVMGetModuleContext(p->module),
             .function = p->function,
             .without_returned = without_returned,
             .cells = mt_inactive_cell_count(p->function),
             .probe = probe,
             .err = err};
  s.b = LLVMCreateBuilderInContext(s.context);
  s.i32 = LLVMInt32TypeInContext(s.context);
  s.i64 = LLVMInt64TypeInContext(s.context);
  s.ptr = LLVMPointerTypeInContext(s.context, 0);
  s.none = LLVMVoidTypeInContext(s.context);
  mt_Status status = make_calls_wait(&s);
  if (p->has_calls) change_logs(&s);
  if (status == MT_OK) {
    LLVMValueRef thread = make_thread(&s);
    status = thread ? inline_kernel(&s, thread) : MT_FAIL;
    if (status == MT_OK) status = make_group(&s, thread, p, group_function);
  }
  mt_loop_nest_free(&s.order);
  LLVMDisposeBuilder(s.b);
  return status;
}
