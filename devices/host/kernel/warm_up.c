/*
** warm_up.c - compiles a dummy kernel to warm LLVM up, see compile.h.
**
** The first time that a part of LLVM runs, its pages are mapped and its symbols
** resolved: a third of the time of a first compile. So LLVM's process compiles
** this kernel while the console waits at the prompt.
*/
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/host/kernel/compile.h"

/* What typical kernels have: a bounds guard, a loop, a contiguous access and a
** strided one, a square root. */
static const char TEXT[] =
    "declare float @llvm.sqrt.f32(float)\n"
    "define void @warm(ptr %x, ptr %n, i32 %i) {\n"
    "  %count = load i32, ptr %n\n"
    "  %inside = icmp ult i32 %i, %count\n"
    "  br i1 %inside, label %start, label %out\n"
    "start:\n"
    "  %place = getelementptr float, ptr %x, i32 %i\n"
    "  %first = load float, ptr %place\n"
    "  br label %each\n"
    "each:\n"
    "  %k = phi i32 [ 0, %start ], [ %next, %each ]\n"
    "  %sum = phi float [ %first, %start ], [ %more, %each ]\n"
    "  %far = mul i32 %i, %k\n"
    "  %other = getelementptr float, ptr %x, i32 %far\n"
    "  %value = load float, ptr %other\n"
    "  %big = fcmp fast ogt float %value, %sum\n"
    "  %either = select i1 %big, float %value, float %first\n"
    "  %more = fadd fast float %sum, %either\n"
    "  %next = add i32 %k, 1\n"
    "  %again = icmp ult i32 %next, %count\n"
    "  br i1 %again, label %each, label %done\n"
    "done:\n"
    "  %root = call fast float @llvm.sqrt.f32(float %more)\n"
    "  store float %root, ptr %place\n"
    "  br label %out\n"
    "out:\n"
    "  ret void\n"
    "}\n";

static LLVMMemoryBufferRef bitcode(void) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  LLVMMemoryBufferRef out = NULL;
  char *said = NULL;
  LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRange(
      TEXT, sizeof TEXT - 1, "warm", true);
  if (!LLVMParseIRInContext(context, text, &module, &said)) { /* takes 'text' */
    out = LLVMWriteBitcodeToMemoryBuffer(module);
    LLVMDisposeModule(module);
  }
  LLVMDisposeMessage(said);
  LLVMContextDispose(context);
  return out;
}

mt_Status mt_llvm_warm_up(mt_Error *err) {
  const mt_Type *number = mt_type_named("float"),
                *count = mt_type_named("uint");
  const mt_Param params[] = {
      {.name = "x", .access = MT_READ_WRITE, .used = true, .type = number},
      {.name = "n", .index = 1, .access = MT_READ, .constant = true,
       .reference = true, .used = true, .type = count},
      {.name = "i", .kind = MT_PARAM_BUILTIN, .used = true, .type = count,
       .builtin = "thread_position_in_grid"}};
  const mt_MslKernel kernel = {.name = "warm", .function = "warm",
                               .params = params, .param_count = 3};
  mt_CompileRequest order = {.task = MT_TASK_CODE,
                             .symbol = MT_WARM_SYMBOL,
                             .kind.geometry = {.size = {256, 1, 1}}};
  mt_CompileResult built = {0};
  LLVMMemoryBufferRef code = bitcode();
  if (!code) return mt_error(err, MT_FAIL, "LLVM cannot read its own text");
  mt_PreparedJob work = {.job = {.msl = &kernel,
                                  .source = "",
                                  .bitcode = LLVMGetBufferStart(code),
                                  .size = LLVMGetBufferSize(code)}};
  mt_Status status = mt_compile_request(&work, &order, &built, err);
  if (status == MT_OK && !built.made.simd)
    status = mt_error(err, MT_FAIL, "%s", built.why.text);
  mt_compile_result_free(&built);
  mt_prepared_job_free(&work);
  LLVMDisposeMemoryBuffer(code);
  return status;
}
