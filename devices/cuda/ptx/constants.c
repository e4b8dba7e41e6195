/*
** constants.c - constants where a GPU can have them, and vectors of three in
** them as plain bytes.
**
** Constants are in the GPU's global memory from the start: LLVM's passes crash
** over a pointer that is to a buffer or to a constant of no address space.
**
** LLVM's NVPTX back end writes the elements of an array one after
** the other and forgets the padding of a vector of three, so that everything
** after the first is at the wrong place. Such constants are made arrays of
** bytes, which have no padding.
*/
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/cuda/ptx/work.h"

/* Has a type whose size is not that of its elements? */
static bool has_padded_vector(LLVMTypeRef t) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind: {
      unsigned n = LLVMGetVectorSize(t);
      return (n & (n - 1)) != 0;
    }
    case LLVMArrayTypeKind: return has_padded_vector(LLVMGetElementType(t));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
        if (has_padded_vector(LLVMStructGetTypeAtIndex(t, i))) return true;
      return false;
    default: return false;
  }
}

static bool write_number(LLVMTargetDataRef layout, LLVMValueRef v, char *to) {
  LLVMTypeRef t = LLVMTypeOf(v);
  size_t size = LLVMStoreSizeOfType(layout, t);
  if (LLVMIsAConstantFP(v))
    v = LLVMConstBitCast(
        v, LLVMIntTypeInContext(LLVMGetTypeContext(t), (unsigned)size * 8));
  if (!LLVMIsAConstantInt(v) || size > 8) return false;
  uint64_t bits = LLVMConstIntGetZExtValue(v); /* both are little-endian */
  memcpy(to, &bits, size);
  return true;
}

/* The bytes of 'v' at 'to', which is zeroed. False: it has an address. */
static bool write_bytes(LLVMTargetDataRef layout, LLVMValueRef v, char *to) {
  LLVMTypeRef t = LLVMTypeOf(v);
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (LLVMIsNull(v) || LLVMIsUndef(v)) return true;
  if (kind == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      if (!write_bytes(layout, LLVMGetAggregateElement(v, i),
                       to + LLVMOffsetOfElement(layout, t, i)))
        return false;
    return true;
  }
  if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
    return write_number(layout, v, to);
  bool array = kind == LLVMArrayTypeKind;
  uint64_t n = array ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
  LLVMTypeRef element = LLVMGetElementType(t);
  uint64_t step = array ? LLVMABISizeOfType(layout, element)
                        : LLVMStoreSizeOfType(layout, element);
  for (unsigned i = 0; i < n; i++)
    if (!write_bytes(layout, LLVMGetAggregateElement(v, i), to + i * step))
      return false;
  return true;
}

static mt_Status flatten(mt_PtxWork *w, LLVMValueRef g, mt_Error *err) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(w->module);
  LLVMValueRef of = LLVMGetInitializer(g);
  size_t size = LLVMABISizeOfType(layout, LLVMTypeOf(of));
  char *bytes = calloc(size ? size : 1, 1);
  if (!bytes) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status = MT_OK;
  if (write_bytes(layout, of, bytes)) {
    LLVMValueRef text =
        LLVMConstStringInContext2(w->context, bytes, size, true);
    LLVMValueRef made = LLVMAddGlobalInAddressSpace(
        w->module, LLVMTypeOf(text), "",
        LLVMGetPointerAddressSpace(LLVMTypeOf(g)));
    LLVMSetInitializer(made, text);
    LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(g));
    LLVMSetLinkage(made, LLVMInternalLinkage);
    LLVMSetAlignment(made, LLVMGetAlignment(g) ? LLVMGetAlignment(g) : 16);
    LLVMReplaceAllUsesWith(g, made);
    LLVMDeleteGlobal(g);
  } else {
    status =
        mt_error(err, MT_BADARG,
                 "kernel '%s' has a constant with a vector of three beside "
                 "an address, which the cuda device cannot hold: give "
                 "the vector four components",
                 w->job->msl->name);
  }
  free(bytes);
  return status;
}

static void place(mt_PtxWork *w, LLVMValueRef g) {
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(
      w->module, LLVMGlobalGetValueType(g), "", MT_NV_GLOBAL);
  LLVMSetInitializer(made, LLVMGetInitializer(g));
  LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(g));
  LLVMSetLinkage(made, LLVMInternalLinkage);
  LLVMSetAlignment(made, LLVMGetAlignment(g));
  LLVMReplaceAllUsesWith(g, LLVMConstAddrSpaceCast(made, w->ptr));
  LLVMDeleteGlobal(g);
}

void mt_ptx_place_constants(mt_PtxWork *w) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(w->module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (LLVMGetInitializer(g) &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == MT_NV_GENERIC)
      place(w, g);
  }
}

mt_Status mt_ptx_flatten_constants(mt_PtxWork *w, mt_Error *err) {
  mt_Status status = MT_OK;
  for (LLVMValueRef g = LLVMGetFirstGlobal(w->module), next;
       g && status == MT_OK; g = next) {
    next = LLVMGetNextGlobal(g);
    if (LLVMGetInitializer(g) && has_padded_vector(LLVMGlobalGetValueType(g)))
      status = flatten(w, g, err);
  }
  return status;
}
