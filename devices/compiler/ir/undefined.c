/*
** undefined.c - what C++ leaves undefined stays within the kernel, see
** undefined.h.
**
** The one idea: LLVM takes undefined behaviour for a promise that nobody comes
** there, and drops the code with all that leads to it; in the end a function of
** no instructions is left, and whoever calls it runs on into whatever comes
** next in memory. So LLVM is told that null is an address like any other, whose
** access traps and is reported; and where it still finds that nobody can come,
** there is a trap.
*/
#include <string.h>

#include "devices/compiler/ir/undefined.h"


/* ---------------------------------------------------------------- promises */

static void drop_at(LLVMValueRef f, LLVMAttributeIndex at) {
  static const char *const UNSURE[] = {"nonnull", "dereferenceable",
                                       "dereferenceable_or_null"};
  for (size_t i = 0; i < sizeof UNSURE / sizeof *UNSURE; i++)
    LLVMRemoveEnumAttributeAtIndex(
        f, at, LLVMGetEnumAttributeKindForName(UNSURE[i], strlen(UNSURE[i])));
}

/* A reference in the source may be made of a null pointer. */
static void drop_from_loads(LLVMValueRef f) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  unsigned kind = LLVMGetMDKindIDInContext(c, "nonnull", 7);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsALoadInst(i)) LLVMSetMetadata(i, kind, NULL);
}

void mt_drop_reference_facts(LLVMValueRef f) {
  drop_at(f, LLVMAttributeReturnIndex);
  for (unsigned i = 0; i < LLVMCountParams(f); i++) drop_at(f, i + 1);
  drop_from_loads(f);
}

/* A table that is jumped through without asking for its size leads anywhere if
** the number was never set. */
static void say_defined(LLVMValueRef f) {
  static const char VALID[] = "null_pointer_is_valid";
  static const char TABLES[] = "no-jump-tables", YES[] = "true";
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  unsigned kind = LLVMGetEnumAttributeKindForName(VALID, sizeof VALID - 1);
  LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(c, kind, 0));
  LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(c, TABLES, sizeof TABLES - 1,
                                                    YES, sizeof YES - 1));
}

void mt_null_is_valid(LLVMModuleRef m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) say_defined(f);
}

/* ------------------------------------------------------------------- traps */

void mt_trap_unreachable(LLVMModuleRef m) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  unsigned id = LLVMLookupIntrinsicID("llvm.trap", 9);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k;
         k = LLVMGetNextBasicBlock(k)) {
      LLVMValueRef last = LLVMGetBasicBlockTerminator(k);
      if (!LLVMIsAUnreachableInst(last)) continue;
      LLVMPositionBuilderBefore(b, last);
      LLVMBuildCall2(b, LLVMIntrinsicGetType(c, id, NULL, 0),
                     LLVMGetIntrinsicDeclaration(m, id, NULL, 0), NULL, 0, "");
    }
  LLVMDisposeBuilder(b);
}
