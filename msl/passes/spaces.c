/*
** spaces.c - resolves __mt_space(p) and __mt_device_only(p): the address
** space that a pointer leads to.
**
** Pointers are flat, so their underlying object decides: a kernel argument, a
** variable, a pointer loaded from memory. The first is replaced by its answer,
** so functions that call it are inlined into their callers until that object is
** visible (msl/reader/address_space_overloads.c says why it is called). The
** second only refuses: the objects are looked for through the callers as they
** are.
*/
#include <string.h>

#include "msl/passes/passes.h"

enum {
  SPACE_THREAD,
  SPACE_DEVICE,
  SPACE_CONSTANT,
  SPACE_THREADGROUP,
  SPACE_UNKNOWN
};

#define MOST_VISITED 256 /* values, of a question that must have an answer */

typedef struct Asking {
  mt_MslModule *m;
  mt_Functions visited; /* values */
  bool upwards;         /* look into the callers of a function, too */
  LLVMValueRef site;    /* the innermost call in the person's code */
} Asking;

static LLVMValueRef caller(LLVMValueRef call) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
}

/* Marks the transitive callers of 'f', except kernels, to be inlined. */
static void inline_callers(LLVMValueRef f, const mt_Functions *kernels,
                           mt_Functions *seen) {
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsACallInst(user)) continue;
    LLVMValueRef g = caller(user);
    if (!mt_functions_add(seen, g) || mt_functions_has(kernels, g)) continue;
    mt_pass_inline(g);
    inline_callers(g, kernels, seen);
  }
}

static int space_of(Asking *a, LLVMValueRef v);

/* Of an argument of a function that is called: threadgroup if one caller gives
** such a pointer. */
static int given_space(Asking *a, LLVMValueRef f, unsigned number) {
  int found = SPACE_UNKNOWN;
  LLVMValueRef site = a->site;
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef call = LLVMGetUser(u);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f ||
        number >= LLVMGetNumArgOperands(call))
      continue;
    a->site = site ? site : LLVMGetDebugLocLine(call) ? call : NULL;
    int space = space_of(a, LLVMGetArgOperand(call, number));
    if (space == SPACE_THREADGROUP) return space;
    if (space != SPACE_UNKNOWN) found = space;
  }
  a->site = site;
  return found;
}

static unsigned argument_number(LLVMValueRef f, LLVMValueRef argument) {
  unsigned i = 0;
  while (LLVMGetParam(f, i) != argument) i++;
  return i;
}

static int argument_space(Asking *a, LLVMValueRef argument) {
  LLVMValueRef f = LLVMGetParamParent(argument);
  size_t length;
  const char *name = LLVMGetValueName2(f, &length);
  for (size_t k = 0; k < a->m->kernel_count; k++) {
    const mt_MslKernel *kernel = &a->m->kernels[k];
    if (strcmp(kernel->function, name) != 0) continue;
    for (unsigned i = 0; i < kernel->param_count && i < LLVMCountParams(f);
         i++) {
      if (LLVMGetParam(f, i) != argument) continue;
      const mt_Param *p = &kernel->params[i];
      if (p->kind == MT_PARAM_THREADGROUP) return SPACE_THREADGROUP;
      if (p->kind == MT_PARAM_BUFFER)
        return p->constant ? SPACE_CONSTANT : SPACE_DEVICE;
      return SPACE_THREAD;
    }
  }
  return a->upwards ? given_space(a, f, argument_number(f, argument))
                    : SPACE_UNKNOWN;
}

/* A pointer loaded from an alloca is one that was stored there; any other
** loaded pointer comes from an argument buffer. */
static int loaded_space(Asking *a, LLVMValueRef load) {
  LLVMValueRef from = LLVMGetOperand(load, 0);
  while (LLVMIsAGetElementPtrInst(from)) from = LLVMGetOperand(from, 0);
  if (!LLVMIsAAllocaInst(from)) return SPACE_DEVICE;
  for (LLVMUseRef u = LLVMGetFirstUse(from); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef s = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(s))
      for (LLVMUseRef w = LLVMGetFirstUse(s); w; w = LLVMGetNextUse(w))
        if (LLVMIsAStoreInst(LLVMGetUser(w)) &&
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(LLVMGetUser(w), 0))) ==
                LLVMPointerTypeKind)
          return space_of(a, LLVMGetOperand(LLVMGetUser(w), 0));
    if (LLVMIsAStoreInst(s) && LLVMGetOperand(s, 0) != from &&
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(s, 0))) ==
            LLVMPointerTypeKind)
      return space_of(a, LLVMGetOperand(s, 0));
  }
  return SPACE_DEVICE;
}

static int space_of(Asking *a, LLVMValueRef v) {
  if (!a->upwards && a->visited.count == MOST_VISITED) return SPACE_UNKNOWN;
  if (!mt_functions_add(&a->visited, v)) return SPACE_UNKNOWN;
  if (LLVMIsAArgument(v)) return argument_space(a, v);
  if (LLVMIsAAllocaInst(v)) return SPACE_THREAD;
  if (LLVMIsAGlobalVariable(v)) {
    const char *section = LLVMGetSection(v);
    return section && strcmp(section, ".msl.threadgroup") == 0
               ? SPACE_THREADGROUP
               : SPACE_CONSTANT;
  }
  if (LLVMIsALoadInst(v)) return loaded_space(a, v);
  if (LLVMIsAPHINode(v)) {
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
      int s = space_of(a, LLVMGetIncomingValue(v, i));
      if (s != SPACE_UNKNOWN) return s;
    }
    return SPACE_UNKNOWN;
  }
  if (LLVMIsASelectInst(v)) {
    int s = space_of(a, LLVMGetOperand(v, 1));
    return s != SPACE_UNKNOWN ? s : space_of(a, LLVMGetOperand(v, 2));
  }
  /* only buffers have integer addresses */
  if (LLVMIsAIntToPtrInst(v)) return SPACE_DEVICE;
  bool through = LLVMIsAGetElementPtrInst(v) || LLVMIsACastInst(v) ||
                 LLVMIsAConstantExpr(v) || LLVMIsAFreezeInst(v);
  return through && LLVMGetNumOperands(v) > 0
             ? space_of(a, LLVMGetOperand(v, 0))
             : SPACE_UNKNOWN;
}

static void refuse(mt_MslModule *m, LLVMValueRef call, const char *message,
                   const char *help) {
  unsigned n = 0, line = LLVMGetDebugLocLine(call);
  const char *file = LLVMGetDebugLocFilename(call, &n);
  mt_Place place = {m->name, 0, 0};
  if (file && line)
    place = (mt_Place){mt_scrap_text(m, "%.*s", (int)n, file), line, 1};
  mt_diagnose(m, MT_ERROR_SEVERITY, place, message, help);
}

static bool is_asked(LLVMValueRef question) {
  return question && LLVMGetFirstUse(question);
}

static void inline_askers(LLVMValueRef question, const mt_Functions *kernels) {
  mt_Functions seen = {0};
  inline_callers(question, kernels, &seen);
  mt_functions_free(&seen);
}

/* Replace the calls of __mt_space by their answers. */
static void answer_all(mt_MslModule *m, LLVMValueRef ask,
                       const mt_Functions *kernels) {
  for (LLVMUseRef u; (u = LLVMGetFirstUse(ask));) {
    LLVMValueRef call = LLVMGetUser(u);
    Asking a = {.m = m};
    int space = space_of(&a, LLVMGetOperand(call, 0));
    mt_functions_free(&a.visited);
    /* only a call in a kernel must be resolved: other functions are uncalled */
    if (space == SPACE_UNKNOWN && mt_functions_has(kernels, caller(call)))
      refuse(m, call,
             "which of the functions that differ by address space alone is "
             "meant cannot be told here",
             "Give them different names, or pass the pointer on as it came "
             "from the kernel's parameter.");
    LLVMReplaceAllUsesWith(
        call,
        LLVMConstInt(LLVMTypeOf(call),
                     (unsigned)(space == SPACE_UNKNOWN ? SPACE_DEVICE : space),
                     0));
    LLVMInstructionEraseFromParent(call);
  }
}

/* Refuse the calls of __mt_device_only that threadgroup memory is given to. */
static void refuse_threadgroup(mt_MslModule *m, LLVMValueRef only) {
  for (LLVMUseRef u; (u = LLVMGetFirstUse(only));) {
    LLVMValueRef call = LLVMGetUser(u);
    Asking a = {.m = m,
                .upwards = true,
                .site = LLVMGetDebugLocLine(call) ? call : NULL};
    if (space_of(&a, LLVMGetOperand(call, 0)) == SPACE_THREADGROUP)
      refuse(m, a.site ? a.site : call,
             "atomic_float exists in device memory alone, not in threadgroup "
             "memory",
             "Use a threadgroup atomic_uint that holds the float's bits "
             "(as_type) and "
             "atomic_compare_exchange_weak_explicit, or add up with simd_sum "
             "and a plain threadgroup array.");
    mt_functions_free(&a.visited);
    LLVMInstructionEraseFromParent(call);
  }
}

void mt_pass_spaces(mt_MslModule *m, LLVMModuleRef module,
                    const mt_Functions *kernels) {
  LLVMValueRef ask = LLVMGetNamedFunction(module, "__mt_space"),
               only = LLVMGetNamedFunction(module, "__mt_device_only");
  if (is_asked(ask)) {
    inline_askers(ask, kernels);
    mt_pass_simplify(module, "always-inline,function(sroa,early-cse)");
    answer_all(m, ask, kernels);
  }
  if (is_asked(only)) refuse_threadgroup(m, only);
}
