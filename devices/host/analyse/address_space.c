/*
** address_space.c - which memory a pointer points to: device, constant,
** threadgroup or private; and whether two may point to the same.
**
** The one idea: the IR's pointers do not say, so each is traced back to its
** underlying object, and the result is cached with its value.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/analyse/analyse.h"

static mt_PointerSpace merge(mt_PointerSpace a, mt_PointerSpace b) {
  return a == b ? a : MT_POINTER_UNKNOWN;
}

static mt_PointerSpace space_of_argument(mt_Spmd *s, LLVMValueRef v) {
  const mt_Param *p = mt_parameter(s->kernel, s->old, v);
  if (!p) return MT_POINTER_UNKNOWN;
  if (p->kind == MT_PARAM_THREADGROUP) return MT_POINTER_THREADGROUP;
  return p->constant ? MT_POINTER_CONSTANT : MT_POINTER_DEVICE;
}

static mt_PointerSpace space_of_constant(LLVMValueRef v) {
  if (!LLVMIsAGlobalVariable(v)) return MT_POINTER_DEVICE;
  const char *section = LLVMGetSection(v);
  return section && !strcmp(section, MT_SECTION_THREADGROUP)
             ? MT_POINTER_THREADGROUP
             : MT_POINTER_CONSTANT;
}

static bool says_nothing(LLVMValueRef v) {
  return LLVMIsUndef(v) || LLVMIsAConstantPointerNull(v);
}

static mt_PointerSpace trace(mt_Spmd *s, LLVMValueRef v, int depth);

static mt_PointerSpace trace_phi(mt_Spmd *s, LLVMValueRef v, int depth) {
  mt_PointerSpace all = MT_POINTER_DEVICE;
  bool first = true;
  for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
    LLVMValueRef x = LLVMGetIncomingValue(v, i);
    if (says_nothing(x)) continue;
    mt_Value *known = mt_value(s, x);
    if (x == v || (known && known->space == -2)) continue; /* loop-carried */
    mt_PointerSpace one = trace(s, x, depth + 1);
    all = first ? one : merge(all, one);
    first = false;
  }
  return all;
}

static mt_PointerSpace trace_probe(mt_Spmd *s, LLVMValueRef v, int depth) {
  if (!mt_is_probe(mt_callee(v))) return MT_POINTER_UNKNOWN;
  return trace(s, LLVMGetOperand(v, 2), depth + 1);
}

static mt_PointerSpace trace_instruction(mt_Spmd *s, LLVMValueRef v,
                                         int depth) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAlloca:
      return s->analysed && mt_value(s, v)->shared ? MT_POINTER_SHARED
                                                   : MT_POINTER_PRIVATE;
    case LLVMGetElementPtr:
    case LLVMFreeze:
    case LLVMBitCast: return trace(s, LLVMGetOperand(v, 0), depth + 1);
    case LLVMPHI: return trace_phi(s, v, depth);
    /* an instrumented pointer points to what its operand points to */
    case LLVMCall:
      return trace_probe(s, v, depth);
    case LLVMSelect: {
      LLVMValueRef a = LLVMGetOperand(v, 1), b = LLVMGetOperand(v, 2);
      if (says_nothing(a)) return trace(s, b, depth + 1);
      if (says_nothing(b)) return trace(s, a, depth + 1);
      return merge(trace(s, a, depth + 1), trace(s, b, depth + 1));
    }
    case LLVMLoad: { /* pointers in argument buffers point to device memory */
      mt_PointerSpace from = trace(s, LLVMGetOperand(v, 0), depth + 1);
      return from == MT_POINTER_DEVICE || from == MT_POINTER_CONSTANT
                 ? MT_POINTER_DEVICE : MT_POINTER_UNKNOWN;
    }
    default: return MT_POINTER_UNKNOWN;
  }
}

static mt_PointerSpace trace(mt_Spmd *s, LLVMValueRef v, int depth) {
  mt_Value *x = mt_value(s, v);
  if (!x) return space_of_constant(v);
  if (x->block < 0) return space_of_argument(s, v);
  if (x->space >= 0) return (mt_PointerSpace)x->space;
  if (depth > 200) return MT_POINTER_UNKNOWN;
  x->space = -2; /* being traced: stops cycles */
  mt_PointerSpace found = trace_instruction(s, v, depth);
  x->space = depth == 0 ? (int)found : -1;
  return found;
}

mt_PointerSpace mt_address_space(mt_Spmd *s, LLVMValueRef pointer) {
  mt_PointerSpace space = trace(s, pointer, 0);
  return space == MT_POINTER_UNKNOWN && !s->private_bytes ? MT_POINTER_DEVICE
                                                          : space;
}

bool mt_is_private(mt_Spmd *s, LLVMValueRef pointer) {
  mt_PointerSpace space = mt_address_space(s, pointer);
  return space == MT_POINTER_PRIVATE || space == MT_POINTER_SHARED;
}

LLVMValueRef mt_root_argument(LLVMValueRef pointer) {
  LLVMValueRef object = mt_single_object(pointer);
  return object && LLVMIsAArgument(object) ? object : NULL;
}

/* Memory with a name of its own, which is no part of an argument's buffer: a
** variable of the program, of the threadgroup or of the thread. */
static bool is_variable(LLVMValueRef object) {
  return LLVMIsAGlobalVariable(object) || LLVMIsAAllocaInst(object);
}

/* The memory of two arguments: buffers overlap if the launch says so. */
static bool are_apart(mt_Spmd *s, LLVMValueRef x, LLVMValueRef y) {
  return s->noalias || (space_of_argument(s, x) == MT_POINTER_THREADGROUP) !=
                           (space_of_argument(s, y) == MT_POINTER_THREADGROUP);
}

bool mt_no_alias(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef x = mt_single_object(a), y = mt_single_object(b);
  if (!x || !y || x == y) return false;
  bool known = LLVMIsAArgument(x) || is_variable(x),
       both = LLVMIsAArgument(y) || is_variable(y);
  if (!known || !both) return false;
  return is_variable(x) || is_variable(y) || are_apart(s, x, y);
}
