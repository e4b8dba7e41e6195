/*
** cpu_features.c - whether the target's CPU has a feature.
**
** The one idea: for this machine's own CPU all features are listed, but
** METTLE_CPU=haswell gives only a name. LLVM knows the features of that name,
** but llvm-c does not expose them. The inliner, however, inlines a function
** only if the caller's CPU has all features of the callee. So a callee with the
** feature is offered to a caller without it: if it is inlined, the name implies
** the feature.
*/
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/target/target.h"

/* The list's last entry for the feature: 1 or -1; 0 if it has none. */
static int listed(const char *features, const char *feature) {
  size_t n = strlen(feature);
  int says = 0;
  for (const char *at = features; *at; at += strcspn(at, ",")) {
    at += *at == ',';
    if ((*at == '+' || *at == '-') && strncmp(at + 1, feature, n) == 0 &&
        (at[1 + n] == ',' || !at[1 + n]))
      says = *at == '+' ? 1 : -1;
  }
  return says;
}

static void promise(LLVMValueRef f, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMGlobalGetValueType(f));
  LLVMAttributeRef a = LLVMCreateStringAttribute(
      context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

/* A function that only calls 'inner', or does nothing if that is NULL. */
static LLVMValueRef function_that(mt_Target *t, LLVMModuleRef m,
                                  const char *name, LLVMValueRef inner,
                                  const char *features) {
  LLVMContextRef context = LLVMGetModuleContext(m);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMValueRef f = LLVMAddFunction(m, name, type);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, f, ""));
  if (inner) LLVMBuildCall2(b, type, inner, NULL, 0, "");
  LLVMBuildRetVoid(b);
  LLVMDisposeBuilder(b);
  promise(f, "target-cpu", mt_target_cpu(t));
  promise(f, "target-features", features);
  return f;
}

/* Has the CPU 'feature' by its name and the features of 'list'? */
static bool goes_with(mt_Target *t, const char *list, const char *feature) {
  LLVMTargetMachineRef machine = mt_target_machine(t);
  mt_Str more = MT_STR_INIT;
  mt_Error ignored;
  mt_str_addf(&more, "%s%s+%s", list, *list ? "," : "", feature);
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = LLVMModuleCreateWithNameInContext("cpu", context);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetModuleDataLayout(m, layout);
  LLVMSetTarget(m, triple);
  LLVMValueRef inner = function_that(t, m, "inner", NULL, mt_str_text(&more));
  LLVMValueRef outer = function_that(t, m, "outer", inner, list);
  bool done = mt_run_passes(t, m, "cgscc(inline)", &ignored) == MT_OK;
  LLVMValueRef first =
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(outer));
  bool has = done && LLVMIsAReturnInst(first);
  LLVMDisposeMessage(triple);
  LLVMDisposeTargetData(layout);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
  mt_str_free(&more);
  return has;
}

static bool is_of(const mt_Target *t, const char *family) {
  return strncmp(mt_target_triple(t), family, strlen(family)) == 0;
}

/* An unknown name goes with no feature, not even with those that all have.
** Without the word 64bit LLVM would end the process. */
static bool is_known(mt_Target *t) {
  if (is_of(t, "x86_64")) return goes_with(t, "+64bit", "cx8");
  bool arm = is_of(t, "aarch64") || is_of(t, "arm64"); /* Apple's name of it */
  return !arm || goes_with(t, "", "neon");
}

mt_Status mt_target_check(mt_Target *t, mt_Error *err) {
  const char *by = mt_target_asked_by(t);
  if (!by || !*mt_target_cpu(t) || is_known(t)) return MT_OK;
  return mt_error(err, MT_FAIL,
                  "LLVM knows no processor '%s' (%s) for %s: take a name that "
                  "'clang --print-supported-cpus' lists, or unset %s",
                  mt_target_cpu(t), by, mt_target_triple(t), by);
}

bool mt_target_has(mt_Target *t, const char *feature) {
  if (!is_of(t, "x86_64")) return false;
  int says = listed(mt_target_features(t), feature);
  return says ? says > 0 : goes_with(t, mt_target_features(t), feature);
}
