/*
** link_builtins.c - links builtins.c into a kernel's module.
**
** Clang compiled it to bitcode when Mettle was built; the bytes are part of
** this object. It is read lazily, so a kernel pays only for what it calls.
*/
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

extern const char mt_cuda_builtins[], mt_cuda_builtins_end[];
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".hidden mt_cuda_builtins\n"
    ".globl mt_cuda_builtins\n"
    "mt_cuda_builtins:\n"
    ".incbin \"" MT_CUDA_BUILTINS
    "\"\n"
    ".hidden mt_cuda_builtins_end\n"
    ".globl mt_cuda_builtins_end\n"
    "mt_cuda_builtins_end:\n"
    ".byte 0\n"
    ".popsection\n");

static bool calls_builtins(const mt_PtxWork *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f)) {
    size_t n;
    if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) &&
        mt_starts(LLVMGetValueName2(f, &n), "__mt_"))
      return true;
  }
  return false;
}

/* The first builtin that is still only declared; NULL: none. */
static const char *unknown(const mt_PtxWork *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f)) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !mt_starts(name, "llvm."))
      return name;
  }
  return NULL;
}

/* Internal, so that what is not called goes; and for the kernel's GPU, not for
** the one that Clang was told. */
static void adopt(mt_PtxWork *w) {
  static const char *const drop[] = {"target-cpu", "target-features",
                                     "frame-pointer"};
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || f == w->prepared.function) continue;
    LLVMSetLinkage(f, LLVMInternalLinkage);
    for (size_t i = 0; i < sizeof drop / sizeof *drop; i++)
      LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, drop[i],
                                       (unsigned)strlen(drop[i]));
    mt_add_attribute(f, "null_pointer_is_valid", 0);
  }
}

mt_Status mt_ptx_link_builtins(mt_PtxWork *w, mt_Error *err) {
  if (calls_builtins(w)) {
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(
        mt_cuda_builtins, (size_t)(mt_cuda_builtins_end - mt_cuda_builtins),
        "builtins", 0);
    LLVMModuleRef all;
    if (LLVMGetBitcodeModuleInContext2(w->context, bytes, &all)) {
      LLVMDisposeMemoryBuffer(bytes);
      return mt_error(err, MT_FAIL,
                      "the cuda device's builtins were compiled "
                      "by another LLVM: run 'make' where Mettle's source is");
    }
    LLVMSetTarget(all, LLVMGetTarget(w->module));
    LLVMSetDataLayout(all, LLVMGetDataLayoutStr(w->module));
    /* only what is called is materialised, if nothing else is asked for */
    for (LLVMValueRef f = LLVMGetFirstFunction(all); f;
         f = LLVMGetNextFunction(f)) {
      size_t n;
      LLVMValueRef here =
          LLVMGetNamedFunction(w->module, LLVMGetValueName2(f, &n));
      if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
        LLVMSetLinkage(
            f, here ? LLVMExternalLinkage : LLVMAvailableExternallyLinkage);
    }
    if (LLVMLinkModules2(w->module, all))
      return mt_error(err, MT_FAIL,
                      "the cuda device's builtins do not fit "
                      "this kernel");
    adopt(w);
  }
  const char *name = unknown(w);
  if (name)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' uses %s, which the cuda "
                    "device does not have",
                    w->job->msl->name, name);
  return MT_OK;
}
