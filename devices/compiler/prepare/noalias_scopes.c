/*
** noalias_scopes.c - tells LLVM that a launch's buffers do not overlap.
**
** The one idea: in y[i] = x[i] the store may alias the next load as far as LLVM
** knows, so it moves no load across a store. But at a launch the buffers are
** known. Each parameter gets an alias scope, and each load and store through it
** is in this scope and noalias with all others. Unlike 'noalias' on a parameter
** this holds only between two parameters: a barrier, after which other threads'
** writes are visible, still orders accesses of one buffer.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/prepare/steps.h"

#define MOST 32  /* scopes; one is for threadgroup memory */

typedef struct Scopes {
  LLVMContextRef context;
  LLVMValueRef function;
  const mt_MslKernel *kernel;
  int count;                       /* of parameters */
  LLVMMetadataRef of[MOST];
  LLVMValueRef in[MOST], not_in[MOST]; /* metadata lists; NULL: not built yet */
} Scopes;

/* The scope of the memory that 'p' points into; -1: not known. */
static int scope_of(const Scopes *s, LLVMValueRef p) {
  p = mt_underlying_object(p);
  if (LLVMIsAGlobalVariable(p)) return mt_is_threadgroup(p) ? s->count : -1;
  const mt_Param *of = mt_parameter(s->kernel, s->function, p);
  if (!of) return -1;
  if (of->kind == MT_PARAM_THREADGROUP) return s->count;
  return of->kind == MT_PARAM_BUFFER ? (int)(of - s->kernel->params) : -1;
}

/* A distinct metadata node: its first operand is itself. */
static LLVMMetadataRef node(Scopes *s, LLVMMetadataRef of, const char *name) {
  LLVMMetadataRef part[3] = {LLVMTemporaryMDNode(s->context, NULL, 0)};
  unsigned n = 1;
  if (of) part[n++] = of;
  part[n++] = LLVMMDStringInContext2(s->context, name, strlen(name));
  LLVMMetadataRef made = LLVMMDNodeInContext2(s->context, part, n);
  LLVMMetadataReplaceAllUsesWith(part[0], made);
  return made;
}

static void make(Scopes *s) {
  LLVMMetadataRef launch = node(s, NULL, "launch");
  for (int i = 0; i < s->count; i++)
    s->of[i] = node(s, launch, s->kernel->params[i].name);
  s->of[s->count] = node(s, launch, "threadgroup");
}

static LLVMValueRef list(const Scopes *s, LLVMMetadataRef *of, size_t n) {
  return LLVMMetadataAsValue(s->context,
                             LLVMMDNodeInContext2(s->context, of, n));
}

static void say(Scopes *s, LLVMValueRef i, int scope) {
  LLVMMetadataRef others[MOST];
  size_t n = 0;
  if (!s->in[scope]) {
    for (int k = 0; k <= s->count; k++)
      if (k != scope) others[n++] = s->of[k];
    s->in[scope] = list(s, &s->of[scope], 1);
    s->not_in[scope] = list(s, others, n);
  }
  LLVMSetMetadata(i, LLVMGetMDKindIDInContext(s->context, "alias.scope", 11),
                  s->in[scope]);
  LLVMSetMetadata(i, LLVMGetMDKindIDInContext(s->context, "noalias", 7),
                  s->not_in[scope]);
}

void mt_add_noalias_scopes(LLVMValueRef f, const mt_MslKernel *kernel) {
  Scopes s = {.context = LLVMGetTypeContext(LLVMTypeOf(f)), .function = f,
              .kernel = kernel, .count = (int)kernel->param_count};
  if (s.count >= MOST) return;
  make(&s);
  MT_EACH_INSTRUCTION(i, f) {
    bool store = LLVMIsAStoreInst(i) != NULL;
    if ((!store && !LLVMIsALoadInst(i)) || LLVMGetVolatile(i) ||
        LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
      continue;
    int scope = scope_of(&s, LLVMGetOperand(i, store));
    if (scope >= 0) say(&s, i, scope);
  }
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(s.context, MT_NOALIAS,
                                                    strlen(MT_NOALIAS), "", 0));
}
