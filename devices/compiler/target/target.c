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
  LLVMCodeGenOptLevel level;
  LLVMTargetMachineRef machine, quick; /* created on first use */
  const mt_TargetCosts *costs; /* NULL: not asked for yet */
  char *named; /* of mt_target_named: by these words */
  const char *asked_by; /* METTLE_CPU, METTLE_ALSO; NULL: not by a person */
  mt_Target *next;
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
  if (!t->triple || !t->cpu || !t->features) {
    mt_error(err, MT_FAIL, "out of memory");
    return NULL;
  }
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
      host.asked_by = "METTLE_CPU";
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

static void know_all_targets(void) {
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
}

mt_Target *mt_target_named(const char *names, mt_Error *err) {
  static mt_Target *all;
  mt_Target *t = all;
  while (t && strcmp(t->named, names)) t = t->next;
  if (t && t->of) return t;
  know_all_targets();
  if (!t) {
    if (!(t = calloc(1, sizeof *t)) || !(t->named = strdup(names))) {
      free(t);
      mt_error(err, MT_FAIL, "out of memory");
      return NULL;
    }
    size_t n = strcspn(names, ",");
    t->triple = strndup(names, n);
    set_cpu(t, names[n] ? names + n + 1 : "");
    t->asked_by = "METTLE_ALSO";
    t->next = all, all = t;
  }
  return found(t, err);
}

mt_Target *mt_target_also(mt_Error *err) {
  const char *asked = also_asked();
  if (asked) return mt_target_named(asked, err);
  mt_error(err, MT_FAIL, "no other machine is asked for (METTLE_ALSO)");
  return NULL;
}

/* Each with the first version of PTX that has it, so that old drivers take the
** text; the driver turns it into code for newer GPUs too. */
static const struct {
  unsigned capability;
  const char *cpu, *ptx;
} GPUS[] = {
    {70, "sm_70", "+ptx63"},   {75, "sm_75", "+ptx63"},
    {80, "sm_80", "+ptx70"},   {86, "sm_86", "+ptx71"},
    {89, "sm_89", "+ptx78"},   {90, "sm_90", "+ptx78"},
    {100, "sm_100", "+ptx86"}, {120, "sm_120", "+ptx87"},
};
#define GPU_COUNT (sizeof GPUS / sizeof *GPUS)

mt_Target *mt_target_nvptx(unsigned capability, mt_Error *err) {
  static mt_Target gpus[GPU_COUNT];
  size_t n = 0;
  if (capability < GPUS[0].capability) {
    mt_error(err, MT_FAIL,
             "the GPU has compute capability %u.%u; Mettle needs 7.0 or more",
             capability / 10, capability % 10);
    return NULL;
  }
  while (n + 1 < GPU_COUNT && GPUS[n + 1].capability <= capability) n++;
  mt_Target *t = &gpus[n];
  if (t->of) return t;
  know_all_targets();
  if (!t->triple) {
    t->triple = strdup("nvptx64-nvidia-cuda");
    t->cpu = strdup(GPUS[n].cpu);
    t->features = strdup(GPUS[n].ptx);
    t->level = LLVMCodeGenLevelAggressive;
  }
  return found(t, err);
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
  if (!t->machine)
    t->machine = make(t, t->level ? t->level : LLVMCodeGenLevelDefault);
  return t->machine;
}

LLVMTargetMachineRef mt_target_quick_machine(mt_Target *t) {
  if (!t->quick) t->quick = make(t, LLVMCodeGenLevelNone);
  return t->quick;
}

const char *mt_target_cpu(const mt_Target *t) { return t->cpu; }

const char *mt_target_triple(const mt_Target *t) { return t->triple; }

const char *mt_target_asked_by(const mt_Target *t) { return t->asked_by; }

const char *mt_target_features(const mt_Target *t) { return t->features; }

const mt_TargetCosts *mt_target_costs(mt_Target *t) {
  if (!t->costs) t->costs = mt_costs_of(t);
  return t->costs;
}
