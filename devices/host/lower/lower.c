/*
** lower.c - lowers the probes of instrumented kernels (check/check.h,
** profile/profile.h), vectorised and thread by thread.
**
** The one idea: one call of a helper per SIMD-group, not per thread. A uniform
** address, or addresses with one stride, are passed as such; else the helper
** gets a list of addresses. access.c has the accesses.
*/
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/lower/lowered_access.h"

/* Is the matrix at one address for all lanes? */
static bool is_one_matrix(mt_Spmd *s, LLVMValueRef call) {
  bool uniform = true;
  for (unsigned i = 2; i < 5; i++)
    uniform &= mt_part_kind(s, LLVMGetOperand(call, i), 0) == MT_SHAPE_UNIFORM;
  return uniform;
}

/* The pointer that an access uses has the shape of its pointer operand; that of
** a matrix at one address is uniform; other results are varying. */
static void probe_shape(mt_Spmd *s, LLVMValueRef call, const char *name,
                        mt_Shape *out) {
  if (mt_starts(name, MT_PROBE_ACCESS)) mt_lower_access_shape(s, call, out);
  if (!strcmp(name, MT_PROBE_MATRIX) && is_one_matrix(s, call))
    out->kind = MT_SHAPE_UNIFORM;
}

/* void (site, bad, value): a call only if some lane is bad. */
static void emit_if(mt_Spmd *s, LLVMValueRef call) {
  LLVMValueRef bad = LLVMGetOperand(call, 1), value = LLVMGetOperand(call, 2);
  LLVMValueRef none = LLVMConstNull(s->i32), bits;
  if (mt_part_kind(s, bad, 0) == MT_SHAPE_UNIFORM)
    bits = LLVMBuildSelect(s->b, mt_uniform(s, bad, 0), mt_active_mask(s), none,
                           "");
  else
    bits = LLVMBuildAnd(s->b, mt_mask_bits(s, mt_vector(s, bad, 0)),
                        mt_active_mask(s), "");
  LLVMValueRef vector = mt_vector(s, value, 0);
  LLVMValueRef m = mt_entry_alloca(s, LLVMTypeOf(vector), 64);
  LLVMBasicBlockRef wrong = mt_new_block(s, "wrong"), on = mt_new_block(s, "");
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntNE, bits, none, ""), wrong,
                  on);
  LLVMPositionBuilderAtEnd(s->b, wrong);
  LLVMBuildStore(s->b, vector, m);
  LLVMValueRef args[] = {s->sg, bits, LLVMGetOperand(call, 0), m};
  mt_lower_call(s, "mt_check_if", LLVMVoidTypeInContext(s->context), args, 4);
  LLVMBuildBr(s->b, on);
  LLVMPositionBuilderAtEnd(s->b, on);
}

/* void (site, bad, view, x, y, z, slices, level): the same. */
static void emit_texel(mt_Spmd *s, LLVMValueRef call) {
  LLVMValueRef bad = mt_mask_bits(s, mt_vector(s, LLVMGetOperand(call, 1), 0));
  LLVMValueRef bits = LLVMBuildAnd(s->b, bad, mt_active_mask(s), "");
  LLVMValueRef none = LLVMConstNull(s->i32), x[1 + MT_TEXEL];
  for (unsigned i = 0; i <= MT_TEXEL; i++)
    x[i] = mt_vector(s, LLVMGetOperand(call, 2 + i), 0);
  LLVMTypeRef row = LLVMTypeOf(x[1]);
  LLVMValueRef m = mt_entry_alloca(s, LLVMArrayType2(row, MT_TEXEL), 64);
  LLVMValueRef views = mt_entry_alloca(s, LLVMTypeOf(x[0]), 64);
  LLVMBasicBlockRef wrong = mt_new_block(s, "wrong"), on = mt_new_block(s, "");
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntNE, bits, none, ""), wrong,
                  on);
  LLVMPositionBuilderAtEnd(s->b, wrong);
  LLVMBuildStore(s->b, x[0], views);
  for (unsigned i = 0; i < MT_TEXEL; i++) {
    LLVMValueRef at = mt_const_i64(s, i);
    LLVMBuildStore(s->b, x[1 + i],
                   LLVMBuildGEP2(s->b, row, m, &at, 1, ""));
  }
  LLVMValueRef args[] = {s->sg, bits, LLVMGetOperand(call, 0), m, views};
  mt_lower_call(s, "mt_check_texel", LLVMVoidTypeInContext(s->context), args,
                  5);
  LLVMBuildBr(s->b, on);
  LLVMPositionBuilderAtEnd(s->b, on);
}

/* ptr (site, base, p, stride, transpose) */
static void emit_matrix(mt_Spmd *s, LLVMValueRef call) {
  bool one = is_one_matrix(s, call);
  LLVMValueRef args[7] = {s->sg, mt_active_mask(s), LLVMGetOperand(call, 0),
                          mt_uniform(s, LLVMGetOperand(call, 1), 0)};
  for (unsigned i = 2; i < 5; i++) {
    LLVMValueRef x = LLVMGetOperand(call, i);
    x = one ? mt_uniform(s, x, 0) : mt_vector(s, x, 0);
    if (i == 4)
      x = LLVMBuildZExt(s->b, x, one ? s->i8 : mt_vector_of(s, s->i8), "");
    args[2 + i] = one ? x : mt_vector_to_memory(s, x);
  }
  if (one) {
    mt_set_uniform(s, call, 0,
                   mt_lower_call(s, "mt_check_matrix", s->ptr, args, 7));
    return;
  }
  mt_lower_call(s, "mt_check_matrix_lanes", s->i32, args, 7);
  mt_set_vector(s, call, 0,
                LLVMBuildLoad2(s->b, mt_vector_of(s, s->ptr), args[4], ""));
}

/* Not 0: a lane is inactive, or some lane has a flag or names no lane. */
static LLVMValueRef may_be_bad(mt_Spmd *s, LLVMValueRef from,
                               LLVMValueRef flags, bool named) {
  LLVMValueRef bad = LLVMBuildICmp(s->b, LLVMIntNE, flags,
                                   LLVMConstNull(LLVMTypeOf(flags)), "");
  if (named) {
    LLVMValueRef last = mt_splat(s, LLVMConstInt(s->i32, MT_LANES - 1, 0));
    bad = LLVMBuildOr(
        s->b, bad, LLVMBuildICmp(s->b, LLVMIntUGT, from, last, ""), "");
  }
  return LLVMBuildOr(s->b, mt_mask_bits(s, bad),
                     LLVMBuildNot(s->b, mt_active_mask(s), ""), "");
}

/* i32 (site, from, flag, named): the lanes' flags, after the shuffle. */
static void emit_asked(mt_Spmd *s, LLVMValueRef call) {
  LLVMValueRef from = mt_vector(s, LLVMGetOperand(call, 1), 0);
  LLVMValueRef flags = mt_vector(s, LLVMGetOperand(call, 2), 0);
  LLVMTypeRef type = LLVMTypeOf(flags);
  LLVMValueRef m = mt_entry_alloca(s, type, 64);
  LLVMBasicBlockRef slow = mt_new_block(s, "lanes"), on = mt_new_block(s, "");
  LLVMValueRef bad =
      may_be_bad(s, from, flags, !LLVMIsNull(LLVMGetOperand(call, 3)));
  LLVMBuildStore(s->b, flags, m);
  LLVMBuildCondBr(
      s->b, LLVMBuildICmp(s->b, LLVMIntNE, bad, LLVMConstNull(s->i32), ""),
      slow, on);
  LLVMPositionBuilderAtEnd(s->b, slow);
  LLVMValueRef args[] = {s->sg, mt_active_mask(s), LLVMGetOperand(call, 0),
                         mt_vector_to_memory(s, from), m};
  mt_lower_call(s, "mt_check_lane", LLVMVoidTypeInContext(s->context), args,
                  5);
  LLVMBuildBr(s->b, on);
  LLVMPositionBuilderAtEnd(s->b, on);
  mt_set_vector(s, call, 0, LLVMBuildLoad2(s->b, type, m, ""));
}

/* With a full mask there is nothing to check. */
static void emit_together(mt_Spmd *s, LLVMValueRef *args) {
  if (s->full) return;
  mt_lower_call(s, "mt_check_convergent", LLVMVoidTypeInContext(s->context),
                  args, 3);
}

/* void (site, p): the profiler's accesses. */
static void emit_count(mt_Spmd *s, LLVMValueRef call) {
  LLVMTypeRef none = LLVMVoidTypeInContext(s->context);
  LLVMValueRef p = LLVMGetOperand(call, 1);
  LLVMValueRef args[] = {s->sg, mt_active_mask(s), LLVMGetOperand(call, 0),
                         NULL, NULL};
  mt_ShapeKind kind = mt_part_kind(s, p, 0);
  int64_t step;
  if (kind == MT_SHAPE_UNIFORM) {
    args[3] = mt_uniform(s, p, 0);
    mt_lower_call(s, "mt_count_one", none, args, 4);
  } else if (kind == MT_SHAPE_AFFINE &&
             mt_lower_row(s, mt_part_shape(s, p, 0), &step)) {
    args[3] = mt_affine_lane(s, mt_affine(s, p, 0), 0);
    args[4] = mt_const_i64(s, step);
    mt_lower_call(s, "mt_count_row", none, args, 5);
  } else {
    args[3] = mt_vector_to_memory(s, mt_vector(s, p, 0));
    mt_lower_call(s, "mt_count_lanes", none, args, 4);
  }
}

/* void (site, i1): which lanes take the branch. */
static void emit_split(mt_Spmd *s, LLVMValueRef call) {
  LLVMValueRef way = LLVMGetOperand(call, 1), mask = mt_active_mask(s), bits;
  if (mt_part_kind(s, way, 0) == MT_SHAPE_UNIFORM)
    bits = LLVMBuildSelect(s->b, mt_uniform(s, way, 0), mask,
                           LLVMConstNull(s->i32), "");
  else
    bits = mt_mask_bits(s, mt_vector(s, way, 0));
  LLVMValueRef args[] = {s->sg, mask, LLVMGetOperand(call, 0), bits};
  mt_lower_call(s, "mt_count_split", LLVMVoidTypeInContext(s->context), args,
                  4);
}

static void probe_emit(mt_Spmd *s, LLVMValueRef call, const char *name) {
  LLVMTypeRef none = LLVMVoidTypeInContext(s->context);
  LLVMValueRef args[] = {s->sg, mt_active_mask(s), LLVMGetOperand(call, 0)};
  if (!strcmp(name, MT_PROBE_LANE)) return; /* all is done after it */
  if (mt_starts(name, MT_PROBE_ACCESS))
    mt_lower_access(s, call);
  else if (!strcmp(name, MT_PROBE_IF))
    emit_if(s, call);
  else if (!strcmp(name, MT_PROBE_TEXEL))
    emit_texel(s, call);
  else if (!strcmp(name, MT_PROBE_MATRIX))
    emit_matrix(s, call);
  else if (!strcmp(name, MT_PROBE_ASKED))
    emit_asked(s, call);
  else if (!strcmp(name, MT_PROBE_TOGETHER))
    emit_together(s, args);
  else if (!strcmp(name, MT_PROBE_WAIT))
    mt_lower_call(s, "mt_check_wait", none, args, 3);
  else if (!strcmp(name, MT_PROBE_GO))
    mt_lower_call(s, "mt_check_go", none, args, 3);
  else if (!strcmp(name, MT_COUNT_BLOCK))
    mt_lower_call(s, "mt_count_block", none, args, 3);
  else if (!strcmp(name, MT_COUNT_SPLIT))
    emit_split(s, call);
  else if (!strcmp(name, MT_COUNT_ACCESS))
    emit_count(s, call);
  else
    mt_unsupported(s, "a call of %s", name);
}

const mt_ProbeLowering mt_check_lowering = {.shape = probe_shape,
                                            .emit = probe_emit,
                                            .order = "mt_check_order",
                                            .short_products = true};
const mt_ProbeLowering mt_profile_lowering = {.shape = probe_shape,
                                              .emit = probe_emit};

/* Asked for the uniformity of a kernel only. */
const mt_ProbeLowering mt_record_lowering = {.shape = probe_shape,
                                             .emit = probe_emit};

/* --------------------------------------------------------- thread by thread */

typedef struct Thread {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMTypeRef i32, i64, ptr, none;
  LLVMValueRef observer, site, sg, mask;
} Thread;

static LLVMValueRef call_one(Thread *t, const char *name, LLVMTypeRef result,
                             const LLVMValueRef *args, unsigned n) {
  LLVMValueRef all[1 + MT_HELPER_ARGUMENTS] = {t->observer};
  memcpy(all + 1, args, n * sizeof *all);
  return mt_build_call(t->module, t->b, name, result, all, n + 1);
}

/* Spills 'v' to an alloca in the function's entry block. */
static LLVMValueRef kept(Thread *t, LLVMValueRef call, LLVMValueRef v) {
  LLVMValueRef f =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(t->module));
  LLVMPositionBuilderBefore(
      b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  LLVMValueRef m = LLVMBuildAlloca(b, LLVMTypeOf(v), "");
  LLVMDisposeBuilder(b);
  LLVMBuildStore(t->b, v, m);
  return m;
}

static LLVMValueRef one_access(Thread *t, LLVMValueRef call) {
  LLVMValueRef values = LLVMConstPointerNull(t->ptr);
  if (LLVMGetNumArgOperands(call) > 4)
    values = kept(t, call, LLVMGetOperand(call, 4));
  LLVMValueRef args[] = {t->sg, t->mask, t->site, LLVMGetOperand(call, 1),
                         LLVMGetOperand(call, 2), values,
                         LLVMConstInt(t->i32, 1, 0)};
  return call_one(t, "mt_check_one", t->ptr, args, 7);
}

static LLVMValueRef one_if(Thread *t, LLVMValueRef call) {
  LLVMValueRef none = LLVMConstInt(t->i32, 0, 0);
  LLVMValueRef values = kept(t, call, LLVMGetOperand(call, 2));
  LLVMValueRef bits =
      LLVMBuildSelect(t->b, LLVMGetOperand(call, 1), t->mask, none, "");
  LLVMValueRef args[] = {t->sg, bits, t->site, values};
  return call_one(t, "mt_check_thread_if", t->none, args, 4);
}

static LLVMValueRef one_texel(Thread *t, LLVMValueRef call) {
  LLVMValueRef none = LLVMConstInt(t->i32, 0, 0);
  LLVMValueRef place = LLVMGetUndef(LLVMArrayType2(t->i32, MT_TEXEL));
  for (unsigned i = 0; i < MT_TEXEL; i++)
    place = LLVMBuildInsertValue(t->b, place, LLVMGetOperand(call, 3 + i), i,
                                 "");
  LLVMValueRef bits =
      LLVMBuildSelect(t->b, LLVMGetOperand(call, 1), t->mask, none, "");
  LLVMValueRef args[] = {t->sg, bits, t->site, kept(t, call, place),
                         LLVMGetOperand(call, 2)};
  return call_one(t, "mt_check_thread_texel", t->none, args, 5);
}

static LLVMValueRef one_matrix(Thread *t, LLVMValueRef call) {
  LLVMContextRef c = LLVMGetModuleContext(t->module);
  LLVMValueRef turned = LLVMBuildZExt(t->b, LLVMGetOperand(call, 4),
                                      LLVMInt8TypeInContext(c), "");
  LLVMValueRef args[] = {t->sg, t->mask, t->site, LLVMGetOperand(call, 1),
                         LLVMGetOperand(call, 2), LLVMGetOperand(call, 3),
                         turned};
  return call_one(t, "mt_check_matrix", t->ptr, args, 7);
}

/* The recorder's: the same operands, after the thread's index. */
static LLVMValueRef one_record(Thread *t, LLVMValueRef call, const char *name,
                               LLVMValueRef index) {
  char function[64];
  LLVMValueRef args[MT_HELPER_ARGUMENTS] = {index};
  unsigned n = LLVMGetNumArgOperands(call);
  snprintf(function, sizeof function, "mt_record_%s",
           name + strlen(MT_RECORD));
  for (unsigned i = 0; i < n && i + 1 < MT_HELPER_ARGUMENTS; i++)
    args[1 + i] = LLVMGetOperand(call, i);
  return call_one(t, function, t->none, args, 1 + n);
}

LLVMValueRef mt_probe_scalar(LLVMModuleRef module, LLVMBuilderRef b,
                             LLVMValueRef call, const char *name,
                             LLVMValueRef index, LLVMValueRef observer) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  Thread t = {.module = module, .b = b, .i32 = LLVMInt32TypeInContext(c),
              .i64 = LLVMInt64TypeInContext(c),
              .ptr = LLVMPointerTypeInContext(c, 0),
              .none = LLVMVoidTypeInContext(c),
              .observer = observer,
              .site = LLVMGetOperand(call, 0)};
  LLVMPositionBuilderBefore(b, call);
  if (mt_starts(name, MT_RECORD))
    return one_record(&t, call, name, index);
  t.sg = LLVMBuildLShr(b, index, LLVMConstInt(t.i32, 5, 0), "");
  t.mask = LLVMBuildShl(
      b, LLVMConstInt(t.i32, 1, 0),
      LLVMBuildAnd(b, index, LLVMConstInt(t.i32, 31, 0), ""), "");
  LLVMValueRef args[] = {t.sg, t.mask, t.site,
                         LLVMGetNumArgOperands(call) > 1
                             ? LLVMGetOperand(call, 1)
                             : LLVMConstInt(t.i32, 0, 0),
                         LLVMConstInt(t.i32, 0, 0)};
  if (mt_starts(name, MT_PROBE_ACCESS)) return one_access(&t, call);
  if (!strcmp(name, MT_PROBE_IF)) return one_if(&t, call);
  if (!strcmp(name, MT_PROBE_TEXEL)) return one_texel(&t, call);
  if (!strcmp(name, MT_PROBE_MATRIX)) return one_matrix(&t, call);
  if (!strcmp(name, MT_PROBE_WAIT))
    return call_one(&t, "mt_check_wait", t.none, args, 3);
  if (!strcmp(name, MT_PROBE_GO))
    return call_one(&t, "mt_check_go", t.none, args, 3);
  if (!strcmp(name, MT_COUNT_BLOCK))
    return call_one(&t, "mt_count_block", t.none, args, 3);
  if (!strcmp(name, MT_COUNT_ACCESS))
    return call_one(&t, "mt_count_one", t.none, args, 4);
  if (!strcmp(name, MT_COUNT_SPLIT)) {
    args[3] =
        LLVMBuildSelect(b, args[3], t.mask, LLVMConstInt(t.i32, 0, 0), "");
    return call_one(&t, "mt_count_split", t.none, args, 4);
  }
  if (!strcmp(name, MT_PROBE_ASKED))
    return call_one(&t, "mt_check_thread_asked", t.i32, args, 2);
  if (!strcmp(name, MT_PROBE_LANE)) args[4] = LLVMGetOperand(call, 2);
  return call_one(&t, "mt_check_thread_lane", t.none, args, 5);
}
