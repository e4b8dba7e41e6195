/*
** atomics.c - atomics, lane by lane.
**
** The one idea: each active lane performs its own, in order, in a loop over the
** lanes. Threadgroup memory belongs to the OS thread that runs the group, so
** there an atomic is a plain load, change and store. Lanes that all add to one
** address are reduced to a single addition first, whether or not they use the
** old value.
*/
#include <stdio.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/access/access.h"
#include "devices/host/emit/emit.h"
#include "devices/host/strategy/strategy.h"

/* ----------------------------------------------------------- lane by lane */

static LLVMValueRef lane_at(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef m,
                            LLVMValueRef lane) {
  LLVMValueRef index[2] = {mt_const_i32(s, 0), lane};
  return LLVMBuildGEP2(s->b, LLVMArrayType2(t, (uint64_t)s->lanes), m, index, 2,
                       "");
}

LLVMValueRef mt_lanes_memory(mt_Spmd *s, LLVMTypeRef t) {
  LLVMValueRef m =
      mt_entry_alloca(s, LLVMArrayType2(t, (uint64_t)s->lanes), 128);
  LLVMBuildStore(s->b, LLVMConstNull(mt_vector_of(s, t)), m);
  return m;
}

LLVMValueRef mt_lanes_to_memory(mt_Spmd *s, LLVMValueRef v) {
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(v));
  LLVMValueRef m =
      mt_entry_alloca(s, LLVMArrayType2(t, (uint64_t)s->lanes), 128);
  LLVMBuildStore(s->b, v, m);
  return m;
}

LLVMValueRef mt_lane_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef m,
                          LLVMValueRef lane) {
  return LLVMBuildLoad2(s->b, t, lane_at(s, t, m, lane), "");
}

void mt_lane_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef m,
                   LLVMValueRef lane) {
  LLVMBuildStore(s->b, x, lane_at(s, LLVMTypeOf(x), m, lane));
}

LLVMValueRef mt_lanes_from_memory(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef m) {
  return LLVMBuildLoad2(s->b, mt_vector_of(s, t), m, "");
}

void mt_lane_loop(mt_Spmd *s, mt_LaneBody body, void *context) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(s->b);
  LLVMBasicBlockRef loop = mt_new_block(s, "lane"), done = mt_new_block(s, "");
  LLVMValueRef all = mt_mask_bits(s, s->mask);
  LLVMBuildBr(s->b, loop);
  LLVMPositionBuilderAtEnd(s->b, loop);
  LLVMValueRef bits = LLVMBuildPhi(s->b, s->bits, "");
  LLVMValueRef args[2] = {bits, LLVMConstInt(s->i1, 1, 0)};
  LLVMValueRef lane = mt_intrinsic(s, "llvm.cttz", &s->bits, 1, args, 2);
  body(s, context, LLVMBuildIntCast2(s->b, lane, s->i32, 0, ""));
  LLVMValueRef less = LLVMBuildSub(s->b, bits, LLVMConstInt(s->bits, 1, 0), "");
  LLVMValueRef rest = LLVMBuildAnd(s->b, bits, less, "");
  LLVMValueRef more =
      LLVMBuildICmp(s->b, LLVMIntNE, rest, LLVMConstNull(s->bits), "");
  LLVMValueRef in[2] = {all, rest};
  LLVMBasicBlockRef from[2] = {before, LLVMGetInsertBlock(s->b)};
  LLVMAddIncoming(bits, in, from, 2);
  LLVMBuildCondBr(s->b, more, loop, done);
  LLVMPositionBuilderAtEnd(s->b, done);
}

/* --------------------------------------------------------------- one lane */

typedef struct Atomic {
  LLVMValueRef instr;
  LLVMTypeRef type;            /* of the operand */
  LLVMValueRef at;             /* address, if uniform */
  LLVMValueRef lanes_at, value, expected, out, ok; /* arrays of lanes */
  /* threadgroup memory: no other OS thread sees it */
  bool own;
  bool used;
} Atomic;

static LLVMValueRef changed(mt_Spmd *s, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                            LLVMValueRef x) {
  LLVMBuilderRef b = s->b;
  LLVMTypeRef t = LLVMTypeOf(x);
  LLVMValueRef args[2] = {old, x};
  switch (op) {
    case LLVMAtomicRMWBinOpXchg: return x;
    case LLVMAtomicRMWBinOpAdd: return LLVMBuildAdd(b, old, x, "");
    case LLVMAtomicRMWBinOpSub: return LLVMBuildSub(b, old, x, "");
    case LLVMAtomicRMWBinOpAnd: return LLVMBuildAnd(b, old, x, "");
    case LLVMAtomicRMWBinOpNand:
      return LLVMBuildNot(b, LLVMBuildAnd(b, old, x, ""), "");
    case LLVMAtomicRMWBinOpOr: return LLVMBuildOr(b, old, x, "");
    case LLVMAtomicRMWBinOpXor: return LLVMBuildXor(b, old, x, "");
    case LLVMAtomicRMWBinOpMax:
      return mt_intrinsic(s, "llvm.smax", &t, 1, args, 2);
    case LLVMAtomicRMWBinOpMin:
      return mt_intrinsic(s, "llvm.smin", &t, 1, args, 2);
    case LLVMAtomicRMWBinOpUMax:
      return mt_intrinsic(s, "llvm.umax", &t, 1, args, 2);
    case LLVMAtomicRMWBinOpUMin:
      return mt_intrinsic(s, "llvm.umin", &t, 1, args, 2);
    case LLVMAtomicRMWBinOpFAdd: return LLVMBuildFAdd(b, old, x, "");
    case LLVMAtomicRMWBinOpFSub: return LLVMBuildFSub(b, old, x, "");
    case LLVMAtomicRMWBinOpFMax:
      return mt_intrinsic(s, "llvm.maxnum", &t, 1, args, 2);
    case LLVMAtomicRMWBinOpFMin:
      return mt_intrinsic(s, "llvm.minnum", &t, 1, args, 2);
    default:
      mt_unsupported(s, "an atomic operation of kind %d", (int)op);
      return x;
  }
}

static LLVMValueRef modify(mt_Spmd *s, Atomic *a, LLVMValueRef at,
                           LLVMValueRef x) {
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(a->instr);
  if (!a->own)
    return LLVMBuildAtomicRMW(s->b, op, at, x, LLVMGetOrdering(a->instr), 0);
  LLVMValueRef old = LLVMBuildLoad2(s->b, a->type, at, "");
  LLVMBuildStore(s->b, changed(s, op, old, x), at);
  return old;
}

static LLVMValueRef exchange(mt_Spmd *s, Atomic *a, LLVMValueRef at,
                             LLVMValueRef x, LLVMValueRef expected,
                             LLVMValueRef *ok) {
  if (!a->own) {
    LLVMValueRef r = LLVMBuildAtomicCmpXchg(
        s->b, at, expected, x, LLVMGetCmpXchgSuccessOrdering(a->instr),
        LLVMGetCmpXchgFailureOrdering(a->instr), 0);
    *ok = LLVMBuildExtractValue(s->b, r, 1, "");
    return LLVMBuildExtractValue(s->b, r, 0, "");
  }
  LLVMValueRef old = LLVMBuildLoad2(s->b, a->type, at, "");
  *ok = LLVMBuildICmp(s->b, LLVMIntEQ, old, expected, "");
  LLVMBuildStore(s->b, LLVMBuildSelect(s->b, *ok, x, old, ""), at);
  return old;
}

static LLVMValueRef plain(mt_Spmd *s, Atomic *a, LLVMValueRef at,
                          LLVMValueRef x) {
  LLVMValueRef r = x ? LLVMBuildStore(s->b, x, at)
                     : LLVMBuildLoad2(s->b, a->type, at, "");
  LLVMSetOrdering(r, LLVMGetOrdering(a->instr));
  LLVMSetAlignment(r, LLVMGetAlignment(a->instr));
  return r;
}

static void one_lane(mt_Spmd *s, void *context, LLVMValueRef lane) {
  Atomic *a = context;
  LLVMValueRef at = a->at ? a->at : mt_lane_load(s, s->ptr, a->lanes_at, lane);
  LLVMValueRef x = a->value ? mt_lane_load(s, a->type, a->value, lane) : NULL;
  LLVMValueRef old, ok = NULL;
  LLVMOpcode op = LLVMGetInstructionOpcode(a->instr);
  if (op == LLVMAtomicRMW) {
    old = modify(s, a, at, x);
  } else if (op == LLVMAtomicCmpXchg) {
    old =
        exchange(s, a, at, x, mt_lane_load(s, a->type, a->expected, lane), &ok);
  } else {
    old = plain(s, a, at, x);
    if (x) return;
  }
  if (!a->used) return;
  mt_lane_store(s, old, a->out, lane);
  if (ok) mt_lane_store(s, LLVMBuildZExt(s->b, ok, s->i8, ""), a->ok, lane);
}

/* ------------------------------------------------------- all lanes, a call */

/* Threadgroup memory, all lanes active: 32 plain updates in a function of their
** own, since a loop over the lanes is slow and inlined code would be most of
** the kernel. Addresses are passed as distances from the variable, in vector
** registers, and taken out two at a time; varying operands in memory, from
** which loading an element is one instruction. */
typedef struct Updates {
  Atomic *a;
  LLVMValueRef known;  /* the operand, if it is a constant */
  bool uniform;        /* the same in all lanes */
} Updates;

/* The addresses of two lanes. */
static void take_two(mt_Spmd *s, LLVMValueRef f, LLVMValueRef pairs, int pair,
                     LLVMValueRef at[2]) {
  LLVMValueRef both =
      LLVMBuildExtractElement(s->b, pairs, mt_const_i32(s, pair), "");
  LLVMValueRef half[2] = {
      LLVMBuildAnd(s->b, both, mt_const_i64(s, 0xffffffff), ""),
      LLVMBuildLShr(s->b, both, mt_const_i64(s, 32), "")};
  for (int n = 0; n < 2; n++)
    at[n] = LLVMBuildGEP2(s->b, s->i8, LLVMGetParam(f, 0), &half[n], 1, "");
}

static void update_lane(mt_Spmd *s, const Updates *u, LLVMValueRef f,
                        LLVMValueRef at, int lane) {
  LLVMValueRef n = mt_const_i32(s, lane), x = u->known;
  if (!x && u->uniform) x = LLVMGetParam(f, 2);
  if (!x) x = mt_lane_load(s, u->a->type, LLVMGetParam(f, 2), n);
  LLVMValueRef old = modify(s, u->a, at, x);
  if (u->a->used) mt_lane_store(s, old, LLVMGetParam(f, 3), n);
}

static LLVMValueRef new_updates(mt_Spmd *s, const Updates *u,
                                const char *name) {
  LLVMTypeRef args[4] = {s->ptr, mt_vector_of(s, s->i32), s->ptr, s->ptr};
  if (u->uniform) args[2] = u->a->type;
  LLVMValueRef f = LLVMAddFunction(
      s->module, name,
      LLVMFunctionType(LLVMVoidTypeInContext(s->context), args, 4, 0));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  mt_add_attribute(f, "noinline", 0);
  LLVMPositionBuilderAtEnd(s->b,
                           LLVMAppendBasicBlockInContext(s->context, f, ""));
  LLVMTypeRef two = LLVMVectorType(s->i64, (unsigned)s->lanes / 2);
  LLVMValueRef pairs = LLVMBuildBitCast(s->b, LLVMGetParam(f, 1), two, "");
  for (int l = 0; l < s->lanes; l += 2) {
    LLVMValueRef at[2];
    take_two(s, f, pairs, l / 2, at);
    for (int n = 0; n < 2; n++) update_lane(s, u, f, at[n], l + n);
  }
  LLVMBuildRetVoid(s->b);
  return f;
}

static LLVMValueRef updates(mt_Spmd *s, const Updates *u) {
  char name[96];
  int64_t x = u->known ? LLVMConstIntGetSExtValue(u->known) : 0;
  snprintf(name, sizeof name, "mt_update_%d_%d_%u_%d_%s_%lld_%s",
           (int)LLVMGetAtomicRMWBinOp(u->a->instr),
           (int)LLVMGetTypeKind(u->a->type),
           (unsigned)mt_type_size(s, u->a->type), s->lanes,
           u->known ? "known" : u->uniform ? "same" : "each", (long long)x,
           u->a->used ? "used" : "unused");
  LLVMValueRef f = LLVMGetNamedFunction(s->module, name);
  if (f) return f;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->b);
  f = new_updates(s, u, name);
  LLVMPositionBuilderAtEnd(s->b, here);
  return f;
}

static LLVMValueRef as_word(mt_Spmd *s, LLVMValueRef x) {
  return LLVMBuildIntCast2(s->b, x, mt_vector_of(s, s->i32), 1, "");
}

/* Numbers, without an addition to addresses that would be taken off again. */
static LLVMValueRef index_distances(mt_Spmd *s, LLVMValueRef gep) {
  LLVMValueRef sum = LLVMConstNull(mt_vector_of(s, s->i32));
  mt_GepIndex x;
  for (mt_GepWalk g = mt_gep_walk(s->layout, gep); mt_gep_next(&g, &x);) {
    LLVMValueRef by = mt_splat(s, mt_const_i32(s, (int64_t)x.bytes));
    if (x.in != LLVMStructTypeKind)
      by = LLVMBuildMul(s->b, as_word(s, mt_vector(s, x.index, 0)), by, "");
    sum = LLVMBuildAdd(s->b, sum, by, "");
  }
  return sum;
}

/* An element of 'root' whose indices are there where 'instr' is: after a
** barrier only the address may be. */
static bool is_indexed(mt_Spmd *s, LLVMValueRef gep, LLVMValueRef root,
                       LLVMValueRef instr) {
  mt_GepIndex x;
  if (!LLVMIsAGetElementPtrInst(gep) || LLVMGetOperand(gep, 0) != root)
    return false;
  for (mt_GepWalk g = mt_gep_walk(s->layout, gep); mt_gep_next(&g, &x);)
    if (x.in != LLVMStructTypeKind &&
        !mt_is_available(s, x.index, mt_value(s, instr)->block))
      return false;
  return true;
}

/* The lanes' distances from a variable of the threadgroup, in bytes. */
static LLVMValueRef distances(mt_Spmd *s, const Atomic *a, LLVMValueRef pointer,
                              LLVMValueRef root) {
  if (is_indexed(s, pointer, root, a->instr))
    return index_distances(s, pointer);
  LLVMValueRef from = LLVMBuildPtrToInt(s->b, mt_uniform(s, root, 0), s->i64,
                                        "");
  LLVMValueRef at = LLVMBuildPtrToInt(s->b, mt_vector(s, pointer, 0),
                                      mt_vector_of(s, s->i64), "");
  return as_word(s, LLVMBuildSub(s->b, at, mt_splat(s, from), ""));
}

static bool update_all(mt_Spmd *s, Atomic *a, LLVMValueRef pointer,
                       LLVMValueRef x) {
  LLVMValueRef root = mt_single_object(pointer);
  if (!a->own || !s->full || !root) return false;
  Updates u = {a, LLVMIsAConstantInt(x) ? x : NULL,
               mt_part_kind(s, x, 0) == MT_SHAPE_UNIFORM};
  LLVMValueRef none = LLVMGetPoison(s->ptr);
  if (a->used) a->out = mt_lanes_memory(s, a->type);
  LLVMValueRef args[4] = {mt_uniform(s, root, 0),
                          distances(s, a, pointer, root), none,
                          a->used ? a->out : none};
  args[2] = u.uniform ? mt_uniform(s, x, 0)
                      : mt_lanes_to_memory(s, mt_vector(s, x, 0));
  LLVMValueRef f = updates(s, &u);
  LLVMBuildCall2(s->b, LLVMGlobalGetValueType(f), f, args, 4, "");
  return true;
}

/* Device memory, all lanes active, no answer: one after the other, each with
** its address from a register. A locked instruction holds back the loads after
** it, so an address in memory is waited for. Inline: a fault has its line. */
static bool change_each(mt_Spmd *s, Atomic *a, LLVMValueRef pointer,
                        LLVMValueRef x) {
  bool same = mt_part_kind(s, x, 0) == MT_SHAPE_UNIFORM;
  if (a->own || a->used || a->at || !s->full || s->lanes > MT_LANES ||
      mt_address_space(s, pointer) != MT_POINTER_DEVICE ||
      ++mt_access_state(s)->scattered > MT_MAX_SCATTERED_INLINE)
    return false;
  LLVMValueRef at = mt_vector(s, pointer, 0);
  LLVMValueRef value = same ? mt_uniform(s, x, 0) : mt_vector(s, x, 0);
  for (int l = 0; l < s->lanes; l++) {
    LLVMValueRef n = mt_const_i64(s, l);
    modify(s, a, LLVMBuildExtractElement(s->b, at, n, ""),
           same ? value : LLVMBuildExtractElement(s->b, value, n, ""));
  }
  return true;
}

/* ---------------------------------------------------------------- together */

/* A shuffle: lane l is lane from[l] of 'v'; from 'lanes' on, zero. */
static LLVMValueRef moved(mt_Spmd *s, LLVMValueRef v, const int *from) {
  LLVMValueRef lane[MT_MAX_LANES];
  for (int l = 0; l < s->lanes; l++) lane[l] = mt_const_i32(s, from[l]);
  return LLVMBuildShuffleVector(s->b, v, LLVMConstNull(LLVMTypeOf(v)),
                                LLVMConstVector(lane, (unsigned)s->lanes), "");
}

/* Add lane l + half to l until one is left: the order of
** run/crosslane_reference.h. */
static LLVMValueRef sum(mt_Spmd *s, LLVMValueRef v) {
  int from[MT_MAX_LANES];
  for (int half = s->lanes / 2; half; half /= 2) {
    for (int l = 0; l < s->lanes; l++) from[l] = (l + half) % s->lanes;
    v = LLVMBuildFAdd(s->b, v, moved(s, v, from), "");
  }
  return LLVMBuildExtractElement(s->b, v, mt_const_i64(s, 0), "");
}

typedef struct Together {
  LLVMAtomicRMWBinOp op;
  const char *name;       /* of LLVM's intrinsic */
  /* the neutral element, for inactive lanes */
  enum { NOUGHT, ONES, LEAST, MOST } none;
} Together;

static LLVMValueRef nothing(const Together *t, LLVMTypeRef type) {
  uint64_t top = 1ull << (LLVMGetIntTypeWidth(type) - 1);
  uint64_t none[] = {0, ~0ull, top, top - 1};
  return LLVMConstInt(type, none[t->none], 0);
}

static LLVMValueRef active_or(mt_Spmd *s, LLVMValueRef v, LLVMValueRef none) {
  return s->full ? v : LLVMBuildSelect(s->b, s->mask, v, mt_splat(s, none), "");
}

/* The old value is not used: reduce, then one atomic. The order of additions to
** one address is undefined, so floats may be reduced, too. */
static bool together(mt_Spmd *s, Atomic *a, LLVMValueRef x) {
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(a->instr);
  static const Together KNOWN[] = {
      {LLVMAtomicRMWBinOpAdd, "llvm.vector.reduce.add", NOUGHT},
      {LLVMAtomicRMWBinOpSub, "llvm.vector.reduce.add", NOUGHT},
      {LLVMAtomicRMWBinOpOr, "llvm.vector.reduce.or", NOUGHT},
      {LLVMAtomicRMWBinOpXor, "llvm.vector.reduce.xor", NOUGHT},
      {LLVMAtomicRMWBinOpAnd, "llvm.vector.reduce.and", ONES},
      {LLVMAtomicRMWBinOpUMax, "llvm.vector.reduce.umax", NOUGHT},
      {LLVMAtomicRMWBinOpUMin, "llvm.vector.reduce.umin", ONES},
      {LLVMAtomicRMWBinOpMax, "llvm.vector.reduce.smax", LEAST},
      {LLVMAtomicRMWBinOpMin, "llvm.vector.reduce.smin", MOST}};
  if (a->used || !a->at) return false;
  if (op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFSub) {
    LLVMValueRef none = LLVMConstReal(a->type, -0.0);
    modify(s, a, a->at, sum(s, active_or(s, mt_vector(s, x, 0), none)));
    return true;
  }
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
    if (KNOWN[i].op != op) continue;
    LLVMValueRef v =
        active_or(s, mt_vector(s, x, 0), nothing(&KNOWN[i], a->type));
    LLVMTypeRef t = LLVMTypeOf(v);
    modify(s, a, a->at, mt_intrinsic(s, KNOWN[i].name, &t, 1, &v, 1));
    return true;
  }
  return false;
}

/* Inclusive prefix sum. */
static LLVMValueRef sums(mt_Spmd *s, LLVMValueRef v) {
  int from[MT_MAX_LANES];
  for (int by = 1; by < s->lanes; by *= 2) {
    for (int l = 0; l < s->lanes; l++) from[l] = l < by ? s->lanes : l - by;
    v = LLVMBuildAdd(s->b, v, moved(s, v, from), "");
  }
  return v;
}

/* A counter whose old values are used: one addition for all lanes; each lane's
** old value is the counter's plus the sum of the lanes below it. */
static bool in_turn(mt_Spmd *s, Atomic *a, LLVMValueRef x) {
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(a->instr);
  bool less = op == LLVMAtomicRMWBinOpSub;
  if (!a->used || !a->at || (op != LLVMAtomicRMWBinOpAdd && !less))
    return false;
  LLVMValueRef v =
      active_or(s, mt_vector(s, x, 0), LLVMConstNull(a->type));
  LLVMValueRef upto = sums(s, v), last = mt_const_i64(s, s->lanes - 1);
  LLVMValueRef all = LLVMBuildExtractElement(s->b, upto, last, "");
  LLVMValueRef old = mt_splat(s, modify(s, a, a->at, all));
  LLVMValueRef below = LLVMBuildSub(s->b, upto, v, "");
  mt_set_vector(s, a->instr, 0,
                less ? LLVMBuildSub(s->b, old, below, "")
                     : LLVMBuildAdd(s->b, old, below, ""));
  return true;
}

static void results(mt_Spmd *s, Atomic *a) {
  if (!a->used) return;
  mt_set_vector(s, a->instr, 0, mt_lanes_from_memory(s, a->type, a->out));
  if (!a->ok) return;
  LLVMValueRef ok = mt_lanes_from_memory(s, s->i8, a->ok);
  mt_set_vector(s, a->instr, 1, LLVMBuildTrunc(s->b, ok, s->v_i1, ""));
}

static void emit(mt_Spmd *s, LLVMValueRef i, LLVMValueRef pointer,
                 LLVMValueRef x, LLVMValueRef expected) {
  mt_PointerSpace space = mt_address_space(s, pointer);
  Atomic a = {.instr = i, .own = space == MT_POINTER_THREADGROUP};
  a.type = x ? LLVMTypeOf(x) : LLVMTypeOf(i);
  a.used = LLVMGetFirstUse(i) != NULL;
  if (mt_part_kind(s, pointer, 0) == MT_SHAPE_UNIFORM &&
      space != MT_POINTER_PRIVATE && space != MT_POINTER_UNKNOWN)
    a.at = mt_uniform(s, pointer, 0);
  bool rmw = LLVMGetInstructionOpcode(i) == LLVMAtomicRMW;
  if (rmw && (together(s, &a, x) || in_turn(s, &a, x))) return;
  if (rmw && update_all(s, &a, pointer, x)) {
    results(s, &a);
    return;
  }
  if (rmw && change_each(s, &a, pointer, x)) return;
  if (!a.at)
    a.lanes_at = mt_lanes_to_memory(s, mt_memory_lanes(s, pointer, space));
  if (x) a.value = mt_lanes_to_memory(s, mt_vector(s, x, 0));
  if (expected) a.expected = mt_lanes_to_memory(s, mt_vector(s, expected, 0));
  if (a.used) a.out = mt_lanes_memory(s, a.type);
  if (a.used && expected) a.ok = mt_lanes_memory(s, s->i8);
  mt_lane_loop(s, one_lane, &a);
  results(s, &a);
}

/* An atomic load or store of a uniform address by all lanes: one is enough. */
static bool uniform_access(mt_Spmd *s, LLVMValueRef i, LLVMValueRef pointer,
                           LLVMValueRef x) {
  mt_PointerSpace space = mt_address_space(s, pointer);
  if (mt_part_kind(s, pointer, 0) != MT_SHAPE_UNIFORM ||
      space == MT_POINTER_PRIVATE || space == MT_POINTER_UNKNOWN)
    return false;
  if (x && mt_part_kind(s, x, 0) != MT_SHAPE_UNIFORM) return false;
  Atomic a = {.instr = i, .type = x ? LLVMTypeOf(x) : LLVMTypeOf(i)};
  LLVMValueRef at = mt_uniform(s, pointer, 0);
  LLVMValueRef r = plain(s, &a, at, x ? mt_uniform(s, x, 0) : NULL);
  if (!x) mt_set_uniform(s, i, 0, r);
  return true;
}

/* Threadgroup memory is seen by this OS thread only. */
static bool is_plain(mt_Spmd *s, LLVMValueRef i, LLVMOpcode op) {
  if (op != LLVMLoad && op != LLVMStore) return false;
  return mt_address_space(s, LLVMGetOperand(i, op == LLVMStore)) ==
         MT_POINTER_THREADGROUP;
}

void mt_atomic_emit(mt_Spmd *s, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMValueRef x = LLVMGetOperand(i, 0);
  bool plain = is_plain(s, i, op);
  if (op != LLVMFence && !plain)
    mt_access_note(s, i, MT_ACCESS_ATOMIC, MT_REASON_NONE);
  if (op == LLVMFence) {
    LLVMBuildFence(s->b, LLVMGetOrdering(i), 0, "");
  } else if (plain) {
    if (op == LLVMLoad)
      mt_memory_load(s, i);
    else
      mt_memory_store(s, i);
  } else if (op == LLVMLoad) {
    if (!uniform_access(s, i, x, NULL)) emit(s, i, x, NULL, NULL);
  } else if (op == LLVMStore) {
    if (!uniform_access(s, i, LLVMGetOperand(i, 1), x))
      emit(s, i, LLVMGetOperand(i, 1), x, NULL);
  } else if (op == LLVMAtomicRMW) {
    emit(s, i, x, LLVMGetOperand(i, 1), NULL);
  } else {
    emit(s, i, x, LLVMGetOperand(i, 2), LLVMGetOperand(i, 1));
  }
}
