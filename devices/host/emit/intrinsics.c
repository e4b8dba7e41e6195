/*
** intrinsics.c - calls in a prepared kernel: LLVM's intrinsics here; probes,
** logging and builtins are passed on.
**
** The one idea: an intrinsic that works on each element of a short vector works
** on each lane of a long one under the same name.
*/
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/emit/emit.h"
#include "devices/host/strategy/strategy.h"

/* Intrinsics without code. */
static const char *const IGNORED[] = {
    "llvm.lifetime.", "llvm.assume", "llvm.dbg.", "llvm.donothing",
    "llvm.experimental.noalias", "llvm.var.annotation", "llvm.invariant.",
    "llvm.prefetch", "llvm.sideeffect", "llvm.pseudoprobe", NULL};

/* Intrinsics overloaded by the type of the result only. */
static const char *const ELEMENTWISE[] = {"llvm.fma.",
                                          "llvm.fmuladd.",
                                          "llvm.sqrt.",
                                          "llvm.floor.",
                                          "llvm.ceil.",
                                          "llvm.trunc.",
                                          "llvm.rint.",
                                          "llvm.nearbyint.",
                                          "llvm.round.",
                                          "llvm.roundeven.",
                                          "llvm.fabs.",
                                          "llvm.copysign.",
                                          "llvm.minnum.",
                                          "llvm.maxnum.",
                                          "llvm.minimum.",
                                          "llvm.maximum.",
                                          "llvm.minimumnum.",
                                          "llvm.maximumnum.",
                                          "llvm.ctpop.",
                                          "llvm.ctlz.",
                                          "llvm.cttz.",
                                          "llvm.bitreverse.",
                                          "llvm.bswap.",
                                          "llvm.fshl.",
                                          "llvm.fshr.",
                                          "llvm.abs.",
                                          "llvm.smax.",
                                          "llvm.smin.",
                                          "llvm.umax.",
                                          "llvm.umin.",
                                          "llvm.sadd.sat.",
                                          "llvm.uadd.sat.",
                                          "llvm.ssub.sat.",
                                          "llvm.usub.sat.",
                                          "llvm.sshl.sat.",
                                          "llvm.ushl.sat.",
                                          "llvm.canonicalize.",
                                          "llvm.exp.",
                                          "llvm.exp2.",
                                          "llvm.exp10.",
                                          "llvm.log.",
                                          "llvm.log2.",
                                          "llvm.log10.",
                                          "llvm.pow.",
                                          "llvm.sin.",
                                          "llvm.cos.",
                                          "llvm.tan.",
                                          "llvm.asin.",
                                          "llvm.acos.",
                                          "llvm.atan.",
                                          "llvm.atan2.",
                                          "llvm.sinh.",
                                          "llvm.cosh.",
                                          "llvm.tanh.",
                                          "llvm.arithmetic.fence.",
                                          NULL};

/* Overloaded by the result's type and the first operand's. */
static const char *const CONVERTING[] = {"llvm.fptosi.sat.", "llvm.fptoui.sat.",
                                         "llvm.ucmp.", "llvm.scmp.",
                                         "llvm.lrint.", "llvm.llrint.",
                                         "llvm.lround.", "llvm.llround.", NULL};

static bool listed(const char *const *list, const char *name, char *base) {
  for (; *list; list++)
    if (mt_starts(name, *list)) {
      strcpy(base, *list);
      size_t n = strlen(base);
      if (base[n - 1] == '.') base[n - 1] = '\0';
      return true;
    }
  return false;
}

static bool immediate(LLVMValueRef call, unsigned n) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(call, n));
  return n > 0 && LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(t) == 1; /* ctlz, cttz, abs */
}

static LLVMValueRef argument(mt_Spmd *s, LLVMValueRef call, unsigned n,
                             unsigned part, bool vector) {
  LLVMValueRef x = LLVMGetOperand(call, n);
  if (immediate(call, n)) return x;
  if (mt_type_parts(LLVMTypeOf(x)) <= 1) part = 0;
  return vector ? mt_vector(s, x, part) : mt_uniform(s, x, part);
}

static LLVMValueRef again(mt_Spmd *s, LLVMValueRef call, const char *base,
                          unsigned types, unsigned part, bool vector) {
  LLVMValueRef args[4];
  unsigned n = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < n && i < 4; i++)
    args[i] = argument(s, call, i, part, vector);
  LLVMTypeRef t = mt_type_part(LLVMTypeOf(call), part);
  LLVMTypeRef over[2] = {vector ? mt_vector_of(s, t) : t, LLVMTypeOf(args[0])};
  LLVMValueRef r = mt_intrinsic(s, base, over, types, args, n);
  if (LLVMIsAInstruction(r) && LLVMCanValueUseFastMathFlags(call) &&
      LLVMCanValueUseFastMathFlags(r))
    LLVMSetFastMathFlags(r, LLVMGetFastMathFlags(call));
  return r;
}

static void elementwise(mt_Spmd *s, LLVMValueRef call, const char *base,
                        unsigned types) {
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(call)); p++)
    if (mt_part_kind(s, call, p) == MT_SHAPE_UNIFORM)
      mt_set_uniform(s, call, p, again(s, call, base, types, p, false));
    else
      mt_set_vector(s, call, p, again(s, call, base, types, p, true));
}

/* {result, overflow}: two parts from one call. */
static void with_overflow(mt_Spmd *s, LLVMValueRef call, const char *name) {
  char base[64];
  size_t n = strcspn(name + 5, ".") + 5;
  n += strlen(".with.overflow");
  memcpy(base, name, n);
  base[n] = '\0';
  bool vector = mt_part_kind(s, call, 0) != MT_SHAPE_UNIFORM;
  LLVMValueRef args[2] = {argument(s, call, 0, 0, vector),
                          argument(s, call, 1, 0, vector)};
  LLVMTypeRef t = LLVMTypeOf(args[0]);
  LLVMValueRef r = mt_intrinsic(s, base, &t, 1, args, 2);
  for (unsigned p = 0; p < 2; p++) {
    LLVMValueRef x = LLVMBuildExtractValue(s->b, r, p, "");
    if (vector)
      mt_set_vector(s, call, p, x);
    else
      mt_set_uniform(s, call, p, x);
  }
}

static LLVMValueRef fold(mt_Spmd *s, const char *op, LLVMValueRef a,
                         LLVMValueRef b, LLVMValueRef call) {
  static const struct { const char *name; LLVMOpcode op; } OPS[] = {
      {"add", LLVMAdd}, {"mul", LLVMMul}, {"and", LLVMAnd}, {"or", LLVMOr},
      {"xor", LLVMXor}, {"fadd", LLVMFAdd}, {"fmul", LLVMFMul}};
  static const struct { const char *name, *call; } CALLS[] = {
      {"smax", "llvm.smax"}, {"smin", "llvm.smin"}, {"umax", "llvm.umax"},
      {"umin", "llvm.umin"}, {"fmax", "llvm.maxnum"}, {"fmin", "llvm.minnum"},
      {"fmaximum", "llvm.maximum"}, {"fminimum", "llvm.minimum"}};
  size_t n = strcspn(op, ".");
  for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++)
    if (strlen(OPS[i].name) == n && !strncmp(op, OPS[i].name, n)) {
      LLVMValueRef r = LLVMBuildBinOp(s->b, OPS[i].op, a, b, "");
      if (LLVMIsAInstruction(r) && LLVMCanValueUseFastMathFlags(r))
        LLVMSetFastMathFlags(r, LLVMGetFastMathFlags(call));
      return r;
    }
  for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
    if (strlen(CALLS[i].name) == n && !strncmp(op, CALLS[i].name, n)) {
      LLVMTypeRef t = LLVMTypeOf(a);
      LLVMValueRef args[2] = {a, b};
      return mt_intrinsic(s, CALLS[i].call, &t, 1, args, 2);
    }
  mt_unsupported(s, "the reduction %s", op);
  return a;
}

/* llvm.vector.reduce.add and its kin, over the parts of a thread's vector. */
static void reduce(mt_Spmd *s, LLVMValueRef call, const char *op) {
  bool vector = mt_part_kind(s, call, 0) != MT_SHAPE_UNIFORM;
  bool start = LLVMGetNumArgOperands(call) == 2;
  LLVMValueRef x = LLVMGetOperand(call, start ? 1 : 0);
  LLVMValueRef r = start ? argument(s, call, 0, 0, vector) : NULL;
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(x)); p++) {
    LLVMValueRef y = vector ? mt_vector(s, x, p) : mt_uniform(s, x, p);
    r = r ? fold(s, op, r, y, call) : y;
  }
  if (vector)
    mt_set_vector(s, call, 0, r);
  else
    mt_set_uniform(s, call, 0, r);
}

static void same(mt_Spmd *s, LLVMValueRef call) { /* llvm.expect */
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(call)); p++)
    if (mt_part_kind(s, call, p) == MT_SHAPE_UNIFORM)
      mt_set_uniform(s, call, p, mt_uniform(s, LLVMGetOperand(call, 0), p));
    else
      mt_set_vector(s, call, p, mt_vector(s, LLVMGetOperand(call, 0), p));
}

/* llvm.is.fpclass(x, test) */
static void fpclass(mt_Spmd *s, LLVMValueRef call) {
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(call)); p++) {
    bool vector = mt_part_kind(s, call, p) != MT_SHAPE_UNIFORM;
    LLVMValueRef x = argument(s, call, 0, p, vector);
    LLVMValueRef args[2] = {x, LLVMGetOperand(call, 1)};
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef r = mt_intrinsic(s, "llvm.is.fpclass", &t, 1, args, 2);
    if (vector)
      mt_set_vector(s, call, p, r);
    else
      mt_set_uniform(s, call, p, r);
  }
}

static void ldexp_parts(mt_Spmd *s, LLVMValueRef call) {
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(call)); p++) {
    bool vector = mt_part_kind(s, call, p) != MT_SHAPE_UNIFORM;
    LLVMValueRef args[2] = {argument(s, call, 0, p, vector),
                            argument(s, call, 1, p, vector)};
    LLVMTypeRef t[2] = {LLVMTypeOf(args[0]), LLVMTypeOf(args[1])};
    LLVMValueRef r = vector ? mt_x86_scale(s, call, args[0]) : NULL;
    if (!r) r = mt_intrinsic(s, "llvm.ldexp", t, 2, args, 2);
    if (vector)
      mt_set_vector(s, call, p, r);
    else
      mt_set_uniform(s, call, p, r);
  }
}

/* ------------------------------------------------------------ saturation */

static LLVMValueRef limit(mt_Spmd *s, LLVMRealPredicate is, LLVMValueRef x,
                          LLVMValueRef to) {
  return LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, is, x, to, ""), x, to, "");
}

/* Convert a float to an integer of so many bits, with saturation. LLVM
** scalarises most vectors of llvm.fpto[su]i.sat: clamp first, then convert.
** Beyond 24 bits the largest float below the limit is less than the largest
** integer, so floats above it are set to that integer. */
static LLVMValueRef saturated(mt_Spmd *s, LLVMValueRef x, LLVMTypeRef to,
                              bool sign) {
  unsigned bits = LLVMGetIntTypeWidth(to), top = bits - sign;
  LLVMValueRef own = bits == 32 ? mt_x86_to_integer(s, x, sign) : NULL;
  if (own) return own;
  LLVMTypeRef f = LLVMTypeOf(x), mid = mt_vector_of(s, bits < 32 ? s->i32 : to);
  double most = 1, step;
  for (unsigned i = 0; i < top; i++) most *= 2;
  step = top > 24 ? most / (1 << 24) : 1;
  LLVMValueRef low = mt_splat(s, LLVMConstReal(LLVMGetElementType(f),
                                               sign ? -most : 0));
  LLVMValueRef high =
      mt_splat(s, LLVMConstReal(LLVMGetElementType(f), most - step));
  LLVMValueRef c = limit(s, LLVMRealOLT, limit(s, LLVMRealOGT, x, low), high);
  LLVMValueRef r = sign || bits < 32 ? LLVMBuildFPToSI(s->b, c, mid, "")
                                     : LLVMBuildFPToUI(s->b, c, mid, "");
  if (bits < 32) r = LLVMBuildTrunc(s->b, r, mt_vector_of(s, to), "");
  uint64_t all = top == 64 ? UINT64_MAX : (1ull << top) - 1;
  if (top > 24)
    r = LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, LLVMRealOGT, x, high, ""),
                        mt_splat(s, LLVMConstInt(to, all, 0)), r, "");
  if (!sign) return r;
  return LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, LLVMRealUNO, x, x, ""),
                         LLVMConstNull(LLVMTypeOf(r)), r, "");
}

/* For integers of the usual sizes, from float, half or bfloat. */
static bool saturate(mt_Spmd *s, LLVMValueRef call, bool sign) {
  LLVMTypeRef to = mt_type_part(LLVMTypeOf(call), 0);
  LLVMValueRef from = LLVMGetOperand(call, 0);
  LLVMTypeKind k = LLVMGetTypeKind(mt_type_part(LLVMTypeOf(from), 0));
  unsigned bits = LLVMGetIntTypeWidth(to);
  if ((bits != 8 && bits != 16 && bits != 32 && bits != 64) ||
      (k != LLVMFloatTypeKind && k != LLVMHalfTypeKind &&
       k != LLVMBFloatTypeKind))
    return false;
  const char *base = sign ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(call)); p++) {
    if (mt_part_kind(s, call, p) == MT_SHAPE_UNIFORM) {
      mt_set_uniform(s, call, p, again(s, call, base, 2, p, false));
      continue;
    }
    LLVMValueRef x = argument(s, call, 0, p, true);
    if (k != LLVMFloatTypeKind)
      x = LLVMBuildFPExt(s->b, x, mt_vector_of(s, s->f32), "");
    mt_set_vector(s, call, p, saturated(s, x, to, sign));
  }
  return true;
}

static void intrinsic(mt_Spmd *s, LLVMValueRef call, const char *name) {
  char base[64];
  if (listed(IGNORED, name, base) && mt_type_parts(LLVMTypeOf(call)) == 0)
    return;
  if (mt_memory_intrinsic(s, call, name)) return;
  if (strstr(name, ".with.overflow."))
    with_overflow(s, call, name);
  else if (mt_starts(name, "llvm.fptosi.sat.") && saturate(s, call, true))
    return;
  else if (mt_starts(name, "llvm.fptoui.sat.") && saturate(s, call, false))
    return;
  else if (listed(ELEMENTWISE, name, base))
    elementwise(s, call, base, 1);
  else if (listed(CONVERTING, name, base))
    elementwise(s, call, base, 2);
  else if (mt_starts(name, "llvm.vector.reduce."))
    reduce(s, call, name + strlen("llvm.vector.reduce."));
  else if (mt_starts(name, "llvm.expect.") ||
           mt_starts(name, "llvm.ptr.annotation") ||
           mt_starts(name, "llvm.annotation") ||
           mt_starts(name, "llvm.ssa.copy") ||
           mt_starts(name, "llvm.launder.") || mt_starts(name, "llvm.strip."))
    same(s, call);
  else if (mt_starts(name, "llvm.is.fpclass."))
    fpclass(s, call);
  else if (mt_starts(name, "llvm.ldexp."))
    ldexp_parts(s, call);
  else
    mt_unsupported(s, "a call of %s", name);
}

/* A call that keep_tiles.c added: one of the run-time library, for all lanes,
** with the group as its first argument. */
static void tile_call(mt_Spmd *s, LLVMValueRef call, const char *name) {
  LLVMValueRef args[8] = {s->group};
  char function[32];
  unsigned n = LLVMGetNumArgOperands(call);
  snprintf(function, sizeof function, "mt_tile_%s", name + 8);
  for (unsigned i = 0; i < n && i < 7; i++)
    args[i + 1] = mt_uniform(s, LLVMGetOperand(call, i), 0);
  LLVMTypeRef result = LLVMTypeOf(call);
  LLVMValueRef x = mt_call_runtime(s, function, result, args, n + 1);
  if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
    mt_set_uniform(s, call, 0, x);
}

void mt_call_emit(mt_Spmd *s, LLVMValueRef call) {
  const char *name = mt_callee(call);
  /* barriers: control_flow.c; SIMD-group barriers: lanes are in step */
  if (mt_starts(name, "__mt_barrier_")) return;
  if (mt_is_probe(name)) {
    s->probes->emit(s, call, name);
  } else if (mt_log_emit(s, call, name)) {
    return;
  } else if (mt_starts(name, "__mt_")) {
    if (!mt_matrix_emit(s, call, name) && !mt_crosslane_emit(s, call, name))
      mt_unsupported(s, "a call of %s", name);
  } else if (mt_starts(name, "llvm.")) {
    intrinsic(s, call, name);
  } else if (mt_starts(name, "mt.tile.")) {
    tile_call(s, call, name);
  } else {
    mt_unsupported(s, "a call of %s", *name ? name : "a pointer");
  }
}
