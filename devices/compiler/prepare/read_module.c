/*
** read_module.c - the bitcode of a kernel's library, as a module, see steps.h.
**
** The one idea: a library may have hundreds of kernels, and reading all but one
** is wasted time. So a large module is loaded lazily.
*/
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include "devices/compiler/prepare/steps.h"

#define LARGE (128u << 10) /* bytes of bitcode: some thousand source lines */

/* Without a handler LLVM prints to the console, and exits on errors. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  mt_Error *err = context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || err->text[0]) return;
  char *text = LLVMGetDiagInfoDescription(info);
  mt_error(err, MT_FAIL, "LLVM: %s", text);
  LLVMDisposeMessage(text);
}

/* A library may have hundreds of kernels, and reading all but one is wasted
** time. So a large module is loaded lazily, and linking it into an empty module
** materialises only the functions that the kernel needs. */
static LLVMBool read_needed(const mt_PrepareInput *in, LLVMContextRef context,
                            LLVMMemoryBufferRef bytes, LLVMModuleRef *out) {
  LLVMModuleRef all;
  if (LLVMGetBitcodeModuleInContext2(context, bytes, &all)) {
    LLVMDisposeMemoryBuffer(bytes);
    return 1;
  }
  LLVMValueRef kernel = LLVMGetNamedFunction(all, in->kernel->function);
  for (LLVMValueRef f = LLVMGetFirstFunction(all); f;
       f = LLVMGetNextFunction(f))
    if (f != kernel && !LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  *out = LLVMModuleCreateWithNameInContext("kernel", context);
  LLVMSetTarget(*out, LLVMGetTarget(all));
  LLVMSetDataLayout(*out, LLVMGetDataLayoutStr(all));
  LLVMBool bad = LLVMLinkModules2(*out, all); /* consumes 'all' */
  if (bad) LLVMDisposeModule(*out);
  return bad;
}

mt_Status mt_prepare_read(const mt_PrepareInput *in, mt_Prepared *out,
                          mt_Error *err) {
  LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(
      in->bitcode, in->size, "kernel", 0);
  mt_Error said = {""};
  LLVMBool bad;
  out->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(out->context, on_diagnostic, &said);
  if (in->size > LARGE) {
    bad = read_needed(in, out->context, bytes, &out->module);
  } else {
    bad = LLVMParseBitcodeInContext2(out->context, bytes, &out->module);
    LLVMDisposeMemoryBuffer(bytes);
  }
  LLVMContextSetDiagnosticHandler(out->context, NULL, NULL);
  if (!bad) return MT_OK;
  out->module = NULL;
  return mt_error(err, MT_FAIL, "the kernel's bitcode cannot be read: %s",
                  said.text[0] ? said.text : "LLVM gave no reason");
}
