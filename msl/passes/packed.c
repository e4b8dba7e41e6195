/*
** packed.c - classes of our headers inside a packed struct.
**
** A matrix or a packed vector is a class here, and its functions take it for
** aligned; in a packed struct it is at any byte. In MSL both are builtin types,
** read and written wherever they are. The one idea: in a module with such a
** struct nothing is concluded from the address of what a function is called on
** or leads to; loads and stores there may be at any byte. Accesses that Clang
** sees the struct of have their alignment from it.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "msl/passes/passes.h"

static bool is_class(LLVMTypeRef t) {
  while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
  return LLVMGetTypeKind(t) == LLVMStructTypeKind;
}

static bool packs_class(LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) != LLVMStructTypeKind || !LLVMIsPackedStruct(t))
    return false;
  for (unsigned k = 0; k < LLVMCountStructElementTypes(t); k++)
    if (is_class(LLVMStructGetTypeAtIndex(t, k))) return true;
  return false;
}

static bool has_packed_class(LLVMModuleRef module) {
  MT_EACH_FUNCTION(f, module) MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsAGetElementPtrInst(i) &&
          packs_class(LLVMGetGEPSourceElementType(i)))
        return true;
  return false;
}

/* May the address lead into another function's struct? */
static bool is_foreign(LLVMValueRef address, bool ours) {
  while (LLVMIsAGetElementPtrInst(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsACallInst(address) ||
         (ours && !LLVMIsAAllocaInst(address) &&
          !LLVMIsAGlobalVariable(address));
}

static void drop_alignment(LLVMValueRef i, unsigned kind) {
  LLVMValueRef callee = LLVMGetCalledValue(i);
  unsigned count = LLVMGetNumArgOperands(i);
  for (unsigned k = 0; k <= count; k++) {
    LLVMRemoveCallSiteEnumAttribute(i, k, kind);
    if (LLVMIsAFunction(callee))
      LLVMRemoveEnumAttributeAtIndex(callee, k, kind);
  }
}

static void loosen(LLVMValueRef i, bool ours, unsigned kind) {
  if (LLVMIsACallInst(i)) drop_alignment(i, kind);
  LLVMValueRef address = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
                         : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                               : NULL;
  if (address && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
      is_foreign(address, ours))
    LLVMSetAlignment(i, 1);
}

void mt_pass_packed(LLVMModuleRef module) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
  if (!has_packed_class(module)) return;
  MT_EACH_FUNCTION(f, module) {
    bool ours = LLVMGetSubprogram(f) == NULL;
    MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      loosen(i, ours, kind);
  }
}
