/*
** alignment.c - a vector, or a larger scalar, in the middle of an array of
** smaller elements: *(threadgroup float4 *)&tile[i].
**
** The one idea: compare with the language, not with the IR. Where Clang sees
** the variable, it gives the access the variable's alignment, so that nothing
** breaks here; MSL promises that to no kernel. So before optimisation, while
** each load and store is still the source's, the alignment of its type is
** compared with the offset in the variable. A member of a packed struct has no
** alignment to compare with.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/checker.h"

/* The type of the variable at the root; NULL: it is no variable. */
static LLVMTypeRef type_of(LLVMValueRef root) {
  return LLVMIsAAllocaInst(root)       ? LLVMGetAllocatedType(root)
         : LLVMIsAGlobalVariable(root) ? LLVMGlobalGetValueType(root)
                                       : NULL;
}

/* The element of an array; a struct counts as one element. */
static LLVMTypeRef item_of(LLVMTypeRef t) {
  while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
  return t;
}

/* Does this step from a pointer to another enter a packed struct? */
static bool enters_packed(LLVMValueRef gep) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  unsigned indices = LLVMGetNumIndices(gep);
  for (unsigned k = 1; k < indices; k++) {
    if (LLVMGetTypeKind(t) != LLVMStructTypeKind) {
      t = LLVMGetElementType(t);
      continue;
    }
    if (LLVMIsPackedStruct(t)) return true;
    LLVMValueRef field = LLVMGetOperand(gep, k + 1);
    t = LLVMStructGetTypeAtIndex(t,
                                 (unsigned)LLVMConstIntGetZExtValue(field));
  }
  return false;
}

/* Is it a member of a packed struct, or a part of one? */
static bool is_in_packed(LLVMValueRef p) {
  for (; LLVMIsAGetElementPtrInst(p) || LLVMIsAAddrSpaceCastInst(p);
       p = LLVMGetOperand(p, 0))
    if (LLVMIsAGetElementPtrInst(p) && enters_packed(p)) return true;
  return false;
}

/* An access of type 't' through 'p' by 'at', whose IR alignment is 'has'. */
static void check_access(mt_Instrumenter *w, LLVMValueRef at, LLVMValueRef p,
                         LLVMTypeRef t, unsigned has, bool write) {
  LLVMValueRef root = mt_underlying_object(p);
  LLVMTypeRef whole = type_of(root);
  unsigned needs = whole ? LLVMABIAlignmentOfType(w->layout, t) : 0;
  char name[64];
  if (needs <= has || is_in_packed(p)) return;
  LLVMPositionBuilderBefore(w->b, at);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(at));
  LLVMValueRef offset = mt_instrument_offset(w, p, root);
  if (!offset || (LLVMIsAConstantInt(offset) &&
                  LLVMConstIntGetZExtValue(offset) % needs == 0))
    return;
  mt_Site site = {
      .kind = MT_SITE_ALIGN,
      .root = MT_ROOT_UNKNOWN,
      .place = mt_instrument_place(at),
      .align = needs,
      .write = write,
      .part_size = (uint32_t)LLVMABISizeOfType(w->layout, item_of(whole))};
  site.width = (uint32_t)LLVMABISizeOfType(w->layout, whole) / site.part_size;
  site.space = LLVMIsAAllocaInst(root)   ? MT_SPACE_PRIVATE
               : mt_is_threadgroup(root) ? MT_SPACE_THREADGROUP
                                         : MT_SPACE_CONSTANT;
  uint32_t n = mt_site_add(w->table, site);
  if (!n) return;
  mt_instrument_name(root, name, sizeof name);
  w->table->site[n].name = strdup(name);
  LLVMValueRef low = LLVMBuildAnd(w->b, offset,
                                  LLVMConstInt(w->i64, needs - 1, 0), "");
  mt_instrument_if(
      w, n, LLVMBuildICmp(w->b, LLVMIntNE, low, LLVMConstInt(w->i64, 0, 0), ""),
      offset);
}

void mt_instrument_alignment(mt_Instrumenter *w, LLVMValueRef *all, size_t n) {
  for (size_t k = 0; k < n; k++) {
    LLVMValueRef i = all[k];
    if (LLVMIsALoadInst(i))
      check_access(w, i, LLVMGetOperand(i, 0), LLVMTypeOf(i),
                   LLVMGetAlignment(i), false);
    else if (LLVMIsAStoreInst(i))
      check_access(w, i, LLVMGetOperand(i, 1),
                   LLVMTypeOf(LLVMGetOperand(i, 0)), LLVMGetAlignment(i), true);
  }
}
