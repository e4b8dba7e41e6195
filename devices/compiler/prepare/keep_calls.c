/*
** keep_calls.c - whether the functions of a kernel stay functions in quick
** code, see steps.h.
**
** The one idea: a kernel of five thousand instructions may have fifty thousand
** once every call is inlined, and LLVM's time grows with them. Quick code that
** runs thread by thread needs no flat function. What later steps must see in
** the kernel itself is inlined as usual: calls of builtins, threadgroup
** variables, code that may end the thread.
**
** Only kernels without floating-point arithmetic: how that is rounded would
** depend on what is inlined, and the tiers must give the same bits. A kernel
** that would have hundreds of thousands of instructions keeps its functions in
** both tiers: there is no flat code of it whose bits could differ.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/files/file.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

/* ------------------------------------------------------------- is it sound? */

/* May LLVM round the result in several ways? */
static bool has_free_rounding(LLVMValueRef i) {
  return (LLVMCanValueUseFastMathFlags(i) && LLVMGetFastMathFlags(i)) ||
         mt_starts(mt_callee(i), "llvm.fmuladd.");
}

/* The call of a builtin for which threads wait, of a pointer or of assembly. */
static bool needs_flat_kernel(LLVMValueRef i, bool always) {
  if (!LLVMIsACallInst(i)) return false;
  LLVMValueRef f = LLVMGetCalledValue(i);
  if (!LLVMIsAFunction(f)) return true;
  size_t n;
  if (always && mt_is_log_call(mt_callee(i))) return false;
  return LLVMIsDeclaration(f) && !mt_starts(LLVMGetValueName2(f, &n), "llvm.");
}

bool mt_calls_can_stay(LLVMModuleRef m, bool always) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    MT_EACH_INSTRUCTION(i, f)
      if ((!always && has_free_rounding(i)) || needs_flat_kernel(i, always))
        return false;
  return true;
}

/* ---------------------------------------------------------- which are kept */

static void set(LLVMValueRef f, const char *name, bool on) {
  LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  if (on)
    LLVMAddAttributeAtIndex(f, at, LLVMCreateEnumAttribute(c, kind, 0));
  else
    LLVMRemoveEnumAttributeAtIndex(f, at, kind);
}

static bool uses_threadgroup(LLVMValueRef v) {
  if (mt_is_threadgroup(v)) return true;
  if (!LLVMIsAConstantExpr(v)) return false;
  for (int k = 0; k < LLVMGetNumOperands(v); k++)
    if (uses_threadgroup(LLVMGetOperand(v, (unsigned)k))) return true;
  return false;
}

/* Is the function in another file, whose lines no message can name? */
static bool is_elsewhere(LLVMValueRef f, const char *file) {
  LLVMMetadataRef scope = file ? LLVMGetSubprogram(f) : NULL;
  LLVMMetadataRef its = scope ? LLVMDIScopeGetFile(scope) : NULL;
  unsigned length = 0;
  const char *name = its ? LLVMDIFileGetFilename(its, &length) : NULL;
  return file && !(name && mt_path_ends(file, name, length));
}

static bool must_be_inlined(LLVMValueRef f, const char *file, bool always) {
  if (!always && is_elsewhere(f, file)) return true;
  MT_EACH_INSTRUCTION(i, f) {
    /* it ends the thread */
    if (!always && LLVMIsAUnreachableInst(i)) return true;
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (uses_threadgroup(LLVMGetOperand(i, (unsigned)k))) return true;
  }
  return false;
}

void mt_calls_keep(LLVMModuleRef m, LLVMValueRef kernel, const char *file,
                   bool always) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || f == kernel) continue;
    bool flat = must_be_inlined(f, file, always);
    set(f, "alwaysinline", flat);
    set(f, "noinline", !flat);
  }
}

/* --------------------------------------------------------- those that stay */

static void drop_lines(LLVMValueRef f) {
  MT_EACH_INSTRUCTION(i, f) LLVMInstructionSetDebugLoc(i, NULL);
  LLVMSetSubprogram(f, NULL);
}

void mt_calls_finish(LLVMModuleRef m, LLVMValueRef kernel, const char *file) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || f == kernel) continue;
    if (is_elsewhere(f, file)) drop_lines(f);
    else if (file) mt_debug_lines_of_file(f, file);
    mt_end_at_unreachable(f);
  }
}
