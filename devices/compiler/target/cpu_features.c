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

static bool goes_with_name(mt_Target *t, const char *feature) {
  LLVMTargetMachineRef machine = mt_target_machine(t);
  mt_Str more = MT_STR_INIT;
  mt_Error ignored;
  mt_str_addf(&more, "%s%s+%s", mt_target_features(t),
              *mt_target_features(t) ? "," : "", feature);
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = LLVMModuleCreateWithNameInContext("cpu", context);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetModuleDataLayout(m, layout);
  LLVMSetTarget(m, triple);
  LLVMValueRef inner = function_that(t, m, "inner", NULL, mt_str_text(&more));
  LLVMValueRef outer =
      function_that(t, m, "outer", inner, mt_target_features(t));
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

static bool is_x86(LLVMTargetMachineRef machine) {
  char *triple = LLVMGetTargetMachineTriple(machine);
  bool is = strncmp(triple, "x86_64", 6) == 0;
  LLVMDisposeMessage(triple);
  return is;
}

bool mt_target_has(mt_Target *t, const char *feature) {
  if (!is_x86(mt_target_machine(t))) return false;
  int says = listed(mt_target_features(t), feature);
  return says ? says > 0 : goes_with_name(t, feature);
}
