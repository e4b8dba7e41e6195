/*
** table.c - the passes over the generated module, in the order in which they
** run (base/pass.h); and one of them alone (single.h).
*/
#include <stdlib.h>
#include <string.h>

#include "msl/passes/passes.h"
#include "msl/passes/single.h"

void mt_msl_unit_open(mt_MslUnit *unit, mt_MslModule *m, LLVMModuleRef module) {
  *unit = (mt_MslUnit){.state = {0, MT_MSL_AS_WRITTEN},
                       .m = m,
                       .module = module,
                       .types = mt_types_new(m, LLVMGetModuleContext(module))};
}

void mt_msl_unit_close(mt_MslUnit *unit) {
  mt_functions_free(&unit->kernels);
  mt_functions_free(&unit->threadgroup);
}

/* ---------------------------------------------------------------- the rows */

/* A row's function: what is wrong with the source is diagnosed on 'm', and the
** next pass goes on. */
#define PASS(name, call)                              \
  static mt_Status name(void *unit, mt_Error *err) {  \
    mt_MslUnit *u = unit;                             \
    (void)err;                                        \
    call;                                             \
    return MT_OK;                                     \
  }

PASS(storage, mt_pass_storage(u->m, u->types, u->module))
PASS(packed, mt_pass_packed(u->module))
PASS(splats, mt_pass_splats(u->module))
PASS(comparisons, mt_pass_comparisons(u->m, u->module))
PASS(check, mt_pass_check(u->m, u->module, &u->kernels))
PASS(spaces, mt_pass_spaces(u->m, u->module, &u->kernels))
PASS(builtins, mt_pass_builtins(u->m, u->module, &u->kernels))
PASS(tidy, mt_pass_tidy(u->module, &u->kernels))
PASS(results, mt_pass_results(u->module))
PASS(safe, mt_pass_safe(u->module))
PASS(rounding, mt_pass_rounding(u->module))
PASS(initialisers, mt_pass_initialisers(u->m, u->module))

static mt_Status kernels(void *unit, mt_Error *err) {
  return mt_pass_kernels(unit, err);
}

static const mt_Pass passes[] = {
    {"storage", "variables with an address space are in their storage",
     storage, .needs = MT_MSL_AS_WRITTEN, .gives = MT_MSL_PLACED},
    {"packed", "matrices and packed vectors may be at any byte", packed,
     .needs = MT_MSL_AS_WRITTEN},
    {"splats", "a bool that becomes a vector is 0 or 1", splats,
     .needs = MT_MSL_AS_WRITTEN},
    {"comparisons", "comparisons of vectors are 0 or 1", comparisons,
     .needs = MT_MSL_AS_WRITTEN},
    {"kernels", "kernels and their parameters are read; a wrapper where one "
     "takes textures by value", kernels,
     .needs = MT_MSL_PLACED, .gives = MT_MSL_KERNELS},
    {"check-calls", "recursion, undefined functions and casts are refused",
     check, .needs = MT_MSL_KERNELS, .breaks = MT_MSL_AS_WRITTEN},
    {"spaces", "__mt_space is answered", spaces, .needs = MT_MSL_KERNELS},
    {"builtins", "positions at program scope are variables of each kernel",
     builtins, .needs = MT_MSL_KERNELS},
    {"tidy", "all but kernels is internal, annotations are gone", tidy,
     .needs = MT_MSL_KERNELS, .gives = MT_MSL_TIDY},
    {"results", "a function that ends without a return gives zero", results,
     .needs = MT_MSL_TIDY},
    {"safe-math", "operations without reassoc lose the other fast-math flags",
     safe, .needs = MT_MSL_TIDY},
    {"rounding", "half and bfloat stay rounded where the source rounds",
     rounding, .needs = MT_MSL_TIDY},
    {"initialisers", "constants that are computed at start have their values",
     initialisers, .needs = MT_MSL_TIDY},
};

static const char *const modes[] = {NULL};
static const char *const forms[] = {
    "the module is as Clang wrote it", "variables are in their storage",
    "the kernels are known", "all but kernels is internal", NULL};

const mt_PassTable mt_msl_passes = {
    "msl/passes", passes, sizeof passes / sizeof *passes, modes, forms};

/* -------------------------------------------------------------- one alone */

/* A compilation of nothing: places are in the empty first line. */
static mt_MslModule *nothing(const char *name) {
  mt_MslModule *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->name = m->source = mt_scrap_text(m, "%s", "");
  m->name = mt_scrap_text(m, "%s", name);
  m->raw = true;
  m->line_count = 1;
  m->line_starts = calloc(1, sizeof *m->line_starts);
  m->line_files = calloc(1, sizeof *m->line_files);
  m->line_numbers = calloc(1, sizeof *m->line_numbers);
  if (m->line_starts && m->line_files && m->line_numbers) {
    m->line_files[0] = m->name;
    m->line_numbers[0] = 1;
    return m;
  }
  mt_msl_free(m);
  return NULL;
}

static bool give_kernels(mt_MslUnit *u, const mt_MslKernel *kernels,
                         size_t count) {
  mt_MslModule *m = u->m;
  for (size_t i = 0; i < count; i++) {
    LLVMValueRef f = LLVMGetNamedFunction(u->module, kernels[i].function);
    if (!mt_grow(&m->kernels, m->kernel_count, &m->kernel_room,
                 sizeof *m->kernels))
      return false;
    m->kernels[m->kernel_count++] = kernels[i];
    if (f) mt_functions_add(&u->kernels, f);
  }
  return true;
}

static void list_diagnostics(const mt_MslModule *m, mt_Str *said) {
  static const char *const words[] = {"note", "warning", "error"};
  for (size_t i = 0; i < m->diagnostic_count; i++)
    mt_str_addf(said, "; %s: %s\n", words[m->diagnostics[i].severity],
                m->diagnostics[i].message);
}

mt_Status mt_msl_pass_alone(const mt_Pass *pass, LLVMModuleRef module,
                            const mt_MslKernel *kernels, size_t count,
                            mt_Str *said, mt_Error *err) {
  mt_MslUnit unit;
  mt_MslModule *m = nothing("program_source");
  if (!m) return mt_error(err, MT_FAIL, "out of memory");
  mt_msl_unit_open(&unit, m, module);
  bool reads = strcmp(pass->name, "kernels") == 0;
  mt_Status status = reads || give_kernels(&unit, kernels, count)
                         ? pass->run(&unit, err)
                         : mt_error(err, MT_FAIL, "out of memory");
  list_diagnostics(m, said);
  mt_msl_unit_close(&unit);
  mt_msl_free(m);
  return status;
}
