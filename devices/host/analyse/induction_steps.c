/*
** induction_steps.c - by how much a value changes in an iteration of a loop,
** and how many iterations there are.
**
** The one idea: the steps of an address follow from those of what it is
** computed from, down to the loop's induction variables (ir/induction.h).
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/analyse/analyse.h"

#define DEPTH 16
#define MAX_COUNTED 64 /* iterations that are counted one by one */

typedef struct Steps {
  mt_Spmd *s;
  int loop;
  bool failed;
} Steps;

static int64_t fail(Steps *w) {
  w->failed = true;
  return 0;
}

static int64_t step(Steps *w, LLVMValueRef v, int depth);

/* An induction variable: the constant that is added to it in the loop. */
static int64_t step_of_phi(Steps *w, LLVMValueRef phi) {
  mt_Spmd *s = w->s;
  mt_Induction v;
  int64_t by;
  if (mt_value(s, phi)->block != s->loop[w->loop].header ||
      !mt_induction_find(phi, &v) || !mt_const_number(v.by, &by) || !by)
    return fail(w);
  return v.unit ? by * (int64_t)mt_type_size(s, v.unit) : by;
}

static int64_t step_of_pointer(Steps *w, LLVMValueRef v, int depth) {
  mt_Spmd *s = w->s;
  int64_t sum = step(w, LLVMGetOperand(v, 0), depth + 1);
  mt_GepWalk g = mt_gep_walk(s->layout, v);
  for (mt_GepIndex x; !w->failed && mt_gep_next(&g, &x);)
    if (x.in != LLVMStructTypeKind)
      sum += step(w, x.index, depth + 1) * (int64_t)x.bytes;
  return sum;
}

static int64_t step_of_product(Steps *w, LLVMValueRef v, int depth,
                               bool shift) {
  LLVMValueRef y = LLVMGetOperand(v, 1);
  int64_t a = step(w, LLVMGetOperand(v, 0), depth + 1);
  int64_t b = step(w, y, depth + 1);
  if (!a && !b) return 0;
  if (b || !LLVMIsAConstantInt(y)) return fail(w);
  int64_t by = LLVMConstIntGetSExtValue(y);
  if (shift && (by < 0 || by > 30)) return fail(w);
  return a * (shift ? (int64_t)1 << by : by);
}

/* A 32-bit index does not wrap within a row, since no buffer is that large.
** Narrower ones may. */
static bool is_index(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(t) >= 32;
}

/* The step of 'v' per iteration; 0: invariant. */
static int64_t step(Steps *w, LLVMValueRef v, int depth) {
  if (w->failed || !mt_cfg_computes(w->s, w->loop, mt_value(w->s, v))) return 0;
  if (depth > DEPTH || mt_type_parts(LLVMTypeOf(v)) != 1) return fail(w);
  LLVMValueRef a = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI: return step_of_phi(w, v);
    case LLVMOr:
      if (!LLVMGetIsDisjoint(v)) return fail(w); /* fall through */
    case LLVMAdd:
      return step(w, a, depth + 1) + step(w, LLVMGetOperand(v, 1), depth + 1);
    case LLVMSub:
      return step(w, a, depth + 1) - step(w, LLVMGetOperand(v, 1), depth + 1);
    case LLVMMul: return step_of_product(w, v, depth, false);
    case LLVMShl: return step_of_product(w, v, depth, true);
    case LLVMZExt:
    case LLVMSExt:
      return is_index(LLVMTypeOf(a)) ? step(w, a, depth + 1) : fail(w);
    case LLVMTrunc:
      return is_index(LLVMTypeOf(v)) ? step(w, a, depth + 1) : fail(w);
    case LLVMFreeze: return step(w, a, depth + 1);
    case LLVMGetElementPtr: return step_of_pointer(w, v, depth);
    default: return fail(w);
  }
}

int64_t mt_induction_step(mt_Spmd *s, int loop, LLVMValueRef v, bool *known) {
  Steps steps = {s, loop, false};
  int64_t by = step(&steps, v, 0);
  if (known) *known = !steps.failed;
  return steps.failed ? 0 : by;
}

int64_t mt_loop_trip_count(mt_Spmd *s, int loop) {
  for (int i = 0; i < s->blocks; i++) {
    const mt_CfgBlock *k = &s->block[i];
    if (!k->condition || k->loop != loop) continue;
    bool first = mt_cfg_in_loop(s, k->succ[0], loop);
    if (first && mt_cfg_in_loop(s, k->succ[1], loop)) continue;
    int64_t n = mt_trip_count(s->block[s->loop[loop].header].of, k->condition,
                              first, MAX_COUNTED);
    if (n) return n;
  }
  return 0;
}
