/*
** split_vector_access.c - a vector component in memory is stored, or loaded,
** alone.
**
** The one idea: for v[i][k] = x or v[i].xy = a, Clang loads the whole vector,
** inserts the components and stores it back. Lanes that set different
** components of one vector would overwrite each other's values. A GPU stores
** only the components, and so does the rewritten code: one store for each.
**
** Accesses of private variables stay as they are: register promotion
** understands that form.
**
** v[i].x loads the whole vector, too. That matters only to the checker, where
** another thread may write v[i].y at the same time.
*/
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

/* Does 'p' point to memory that threads share? */
static bool is_shared(LLVMValueRef p) {
  p = mt_underlying_object(p);
  return LLVMIsAArgument(p) || LLVMIsAGlobalVariable(p);
}

/* The checker's calls write no memory of the kernel. */
static bool is_harmless(LLVMValueRef call) {
  return mt_is_probe(mt_callee(call));
}

/* No instruction between the two can change the loaded memory. */
static bool is_near(LLVMValueRef load, LLVMValueRef store) {
  LLVMValueRef i = LLVMGetNextInstruction(load);
  for (; i && i != store; i = LLVMGetNextInstruction(i))
    if (LLVMIsAStoreInst(i) || (LLVMIsACallInst(i) && !is_harmless(i)) ||
        LLVMIsAAtomicRMWInst(i) ||
        LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
      return false;
  return i == store;
}

/* The load whose vector 'store' writes back with some components changed; NULL:
** there is none. */
static LLVMValueRef changed_load(LLVMValueRef store) {
  LLVMValueRef v = LLVMGetOperand(store, 0), p = LLVMGetOperand(store, 1);
  if (!LLVMIsAInsertElementInst(v) && !LLVMIsAShuffleVectorInst(v)) return NULL;
  LLVMValueRef load = LLVMGetOperand(v, 0);
  if (!LLVMIsALoadInst(load) || LLVMGetOperand(load, 0) != p ||
      LLVMTypeOf(load) != LLVMTypeOf(v) || mt_only_user(v) != store ||
      mt_only_user(load) != v || LLVMGetVolatile(load) ||
      LLVMGetVolatile(store))
    return NULL;
  LLVMTypeRef part = LLVMGetElementType(LLVMTypeOf(v));
  bool bits = LLVMGetTypeKind(part) == LLVMIntegerTypeKind &&
              LLVMGetIntTypeWidth(part) % 8;
  return !bits && is_near(load, store) ? load : NULL;
}

bool mt_has_vector_access(LLVMValueRef function) {
  MT_EACH_INSTRUCTION(i, function)
    if (LLVMIsAStoreInst(i) && changed_load(i)) return true;
  return false;
}

/* A component's alignment; in a packed struct no more than the vector's. */
static unsigned part_alignment(LLVMTargetDataRef layout, LLVMValueRef whole,
                               LLVMTypeRef part) {
  unsigned own = LLVMABIAlignmentOfType(layout, part),
           all = LLVMGetAlignment(whole);
  return own < all ? own : all;
}

static void store_part(LLVMBuilderRef b, LLVMTargetDataRef layout,
                       LLVMValueRef store, LLVMValueRef x,
                       LLVMValueRef index) {
  LLVMTypeRef t = LLVMTypeOf(x);
  LLVMValueRef p = LLVMGetOperand(store, 1),
               at = LLVMBuildGEP2(b, t, p, &index, 1, "");
  LLVMSetAlignment(LLVMBuildStore(b, x, at), part_alignment(layout, store, t));
}

/* Store the components that a shuffle takes from its second operand. */
static void store_parts(LLVMBuilderRef b, LLVMTargetDataRef layout,
                        LLVMValueRef store, LLVMValueRef shuffle) {
  LLVMTypeRef i32 =
      LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(shuffle)));
  int n = (int)LLVMGetNumMaskElements(shuffle);
  for (int k = 0; k < n; k++) {
    int from = LLVMGetMaskValue(shuffle, (unsigned)k);
    if (from < n) continue; /* unchanged */
    LLVMValueRef which = LLVMConstInt(i32, (unsigned)(from - n), 0);
    store_part(
        b, layout, store,
        LLVMBuildExtractElement(b, LLVMGetOperand(shuffle, 1), which, ""),
        LLVMConstInt(i32, (unsigned)k, 0));
  }
}

/* Does every unchanged component keep its position? */
static bool stays(LLVMValueRef shuffle) {
  int n = (int)LLVMGetNumMaskElements(shuffle);
  for (int k = 0; k < n; k++) {
    int from = LLVMGetMaskValue(shuffle, (unsigned)k);
    if (from < n && from != k) return false;
  }
  return true;
}

static void split(LLVMBuilderRef b, LLVMTargetDataRef layout,
                  LLVMValueRef store, LLVMValueRef load) {
  LLVMValueRef v = LLVMGetOperand(store, 0);
  LLVMPositionBuilderBefore(b, store);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(store));
  if (LLVMIsAInsertElementInst(v))
    store_part(b, layout, store, LLVMGetOperand(v, 1), LLVMGetOperand(v, 2));
  else
    store_parts(b, layout, store, v);
  LLVMInstructionEraseFromParent(store);
  LLVMInstructionEraseFromParent(v);
  LLVMInstructionEraseFromParent(load);
}

void mt_split_vector_stores(LLVMModuleRef module, LLVMValueRef function) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k))
    for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef load = LLVMIsAStoreInst(i) ? changed_load(i) : NULL;
      if (load && is_shared(LLVMGetOperand(i, 1)) &&
          (LLVMIsAInsertElementInst(LLVMGetOperand(i, 0)) ||
           stays(LLVMGetOperand(i, 0))))
        split(b, layout, i, load);
    }
  LLVMDisposeBuilder(b);
}

/* -------------------------------------------------------------------- loads */

#define DEPTH 3 /* nested swizzles that are looked through */

/* The components of 'v' that are used, as a bit mask. */
static uint64_t used_parts(LLVMValueRef v, int depth) {
  uint64_t all = ~0ull, used = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsAExtractElementInst(i)) {
      LLVMValueRef k = LLVMGetOperand(i, 1);
      if (!LLVMIsAConstantInt(k) || LLVMConstIntGetZExtValue(k) > 63)
        return all;
      used |= 1ull << LLVMConstIntGetZExtValue(k);
    } else if (LLVMIsAShuffleVectorInst(i) && depth < DEPTH &&
               LLVMGetOperand(i, 0) == v && LLVMGetOperand(i, 1) != v) {
      uint64_t further = used_parts(i, depth + 1);
      for (unsigned k = 0; k < LLVMGetNumMaskElements(i) && k < 64; k++) {
        int from = LLVMGetMaskValue(i, k);
        if (from >= 0 && from < 64 && further >> k & 1) used |= 1ull << from;
      }
    } else {
      return all;
    }
  }
  return used;
}

/* Load components 'first' to 'end' - 1 and insert them into 'to'. */
static LLVMValueRef load_run(LLVMBuilderRef b, LLVMTargetDataRef layout,
                             LLVMValueRef load, LLVMValueRef to,
                             unsigned first, unsigned end) {
  LLVMTypeRef part = LLVMGetElementType(LLVMTypeOf(load));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(part));
  LLVMTypeRef t = end - first > 1 ? LLVMVectorType(part, end - first) : part;
  LLVMValueRef from = LLVMConstInt(i32, first, 0);
  LLVMValueRef p =
      LLVMBuildGEP2(b, part, LLVMGetOperand(load, 0), &from, 1, "");
  LLVMValueRef run = LLVMBuildLoad2(b, t, p, "");
  LLVMSetAlignment(run, first ? part_alignment(layout, load, part)
                              : LLVMGetAlignment(load));
  for (unsigned k = first; k < end; k++) {
    LLVMValueRef x =
        t == part ? run
                  : LLVMBuildExtractElement(
                        b, run, LLVMConstInt(i32, k - first, 0), "");
    to = LLVMBuildInsertElement(b, to, x, LLVMConstInt(i32, k, 0), "");
  }
  return to;
}

static void read_used(LLVMBuilderRef b, LLVMTargetDataRef layout,
                      LLVMValueRef load, uint64_t used) {
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(load));
  LLVMValueRef v = LLVMGetPoison(LLVMTypeOf(load));
  for (unsigned k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && (used >> k & 1) && (used >> end & 1);) end++;
    if (used >> k & 1) v = load_run(b, layout, load, v, k, end);
  }
  LLVMReplaceAllUsesWith(load, v);
  LLVMInstructionEraseFromParent(load);
}

/* v[i][k] with a variable k; an index past the end has been reported by an
** earlier check. */
static void read_one(LLVMBuilderRef b, LLVMTargetDataRef layout,
                     LLVMValueRef load) {
  LLVMValueRef i = mt_only_user(load);
  if (!i || !LLVMIsAExtractElementInst(i) || !is_near(load, i)) return;
  LLVMValueRef k = LLVMGetOperand(i, 1);
  LLVMTypeRef part = LLVMTypeOf(i), t = LLVMTypeOf(k);
  LLVMValueRef n = LLVMConstInt(t, LLVMGetVectorSize(LLVMTypeOf(load)), 0);
  LLVMPositionBuilderBefore(b, i);
  k = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, k, n, ""), k,
                      LLVMConstInt(t, 0, 0), "");
  LLVMValueRef x = LLVMBuildLoad2(
      b, part, LLVMBuildGEP2(b, part, LLVMGetOperand(load, 0), &k, 1, ""), "");
  LLVMSetAlignment(x, part_alignment(layout, load, part));
  LLVMReplaceAllUsesWith(i, x);
  LLVMInstructionEraseFromParent(i);
  LLVMInstructionEraseFromParent(load);
}

/* A naturally aligned vector in shared memory. Scalars that are loaded as a
** vector may be misaligned, which the checker reports for the whole access. */
static bool is_vector_read(LLVMTargetDataRef layout, LLVMValueRef i) {
  if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i)) return false;
  LLVMTypeRef t = LLVMTypeOf(i);
  if (LLVMGetTypeKind(t) != LLVMVectorTypeKind || LLVMGetVectorSize(t) > 63 ||
      LLVMGetAlignment(i) < LLVMABIAlignmentOfType(layout, t))
    return false;
  LLVMTypeRef part = LLVMGetElementType(t);
  return !(LLVMGetTypeKind(part) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(part) % 8) &&
         is_shared(LLVMGetOperand(i, 0));
}

void mt_split_vector_loads(LLVMModuleRef module, LLVMValueRef function) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k))
    for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (!is_vector_read(layout, i)) continue;
      uint64_t used = used_parts(i, 0);
      uint64_t all = (1ull << LLVMGetVectorSize(LLVMTypeOf(i))) - 1;
      LLVMPositionBuilderBefore(b, i);
      LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
      if (used == ~0ull) {
        if (mt_only_user(i) == next) next = LLVMGetNextInstruction(next);
        read_one(b, layout, i);
      } else if (used && (used & all) != all) {
        read_used(b, layout, i, used & all);
      }
    }
  LLVMDisposeBuilder(b);
}
