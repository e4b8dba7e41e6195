/*
** target.c - the machine that code is made for, see target.h.
*/
#include "devices/compiler/target/target.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

struct mt_Target {
  char *triple, *cpu, *features;
  LLVMTargetRef of;
  LLVMTargetMachineRef machine, quick; /* created on first use */
};

/* "cpu,+feature,…" */
static void set_cpu(mt_Target *t, const char *asked) {
  size_t n = strcspn(asked, ",");
  t->cpu = strndup(asked, n);
  t->features = strdup(asked[n] ? asked + n + 1 : "");
}

/* Find LLVM's target for the triple; NULL: there is none. */
static mt_Target *found(mt_Target *t, mt_Error *err) {
  char *text = NULL;
  if (!LLVMGetTargetFromTriple(t->triple, &t->of, &text)) return t;
  mt_error(err, MT_FAIL, "LLVM: %s", text);
  LLVMDisposeMessage(text);
  t->of = NULL;
  return NULL;
}

mt_Target *mt_target_host(mt_Error *err) {
  static mt_Target host;
  const char *asked = getenv("METTLE_CPU");
  if (host.of) return &host;
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter() ||
      LLVMInitializeNativeAsmParser()) {
    mt_error(err, MT_FAIL, "this LLVM cannot make code for this CPU: install "
                           "an LLVM that has the machine's own target");
    return NULL;
  }
  if (!host.triple) {
    host.triple = LLVMGetDefaultTargetTriple();
    if (asked && asked[0]) {
      set_cpu(&host, asked);
    } else {
      host.cpu = LLVMGetHostCPUName();
      host.features = LLVMGetHostCPUFeatures();
    }
  }
  return found(&host, err);
}

static const char *also_asked(void) {
  const char *asked = getenv("METTLE_ALSO");
  return asked && asked[0] ? asked : NULL;
}

bool mt_target_is_also_asked(void) { return also_asked() != NULL; }

mt_Target *mt_target_also(mt_Error *err) {
  static mt_Target also;
  const char *asked = also_asked();
  if (also.of) return &also;
  if (!asked) {
    mt_error(err, MT_FAIL, "no other machine is asked for (METTLE_ALSO)");
    return NULL;
  }
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
  if (!also.triple) {
    size_t n = strcspn(asked, ",");
    also.triple = strndup(asked, n);
    set_cpu(&also, asked[n] ? asked + n + 1 : "");
  }
  return found(&also, err);
}

static LLVMTargetMachineRef make(const mt_Target *t,
                                 LLVMCodeGenOptLevel level) {
  /* The small code model: the JIT lays an object out contiguously and reaches
  ** everything else through tables. LLVM's default for JITs is the large
  ** one. */
  return LLVMCreateTargetMachine(t->of, t->triple, t->cpu, t->features, level,
                                 LLVMRelocPIC, LLVMCodeModelSmall);
}

LLVMTargetMachineRef mt_target_machine(mt_Target *t) {
  if (!t->machine) t->machine = make(t, LLVMCodeGenLevelDefault);
  return t->machine;
}

LLVMTargetMachineRef mt_target_quick_machine(mt_Target *t) {
  if (!t->quick) t->quick = make(t, LLVMCodeGenLevelNone);
  return t->quick;
}

const char *mt_target_cpu(const mt_Target *t) { return t->cpu; }

const char *mt_target_features(const mt_Target *t) { return t->features; }
