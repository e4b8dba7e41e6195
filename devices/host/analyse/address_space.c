/*
** address_space.c - which memory a pointer leads to: device, constant,
** threadgroup, or a thread's own.
**
** The one idea: the IR's pointers do not say, so each is followed back to what
** it was made from, and what was found is kept with its value.
*/
#include <string.h>

#include "devices/host/vector/vector.h"

static Space merge(Space a, Space b) { return a == b ? a : SPACE_UNKNOWN; }

static Space space_of_argument(Spmd *s, LLVMValueRef v) {
  for (unsigned i = 0; i < LLVMCountParams(s->old); i++)
    if (LLVMGetParam(s->old, i) == v) {
      const mt_Param *p = &s->kernel->params[i];
      if (p->kind == MT_PARAM_THREADGROUP) return SPACE_THREADGROUP;
      return p->constant ? SPACE_CONSTANT : SPACE_DEVICE;
    }
  return SPACE_UNKNOWN;
}

static Space space_of_constant(LLVMValueRef v) {
  if (!LLVMIsAGlobalVariable(v)) return SPACE_DEVICE;
  const char *section = LLVMGetSection(v);
  return section && !strcmp(section, MT_SECTION_THREADGROUP) ? SPACE_THREADGROUP
                                                             : SPACE_CONSTANT;
}

static bool says_nothing(LLVMValueRef v) {
  return LLVMIsUndef(v) || LLVMIsAConstantPointerNull(v);
}

static Space trace(Spmd *s, LLVMValueRef v, int depth);

static Space trace_phi(Spmd *s, LLVMValueRef v, int depth) {
  Space all = SPACE_DEVICE;
  bool first = true;
  for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
    LLVMValueRef x = LLVMGetIncomingValue(v, i);
    if (says_nothing(x)) continue;
    Value *known = mt_value(s, x);
    if (x == v || (known && known->space == -2)) continue; /* round a loop */
    Space one = trace(s, x, depth + 1);
    all = first ? one : merge(all, one);
    first = false;
  }
  return all;
}

static Space trace_watched(Spmd *s, LLVMValueRef v, int depth) {
  if (!mt_watch_is(mt_callee(v))) return SPACE_UNKNOWN;
  return trace(s, LLVMGetOperand(v, 2), depth + 1);
}

static Space trace_instruction(Spmd *s, LLVMValueRef v, int depth) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAlloca: return SPACE_PRIVATE;
    case LLVMGetElementPtr:
    case LLVMFreeze:
    case LLVMBitCast: return trace(s, LLVMGetOperand(v, 0), depth + 1);
    case LLVMPHI: return trace_phi(s, v, depth);
    case LLVMCall: /* a watched pointer leads where it led */
      return trace_watched(s, v, depth);
    case LLVMSelect: {
      LLVMValueRef a = LLVMGetOperand(v, 1), b = LLVMGetOperand(v, 2);
      if (says_nothing(a)) return trace(s, b, depth + 1);
      if (says_nothing(b)) return trace(s, a, depth + 1);
      return merge(trace(s, a, depth + 1), trace(s, b, depth + 1));
    }
    case LLVMLoad: { /* pointers in argument buffers lead to device memory */
      Space from = trace(s, LLVMGetOperand(v, 0), depth + 1);
      return from == SPACE_PRIVATE || from == SPACE_UNKNOWN ||
                     from == SPACE_THREADGROUP
                 ? SPACE_UNKNOWN : SPACE_DEVICE;
    }
    default: return SPACE_UNKNOWN;
  }
}

static Space trace(Spmd *s, LLVMValueRef v, int depth) {
  Value *x = mt_value(s, v);
  if (!x) return space_of_constant(v);
  if (x->block < 0) return space_of_argument(s, v);
  if (x->space >= 0) return (Space)x->space;
  if (depth > 200) return SPACE_UNKNOWN;
  x->space = -2; /* being looked at */
  Space found = trace_instruction(s, v, depth);
  x->space = depth == 0 ? (int)found : -1;
  return found;
}

Space mt_memory_space(Spmd *s, LLVMValueRef pointer) {
  Space space = trace(s, pointer, 0);
  return space == SPACE_UNKNOWN && !s->private_bytes ? SPACE_DEVICE : space;
}
