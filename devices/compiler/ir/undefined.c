/*
** undefined.c - contains undefined behaviour, see undefined.h.
**
** The one idea: LLVM assumes that undefined behaviour is never reached and
** deletes the code that leads to it. At worst a function without instructions
** is left, and a call of it runs into the code that follows in memory. So null
** is declared an ordinary address, whose access traps and is reported; and
** where LLVM still concludes that code is unreachable, a trap is inserted.
*/
#include <string.h>

#include "devices/compiler/ir/undefined.h"
#include "devices/compiler/ir/instructions.h"
#include "devices/compiler/ir/metadata.h"


/* -------------------------------------------------------------- attributes */

static void drop_at(LLVMValueRef f, LLVMAttributeIndex at) {
  static const char *const UNSURE[] = {"nonnull", "dereferenceable",
                                       "dereferenceable_or_null"};
  for (size_t i = 0; i < sizeof UNSURE / sizeof *UNSURE; i++)
    LLVMRemoveEnumAttributeAtIndex(
        f, at, LLVMGetEnumAttributeKindForName(UNSURE[i], strlen(UNSURE[i])));
}

/* A reference in the source may be bound to a null pointer. */
static void drop_from_loads(LLVMValueRef f) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  unsigned kind = LLVMGetMDKindIDInContext(c, "nonnull", 7);
  MT_EACH_INSTRUCTION(i, f)
    if (LLVMIsALoadInst(i)) LLVMSetMetadata(i, kind, NULL);
}

void mt_drop_reference_facts(LLVMValueRef f) {
  drop_at(f, LLVMAttributeReturnIndex);
  for (unsigned i = 0; i < LLVMCountParams(f); i++) drop_at(f, i + 1);
  drop_from_loads(f);
}

/* A jump table without a range check jumps anywhere if the value is
** undefined. */
static void say_defined(LLVMValueRef f) {
  static const char TABLES[] = "no-jump-tables", YES[] = "true";
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  mt_add_attribute(f, "null_pointer_is_valid", 0);
  LLVMAddAttributeAtIndex(
      f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(c, TABLES, sizeof TABLES - 1, YES,
                                sizeof YES - 1));
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
