/*
** record_work.c - what the recorder's files share: the function that is
** instrumented, and probes that tell the iterations of its loops.
**
** The one idea: what tells the lanes of a SIMD-group that are in step is the
** number of the site and the iterations of the loops around it, which each
** probe carries as one number, the instance.
*/
#include "devices/host/instrument/record_work.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

mt_Status mt_record_work_begin(mt_RecordWork *r, LLVMModuleRef module,
                               LLVMValueRef function,
                               const mt_MslKernel *kernel, mt_SiteTable *table,
                               mt_Error *err) {
  memset(r, 0, sizeof *r);
  mt_instrument_begin(&r->w, module, function, kernel, table);
  mt_Status status = mt_instrument_list(function, &r->all, &r->count, err);
  if (status == MT_OK) status = mt_loop_nest_make(function, &r->nest, err);
  r->counter = calloc((size_t)r->nest.loop_count + 1, sizeof *r->counter);
  if (status == MT_OK && !r->counter)
    status = mt_error(err, MT_FAIL, "out of memory");
  return status;
}

void mt_record_work_end(mt_RecordWork *r) {
  LLVMDisposeBuilder(r->w.b);
  mt_loop_nest_free(&r->nest);
  free(r->counter);
  free(r->all);
}

/* One number for the iterations around 'i'. The factor is 2^32 over the golden
** ratio: two loops of up to 40,000 iterations have no two alike. */
static LLVMValueRef instance_of(mt_RecordWork *r, LLVMValueRef i) {
  mt_Instrumenter *w = &r->w;
  int block = mt_loop_nest_number(&r->nest, LLVMGetInstructionParent(i));
  LLVMValueRef sum = NULL;
  uint32_t factor = 1;
  int loop = block < 0 ? -1 : r->nest.loop[block];
  for (; loop >= 0; loop = r->nest.loops[loop].parent, factor *= 0x9E3779B1u) {
    LLVMValueRef n = LLVMBuildLoad2(w->b, w->i32, r->counter[loop], "");
    n = LLVMBuildMul(w->b, n, mt_instrument_number(w, factor), "");
    sum = sum ? LLVMBuildAdd(w->b, sum, n, "") : n;
  }
  return sum ? sum : mt_instrument_number(w, 0);
}

void mt_record_go(mt_RecordWork *r, LLVMValueRef i, bool after) {
  int block = mt_loop_nest_number(&r->nest, LLVMGetInstructionParent(i));
  if (block >= 0)
    mt_loop_counters_add(&r->nest, r->w.function, r->w.b, r->counter,
                         r->nest.loop[block]);
  LLVMPositionBuilderBefore(r->w.b, after ? LLVMGetNextInstruction(i) : i);
  LLVMSetCurrentDebugLocation2(r->w.b, LLVMInstructionGetDebugLoc(i));
}

void mt_record_probe(mt_RecordWork *r, const char *name, uint32_t site,
                     LLVMValueRef i, LLVMValueRef *args, unsigned n) {
  mt_Instrumenter *w = &r->w;
  LLVMTypeRef types[8] = {w->i32, w->i32};
  LLVMValueRef all[8] = {mt_instrument_number(w, site), instance_of(r, i)};
  for (unsigned k = 0; k < n; k++)
    types[2 + k] = LLVMTypeOf(args[k]), all[2 + k] = args[k];
  LLVMValueRef f = mt_instrument_declare(
      w, name, LLVMFunctionType(w->none, types, 2 + n, 0));
  mt_instrument_call(w, f, all, 2 + n);
}

const char *mt_record_type(LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
  switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind: return "f32";
    case LLVMHalfTypeKind: return "f16";
    case LLVMBFloatTypeKind: return "bf16";
    case LLVMIntegerTypeKind: break;
    default: return "";
  }
  switch (LLVMGetIntTypeWidth(t)) {
    case 8: return "s8";
    case 16: return "s16";
    case 32: return "s32";
    case 64: return "s64";
    default: return "";
  }
}
