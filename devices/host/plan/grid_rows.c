/*
** grid_rows.c - kernels that cannot tell threadgroups apart, run along the rows
** of the grid.
**
** The one idea: a threadgroup of 32 x 8 reads 128 bytes of each row of an image
** and returns to that row only when its neighbour along x runs, and one whose
** width is not a multiple of 32 has SIMD-groups that straddle two rows. If a
** kernel has no barrier, no threadgroup memory and no cross-lane operation, and
** never asks for its threadgroup, no one can see in which groups its threads
** run. Then a group is a piece of one row, however the launch cut the grid. It
** pays where each thread accesses a neighbourhood of its own position: no
** loops, whose threads share what they load with other rows of the group, and
** no more gathers than before.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/plan/plan.h"
#include "devices/host/strategy/strategy.h"

#define MAX_VALUES 1000 /* of a kernel: far from the size that has two tiers */

/* Attributes that are the same in whichever group a thread runs. */
static bool is_of_grid(const char *builtin) {
  static const char *const list[] = {"thread_position_in_grid",
                                     "threads_per_grid", "grid_size",
                                     "grid_origin", "threads_per_simdgroup",
                                     "thread_execution_width"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!strcmp(builtin, list[i])) return true;
  return false;
}

static bool asks_for_group(mt_Spmd *s) {
  for (unsigned i = 0; i < s->kernel->param_count; i++) {
    const mt_Param *p = &s->kernel->params[i];
    if (!LLVMGetFirstUse(LLVMGetParam(s->old, i))) continue;
    if (p->kind == MT_PARAM_THREADGROUP ||
        (p->kind == MT_PARAM_BUILTIN && !is_of_grid(p->builtin)))
      return true;
  }
  return false;
}

static bool is_ordered(LLVMValueRef v) {
  return (LLVMIsALoadInst(v) || LLVMIsAStoreInst(v)) &&
         (LLVMGetVolatile(v) ||
          LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic);
}

/* Atomics, ordered accesses, calls of the runtime, threadgroup memory. */
static bool is_shared(mt_Spmd *s, LLVMValueRef v) {
  if (LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) || is_ordered(v))
    return true;
  if (LLVMIsACallInst(v)) return !strncmp(mt_callee(v), "__mt_", 5);
  bool store = LLVMIsAStoreInst(v) != NULL;
  if (!store && !LLVMIsALoadInst(v)) return false;
  mt_PointerSpace at = mt_address_space(s, LLVMGetOperand(v, store));
  return at == MT_POINTER_THREADGROUP || at == MT_POINTER_UNKNOWN;
}

bool mt_grid_rows_possible(mt_Spmd *s) {
  if (s->probes || s->loops || s->barriers || s->cells ||
      s->values > MAX_VALUES || asks_for_group(s))
    return false;
  for (int i = 0; i < s->values; i++)
    if (s->value[i].block >= 0 && is_shared(s, s->value[i].of)) return false;
  return true;
}

static int transposed(mt_Spmd *s) {
  int count = 0;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    bool store = LLVMIsAStoreInst(v) != NULL;
    if (s->value[i].block < 0 || (!store && !LLVMIsALoadInst(v))) continue;
    LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(v, 0) : v);
    count += mt_transposed_columns(s, LLVMGetOperand(v, store), t) > 0;
  }
  return count;
}

bool mt_grid_rows_pay(mt_Spmd *groups, mt_Spmd *rows) {
  return !transposed(groups) &&
         mt_memory_gathers(rows) <= mt_memory_gathers(groups);
}
