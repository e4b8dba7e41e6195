/*
** expand_ldexp.c - products with powers of two, see steps.h.
**
** MSL's exponentials end in p * 2^n (scale in msl/include/metal/__math_core),
** which is llvm.ldexp: AVX-512 has an instruction for it. For other machines,
** and where LLVM would call a function of the C library instead, it becomes two
** products, p * 2^h * 2^(n - h) with h half of n. Only the second one rounds,
** so that the bits are the same.
*/
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>

#include "devices/compiler/prepare/steps.h"
#include "devices/compiler/target/target.h"

/* 2^n, from the exponent's bits. */
static LLVMValueRef power(LLVMBuilderRef b, LLVMValueRef n, LLVMTypeRef real) {
  LLVMTypeRef t = LLVMTypeOf(n);
  n = LLVMBuildAdd(b, n, LLVMConstInt(t, 127, 0), "");
  n = LLVMBuildShl(b, n, LLVMConstInt(t, 23, 0), "");
  return LLVMBuildBitCast(b, n, real, "");
}

static LLVMValueRef product(LLVMBuilderRef b, LLVMValueRef call,
                            LLVMValueRef x, LLVMValueRef y) {
  LLVMValueRef r = LLVMBuildFMul(b, x, y, "");
  if (LLVMIsAInstruction(r))
    LLVMSetFastMathFlags(r, LLVMGetFastMathFlags(call));
  return r;
}

static void expand(LLVMBuilderRef b, LLVMValueRef call) {
  LLVMTypeRef real = LLVMTypeOf(call);
  LLVMValueRef n = LLVMGetOperand(call, 1);
  LLVMPositionBuilderBefore(b, call);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef h =
      LLVMBuildAShr(b, n, LLVMConstInt(LLVMTypeOf(n), 1, 0), "");
  LLVMValueRef x =
      product(b, call, LLVMGetOperand(call, 0), power(b, h, real));
  x = product(b, call, x, power(b, LLVMBuildSub(b, n, h, ""), real));
  LLVMReplaceAllUsesWith(call, x);
  LLVMInstructionEraseFromParent(call);
}

bool mt_ldexp_is_native(mt_Target *t) {
  return LLVM_VERSION_MAJOR >= 22 && mt_target_has(t, "avx512vl");
}

void mt_expand_ldexp(LLVMModuleRef m) {
  LLVMValueRef f = LLVMGetNamedFunction(m, "llvm.ldexp.f32.i32");
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  LLVMUseRef use;
  while (f && (use = LLVMGetFirstUse(f))) expand(b, LLVMGetUser(use));
  LLVMDisposeBuilder(b);
}
