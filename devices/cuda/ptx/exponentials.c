/*
** exponentials.c - exp by the GPU's instruction for powers of two.
**
** The Metal library computes it as a polynomial, like a processor. A GPU has an
** instruction that is as accurate once the power's integer part is taken off,
** which builtins.c does. So the library's function becomes a call of that one,
** before it is inlined. Its results are within an ulp of the host's.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

/* exp(float x) * 2^k, of namespace metal::__mt */
#define LIBRARY "_ZN5metal4__mt10exp_scaledEfi"
#define OWN "__mt_exp_scaled"

/* It reads and writes nothing, and may be done at any time. */
static void declare_pure(LLVMValueRef f) {
  static const char *const SAID[] = {"nounwind", "willreturn", "speculatable",
                                     "nosync", "nofree", "memory"};
  for (size_t k = 0; k < sizeof SAID / sizeof *SAID; k++)
    mt_add_attribute(f, SAID[k], 0); /* memory: of no kind */
}

void mt_ptx_own_functions(LLVMModuleRef module) {
  LLVMValueRef old = LLVMGetNamedFunction(module, LIBRARY);
  if (!old || LLVMIsDeclaration(old)) return;
  LLVMValueRef own =
      LLVMAddFunction(module, OWN, LLVMGlobalGetValueType(old));
  declare_pure(own);
  LLVMReplaceAllUsesWith(old, own);
  LLVMDeleteFunction(old);
}
