/*
** prepare.c - from the front end's bitcode to one flat function.
**
** The one idea: after this room there are no function calls to consider. The
** chosen kernel is kept, everything else is inlined into it or dropped, and
** LLVM's passes bring the rest into the form that prepare.h promises. The order
** of the passes is a table (passes.c); here are the modes that choose among its
** rows, and what is tried again in others.
*/
#include <string.h>

#include "devices/compiler/prepare/steps.h"

static unsigned modes_of(const mt_PrepareInput *in) {
  const mt_Instrumentation *by = in->instrument;
  unsigned modes = 0;
  if (by && by->accesses) modes |= MT_PREPARE_CHECKED;
  if (by && by->counters) modes |= MT_PREPARE_COUNTED;
  if (in->plain) modes |= MT_PREPARE_PLAIN;
  if (in->rolled) modes |= MT_PREPARE_ROLLED;
  return modes;
}

void mt_prepare_unit(mt_PrepareUnit *u, const mt_PrepareInput *in,
                     mt_Prepared *out) {
  *u = (mt_PrepareUnit){{modes_of(in), MT_FORM_AS_WRITTEN}, in, out, false};
}

static mt_Status prepare(const mt_PrepareInput *in, mt_Prepared *out,
                         mt_Error *err) {
  out->target = in->target;
  mt_Status status = mt_prepare_read(in, out, err);
  if (status != MT_OK) return status;
  out->function = LLVMGetNamedFunction(out->module, in->kernel->function);
  if (!out->function || LLVMIsDeclaration(out->function))
    return mt_error(err, MT_FAIL, "kernel '%s' is not in its bitcode",
                    in->kernel->name);
  mt_PrepareUnit unit;
  mt_prepare_unit(&unit, in, out);
  return mt_passes_run(&mt_prepare_passes, &unit, err);
}

mt_Status mt_prepare(const mt_PrepareInput *in, mt_Prepared *out,
                     mt_Error *err) {
  mt_PrepareInput less = *in;
  memset(out, 0, sizeof *out);
  mt_Status status = prepare(&less, out, err);
  if (status != MT_OK && out->has_calls) {
    less.calls = MT_CALLS_NEVER;
    mt_prepared_free(out);
    status = prepare(&less, out, err);
  }
  /* What is refused may be gone once all loops are unrolled. */
  if (status != MT_OK && out->limited && less.unrolling == MT_UNROLL_LITTLE) {
    less.unrolling = MT_UNROLL_LIMITED;
    mt_prepared_free(out);
    status = prepare(&less, out, err);
  }
  if (status != MT_OK) mt_prepared_free(out);
  return status;
}

void mt_prepared_copy(const mt_Prepared *p, mt_Prepared *out) {
  size_t length;
  const char *name = LLVMGetValueName2(p->function, &length);
  *out = *p;
  out->is_copy = true;
  out->module = LLVMCloneModule(p->module);
  out->function = LLVMGetNamedFunction(out->module, name);
}

void mt_prepared_free(mt_Prepared *p) {
  if (p->module) LLVMDisposeModule(p->module);
  if (p->context && !p->is_copy) LLVMContextDispose(p->context);
  memset(p, 0, sizeof *p);
}
