/*
** probe_calls.c - an instrumenter; calls of probes, and the numbers that they
** take, at the builder's position.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/probe/probe.h"

static size_t list_instructions(LLVMValueRef f, LLVMValueRef *out) {
  size_t n = 0;
  MT_EACH_INSTRUCTION(i, f) {
    if (out) out[n] = i;
    n++;
  }
  return n;
}

void mt_instrument_begin(mt_Instrumenter *w, LLVMModuleRef module,
                         LLVMValueRef function, const mt_MslKernel *kernel,
                         mt_SiteTable *table) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  *w = (mt_Instrumenter){.module = module,
                         .function = function,
                         .kernel = kernel,
                         .table = table,
                         .context = c,
                         .layout = LLVMGetModuleDataLayout(module)};
  w->b = LLVMCreateBuilderInContext(c);
  w->i1 = LLVMInt1TypeInContext(c);
  w->i8 = LLVMInt8TypeInContext(c);
  w->i32 = LLVMInt32TypeInContext(c);
  w->i64 = LLVMInt64TypeInContext(c);
  w->ptr = LLVMPointerTypeInContext(c, 0);
  w->none = LLVMVoidTypeInContext(c);
}

mt_Status mt_instrument_list(LLVMValueRef function, LLVMValueRef **all,
                             size_t *n, mt_Error *err) {
  *n = list_instructions(function, NULL);
  *all = calloc(*n + 1, sizeof **all);
  if (!*all) return mt_error(err, MT_FAIL, "out of memory");
  list_instructions(function, *all);
  return MT_OK;
}

LLVMValueRef mt_instrument_number(mt_Instrumenter *w, uint32_t n) {
  return LLVMConstInt(w->i32, n, 0);
}

LLVMValueRef mt_instrument_declare(mt_Instrumenter *w, const char *name,
                                   LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetNamedFunction(w->module, name);
  if (f) return f;
  f = LLVMAddFunction(w->module, name, type);
  mt_add_attribute(f, "nounwind", 0);
  mt_add_attribute(f, "convergent", 0);
  return f;
}

LLVMValueRef mt_instrument_call(mt_Instrumenter *w, LLVMValueRef f,
                                LLVMValueRef *args, unsigned n) {
  return LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, args, n, "");
}

void mt_instrument_if(mt_Instrumenter *w, uint32_t site, LLVMValueRef bad,
                      LLVMValueRef value) {
  LLVMTypeRef params[] = {w->i32, w->i1, w->i64};
  LLVMValueRef f = mt_instrument_declare(
      w, MT_PROBE_IF, LLVMFunctionType(w->none, params, 3, 0));
  LLVMValueRef args[] = {mt_instrument_number(w, site), bad, value};
  mt_instrument_call(w, f, args, 3);
}

static bool is_tile(const mt_Instrumenter *w, int root) {
  if (root < 0) return false;
  const mt_Root *r = &w->table->root[root];
  return r->kind == MT_ROOT_VARIABLE ||
         (r->kind == MT_ROOT_PARAM &&
          w->kernel->params[root].kind == MT_PARAM_THREADGROUP);
}

/* What lowering has to know of a site. */
static uint64_t info_of(const mt_Instrumenter *w, const mt_Site *s) {
  unsigned align = 0;
  while (align < 31 && 2u << align <= s->align) align++;
  return s->size | (uint64_t)align << 32 | (uint64_t)s->kind << 40 |
         (uint64_t)is_tile(w, s->root) << 48;
}

/* The probe is declared per type of the value; NULL value: for reads. */
LLVMValueRef mt_instrument_access(mt_Instrumenter *w, uint32_t site,
                                  LLVMValueRef base, LLVMValueRef p,
                                  LLVMValueRef value) {
  char name[128] = MT_PROBE_ACCESS;
  LLVMTypeRef params[] = {w->i32, w->ptr, w->ptr, w->i64, NULL};
  if (value) {
    char *type = LLVMPrintTypeToString(LLVMTypeOf(value));
    params[MT_PROBE_VALUE] = LLVMTypeOf(value);
    snprintf(name, sizeof name, MT_PROBE_ACCESS "_%s", type);
    for (char *c = name; *c; c++)
      if (strchr("<> ", *c)) *c = '.';
    LLVMDisposeMessage(type);
  }
  unsigned n = MT_PROBE_VALUE + (value != NULL);
  LLVMValueRef f =
      mt_instrument_declare(w, name, LLVMFunctionType(w->ptr, params, n, 0));
  LLVMValueRef info =
      LLVMConstInt(w->i64, info_of(w, &w->table->site[site]), 0);
  LLVMValueRef args[] = {mt_instrument_number(w, site),
                         base ? base : LLVMConstPointerNull(w->ptr), p, info,
                         value};
  return mt_instrument_call(w, f, args, n);
}

/* Bytes from 'base' to 'p' as arithmetic on indices alone, which folds after
** unrolling; NULL if 'p' is not a chain of GEPs. */
LLVMValueRef mt_instrument_offset(mt_Instrumenter *w, LLVMValueRef p,
                                  LLVMValueRef base) {
  LLVMValueRef sum = LLVMConstInt(w->i64, 0, 0);
  for (; p != base; p = LLVMGetOperand(p, 0)) {
    if (LLVMIsABitCastInst(p) || LLVMIsAFreezeInst(p)) continue;
    if (!LLVMIsAGetElementPtrInst(p)) return NULL;
    mt_GepIndex x;
    for (mt_GepWalk g = mt_gep_walk(w->layout, p); mt_gep_next(&g, &x);) {
      if (LLVMGetTypeKind(LLVMTypeOf(x.index)) != LLVMIntegerTypeKind)
        return NULL;
      LLVMValueRef bytes = LLVMConstInt(w->i64, x.bytes, 0);
      if (x.in != LLVMStructTypeKind) {
        LLVMValueRef n = LLVMBuildIntCast2(w->b, x.index, w->i64, 1, "");
        bytes = LLVMBuildMul(w->b, n, bytes, "");
      }
      sum = LLVMBuildAdd(w->b, sum, bytes, "");
    }
  }
  return sum;
}
