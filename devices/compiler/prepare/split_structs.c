/*
** split_structs.c - a variable of struct type with an array that is indexed
** becomes one variable for each member.
**
** The one idea: LLVM's SROA keeps a variable in memory as a whole if any
** element of it is chosen at run time. In a struct such as
**
**   struct Ray { float3 origin, direction; bool negative[3]; };
**
** `ray.negative[axis]` would keep origin and direction in memory too. C says
** that an index stays within its array, so the members are separate variables,
** and SROA keeps those that are never indexed in registers. This has to come
** before the first optimisation: LLVM then turns addresses into byte offsets,
** and which member an index belongs to is no longer known.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

#define MOST_MEMBERS 64
#define MOST_INDEXES 32 /* of an address */

typedef struct Split {
  LLVMBuilderRef b;
  LLVMTargetDataRef layout;
  LLVMValueRef of;  /* the alloca */
  LLVMTypeRef type; /* its struct */
  unsigned members;
  LLVMValueRef member[MOST_MEMBERS];
  bool indexed; /* some element is chosen at run time */
} Split;

/* ---------------------------------------------------------------- the uses */

static bool is_number(LLVMValueRef v, uint64_t n) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == n;
}

/* Is an element of what 'pointer' points to chosen at run time? */
static bool is_indexed(LLVMValueRef pointer) {
  for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(i) && LLVMGetOperand(i, 0) == pointer &&
        (mt_has_variable_index(i) || is_indexed(i)))
      return true;
  }
  return false;
}

/* The address of a member, or of something in it. */
static bool is_member(const Split *p, LLVMValueRef i) {
  return LLVMIsAGetElementPtrInst(i) && LLVMGetOperand(i, 0) == p->of &&
         LLVMGetGEPSourceElementType(i) == p->type &&
         LLVMGetNumOperands(i) >= 3 &&
         LLVMGetNumOperands(i) <= MOST_INDEXES &&
         is_number(LLVMGetOperand(i, 1), 0) &&
         LLVMIsAConstantInt(LLVMGetOperand(i, 2));
}

/* A copy or fill of the whole struct. */
static bool is_whole(const Split *p, LLVMValueRef i, const char *name) {
  return (mt_is_copy(name) || mt_starts(name, "llvm.memset.")) &&
         is_number(LLVMGetOperand(i, 2),
                   LLVMABISizeOfType(p->layout, p->type)) &&
         is_number(LLVMGetOperand(i, 3), 0) && /* not volatile */
         (LLVMGetOperand(i, 0) == p->of) != (LLVMGetOperand(i, 1) == p->of);
}

static bool look_at_uses(Split *p) {
  for (LLVMUseRef u = LLVMGetFirstUse(p->of); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    const char *name = LLVMIsACallInst(i) ? mt_callee(i) : "";
    if (is_member(p, i))
      p->indexed |= mt_has_variable_index(i) || is_indexed(i);
    else if (!mt_starts(name, "llvm.lifetime.") && !is_whole(p, i, name))
      return false;
  }
  return p->indexed;
}

/* ------------------------------------------------------------- the members */

static void make_members(Split *p) {
  LLVMPositionBuilderBefore(p->b, p->of);
  for (unsigned n = 0; n < p->members; n++) {
    LLVMTypeRef t = LLVMStructGetTypeAtIndex(p->type, n);
    p->member[n] = LLVMBuildAlloca(p->b, t, "");
    unsigned align = LLVMABIAlignmentOfType(p->layout, t);
    uint64_t at = LLVMOffsetOfElement(p->layout, p->type, n);
    unsigned whole = LLVMGetAlignment(p->of);
    while (whole > align && at % whole) whole /= 2;
    LLVMSetAlignment(p->member[n], whole > align ? whole : align);
  }
}

static void replace_address(Split *p, LLVMValueRef i) {
  unsigned n = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
  LLVMValueRef to = p->member[n];
  int operands = LLVMGetNumOperands(i);
  if (operands > 3) {
    LLVMValueRef index[MOST_INDEXES];
    unsigned count = 0;
    index[count++] =
        LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(p->type)), 0, 0);
    for (int k = 3; k < operands; k++)
      index[count++] = LLVMGetOperand(i, (unsigned)k);
    to = LLVMBuildInBoundsGEP2(p->b, LLVMStructGetTypeAtIndex(p->type, n), to,
                               index, count, "");
  }
  LLVMReplaceAllUsesWith(i, to);
}

/* The alignment of a member at 'offset' in memory aligned to 'align'. */
static unsigned align_at(unsigned align, uint64_t offset) {
  while (align > 1 && offset % align) align /= 2;
  return align;
}

static void replace_whole(Split *p, LLVMValueRef i, const char *name) {
  bool set = mt_starts(name, "llvm.memset.");
  unsigned side = LLVMGetOperand(i, 0) == p->of ? 0 : 1;
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(p->type));
  LLVMValueRef other = LLVMGetOperand(i, 1 - side);
  unsigned align = set ? 1 : mt_memcpy_align(i, 1 - side);
  for (unsigned n = 0; n < p->members; n++) {
    LLVMTypeRef t = LLVMStructGetTypeAtIndex(p->type, n);
    uint64_t at = LLVMOffsetOfElement(p->layout, p->type, n);
    LLVMValueRef size =
        LLVMConstInt(i64, LLVMStoreSizeOfType(p->layout, t), 0);
    unsigned own = LLVMGetAlignment(p->member[n]);
    if (set) {
      LLVMBuildMemSet(p->b, p->member[n], other, size, own);
      continue;
    }
    LLVMValueRef there = LLVMBuildStructGEP2(p->b, p->type, other, n, "");
    unsigned its = align_at(align, at);
    if (side == 0)
      LLVMBuildMemMove(p->b, p->member[n], own, there, its, size);
    else
      LLVMBuildMemMove(p->b, there, its, p->member[n], own, size);
  }
}

static void replace_lifetime(Split *p, LLVMValueRef i) {
  LLVMValueRef call = LLVMGetCalledValue(i);
  unsigned count = LLVMGetNumArgOperands(i);
  for (unsigned n = 0; n < p->members; n++) {
    LLVMTypeRef t = LLVMStructGetTypeAtIndex(p->type, n);
    LLVMValueRef args[2] = {p->member[n]};
    if (count == 2) { /* before LLVM 22 the size comes first */
      LLVMTypeRef i64 = LLVMTypeOf(LLVMGetOperand(i, 0));
      args[0] = LLVMConstInt(i64, LLVMABISizeOfType(p->layout, t), 0);
      args[1] = p->member[n];
    }
    LLVMBuildCall2(p->b, LLVMGlobalGetValueType(call), call, args, count, "");
  }
}

static void replace_uses(Split *p) {
  LLVMUseRef u;
  while ((u = LLVMGetFirstUse(p->of))) {
    LLVMValueRef i = LLVMGetUser(u);
    const char *name = LLVMIsACallInst(i) ? mt_callee(i) : "";
    LLVMPositionBuilderBefore(p->b, i);
    LLVMSetCurrentDebugLocation2(p->b, LLVMInstructionGetDebugLoc(i));
    if (LLVMIsAGetElementPtrInst(i))
      replace_address(p, i);
    else if (mt_starts(name, "llvm.lifetime."))
      replace_lifetime(p, i);
    else
      replace_whole(p, i, name);
    LLVMInstructionEraseFromParent(i);
  }
  LLVMInstructionEraseFromParent(p->of);
}

/* --------------------------------------------------------------- the whole */

static bool split(LLVMBuilderRef b, LLVMTargetDataRef layout,
                  LLVMValueRef alloca) {
  Split p = {.b = b, .layout = layout, .of = alloca,
             .type = LLVMGetAllocatedType(alloca)};
  if (LLVMGetTypeKind(p.type) != LLVMStructTypeKind ||
      !is_number(LLVMGetOperand(alloca, 0), 1))
    return false;
  p.members = LLVMCountStructElementTypes(p.type);
  if (!p.members || p.members > MOST_MEMBERS || !look_at_uses(&p)) return false;
  make_members(&p);
  replace_uses(&p);
  return true;
}

void mt_split_structs(LLVMModuleRef module, LLVMValueRef function) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  /* members that are structs come later in the same block */
  LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(first), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!LLVMIsAAllocaInst(i)) continue;
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    if (!split(b, layout, i)) continue;
    next = before ? LLVMGetNextInstruction(before)
                  : LLVMGetFirstInstruction(first);
  }
  LLVMDisposeBuilder(b);
}
