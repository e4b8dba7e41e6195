/*
** parts.c - a component of a vector in memory is written alone.
**
** The one idea: for v[i][k] = x or v[i].xy = a, Clang reads the whole vector,
** changes the parts and writes the whole back. Lanes that set different parts
** of one vector would then undo each other's work. On a GPU only the parts are
** written, so that is what is left here too: one store for each.
**
** Private variables keep the form, which register promotion understands.
*/
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

#include "devices/host/engine/callee.h"
#include "devices/host/engine/engine.h"

static LLVMValueRef only_user(LLVMValueRef v) {
  LLVMUseRef u = LLVMGetFirstUse(v);
  return u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
}

/* Does 'p' lead to memory that threads share? */
static bool is_shared(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p))
    p = LLVMGetOperand(p, 0);
  return LLVMIsAArgument(p) || LLVMIsAGlobalVariable(p);
}

/* The checker's calls write nothing that a kernel sees. */
static bool is_harmless(LLVMValueRef call) {
  return strstr(mt_callee(call), "__mt_watch") != NULL;
}

/* Nothing between the two can have changed what was read. */
static bool is_near(LLVMValueRef load, LLVMValueRef store) {
  LLVMValueRef i = LLVMGetNextInstruction(load);
  for (; i && i != store; i = LLVMGetNextInstruction(i))
    if (LLVMIsAStoreInst(i) || (LLVMIsACallInst(i) && !is_harmless(i)) ||
        LLVMIsAAtomicRMWInst(i) ||
        LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
      return false;
  return i == store;
}

/* The load whose vector 'store' writes back changed; NULL if it is not so. */
static LLVMValueRef changed_load(LLVMValueRef store) {
  LLVMValueRef v = LLVMGetOperand(store, 0), p = LLVMGetOperand(store, 1);
  if (!LLVMIsAInsertElementInst(v) && !LLVMIsAShuffleVectorInst(v)) return NULL;
  LLVMValueRef load = LLVMGetOperand(v, 0);
  if (!LLVMIsALoadInst(load) || LLVMGetOperand(load, 0) != p ||
      LLVMTypeOf(load) != LLVMTypeOf(v) || only_user(v) != store ||
      only_user(load) != v || LLVMGetVolatile(load) || LLVMGetVolatile(store))
    return NULL;
  LLVMTypeRef part = LLVMGetElementType(LLVMTypeOf(v));
  bool bits = LLVMGetTypeKind(part) == LLVMIntegerTypeKind &&
              LLVMGetIntTypeWidth(part) % 8;
  return !bits && is_near(load, store) ? load : NULL;
}

bool mt_parts_any(LLVMValueRef function) {
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k))
    for (LLVMValueRef i = LLVMGetFirstInstruction(k); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsAStoreInst(i) && changed_load(i)) return true;
  return false;
}

static void store_part(LLVMBuilderRef b, LLVMTargetDataRef layout,
                       LLVMValueRef x, LLVMValueRef p, LLVMValueRef index) {
  LLVMTypeRef t = LLVMTypeOf(x);
  LLVMValueRef at = LLVMBuildGEP2(b, t, p, &index, 1, "");
  LLVMSetAlignment(LLVMBuildStore(b, x, at), LLVMABIAlignmentOfType(layout, t));
}

/* The parts that a shuffle takes from its second operand. */
static void store_parts(LLVMBuilderRef b, LLVMTargetDataRef layout,
                        LLVMValueRef shuffle, LLVMValueRef p) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(p)));
  int n = (int)LLVMGetNumMaskElements(shuffle);
  for (int k = 0; k < n; k++) {
    int from = LLVMGetMaskValue(shuffle, (unsigned)k);
    if (from < n) continue; /* as it was */
    LLVMValueRef which = LLVMConstInt(i32, (unsigned)(from - n), 0);
    store_part(b, layout,
               LLVMBuildExtractElement(b, LLVMGetOperand(shuffle, 1), which, ""),
               p, LLVMConstInt(i32, (unsigned)k, 0));
  }
}

/* Does every part that stays stay in its place? */
static bool stays(LLVMValueRef shuffle) {
  int n = (int)LLVMGetNumMaskElements(shuffle);
  for (int k = 0; k < n; k++) {
    int from = LLVMGetMaskValue(shuffle, (unsigned)k);
    if (from < n && from != k) return false;
  }
  return true;
}

static void split(LLVMBuilderRef b, LLVMTargetDataRef layout,
                  LLVMValueRef store, LLVMValueRef load) {
  LLVMValueRef v = LLVMGetOperand(store, 0), p = LLVMGetOperand(store, 1);
  LLVMPositionBuilderBefore(b, store);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(store));
  if (LLVMIsAInsertElementInst(v))
    store_part(b, layout, LLVMGetOperand(v, 1), p, LLVMGetOperand(v, 2));
  else
    store_parts(b, layout, v, p);
  LLVMInstructionEraseFromParent(store);
  LLVMInstructionEraseFromParent(v);
  LLVMInstructionEraseFromParent(load);
}

void mt_parts_alone(LLVMModuleRef module, LLVMValueRef function) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k))
    for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef load = LLVMIsAStoreInst(i) ? changed_load(i) : NULL;
      if (load && is_shared(LLVMGetOperand(i, 1)) &&
          (LLVMIsAInsertElementInst(LLVMGetOperand(i, 0)) ||
           stays(LLVMGetOperand(i, 0))))
        split(b, layout, i, load);
    }
  LLVMDisposeBuilder(b);
}
