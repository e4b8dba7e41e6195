/*
** metadata.c - what LLVM's passes are told of loops and functions.
*/
#include "devices/compiler/ir/metadata.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

LLVMMetadataRef mt_loop_hint(LLVMContextRef c, const char *name, int64_t x,
                             unsigned bits) {
  LLVMMetadataRef part[2] = {
      LLVMMDStringInContext2(c, name, strlen(name)), NULL};
  if (bits) {
    LLVMTypeRef t = LLVMIntTypeInContext(c, bits);
    part[1] = LLVMValueAsMetadata(LLVMConstInt(t, (uint64_t)x, 0));
  }
  return LLVMMDNodeInContext2(c, part, bits ? 2 : 1);
}

/* The first operand of loop metadata is the node itself. */
void mt_set_loop_hints(LLVMContextRef c, LLVMValueRef branch,
                       const LLVMMetadataRef *hint, unsigned n) {
  LLVMMetadataRef all[MT_LOOP_HINTS + 1] = {LLVMTemporaryMDNode(c, NULL, 0)};
  memcpy(all + 1, hint, n * sizeof *hint);
  LLVMMetadataRef node = LLVMMDNodeInContext2(c, all, n + 1);
  LLVMMetadataReplaceAllUsesWith(all[0], node);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                  LLVMMetadataAsValue(c, node));
}

static unsigned kind_of(LLVMContextRef c, const char *kind) {
  return LLVMGetMDKindIDInContext(c, kind, (unsigned)strlen(kind));
}

void mt_mark(LLVMValueRef v, const char *kind, int n) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(v));
  LLVMTypeRef t = LLVMInt32TypeInContext(c);
  LLVMMetadataRef x = LLVMValueAsMetadata(LLVMConstInt(t, (uint64_t)n, 0));
  LLVMSetMetadata(v, kind_of(c, kind),
                  LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &x, 1)));
}

int mt_marked(LLVMValueRef v, const char *kind) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(v));
  LLVMValueRef x, node = LLVMGetMetadata(v, kind_of(c, kind));
  if (!node) return 0;
  LLVMGetMDNodeOperands(node, &x);
  return (int)LLVMConstIntGetZExtValue(x);
}

void mt_add_attribute(LLVMValueRef f, const char *name, uint64_t value) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(c, kind, value));
}
