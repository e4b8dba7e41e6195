/*
** expand_memcpy.c - long copies and fills become loops.
**
** The one idea: `int counts[256] = {0}` and the assignment of a large struct
** are one intrinsic call each. The vectoriser expands short ones word by word;
** a long one would become hundreds of stores, and one of unknown length could
** not be vectorised. As loops they are vectorised like other code.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/prepare/steps.h"

typedef struct Copy {
  LLVMValueRef call, to, from; /* 'from': the fill byte if 'set' */
  LLVMValueRef size;           /* bytes */
  bool set, move;
} Copy;

static bool find(LLVMValueRef i, Copy *out) {
  const char *name = LLVMIsACallInst(i) ? mt_callee(i) : "";
  bool set = mt_starts(name, "llvm.memset."),
       move = mt_starts(name, "llvm.memmove.");
  if (!set && !move && !mt_starts(name, "llvm.memcpy.")) return false;
  *out = (Copy){i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1),
                LLVMGetOperand(i, 2), set, move};
  return !LLVMIsAConstantInt(out->size) ||
         LLVMConstIntGetZExtValue(out->size) > MT_SHORT_COPY;
}

unsigned mt_memcpy_align(LLVMValueRef call, unsigned operand) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
  return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

/* Bytes to move in an iteration. */
static unsigned step_of(const Copy *c) {
  bool words = mt_memcpy_align(c->call, 0) >= 4 &&
               (c->set || mt_memcpy_align(c->call, 1) >= 4) &&
               LLVMIsAConstantInt(c->size) &&
               LLVMConstIntGetZExtValue(c->size) % 4 == 0;
  return words ? 4 : 1;
}

/* The parameters of a helper, in this order. */
enum { TO, FROM, COUNT };

/* The index for iteration 'k', counted from the end where a move would
** overwrite bytes that it has yet to read. */
static LLVMValueRef piece(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef k,
                          LLVMValueRef backwards) {
  LLVMValueRef one = LLVMConstInt(LLVMTypeOf(k), 1, 0);
  LLVMValueRef last = LLVMBuildSub(b, LLVMGetParam(f, COUNT), one, "");
  return LLVMBuildSelect(b, backwards, LLVMBuildSub(b, last, k, ""), k, "");
}

/* if (n) do to[k] = from[k]; while (++k < n) */
static void write_loop(LLVMBuilderRef b, LLVMValueRef f, const Copy *c,
                       LLVMTypeRef item) {
  LLVMContextRef context = LLVMGetTypeContext(item);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMValueRef to = LLVMGetParam(f, TO), from = LLVMGetParam(f, FROM);
  LLVMValueRef n = LLVMGetParam(f, COUNT), zero = LLVMConstInt(i64, 0, 0);
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(context, f, "");
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(context, f, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, f, "");
  unsigned align = LLVMGetIntTypeWidth(item) / 8;
  LLVMPositionBuilderAtEnd(b, start);
  LLVMValueRef backwards =
      c->move ? LLVMBuildICmp(b, LLVMIntULT, from, to, "") : NULL;
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, n, zero, ""), loop, end);

  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef k = LLVMBuildPhi(b, i64, ""), value = from;
  LLVMValueRef at = c->move ? piece(b, f, k, backwards) : k;
  if (!c->set) {
    value = LLVMBuildLoad2(b, item, LLVMBuildGEP2(b, item, from, &at, 1, ""),
                           "");
    LLVMSetAlignment(value, align);
  }
  LLVMValueRef place = LLVMBuildGEP2(b, item, to, &at, 1, "");
  LLVMSetAlignment(LLVMBuildStore(b, value, place), align);
  LLVMValueRef next = LLVMBuildAdd(b, k, LLVMConstInt(i64, 1, 0), "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, next, n, ""), loop, end);
  LLVMValueRef starts[] = {zero, next};
  LLVMBasicBlockRef ways[] = {start, loop};
  LLVMAddIncoming(k, starts, ways, 2);

  LLVMPositionBuilderAtEnd(b, end);
  LLVMBuildRetVoid(b);
}

/* The function that does such a copy. llvm-c cannot split a block, but a call
** can be inlined. */
static LLVMValueRef helper(LLVMBuilderRef b, LLVMModuleRef m, const Copy *c,
                           LLVMTypeRef item) {
  LLVMContextRef context = LLVMGetModuleContext(m);
  char name[40];
  snprintf(name, sizeof name, "mt_long_%s%u",
           c->set ? "fill" : c->move ? "move" : "copy",
           LLVMGetIntTypeWidth(item));
  LLVMValueRef f = LLVMGetNamedFunction(m, name);
  if (f) return f;
  LLVMTypeRef p = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef params[] = {p, c->set ? item : p,
                          LLVMInt64TypeInContext(context)};
  f = LLVMAddFunction(m, name, LLVMFunctionType(LLVMVoidTypeInContext(context),
                                                params, 3, false));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
  write_loop(b, f, c, item);
  return f;
}

/* The fill value: the byte, or the byte repeated. */
static LLVMValueRef filling(LLVMBuilderRef b, const Copy *c, LLVMTypeRef item) {
  if (LLVMGetIntTypeWidth(item) == 8) return c->from;
  LLVMValueRef wide = LLVMBuildZExt(b, c->from, item, "");
  return LLVMBuildMul(b, wide, LLVMConstInt(item, 0x01010101, 0), "");
}

static void replace(LLVMBuilderRef b, LLVMModuleRef m, const Copy *c) {
  LLVMContextRef context = LLVMGetModuleContext(m);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  unsigned step = step_of(c);
  LLVMTypeRef item = LLVMIntTypeInContext(context, step * 8);
  LLVMValueRef f = helper(b, m, c, item);
  LLVMPositionBuilderBefore(b, c->call);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(c->call));
  LLVMValueRef size = LLVMBuildZExt(b, c->size, i64, "");
  LLVMValueRef args[] = {
      c->to, c->set ? filling(b, c, item) : c->from,
      LLVMBuildUDiv(b, size, LLVMConstInt(i64, step, 0), "")};
  LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 3, "");
  LLVMInstructionEraseFromParent(c->call);
  LLVMSetCurrentDebugLocation2(b, NULL);
}

bool mt_expand_memcpy(LLVMModuleRef m, LLVMValueRef f) {
  bool any = false;
  Copy c;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(f); at;
       at = LLVMGetNextBasicBlock(at))
    for (LLVMValueRef i = LLVMGetFirstInstruction(at), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (!find(i, &c)) continue;
      replace(b, m, &c);
      any = true;
    }
  LLVMDisposeBuilder(b);
  return any;
}
