/*
** matrix.c - probes of loads and stores of simdgroup matrices.
**
** The one idea: a matrix is one access of a whole SIMD-group, 64 elements in
** eight rows, so one probe checks all of it: code for each element would be
** most of the kernel.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/instrument/checker.h"

/* The pointer to use. */
static LLVMValueRef ask(mt_Instrumenter *w, uint32_t site, LLVMValueRef base,
                        LLVMValueRef p, LLVMValueRef stride,
                        LLVMValueRef transpose) {
  LLVMTypeRef params[] = {w->i32, w->ptr, w->ptr, w->i64, w->i1};
  LLVMValueRef f = mt_instrument_declare(
      w, MT_PROBE_MATRIX, LLVMFunctionType(w->ptr, params, 5, 0));
  LLVMValueRef args[] = {mt_instrument_number(w, site),
                         base ? base : LLVMConstPointerNull(w->ptr), p, stride,
                         transpose};
  return mt_instrument_call(w, f, args, 5);
}

/* args: the pointer, the stride, whether it is transposed. */
static LLVMValueRef emit(mt_Instrumenter *w, void *state, int root,
                         LLVMValueRef base, LLVMValueRef *args) {
  mt_Site site = *(mt_Site *)state;
  site.root = root;
  uint32_t n = mt_site_add(w->table, site);
  return n ? ask(w, n, base, args[0], args[1], args[2]) : args[0];
}

void mt_instrument_matrix(mt_Instrumenter *w, LLVMValueRef call,
                          const char *type, bool store) {
  unsigned first = store ? 1 : 0;
  LLVMValueRef base, args[3];
  for (unsigned i = 0; i < 3; i++) args[i] = LLVMGetOperand(call, first + i);
  LLVMPositionBuilderBefore(w->b, call);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(call));
  mt_Site site = {.kind = store ? MT_SITE_WRITE : MT_SITE_READ,
                  .place = mt_instrument_place(call),
                  .size = mt_starts(type, "f32") ? 4 : 2};
  mt_PointerChoices ways;
  site.align = site.size;
  int root = mt_instrument_root(w, args[0], &base);
  if (root >= 0 && w->table->root[root].kind == MT_ROOT_PRIVATE) {
    mt_unchecked_add(w->table, MT_UNCHECKED_MATRIX, site.place, NULL);
    return;
  }
  LLVMValueRef to =
      root < 0 && mt_instrument_choices(w, args[0], &ways)
          ? mt_instrument_choose(w, call, &ways, args, 3, emit, &site)
          : emit(w, &site, root < 0 ? MT_ROOT_UNKNOWN : root,
                 root < 0 ? NULL : base, args);
  LLVMValueRef good = LLVMBuildICmp(w->b, LLVMIntEQ, to, args[0], "");
  LLVMSetOperand(call, first, to);
  LLVMSetOperand(call, first + 1,
                 LLVMBuildSelect(w->b, good, args[1],
                                 LLVMConstInt(w->i64, 8, 0), ""));
}
