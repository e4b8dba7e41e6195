/*
** matrix.c - simdgroup matrices on tensor cores.
**
** The one idea: which lane holds which element is visible only to a kernel that
** uses thread_elements(). Where all matrices of a kernel are only loaded,
** multiplied, combined element by element and stored, they take the layout of
** the tensor cores, and products need no shuffles. A tensor core multiplies 16
** rows at once: two products with the same right matrix become one call, a
** pair. Pairs that are added to the same matrices one after the other are a
** chain: the tensor core adds up two of them, and the kernel adds that to what
** was there.
**
** Halves and bfloats are multiplied as they are, floats as sums of two TF32
** numbers each (builtins.c).
*/
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

#define LOAD "__mt_matrix_load_"
#define STORE "__mt_matrix_store_"
#define MULTIPLY "__mt_matrix_multiply_add"
#define MOST 4096 /* matrices of a kernel */
#define LONGEST 2 /* pairs of a chain: tensor cores truncate their sums */

typedef struct Set {
  LLVMValueRef *of;
  bool *right; /* of loads: only ever right operands */
  unsigned count;
  bool failed;
} Set;

static bool is_multiply(LLVMValueRef v) {
  return strcmp(mt_callee(v), MULTIPLY) == 0;
}
static bool is_load(LLVMValueRef v) { return mt_starts(mt_callee(v), LOAD); }
static bool is_store(LLVMValueRef v) { return mt_starts(mt_callee(v), STORE); }

static bool has(const Set *s, LLVMValueRef v) {
  for (unsigned i = 0; i < s->count; i++)
    if (s->of[i] == v) return true;
  return false;
}

static void add(Set *s, LLVMValueRef v) {
  if (has(s, v)) return;
  if (s->count == MOST)
    s->failed = true;
  else
    s->of[s->count++] = v;
}

/* -------------------------------------------------------- may it be hidden? */

static bool is_element_wise(LLVMValueRef v) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMFreeze:
      return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
    default:
      return false;
  }
}

/* A constant matrix of equal elements. */
static bool is_even(LLVMValueRef v) {
  if (!LLVMIsConstant(v) ||
      LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind)
    return false;
  return LLVMIsNull(v) || LLVMIsUndef(v) ||
         (LLVMIsAConstantDataVector(v) &&
          LLVMGetAggregateElement(v, 0) == LLVMGetAggregateElement(v, 1));
}

static bool users_fit(Set *s, LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (is_store(user) || is_multiply(user)) continue;
    if (!LLVMIsAInstruction(user) || !is_element_wise(user)) return false;
    add(s, user);
  }
  return true;
}

static bool operands_fit(const Set *s, LLVMValueRef v) {
  if (is_load(v)) return true;
  unsigned n = is_multiply(v) ? 3 : (unsigned)LLVMGetNumOperands(v);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef x = LLVMGetOperand(v, i);
    if (!has(s, x) && !is_even(x)) return false;
  }
  return true;
}

/* All loads, products and stores; whatever they lead to must fit. */
static bool find_matrices(mt_PtxWork *w, Set *s) {
  LLVMValueRef f = w->prepared.function;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (is_load(i) || is_multiply(i)) add(s, i);
  for (unsigned i = 0; i < s->count; i++)
    if (!users_fit(s, s->of[i])) return false;
  for (unsigned i = 0; i < s->count; i++)
    if (!operands_fit(s, s->of[i])) return false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (is_store(i) && !has(s, LLVMGetOperand(i, 0)) &&
          !is_even(LLVMGetOperand(i, 0)))
        return false;
  return !s->failed;
}

/* ----------------------------------------------------------- right operands */

static bool is_conversion(LLVMValueRef v) {
  return LLVMIsAFPExtInst(v) || LLVMIsAFPTruncInst(v);
}

/* Is 'v', a load or converted from one, only ever a right operand? */
static bool is_right(LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (is_conversion(user) ? !is_right(user)
                            : !is_multiply(user) ||
                                  LLVMGetOperand(user, 1) != v ||
                                  LLVMGetOperand(user, 0) == v ||
                                  LLVMGetOperand(user, 2) == v)
      return false;
  }
  return true;
}

/* The load that 'v' is converted from; NULL: it is something else. */
static LLVMValueRef load_of(LLVMValueRef v) {
  while (LLVMIsAInstruction(v) && is_conversion(v)) v = LLVMGetOperand(v, 0);
  return is_load(v) ? v : NULL;
}

static bool comes_right(const Set *loads, LLVMValueRef v) {
  LLVMValueRef load = load_of(v);
  for (unsigned i = 0; load && i < loads->count; i++)
    if (loads->of[i] == load) return loads->right[i];
  return false;
}

/* The same right matrix? Each product converts it again. */
static bool is_same(LLVMValueRef a, LLVMValueRef b) {
  return a == b || (load_of(a) && load_of(a) == load_of(b));
}

/* "f16" if the elements are known to be halves, "bf16", else "f32". */
static const char *kind_of(LLVMValueRef v) {
  if (is_load(v)) return mt_callee(v) + strlen(LOAD);
  if (!LLVMIsAFPExtInst(v)) return "f32";
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(v, 0)));
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMHalfTypeKind     ? "f16"
         : k == LLVMBFloatTypeKind ? "bf16"
                                   : "f32";
}

static const char *common_kind(LLVMValueRef a, LLVMValueRef b) {
  const char *x = kind_of(a), *y = kind_of(b);
  return strcmp(x, y) == 0 ? x : "f32";
}

/* ----------------------------------------------------------------- products */

/* Is 'v' computed before 'at', in its block or in a block that leads there? */
static bool is_before(LLVMValueRef v, LLVMValueRef at) {
  if (!LLVMIsAInstruction(v) ||
      LLVMGetInstructionParent(v) != LLVMGetInstructionParent(at))
    return true;
  for (LLVMValueRef i = at; i; i = LLVMGetPreviousInstruction(i))
    if (i == v) return i != at;
  return false;
}

/* Is it there, or a conversion of what is? */
static bool can_be_before(LLVMValueRef v, LLVMValueRef at) {
  while (!is_before(v, at)) {
    if (!is_conversion(v)) return false;
    v = LLVMGetOperand(v, 0);
  }
  return true;
}

static void hoist(mt_PtxWork *w, LLVMValueRef v, LLVMValueRef at) {
  if (is_before(v, at)) return;
  hoist(w, LLVMGetOperand(v, 0), at);
  LLVMInstructionRemoveFromParent(v);
  LLVMPositionBuilderBefore(w->b, at);
  LLVMInsertIntoBuilder(w->b, v);
}

/* A later product of the same block and right matrix, whose other operands are
** there already; NULL: none. */
static LLVMValueRef partner(LLVMValueRef call) {
  for (LLVMValueRef i = LLVMGetNextInstruction(call); i;
       i = LLVMGetNextInstruction(i)) {
    if (mt_is_barrier(i)) return NULL;
    if (is_multiply(i) &&
        is_same(LLVMGetOperand(i, 1), LLVMGetOperand(call, 1)) &&
        can_be_before(LLVMGetOperand(i, 0), call) &&
        can_be_before(LLVMGetOperand(i, 2), call) &&
        strcmp(common_kind(LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)),
               common_kind(LLVMGetOperand(call, 0),
                           LLVMGetOperand(call, 1))) == 0)
      return i;
  }
  return NULL;
}

static LLVMValueRef half_of(mt_PtxWork *w, LLVMValueRef four, unsigned which) {
  LLVMValueRef lanes[2] = {LLVMConstInt(w->i32, 2 * which, 0),
                           LLVMConstInt(w->i32, 2 * which + 1, 0)};
  return LLVMBuildShuffleVector(w->b, four, LLVMGetUndef(LLVMTypeOf(four)),
                                LLVMConstVector(lanes, 2), "");
}

static void replace(LLVMValueRef old, LLVMValueRef made) {
  LLVMReplaceAllUsesWith(old, made);
  LLVMInstructionEraseFromParent(old);
}

/* Returns the next instruction to look at. */
static LLVMValueRef multiply(mt_PtxWork *w, const Set *loads,
                             LLVMValueRef call) {
  LLVMValueRef other = partner(call), a = LLVMGetOperand(call, 0),
               b = LLVMGetOperand(call, 1);
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(call));
  mt_Str name = MT_STR_INIT;
  mt_str_addf(&name, MT_PAIR "%s", common_kind(a, b));
  if (other) hoist(w, LLVMGetOperand(other, 0), call);
  if (other) hoist(w, LLVMGetOperand(other, 2), call);
  LLVMPositionBuilderBefore(w->b, call);
  if (!comes_right(loads, b))
    b = mt_build_call(w->module, w->b, MT_TENSOR "to_right", LLVMTypeOf(b),
                      &b, 1);
  LLVMValueRef args[5] = {a, other ? LLVMGetOperand(other, 0) : none, b,
                          LLVMGetOperand(call, 2),
                          other ? LLVMGetOperand(other, 2) : none};
  LLVMTypeRef four = LLVMVectorType(LLVMFloatTypeInContext(w->context), 4);
  LLVMValueRef made =
      mt_build_call(w->module, w->b, mt_str_text(&name), four, args, 5);
  mt_str_free(&name);
  LLVMValueRef first = half_of(w, made, 0);
  if (other) replace(other, half_of(w, made, 1));
  LLVMValueRef next = LLVMGetNextInstruction(call);
  replace(call, first);
  return next;
}

/* ------------------------------------------------------------------- chains */

static bool is_pair(LLVMValueRef v) {
  return LLVMIsACallInst(v) && mt_starts(mt_callee(v), MT_PAIR);
}
static const char *pair_kind(LLVMValueRef pair) {
  const char *name = mt_callee(pair);
  return mt_starts(name, MT_PAIR) ? name + strlen(MT_PAIR) : "";
}

/* The pair to which 'half', a half of a pair's results, is all that it is added
** to; NULL: it is also used otherwise. */
static LLVMValueRef adds_to(LLVMValueRef half) {
  LLVMUseRef u = LLVMGetFirstUse(half);
  LLVMValueRef user = u ? LLVMGetUser(u) : NULL;
  if (!user || LLVMGetNextUse(u) || !is_pair(user)) return NULL;
  unsigned second = LLVMGetMaskValue(half, 0) != 0;
  return LLVMGetOperand(user, 3 + second) == half ? user : NULL;
}

/* The pair that only adds to the results of 'pair', in its block, or NULL. */
static LLVMValueRef follower(LLVMValueRef pair) {
  LLVMValueRef next = NULL;
  unsigned halves = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(pair); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = adds_to(LLVMGetUser(u));
    if (!user || (next && user != next)) return NULL;
    next = user;
    halves++;
  }
  if (!next || LLVMGetCalledValue(next) != LLVMGetCalledValue(pair) ||
      LLVMGetInstructionParent(next) != LLVMGetInstructionParent(pair))
    return NULL;
  return halves == 2 || LLVMIsNull(LLVMGetOperand(next, 4)) ? next : NULL;
}

/* 'd' and the products of one pair, or of two. */
static LLVMValueRef add_products(mt_PtxWork *w, LLVMValueRef const *pairs,
                                 unsigned count, LLVMValueRef d) {
  LLVMValueRef args[7];
  mt_Str name = MT_STR_INIT;
  mt_str_addf(&name, MT_TENSOR "product%s_%s", count > 1 ? "s" : "",
              pair_kind(pairs[0]));
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < 3; k++)
      args[3 * i + k] = LLVMGetOperand(pairs[i], k);
  args[3 * count] = d;
  d = mt_build_call(w->module, w->b, mt_str_text(&name), LLVMTypeOf(d), args,
                    3 * count + 1);
  mt_str_free(&name);
  return d;
}

/* The two matrices that a pair is added to, in one vector. */
static LLVMValueRef both_sums(mt_PtxWork *w, LLVMValueRef pair) {
  LLVMValueRef lanes[4];
  for (unsigned i = 0; i < 4; i++) lanes[i] = LLVMConstInt(w->i32, i, 0);
  return LLVMBuildShuffleVector(w->b, LLVMGetOperand(pair, 3),
                                LLVMGetOperand(pair, 4),
                                LLVMConstVector(lanes, 4), "");
}

/* Replaces the last of the chain; nothing is left of the others. */
static void finish(LLVMValueRef const *pairs, unsigned count,
                   LLVMValueRef sum) {
  LLVMReplaceAllUsesWith(pairs[count - 1], sum);
  for (unsigned i = count; i-- > 0;) {
    for (LLVMUseRef u; (u = LLVMGetFirstUse(pairs[i]));)
      LLVMInstructionEraseFromParent(LLVMGetUser(u)); /* a half */
    LLVMInstructionEraseFromParent(pairs[i]);
  }
}

/* May the tensor core add to what was there (matrix_sums.c)? */
static bool is_long_sum(mt_PtxWork *w, LLVMValueRef pair) {
  return LLVMGetMetadata(pair, LLVMGetMDKindIDInContext(w->context, MT_LONG_SUM,
                                                        strlen(MT_LONG_SUM)));
}

static void chain(mt_PtxWork *w, LLVMValueRef first) {
  LLVMValueRef pairs[LONGEST] = {first};
  bool halves = strcmp(pair_kind(first), "f32") != 0;
  unsigned count = 1;
  while (count < LONGEST && (pairs[count] = follower(pairs[count - 1])))
    count++;
  LLVMPositionBuilderBefore(w->b, pairs[count - 1]); /* few sums at a time */
  bool adds = is_long_sum(w, first);
  LLVMValueRef d =
      adds ? both_sums(w, first) : LLVMConstNull(LLVMTypeOf(first));
  for (unsigned i = 0, n; i < count; i += n) {
    n = halves && i + 1 < count ? 2 : 1;
    d = add_products(w, &pairs[i], n, d);
  }
  if (!adds) d = LLVMBuildFAdd(w->b, both_sums(w, first), d, "");
  finish(pairs, count, d);
}

static void make_chains(mt_PtxWork *w) {
  LLVMValueRef f = w->prepared.function;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;) {
      LLVMValueRef before = LLVMGetPreviousInstruction(i);
      if (!is_pair(i)) {
        i = LLVMGetNextInstruction(i);
        continue;
      }
      chain(w, i);
      i = before ? LLVMGetNextInstruction(before) : LLVMGetFirstInstruction(b);
    }
}

/* ------------------------------------------------------------ loads, stores */

static LLVMValueRef rename_call(mt_PtxWork *w, LLVMValueRef call,
                                const char *prefix, const char *type) {
  LLVMValueRef args[4], next = LLVMGetNextInstruction(call);
  unsigned n = LLVMGetNumArgOperands(call);
  mt_Str name = MT_STR_INIT;
  for (unsigned i = 0; i < n; i++) args[i] = LLVMGetOperand(call, i);
  mt_str_addf(&name, "%s%s", prefix, type);
  LLVMPositionBuilderBefore(w->b, call);
  LLVMValueRef made = mt_build_call(w->module, w->b, mt_str_text(&name),
                                    LLVMTypeOf(call), args, n);
  mt_str_free(&name);
  if (LLVMTypeOf(call) != w->none) LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
  return next;
}

/* Products first: they look at the loads of their operands. */
static void use_tensor_cores(mt_PtxWork *w, const Set *loads) {
  LLVMValueRef f = w->prepared.function;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;)
      i = is_multiply(i) ? multiply(w, loads, i) : LLVMGetNextInstruction(i);
}

static void move_matrices(mt_PtxWork *w, const Set *loads) {
  LLVMValueRef f = w->prepared.function;
  for (unsigned i = 0; i < loads->count; i++)
    rename_call(w, loads->of[i],
                loads->right[i] ? MT_TENSOR "load_right_" : MT_TENSOR "load_",
                mt_callee(loads->of[i]) + strlen(LOAD));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;)
      i = is_store(i) ? rename_call(w, i, MT_TENSOR "store_",
                                    mt_callee(i) + strlen(STORE))
                      : LLVMGetNextInstruction(i);
}

bool mt_ptx_has_matrices(LLVMModuleRef module) {
  LLVMValueRef f = LLVMGetNamedFunction(module, MULTIPLY);
  return f && LLVMGetFirstUse(f);
}

/* Loads of matrices that no product uses, as the last one ahead of a loop's
** end. */
static void drop_unused(mt_PtxWork *w) {
  LLVMValueRef f = w->prepared.function;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (is_load(i) && !LLVMGetFirstUse(i)) LLVMInstructionEraseFromParent(i);
    }
}

mt_Status mt_ptx_place_matrices(mt_PtxWork *w, mt_Error *err) {
  if (w->capability < MT_TENSOR_CAPABILITY || !mt_ptx_has_matrices(w->module))
    return MT_OK;
  drop_unused(w);
  Set all = {.of = calloc(MOST, sizeof *all.of)};
  Set loads = {.of = calloc(MOST, sizeof *loads.of),
               .right = calloc(MOST, sizeof *loads.right)};
  mt_Status status = MT_OK;
  if (!all.of || !loads.of || !loads.right) {
    status = mt_error(err, MT_FAIL, "out of memory");
  } else if (find_matrices(w, &all)) {
    for (unsigned i = 0; i < all.count; i++)
      if (is_load(all.of[i])) {
        loads.right[loads.count] = is_right(all.of[i]);
        add(&loads, all.of[i]);
      }
    status = mt_ptx_make_copies(w, err);
    use_tensor_cores(w, &loads);
    if (status == MT_OK) status = mt_ptx_keep_sums(w, err);
    make_chains(w);
    move_matrices(w, &loads);
    if (status == MT_OK) status = mt_ptx_join_loads(w, err);
    if (status == MT_OK) status = mt_ptx_swizzle(w, err);
  }
  free(all.of), free(loads.of), free(loads.right);
  return status;
}
