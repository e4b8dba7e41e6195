/*
** check.c - inserts the checker's probes into a kernel, see check/check.h.
**
** The one idea: instrument before optimisation. Everything is inlined and local
** variables are in registers, but nothing else has changed: each load, store,
** atomic, division, shift, barrier and shuffle of the source is there, once,
** with its line. The probe of an access returns the pointer to use: the same
** one or, for a bad access, one to harmless memory.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/definedness/definedness.h"
#include "devices/host/instrument/checker.h"

#define COPY_MAX 65536 /* bytes of a copy that can be redirected */

/* ---------------------------------------------------------------- accesses */

static uint64_t size_of(mt_Instrumenter *w, LLVMTypeRef t) {
  return LLVMStoreSizeOfType(w->layout, t);
}

static bool has_plain_parts(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  if (k == LLVMVectorTypeKind) k = LLVMGetTypeKind(LLVMGetElementType(t));
  return k == LLVMIntegerTypeKind || k == LLVMHalfTypeKind ||
         k == LLVMBFloatTypeKind || k == LLVMFloatTypeKind ||
         k == LLVMDoubleTypeKind || k == LLVMPointerTypeKind;
}

/* A pixel of a texture that is only read: the library keeps it in bounds. */
static bool is_pixel(mt_Instrumenter *w, LLVMValueRef p) {
  LLVMValueRef base;
  p = mt_underlying_object(p);
  if (w->pixels || !LLVMIsALoadInst(p)) return false;
  int root = mt_instrument_root(w, LLVMGetOperand(p, 0), &base);
  return mt_instrument_is_handle(w, root) &&
         !(w->kernel->params[root].access & MT_WRITE);
}

/* A program-scope constant at a constant offset that is in bounds. */
static bool is_constant(mt_Instrumenter *w, const mt_Site *s, LLVMValueRef base,
                        LLVMValueRef p) {
  const mt_Root *r = s->root >= 0 ? &w->table->root[s->root] : NULL;
  if (!r || r->kind != MT_ROOT_GLOBAL || s->size > r->size) return false;
  LLVMValueRef at = mt_instrument_offset(w, p, base);
  if (!at || !LLVMIsAConstantInt(at)) return false;
  uint64_t offset = LLVMConstIntGetZExtValue(at),
           align = s->align ? s->align : 1;
  return offset <= r->size - s->size && offset % align == 0 &&
         LLVMGetAlignment(base) >= align;
}

/* The elements of a stored value, which the helper compares. */
static void set_parts(mt_Instrumenter *w, mt_Site *site, LLVMValueRef value) {
  if (!value || !has_plain_parts(LLVMTypeOf(value))) return;
  LLVMTypeRef t = LLVMTypeOf(value);
  bool many = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
  site->parts = many ? LLVMGetVectorSize(t) : 1;
  site->part_size = (uint32_t)size_of(w, many ? LLVMGetElementType(t) : t);
  if (site->parts * site->part_size != site->size) site->parts = 0;
}

/* Shared memory: args are the pointer and the value. */
static LLVMValueRef emit_shared(mt_Instrumenter *w, void *state, int root,
                                LLVMValueRef base, LLVMValueRef *args) {
  mt_Site site = *(mt_Site *)state;
  site.root = root;
  site.member = root < 0 ? MT_PLACE_UNKNOWN
                         : mt_instrument_member_place(
                               w, args[0], base, w->table->root[root].element);
  uint32_t number = mt_site_add(w->table, site);
  if (!number) return args[0];
  if (site.kind == MT_SITE_ATOMIC || site.kind == MT_SITE_ATOMIC_WRITE) {
    site.after = true;
    mt_site_add(w->table, site);
  }
  return mt_instrument_access(w, number, base, args[0],
                              site.parts ? args[1] : NULL);
}

/* Is it memory that needs no probe: the library's, a constant's, or flags? */
static bool is_librarys(mt_Instrumenter *w, const mt_Site *site,
                        LLVMValueRef base, LLVMValueRef p) {
  size_t length;
  if (site->root < 0) return is_pixel(w, p);
  return mt_instrument_is_handle(w, site->root) ||
         is_constant(w, site, base, p) ||
         (w->table->root[site->root].kind == MT_ROOT_PRIVATE &&
          mt_starts(LLVMGetValueName2(base, &length), "mt.flags"));
}

/* Instrument operand 'n' of 'i', a pointer. */
static void instrument_pointer(mt_Instrumenter *w, LLVMValueRef i, unsigned n,
                          mt_Site site, LLVMValueRef value) {
  LLVMValueRef p = LLVMGetOperand(i, n), base = NULL, to;
  LLVMValueRef args[] = {p, value};
  mt_PointerChoices ways = {.count = 0};
  LLVMPositionBuilderBefore(w->b, i);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  site.place = mt_instrument_place(i);
  site.drawn = mt_instrument_is_drawn(w, p);
  site.root = mt_instrument_root(w, p, &base);
  if (site.root < 0) site.root = MT_ROOT_UNKNOWN, base = NULL;
  if (is_librarys(w, &site, base, p)) return;
  bool chosen = site.root < 0 && mt_instrument_choices(w, p, &ways);
  if (ways.many)
    mt_unchecked_add(w->table, MT_UNCHECKED_CHOICES, site.place, NULL);
  if (chosen && mt_instrument_is_handle(w, ways.root[0])) return;
  set_parts(w, &site, value);
  if (chosen && ways.own)
    to = mt_instrument_private_choices(w, site, &ways, p);
  else if (chosen)
    to = mt_instrument_choose(w, i, &ways, args, value ? 2 : 1, emit_shared,
                              &site);
  else if (site.root >= 0 &&
           w->table->root[site.root].kind == MT_ROOT_PRIVATE)
    to = mt_instrument_private(w, site, base, p);
  else
    to = emit_shared(w, &site, site.root, base, args);
  LLVMSetOperand(i, n, to);
}

static bool is_atomic(LLVMValueRef i) {
  return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static void instrument_load(mt_Instrumenter *w, LLVMValueRef i) {
  mt_Site s = {.kind = is_atomic(i) ? MT_SITE_ATOMIC_READ : MT_SITE_READ,
               .size = (uint32_t)size_of(w, LLVMTypeOf(i)),
               .align = LLVMGetAlignment(i)};
  instrument_pointer(w, i, 0, s, NULL);
}

static void instrument_store(mt_Instrumenter *w, LLVMValueRef i) {
  LLVMValueRef value = LLVMGetOperand(i, 0);
  mt_Site s = {.kind = is_atomic(i) ? MT_SITE_ATOMIC_WRITE : MT_SITE_WRITE,
               .size = (uint32_t)size_of(w, LLVMTypeOf(value)),
               .align = LLVMGetAlignment(i),
               .constant = LLVMIsConstant(value)};
  mt_instrument_float_bits(i, value, &s);
  instrument_pointer(w, i, 1, s, value);
}

static void instrument_atomic(mt_Instrumenter *w, LLVMValueRef i) {
  bool exchange = LLVMIsAAtomicCmpXchgInst(i) != NULL;
  LLVMValueRef value = LLVMGetOperand(i, exchange ? 2 : 1);
  mt_Site s = {.kind = MT_SITE_ATOMIC,
               .size = (uint32_t)size_of(w, LLVMTypeOf(value)),
               .exchange = exchange};
  mt_instrument_float_bits(i, value, &s);
  s.align = s.size;
  instrument_pointer(w, i, 0, s, NULL);
}

static void instrument_copy(mt_Instrumenter *w, LLVMValueRef i, bool set) {
  LLVMValueRef n = LLVMGetOperand(i, 2);
  if (!LLVMIsAConstantInt(n) || LLVMConstIntGetZExtValue(n) > COPY_MAX) {
    mt_unchecked_add(w->table, MT_UNCHECKED_COPY, mt_instrument_place(i), NULL);
    return;
  }
  uint32_t size = (uint32_t)LLVMConstIntGetZExtValue(n);
  if (size == 0) return;
  LLVMValueRef from = LLVMGetOperand(i, 1), base;
  int root = set ? MT_ROOT_UNKNOWN : mt_instrument_root(w, from, &base);
  bool constant =
      set ? LLVMIsAConstantInt(from) != NULL
          : root >= 0 && w->table->root[root].kind == MT_ROOT_GLOBAL;
  if (!set)
    instrument_pointer(w, i, 1, (mt_Site){.kind = MT_SITE_READ, .size = size},
                       NULL);
  instrument_pointer(w, i, 0, (mt_Site){.kind = MT_SITE_WRITE, .size = size,
                                   .constant = constant}, NULL);
}

/* ----------------------------------------------------------------- barriers */

static void call_wait(mt_Instrumenter *w, const char *name, uint32_t site) {
  LLVMValueRef f =
      mt_instrument_declare(w, name, LLVMFunctionType(w->none, &w->i32, 1, 0));
  LLVMValueRef arg = mt_instrument_number(w, site);
  mt_instrument_call(w, f, &arg, 1);
}

/* mem_flags as a constant; all of them if it is not one. */
static uint32_t flags_of(LLVMValueRef v, int depth) {
  if (LLVMIsAConstantInt(v)) return (uint32_t)LLVMConstIntGetZExtValue(v);
  if (depth < 8 && LLVMIsAInstruction(v) &&
      LLVMGetInstructionOpcode(v) == LLVMOr)
    return flags_of(LLVMGetOperand(v, 0), depth + 1) |
           flags_of(LLVMGetOperand(v, 1), depth + 1);
  return 7;
}

static void instrument_wait(mt_Instrumenter *w, LLVMValueRef i,
                            mt_SiteKind kind, uint32_t flags) {
  uint32_t n = mt_site_add(w->table, (mt_Site){.kind = kind,
                                               .place = mt_instrument_place(i),
                                               .root = MT_ROOT_UNKNOWN,
                                               .width = flags});
  if (!n) return;
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  LLVMPositionBuilderBefore(w->b, i);
  call_wait(w, MT_PROBE_WAIT, n);
  LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(i));
  call_wait(w, MT_PROBE_GO, n);
}

static void instrument_matrix(mt_Instrumenter *w, LLVMValueRef i,
                              const char *name) {
  bool load = mt_starts(name, "__mt_matrix_load_");
  bool store = mt_starts(name, "__mt_matrix_store_");
  if (load || store) mt_instrument_matrix(w, i, name + (load ? 17 : 18), store);
  mt_instrument_convergent(w, i,
                           load    ? "simdgroup_load"
                           : store ? "simdgroup_store"
                                   : "a product of simdgroup matrices");
}

/* Does an unknown call take a pointer? */
static bool touches_memory(LLVMValueRef call, const char *name) {
  static const char *const harmless[] = {"llvm.lifetime.", "llvm.dbg.",
                                         "llvm.assume", "llvm.invariant.",
                                         "llvm.experimental.noalias"};
  for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
    if (mt_starts(name, harmless[k])) return false;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) ==
        LLVMPointerTypeKind)
      return true;
  return false;
}

/* The text of a string constant; "" if it is not known. */
static const char *text_of(LLVMValueRef p) {
  size_t length;
  LLVMValueRef text = LLVMIsAGlobalVariable(p) ? LLVMGetInitializer(p) : NULL;
  if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text))
    return "";
  return LLVMGetAsString(text, &length);
}

/* A failed assertion is a finding, and the thread goes on. */
static void instrument_assert(mt_Instrumenter *w, LLVMValueRef i) {
  uint32_t n = mt_site_add(w->table, (mt_Site){.kind = MT_SITE_ASSERT,
                                               .place = mt_instrument_place(i),
                                               .root = MT_ROOT_UNKNOWN});
  if (!n) return;
  w->table->site[n].name = strdup(text_of(LLVMGetOperand(i, 0)));
  LLVMPositionBuilderBefore(w->b, i);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  mt_instrument_if(w, n, LLVMConstInt(w->i1, 1, 0), LLVMConstInt(w->i64, 0, 0));
  LLVMInstructionEraseFromParent(i);
}

static void instrument_call(mt_Instrumenter *w, LLVMValueRef i) {
  const char *name = mt_callee(i);
  if (mt_instrument_texel(w, i, name)) return;
  if (mt_is_copy(name))
    instrument_copy(w, i, false);
  else if (mt_starts(name, "llvm.memset."))
    instrument_copy(w, i, true);
  else if (!strcmp(name, "__mt_barrier_threadgroup"))
    instrument_wait(w, i, MT_SITE_BARRIER, flags_of(LLVMGetOperand(i, 0), 0));
  else if (!strcmp(name, "__mt_barrier_simdgroup"))
    instrument_wait(w, i, MT_SITE_SIMD_BARRIER,
                    flags_of(LLVMGetOperand(i, 0), 0));
  else if (mt_starts(name, "__mt_matrix_"))
    instrument_matrix(w, i, name);
  else if (!strcmp(name, MT_LOG_ASSERT))
    instrument_assert(w, i);
  else if (!mt_starts(name, MT_PROBE) && !mt_is_log_call(name) &&
           touches_memory(i, name))
    mt_unchecked_add(w->table, MT_UNCHECKED_CALL, mt_instrument_place(i), NULL);
}

/* --------------------------------------------------------------- the whole */

static void instrument(mt_Instrumenter *w, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: instrument_load(w, i); break;
    case LLVMStore: instrument_store(w, i); break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: instrument_atomic(w, i); break;
    case LLVMFence: instrument_wait(w, i, MT_SITE_FENCE, 7); break;
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem: mt_instrument_division(w, i); break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: mt_instrument_shift(w, i); break;
    case LLVMCall: instrument_call(w, i); break;
    default: break;
  }
}

static mt_Status instrument_variables(void *context, LLVMModuleRef module,
                                 LLVMValueRef function, mt_Error *err) {
  mt_SiteTable *out = context;
  size_t n;
  LLVMValueRef *all;
  mt_Instrumenter w;
  mt_Status status = mt_instrument_list(function, &all, &n, err);
  if (status != MT_OK) return status;
  mt_instrument_begin(&w, module, function, NULL, out);
  mt_instrument_uninitialised(&w, all, n);
  mt_instrument_subobjects(&w, all, n);
  mt_instrument_alignment(&w, all, n);
  LLVMDisposeBuilder(w.b);
  free(all);
  return MT_OK;
}

static mt_Status instrument_accesses(void *context, mt_Target *target,
                                LLVMModuleRef module, LLVMValueRef function,
                                const mt_MslKernel *kernel, mt_Error *err) {
  mt_SiteTable *out = context;
  size_t n;
  LLVMValueRef *all;
  mt_Instrumenter w;
  mt_Status status = mt_instrument_list(function, &all, &n, err);
  if (status != MT_OK) return status;
  mt_instrument_begin(&w, module, function, kernel, out);
  w.pixels = out->pixels;
  mt_instrument_params(&w);
  mt_instrument_mark_drawn(&w, all, n);
  for (size_t i = 0; i < n; i++) instrument(&w, all[i]);
  LLVMDisposeBuilder(w.b);
  free(w.number);
  free(all);
  return w.choosers ? mt_run_passes(target, module, "always-inline", err)
                    : MT_OK;
}

/* Removes probes whose condition has folded to false. */
static void sweep(LLVMModuleRef module) {
  LLVMValueRef f = LLVMGetNamedFunction(module, MT_PROBE_IF);
  for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL, next; u; u = next) {
    LLVMValueRef call = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (!LLVMIsACallInst(call)) continue;
    LLVMValueRef bad = LLVMGetOperand(call, 1);
    if (LLVMIsUndef(bad) ||
        (LLVMIsAConstantInt(bad) && !LLVMConstIntGetZExtValue(bad)))
      LLVMInstructionEraseFromParent(call);
  }
}

mt_Instrumentation mt_check_instrumentation(mt_SiteTable *table) {
  return (mt_Instrumentation){.context = table,
                              .library = mt_instrument_mark_texels,
                              .variables = instrument_variables,
                              .accesses = instrument_accesses,
                              .sweep = sweep};
}
