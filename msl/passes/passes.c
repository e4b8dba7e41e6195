/*
** passes.c - passes over the generated module, and the errors that only its IR
** shows.
*/
#include "msl/passes/passes.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msl/passes/global_initialisers.h"
#include "msl/passes/undefined.h"

static const char *value_name(LLVMValueRef v) {
  size_t n;
  return LLVMGetValueName2(v, &n);
}

/* ------------------------------------------------------------- reachability */

/* Does an instruction of one of these functions use 'v', directly or through
** constants? */
static bool used_by(LLVMValueRef v, const mt_Functions *reached) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAInstruction(user)) {
      LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
      if (mt_functions_has(reached, f)) return true;
    } else if (LLVMIsAConstant(user) && !LLVMIsAGlobalVariable(user) &&
               used_by(user, reached))
      return true;
  }
  return false;
}

void mt_pass_threadgroup_variables(LLVMModuleRef module, mt_Functions *out) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
       g = LLVMGetNextGlobal(g)) {
    const char *section = LLVMGetSection(g);
    if (section && strcmp(section, ".msl.threadgroup") == 0)
      mt_functions_add(out, g);
  }
}

size_t mt_pass_threadgroup_size(LLVMModuleRef module,
                                const mt_Functions *variables,
                                const mt_Functions *reached) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  size_t total = 0;
  for (size_t i = 0; i < variables->count; i++) {
    LLVMValueRef g = variables->items[i];
    if (!used_by(g, reached)) continue;
    size_t align = LLVMGetAlignment(g);
    if (align == 0) align = 16;
    total = (total + align - 1) / align * align;
    total += LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
  }
  return total;
}

static const char *written_name(mt_MslModule *m, LLVMValueRef f);

/* A declaration without a definition that is neither an LLVM intrinsic nor one
** of the functions of metal/__builtins. */
static bool is_undefined(LLVMValueRef f) {
  const char *name = value_name(f);
  return LLVMIsDeclaration(f) && strncmp(name, "llvm.", 5) != 0 &&
         strncmp(name, "__mt_", 5) != 0;
}

/* The headers call __mt_missing_ray_tracing() and the like in functions that
** they do not implement. */
static const char *missing_name(mt_MslModule *m, LLVMValueRef f) {
  static const char mark[] = "__mt_missing_";
  if (m->unlinked && is_undefined(f))
    return mt_scrap_text(m, "the function '%s', which another file defines",
                         written_name(m, f));
  if (strncmp(value_name(f), mark, strlen(mark)) != 0) return NULL;
  char *what = (char *)mt_scrap_text(m, "%s", value_name(f) + strlen(mark));
  for (char *s = what; *s; s++)
    if (*s == '_') *s = ' ';
  return what;
}

const char *mt_pass_missing(mt_MslModule *m, mt_Calls *calls,
                            const mt_Functions *reached) {
  for (size_t k = 0; k < reached->count; k++) {
    const mt_Functions *called_by = mt_calls_of(calls, reached->items[k]);
    for (size_t i = 0; called_by && i < called_by->count; i++) {
      const char *what = missing_name(m, called_by->items[i]);
      if (what) return what;
    }
  }
  return NULL;
}

/* --------------------------------------------------------------- signatures */

/* The member of a class that holds only one pointer or one i64; or NULL. */
static LLVMTypeRef single(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMStructTypeKind &&
         LLVMCountStructElementTypes(type) == 1)
    type = LLVMStructGetTypeAtIndex(type, 0);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool plain = kind == LLVMPointerTypeKind ||
               (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64);
  return plain ? type : NULL;
}

static LLVMTypeRef byval(LLVMValueRef function, unsigned i) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
  return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

LLVMValueRef mt_pass_signature(LLVMModuleRef module, LLVMValueRef kernel) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  unsigned n = LLVMCountParams(kernel);
  LLVMTypeRef types[256];
  LLVMValueRef args[256];
  bool changed = false;
  if (n > 256) return kernel;
  LLVMTypeRef old = LLVMGlobalGetValueType(kernel);
  LLVMGetParamTypes(old, types);
  for (unsigned i = 0; i < n; i++) {
    LLVMTypeRef inner = byval(kernel, i);
    if (inner && single(inner)) types[i] = single(inner), changed = true;
  }
  if (!changed) return kernel;
  char name[1024];
  snprintf(name, sizeof name, "%s", value_name(kernel));
  LLVMSetValueName2(kernel, "", 0);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), types, n, 0);
  LLVMValueRef outer = LLVMAddFunction(module, name, type);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(
      b, LLVMAppendBasicBlockInContext(context, outer, "entry"));
  for (unsigned i = 0; i < n; i++) {
    LLVMTypeRef inner = byval(kernel, i);
    size_t length;
    const char *param = LLVMGetValueName2(LLVMGetParam(kernel, i), &length);
    args[i] = LLVMGetParam(outer, i);
    LLVMSetValueName2(args[i], param, length);
    if (inner == NULL || single(inner) == NULL) continue;
    LLVMValueRef cell = LLVMBuildAlloca(b, inner, "");
    LLVMBuildStore(b, args[i], cell);
    args[i] = cell;
  }
  LLVMValueRef call = LLVMBuildCall2(b, old, kernel, args, n, "");
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 0; i < n; i++) {
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(kernel, i + 1, kind);
    if (a) LLVMAddCallSiteAttribute(call, i + 1, a);
  }
  LLVMBuildRetVoid(b);
  LLVMDisposeBuilder(b);
  return outer;
}

void mt_pass_mark(LLVMValueRef f, const char *attribute, bool on) {
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
  if (on)
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(c, kind, 0));
  else
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

void mt_pass_inline(LLVMValueRef f) {
  mt_pass_mark(f, "noinline", false);
  mt_pass_mark(f, "optnone", false);
  mt_pass_mark(f, "alwaysinline", true);
}

void mt_pass_run(LLVMModuleRef module, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
  if (error) LLVMConsumeError(error);
  LLVMDisposePassBuilderOptions(options);
}

/* ------------------------------------------------------------------ tidying */

static void drop_global(LLVMModuleRef module, const char *name) {
  LLVMValueRef g = LLVMGetNamedGlobal(module, name);
  if (g) LLVMDeleteGlobal(g);
}

static bool is_annotation(LLVMValueRef i) {
  LLVMValueRef f = mt_pass_called(i);
  return f && strncmp(value_name(f), "llvm.var.annotation", 19) == 0;
}

void mt_pass_tidy(LLVMModuleRef module, const mt_Functions *kernels) {
  drop_global(module, "llvm.global.annotations");
  drop_global(module, "llvm.used");
  drop_global(module, "llvm.compiler.used");
  MT_EACH_FUNCTION(f, module) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMSetComdat(f, NULL);
    if (!mt_functions_has(kernels, f)) LLVMSetLinkage(f, LLVMInternalLinkage);
    else LLVMSetLinkage(f, LLVMExternalLinkage);
    MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (is_annotation(i)) LLVMInstructionEraseFromParent(i);
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && strncmp(value_name(g), "llvm.", 5) != 0) {
      LLVMSetComdat(g, NULL);
      LLVMSetLinkage(g, LLVMInternalLinkage);
    }
  mt_pass_run(module, "globaldce");
}

/* ------------------------------------------------------------------- checks */

/* Follows inlinedAt to the outermost call site: the user's code, not a
** header's. */
mt_Place mt_pass_place(mt_MslModule *m, LLVMValueRef i) {
  unsigned n = 0;
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), outer;
  if (at == NULL || LLVMGetDebugLocLine(i) == 0)
    return (mt_Place){m->name, 0, 0};
  while ((outer = LLVMDILocationGetInlinedAt(at)) != NULL) at = outer;
  const char *said =
      LLVMDIFileGetFilename(LLVMDIScopeGetFile(LLVMDILocationGetScope(at)), &n);
  const char *file = mt_scrap_text(m, "%.*s", (int)n, said), *typed = file;
  unsigned line = LLVMDILocationGetLine(at),
           column = LLVMDILocationGetColumn(at);
  size_t length;
  mt_msl_typed(m, &typed, line, &column, &length);
  return (mt_Place){typed ? typed : m->name, line, column ? column : 1};
}

/* The name as written: _Z3addf -> add, from the mangled name. */
static const char *written_name(mt_MslModule *m, LLVMValueRef f) {
  const char *s = value_name(f);
  if (strncmp(s, "_Z", 2) != 0) return s;
  s += 2;
  if (*s == 'L') s++;
  if (*s == 'N') s++;
  while (*s == 'K' || *s == 'V' || *s == 'L') s++; /* const, volatile, static */
  const char *last = s;
  unsigned n = 0;
  while (*s >= '0' && *s <= '9') { /* the last of nested names */
    unsigned k = (unsigned)strtoul(s, (char **)&s, 10);
    if (k > strlen(s)) break;
    last = s, n = k;
    s += k;
  }
  return n ? mt_scrap_text(m, "%.*s", (int)n, last) : value_name(f);
}

/* The specification refuses it; whether Apple's compiler does is not known, so
** that it runs. */
static void warn_of_kernel_call(mt_MslModule *m, LLVMValueRef call) {
  mt_diagnose(
      m, MT_WARNING, mt_pass_place(m, call),
      mt_scrap_text(m, "'%s' is a kernel, and Metal's specification lets no "
                       "function call one",
                    written_name(m, mt_pass_called(call))),
      "Write what both need as a function without 'kernel', and call that.");
}

static void check_calls(mt_MslModule *m, LLVMValueRef f,
                        const mt_Functions *kernels) {
  MT_EACH_BLOCK(b, f) MT_EACH_IN_BLOCK(i, b) {
    LLVMValueRef callee = mt_pass_called(i);
    if (callee == NULL) continue;
    const char *name = value_name(callee);
    if (mt_functions_has(kernels, callee))
      warn_of_kernel_call(m, i);
    if (!is_undefined(callee)) continue;
    if (strncmp(name, "__cxa_", 6) == 0 || strncmp(name, "_Zn", 3) == 0 ||
        strncmp(name, "_Zd", 3) == 0) {
      mt_diagnose(m, MT_ERROR_SEVERITY, mt_pass_place(m, i),
                  "memory cannot be allocated in a kernel", NULL);
      continue;
    }
    mt_diagnose(
        m, m->unlinked ? MT_WARNING : MT_ERROR_SEVERITY, mt_pass_place(m, i),
        mt_scrap_text(
            m, "undefined symbol: function '%s' is declared but not defined",
            written_name(m, callee)),
        "Give the function a body in this source.");
  }
}

/* A bitcast between vectors of the same length is a conversion that the reader
** missed. as_type and our headers do not produce one. */
static void check_casts(mt_MslModule *m, LLVMValueRef f) {
  if (LLVMGetSubprogram(f) == NULL) return;
  MT_EACH_BLOCK(b, f) MT_EACH_IN_BLOCK(i, b) {
    if (LLVMGetInstructionOpcode(i) != LLVMBitCast) continue;
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(i, 0)), to = LLVMTypeOf(i);
    if (LLVMGetTypeKind(from) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(to) != LLVMVectorTypeKind)
      continue;
    if (LLVMGetVectorSize(from) != LLVMGetVectorSize(to)) continue;
    mt_diagnose(m, MT_ERROR_SEVERITY, mt_pass_place(m, i),
                "this conversion between vector types is not understood",
                "Name the type in the conversion, as in float2(x); to keep the "
                "bits write as_type<float2>(x).");
  }
}

/* Depth-first search of the call graph; a call back into the path is
** recursion. */
typedef struct CallSearch {
  mt_MslModule *m;
  const mt_Functions *all;
  unsigned char *state; /* 0 new, 1 on the path, 2 done */
  unsigned depth;
  bool quiet; /* only find recursion and inline cycles */
  mt_Functions found; /* one function of each cycle */
} CallSearch;

/* 'call' of the function 'caller' calls back 'callee'. */
static void find_cycle(CallSearch *w, size_t caller, size_t callee,
                       LLVMValueRef call) {
  LLVMValueRef f = w->all->items[callee];
  mt_functions_add(&w->found, f);
  if (!w->quiet)
    mt_diagnose(
        w->m, MT_ERROR_SEVERITY, mt_pass_place(w->m, call),
        mt_scrap_text(w->m, "recursive call of '%s' is not supported",
                      written_name(w->m, f)),
        "Metal takes recursion from version 2.4 on, the host device does "
        "not: use a loop, and an array as a stack where one is needed.");
  else if (caller != callee)
    /* one of a cycle, so that only a function that calls itself is left */
    mt_pass_inline(w->all->items[caller]);
}

static void find_recursion(CallSearch *w, size_t index) {
  if (w->depth > 2000) return;
  w->state[index] = 1;
  w->depth++;
  MT_EACH_BLOCK(b, w->all->items[index]) MT_EACH_IN_BLOCK(i, b) {
    LLVMValueRef g = mt_pass_called(i);
    size_t k =
        g && !LLVMIsDeclaration(g) ? mt_functions_index(w->all, g) : SIZE_MAX;
    if (k == SIZE_MAX) continue;
    if (w->state[k] == 0) find_recursion(w, k);
    else if (w->state[k] == 1) find_cycle(w, index, k, i);
  }
  w->depth--;
  w->state[index] = 2;
}

/* A copy of the instruction without fast-math flags (llvm-c cannot clear all of
** them in place). NULL: not an operation that needs it. */
static LLVMValueRef without_flags(LLVMBuilderRef builder, LLVMValueRef i) {
  LLVMValueRef a = LLVMGetOperand(i, 0),
               b = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 1) : NULL;
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
      return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(i), a, b, "");
    case LLVMFNeg: return LLVMBuildFNeg(builder, a, "");
    case LLVMFCmp:
      return LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(i), a, b, "");
    default: return NULL;
  }
}

void mt_pass_safe(LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MT_EACH_FUNCTION(f, module) MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMFastMathFlags flags = LLVMCanValueUseFastMathFlags(i)
                                    ? LLVMGetFastMathFlags(i)
                                    : LLVMFastMathAllowReassoc;
      if ((flags & LLVMFastMathAllowReassoc) ||
          (flags & ~(unsigned)LLVMFastMathAllowContract) == 0)
        continue;
      LLVMPositionBuilderBefore(builder, i);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
      LLVMValueRef made = without_flags(builder, i);
      if (made == NULL) continue;
      if (LLVMIsAInstruction(made) && LLVMCanValueUseFastMathFlags(made))
        LLVMSetFastMathFlags(made, flags & LLVMFastMathAllowContract);
      LLVMReplaceAllUsesWith(i, made);
      LLVMInstructionEraseFromParent(i);
    }
  LLVMDisposeBuilder(builder);
}

static void refuse_initialiser(LLVMValueRef f, void *context) {
  mt_MslModule *m = context;
  LLVMValueRef at = NULL;
  MT_EACH_BLOCK(b, f)
  MT_EACH_IN_BLOCK(i, b) if (at == NULL && LLVMGetDebugLocLine(i)) at = i;
  mt_diagnose(
      m, MT_ERROR_SEVERITY,
      at ? mt_pass_place(m, at) : (mt_Place){m->name, 0, 0},
      "a program-scope variable must be initialized by a constant expression",
      NULL);
}

void mt_pass_initialisers(mt_MslModule *m, LLVMModuleRef module) {
  if (mt_global_initialisers_any(module))
    mt_global_initialisers_early(module, refuse_initialiser, m);
}

/* return -f(-x) as -1 * f(-x): LLVM turns a recursion that accumulates a
** product into a loop. */
static void multiply_negations(LLVMValueRef f) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f)));
  MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef call =
          LLVMGetInstructionOpcode(i) == LLVMFNeg ? LLVMGetOperand(i, 0) : NULL;
      if (call == NULL || !LLVMIsACallInst(call) ||
          mt_pass_called(call) != f)
        continue;
      LLVMPositionBuilderBefore(builder, i);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
      LLVMValueRef product =
          LLVMBuildFMul(builder, call, LLVMConstReal(LLVMTypeOf(i), -1), "");
      LLVMSetFastMathFlags(
          product, LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros);
      LLVMReplaceAllUsesWith(i, product);
      LLVMInstructionEraseFromParent(i);
    }
  LLVMDisposeBuilder(builder);
}

/* The caller frees what was found. */
static mt_Functions search_calls(mt_MslModule *m, const mt_Functions *reached,
                                 bool quiet) {
  CallSearch search = {.m = m, .all = reached, .quiet = quiet};
  search.state = calloc(reached->count + 1, 1);
  for (size_t i = 0; i < reached->count && search.state; i++)
    if (search.state[i] == 0) find_recursion(&search, i);
  free(search.state);
  return search.found;
}

static mt_Functions reach_all(const mt_Functions *kernels) {
  mt_Functions reached = {0};
  for (size_t i = 0; i < kernels->count; i++)
    mt_functions_reach(kernels->items[i], &reached);
  return reached;
}

/* Functions that call these, themselves or by others, are added. */
static void add_callers(mt_Functions *functions) {
  for (size_t i = 0; i < functions->count; i++)
    for (LLVMUseRef u = LLVMGetFirstUse(functions->items[i]); u;
         u = LLVMGetNextUse(u)) {
      LLVMValueRef call = LLVMIsACallInst(LLVMGetUser(u));
      if (call && mt_pass_called(call) == functions->items[i])
        mt_functions_add(functions, LLVMGetBasicBlockParent(
                                        LLVMGetInstructionParent(call)));
    }
}

static void run_on(const mt_Functions *functions, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  for (size_t i = 0; i < functions->count; i++) {
    LLVMErrorRef error =
        LLVMRunPassesOnFunction(functions->items[i], passes, NULL, options);
    if (error) LLVMConsumeError(error);
  }
  LLVMDisposePassBuilderOptions(options);
}

/* Tail recursion becomes a loop, and unreachable calls are removed; other
** recursion is an error. Functions that lead to no recursion stay as they are:
** in a large library these are most. */
static void check_recursion(mt_MslModule *m, LLVMModuleRef module,
                            const mt_Functions *kernels) {
  mt_undefined_hide(module);
  mt_pass_run(module, "always-inline");
  mt_Functions reached = reach_all(kernels);
  mt_Functions leading = search_calls(m, &reached, true);
  add_callers(&leading);
  run_on(&leading, "sroa,instcombine<no-verify-fixpoint>,early-cse,gvn,"
                   "jump-threading,simplifycfg");
  for (size_t i = 0; i < leading.count; i++)
    multiply_negations(leading.items[i]);
  run_on(&leading, "tailcallelim,simplifycfg");
  mt_undefined_show(module);
  mt_functions_free(&leading);
  mt_functions_free(&reached);
  reached = reach_all(kernels);
  leading = search_calls(m, &reached, false);
  mt_functions_free(&leading);
  mt_functions_free(&reached);
}

void mt_pass_check(mt_MslModule *m, LLVMModuleRef module,
                   const mt_Functions *kernels) {
  mt_Functions reached = reach_all(kernels);
  for (size_t i = 0; i < reached.count; i++) {
    check_calls(m, reached.items[i], kernels);
    check_casts(m, reached.items[i]);
  }
  mt_Functions recursive = search_calls(m, &reached, true);
  bool any = recursive.count > 0;
  mt_functions_free(&recursive);
  mt_functions_free(&reached);
  if (any) check_recursion(m, module, kernels);
}
