/*
** tile_effects.c - what an instruction does to memory that threads share.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/keep_tiles.h"

static mt_Effect matrix_effect(LLVMValueRef call, const char *name,
                               unsigned *at) {
  unsigned n = LLVMGetNumArgOperands(call);
  for (*at = 0; *at < n; (*at)++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, *at))) ==
        LLVMPointerTypeKind)
      return mt_starts(name, "__mt_matrix_load")    ? MT_READS
             : mt_starts(name, "__mt_matrix_store") ? MT_WRITES
                                                    : MT_DOES_ANYTHING;
  return MT_DOES_NOTHING;
}

static mt_Effect call_effect(LLVMValueRef call, unsigned *at) {
  const char *name = mt_callee(call);
  mt_CrosslaneCall lane;
  if (mt_is_barrier(call) || mt_crosslane_call(call, name, &lane))
    return MT_DOES_NOTHING;
  if (mt_starts(name, "llvm."))
    return mt_starts(name, "llvm.mem") ? MT_DOES_ANYTHING : MT_DOES_NOTHING;
  if (mt_starts(name, "__mt_matrix_")) return matrix_effect(call, name, at);
  return MT_DOES_ANYTHING;
}

mt_Effect mt_tile_effect(LLVMValueRef v, unsigned *at) {
  *at = 0;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad: return LLVMGetVolatile(v) ? MT_DOES_ANYTHING : MT_READS;
    case LLVMStore:
      *at = 1;
      return LLVMGetVolatile(v) ? MT_DOES_ANYTHING : MT_WRITES;
    case LLVMCall: return call_effect(v, at);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence: return MT_DOES_ANYTHING;
    default: return MT_DOES_NOTHING;
  }
}

/* Memory that nothing else uses, or no buffer. */
static bool is_own(LLVMValueRef object) {
  return LLVMIsAAllocaInst(object) || LLVMIsAGlobalVariable(object);
}

/* All that an instruction may write through one of its operands. */
static bool add_written(const mt_Spmd *s, LLVMValueRef v, bool *written) {
  for (int i = 0; i < LLVMGetNumOperands(v); i++) {
    LLVMValueRef x = LLVMGetOperand(v, (unsigned)i);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMPointerTypeKind ||
        LLVMIsAFunction(x))
      continue;
    LLVMValueRef of = mt_underlying_object(x);
    const mt_Param *p = mt_parameter(s->kernel, s->old, of);
    if (p) written[p - s->kernel->params] = true;
    else if (!is_own(of)) return false;
  }
  return true;
}

bool *mt_tile_written(mt_Spmd *s) {
  size_t n = s->kernel->param_count;
  bool *written = mt_new(s, n + 1, sizeof *written);
  for (int i = 0; i < s->values; i++) {
    unsigned at;
    if (s->value[i].block < 0) continue;
    mt_Effect effect = mt_tile_effect(s->value[i].of, &at);
    if (effect < MT_WRITES || add_written(s, s->value[i].of, written)) continue;
    for (size_t p = 0; p < n; p++) written[p] = true;
  }
  return written;
}
