/*
** target.c - the machine that code is made for, see target.h.
*/
#include "devices/compiler/target/target.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

/* A machine that code is made for. */
typedef struct Target {
  char *triple, *cpu, *features;
  LLVMTargetMachineRef machine, quick;
} Target;

static struct {
  Target own, other; /* this machine, and that of METTLE_ALSO */
  bool turned;       /* to the other one */
} chosen;

static Target *target(void) { return chosen.turned ? &chosen.other : &chosen.own; }

/* "cpu,+feature,…" */
static void set_cpu(Target *t, const char *asked) {
  size_t n = strcspn(asked, ",");
  t->cpu = strndup(asked, n);
  t->features = strdup(asked[n] ? asked + n + 1 : "");
}

/* This machine's own CPU, or METTLE_CPU=cpu,+feature,… */
static void choose_own(Target *t) {
  const char *asked = getenv("METTLE_CPU");
  if (t->triple) return;
  t->triple = LLVMGetDefaultTargetTriple();
  if (asked && asked[0]) {
    set_cpu(t, asked);
    return;
  }
  t->cpu = LLVMGetHostCPUName();
  t->features = LLVMGetHostCPUFeatures();
}

/* METTLE_ALSO=triple,cpu,+feature,… */
static void choose_other(Target *t, const char *asked) {
  if (t->triple) return;
  size_t n = strcspn(asked, ",");
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
  t->triple = strndup(asked, n);
  set_cpu(t, asked[n] ? asked + n + 1 : "");
}

bool mt_target_select(bool other) {
  const char *asked = getenv("METTLE_ALSO");
  if (other && !(asked && asked[0])) return false;
  chosen.turned = other;
  if (other) choose_other(&chosen.other, asked);
  return true;
}

static LLVMTargetMachineRef make_machine(LLVMCodeGenOptLevel level,
                                         mt_Error *err) {
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter() ||
      LLVMInitializeNativeAsmParser()) {
    mt_error(err, MT_FAIL, "this LLVM cannot make code for this CPU: install "
                           "an LLVM that has the machine's own target");
    return NULL;
  }
  choose_own(&chosen.own);
  Target *t = target();
  char *text = NULL;
  LLVMTargetRef of;
  if (LLVMGetTargetFromTriple(t->triple, &of, &text)) {
    mt_error(err, MT_FAIL, "LLVM: %s", text);
    LLVMDisposeMessage(text);
    return NULL;
  }
  /* Small, since the JIT lays an object out in one piece and reaches all
  ** else through its own tables; what LLVM has for JITs is the large one. */
  return LLVMCreateTargetMachine(of, t->triple, t->cpu, t->features, level,
                                 LLVMRelocPIC, LLVMCodeModelSmall);
}

LLVMTargetMachineRef mt_target_machine(mt_Error *err) {
  Target *t = target();
  if (!t->machine) t->machine = make_machine(LLVMCodeGenLevelDefault, err);
  return t->machine;
}

const char *mt_target_cpu(void) {
  return target()->cpu ? target()->cpu : "";
}
const char *mt_target_features(void) {
  return target()->features ? target()->features : "";
}


LLVMTargetMachineRef mt_target_quick_machine(mt_Error *err) {
  Target *t = target();
  if (!t->quick) t->quick = make_machine(LLVMCodeGenLevelNone, err);
  return t->quick;
}
