/*
** texture_formats.c - folds known texture formats into the code, see prepare.h
** and steps.h.
**
** The one idea: each read and write of a texture is a switch over its format,
** with a dozen decoders of which a launch uses one. The formats are known at
** compile time, so loads of mt_TextureView.format become constants early,
** before code is duplicated, and LLVM drops the other decoders before it spends
** time on them.
*/
#include <stddef.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/prepare/steps.h"
#include "msl/texture_view.h"

/* Does a written buffer of the launch overlap another? */
static bool overlaps(const mt_Launch *l) {
  const mt_Param *p = l->kernel->info.params;
  for (unsigned i = 0; i < l->arg_count; i++)
    for (unsigned k = 0; k < i; k++) {
      const mt_Arg *a = &l->args[i], *b = &l->args[k];
      if (a->kind != MT_ARG_BUFFER || b->kind != MT_ARG_BUFFER ||
          !((p[i].access | p[k].access) & MT_WRITE))
        continue;
      const char *x = a->buffer->contents, *y = b->buffer->contents;
      if (x < y + b->buffer->size && y < x + a->buffer->size) return true;
    }
  return false;
}

void mt_argument_facts(const mt_Launch *l, mt_ArgumentFacts *out) {
  memset(out, 0, sizeof *out);
  out->overlap = overlaps(l);
  for (unsigned i = 0; i < l->arg_count && i < MT_FORMAT_PARAMS; i++) {
    const mt_Arg *a = &l->args[i];
    if (a->kind == MT_ARG_TEXTURE && a->texture && a->texture_count == 0)
      out->of[i] = (uint8_t)(a->texture->desc.format + 1);
  }
}

void mt_argument_facts_guess(const mt_MslKernel *k, mt_ArgumentFacts *out) {
  memset(out, 0, sizeof *out);
  for (unsigned i = 0; i < k->param_count && i < MT_FORMAT_PARAMS; i++) {
    const mt_Param *p = &k->params[i];
    const char *of = p->kind == MT_PARAM_TEXTURE && p->array_count == 1
                         ? strchr(p->type->name, '<') : NULL;
    if (!of) continue;
    mt_PixelFormat usual = of[1] == 'f' || of[1] == 'h' ? MT_RGBA8UNORM
                           : of[1] == 'u' ? MT_RGBA8UINT : MT_RGBA32SINT;
    out->of[i] = (uint8_t)(usual + 1);
  }
}

/* Fold format loads through 'pointer', which is 'at' bytes into the view. */
static bool fold(LLVMTargetDataRef layout, LLVMValueRef pointer, uint64_t at,
                 unsigned format) {
  bool any = false;
  for (LLVMUseRef u = LLVMGetFirstUse(pointer), next; u; u = next) {
    LLVMValueRef i = LLVMGetUser(u);
    uint64_t step;
    next = LLVMGetNextUse(u);
    if (LLVMIsAGetElementPtrInst(i) && LLVMGetOperand(i, 0) == pointer &&
        mt_constant_step(layout, i, &step))
      any |= fold(layout, i, at + step, format);
    if (!LLVMIsALoadInst(i) || at != offsetof(mt_TextureView, format) ||
        LLVMABISizeOfType(layout, LLVMTypeOf(i)) != sizeof(unsigned))
      continue;
    LLVMReplaceAllUsesWith(i, LLVMConstInt(LLVMTypeOf(i), format, 0));
    LLVMInstructionEraseFromParent(i);
    any = true;
  }
  return any;
}

bool mt_fold_texture_formats(LLVMValueRef function,
                             const mt_ArgumentFacts *formats) {
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  bool any = false;
  for (unsigned i = 0; i < LLVMCountParams(function) && i < MT_FORMAT_PARAMS;
       i++)
    if (formats->of[i])
      any |= fold(layout, LLVMGetParam(function, i), 0, formats->of[i] - 1u);
  return any;
}
