/*
** constant_memory.c - attributes of pointers to constant memory, see steps.h.
*/
#include <string.h>

#include "devices/compiler/prepare/steps.h"

/* Constant memory is not written during a launch; with these attributes its
** loads can be hoisted out of loops with stores. */
void mt_mark_constant_memory(const mt_PrepareInput *in, LLVMValueRef f) {
  static const char *const SAID[] = {"noalias", "readonly"};
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  unsigned count = LLVMCountParams(f);
  for (unsigned i = 0; i < in->kernel->param_count && i < count; i++) {
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i));
    if (!in->kernel->params[i].constant ||
        LLVMGetTypeKind(t) != LLVMPointerTypeKind)
      continue;
    for (int k = 0; k < 2; k++) {
      unsigned kind = LLVMGetEnumAttributeKindForName(SAID[k], strlen(SAID[k]));
      LLVMAddAttributeAtIndex(f, i + 1, LLVMCreateEnumAttribute(c, kind, 0));
    }
  }
}
