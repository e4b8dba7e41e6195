/*
** retarget.c - Clang's module becomes one for this machine, and for one kernel.
**
** The one idea: what the front end said about functions, variables and loops
** was said for its own target and for a whole library. Attributes of that
** target go, and so does all that would keep a function from being inlined.
*/
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

static void drop_attribute(LLVMValueRef f, const char *name) {
  LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name,
                                   (unsigned)strlen(name));
}

void mt_drop_enum(LLVMValueRef f, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

void mt_retarget(LLVMModuleRef m, LLVMTargetMachineRef machine) {
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetTarget(m, triple);
  LLVMSetModuleDataLayout(m, layout);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    drop_attribute(f, "target-cpu");
    drop_attribute(f, "target-features");
    drop_attribute(f, "tune-cpu");
    drop_attribute(f, "frame-pointer");
    drop_attribute(f, "stack-protector-buffer-size");
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
  }
}

/* llvm.used and similar lists keep unused globals alive. */
void mt_drop_lists(LLVMModuleRef m) {
  static const char *const lists[] = {"llvm.used", "llvm.compiler.used",
                                      "llvm.global.annotations",
                                      "llvm.global_dtors"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    LLVMValueRef g = LLVMGetNamedGlobal(m, lists[i]);
    if (g) LLVMDeleteGlobal(g);
  }
}

static bool is_text(const char *text, unsigned length, const char *which) {
  return length == strlen(which) && !memcmp(text, which, length);
}

/* Is it !{!"name"} with a hint to drop? Without mustprogress an endless loop
** without effects stays, for the user to see; and unroll.disable only says that
** the front end ran at -O1. */
static bool is_unwanted_hint(LLVMValueRef node) {
  LLVMValueRef name = NULL;
  if (!LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) != 1) return false;
  LLVMGetMDNodeOperands(node, &name);
  unsigned length = 0;
  const char *text = name ? LLVMGetMDString(name, &length) : NULL;
  return text && (is_text(text, length, "llvm.loop.mustprogress") ||
                  is_text(text, length, "llvm.loop.unroll.disable"));
}

/* A loop's hints without the unwanted ones; NULL if none is left. The first
** operand of such a node is the node itself. */
static LLVMValueRef wanted_hints(LLVMContextRef c, LLVMValueRef loop) {
  LLVMValueRef all[16];
  LLVMMetadataRef kept[16];
  unsigned n = LLVMGetMDNodeNumOperands(loop), count = 1;
  if (n > 16) return NULL;
  LLVMGetMDNodeOperands(loop, all);
  for (unsigned i = 1; i < n; i++)
    if (LLVMIsAMDNode(all[i]) && !is_unwanted_hint(all[i]))
      kept[count++] = LLVMValueAsMetadata(all[i]);
  if (count == 1) return NULL;
  kept[0] = LLVMTemporaryMDNode(c, NULL, 0);
  LLVMMetadataRef node = LLVMMDNodeInContext2(c, kept, count);
  LLVMMetadataReplaceAllUsesWith(kept[0], node);
  return LLVMMetadataAsValue(c, node);
}

void mt_keep_endless_loops(LLVMValueRef f) {
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  unsigned kind = LLVMGetMDKindIDInContext(c, "llvm.loop", 9);
  mt_drop_enum(f, "mustprogress");
  mt_drop_enum(f, "willreturn");
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
    LLVMValueRef loop = last ? LLVMGetMetadata(last, kind) : NULL;
    if (loop) LLVMSetMetadata(last, kind, wanted_hints(c, loop));
  }
}

/* Only the kernel stays external; everything that it calls must be inlined. */
void mt_internalise(LLVMModuleRef m, LLVMValueRef kernel) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    mt_drop_enum(f, "noinline");
    mt_drop_enum(f, "optnone");
    mt_keep_endless_loops(f);
    if (LLVMHasPersonalityFn(f)) LLVMSetPersonalityFn(f, NULL);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    LLVMSetComdat(f, NULL);
    if (f == kernel) {
      LLVMSetLinkage(f, LLVMExternalLinkage);
      mt_drop_enum(f, "alwaysinline");
    } else {
      LLVMSetLinkage(f, LLVMInternalLinkage);
      mt_add_attribute(f, "alwaysinline", 0);
      mt_drop_reference_facts(f);
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g)) continue;
    LLVMSetComdat(g, NULL);
    LLVMSetVisibility(g, LLVMDefaultVisibility);
    if (mt_is_threadgroup(g)) { /* other threads write to it */
      LLVMSetLinkage(g, LLVMExternalLinkage);
      LLVMSetInitializer(g, NULL);
      LLVMSetGlobalConstant(g, 0);
    } else {
      LLVMSetLinkage(g, LLVMInternalLinkage);
    }
  }
}
