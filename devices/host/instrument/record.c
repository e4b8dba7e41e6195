/*
** record.c - inserts the recorder's probes into a kernel, see record/record.h.
**
** The one idea: threads run one after the other, so memory holds the value of
** an access right after it. A probe after each access carries its address
** alone, and the recorder reads the value there; atomics have one before as
** well.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/record_work.h"
#include "msl/debug_types.h"

/* ---------------------------------------------------------------- accesses */

/* Memory of the library's or the compiler's own: tables of functions, values
** that variables start with. */
static bool is_librarys(const mt_Instrumenter *w, int root) {
  const mt_Root *r = &w->table->root[root];
  size_t n;
  if (r->kind != MT_ROOT_GLOBAL) return false;
  const char *name = LLVMGetValueName2(r->of, &n);
  return mt_starts(name, "_ZN5metal") || mt_starts(name, "_ZZN5metal") ||
         mt_starts(name, "_ZZNK5metal") || mt_starts(name, "__");
}

/* Is the access recorded? Not those of private variables, and of the handles
** of textures and samplers, which only the library reads. */
static bool is_recorded(const mt_Instrumenter *w, int root) {
  if (root < 0) return true; /* the recorder looks the address up */
  if (w->table->root[root].kind == MT_ROOT_PRIVATE) return false;
  return !mt_instrument_is_handle(w, root) && !is_librarys(w, root);
}

/* An object that a pointer may point into becomes a root, so that the recorder
** finds its address. */
static bool add_root(void *with, LLVMValueRef object) {
  LLVMValueRef base;
  mt_instrument_root(with, object, &base);
  return true;
}

static uint32_t frame_at(mt_RecordWork *r, LLVMValueRef i) {
  return mt_record_frame(r, LLVMInstructionGetDebugLoc(i));
}

/* The site of an access through 'p' by 'i'; 0: it is not recorded. */
static uint32_t site_for(mt_RecordWork *r, LLVMValueRef i, LLVMValueRef p,
                         mt_SiteKind kind, uint64_t size) {
  LLVMValueRef base;
  int root = mt_instrument_root(&r->w, p, &base);
  if (root < 0) mt_each_object(p, add_root, &r->w);
  if (!is_recorded(&r->w, root) || size == 0) return 0;
  return mt_site_add(r->w.table,
                     (mt_Site){.kind = kind, .place = mt_instrument_place(i),
                               .root = root < 0 ? MT_ROOT_UNKNOWN : root,
                               .frame = frame_at(r, i),
                               .size = (uint32_t)size});
}

static void instrument_access(mt_RecordWork *r, LLVMValueRef i, LLVMValueRef p,
                         LLVMTypeRef type) {
  bool atomic = !LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i);
  if (!atomic) atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  mt_SiteKind kind = atomic              ? MT_SITE_ATOMIC
                     : LLVMIsALoadInst(i) ? MT_SITE_READ
                                          : MT_SITE_WRITE;
  uint32_t site = site_for(r, i, p, kind,
                           LLVMStoreSizeOfType(r->w.layout, type));
  if (!site) return;
  r->w.table->site[site].path = strdup(mt_record_type(type));
  if (atomic) {
    mt_record_go(r, i, false);
    mt_record_probe(r, MT_RECORD_OLD, site, i, &p, 1);
  }
  mt_record_go(r, i, true);
  mt_record_probe(r, MT_RECORD_AT, site, i, &p, 1);
}

static void instrument_copy(mt_RecordWork *r, LLVMValueRef i, bool set) {
  LLVMValueRef n = LLVMGetOperand(i, 2);
  LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1);
  if (!LLVMIsAConstantInt(n)) {
    mt_unchecked_add(r->w.table, MT_UNCHECKED_COPY, mt_instrument_place(i),
                     NULL);
    return;
  }
  uint64_t size = LLVMConstIntGetZExtValue(n);
  uint32_t read = set ? 0 : site_for(r, i, from, MT_SITE_READ, size);
  uint32_t write = site_for(r, i, to, MT_SITE_WRITE, size);
  if (read) {
    mt_record_go(r, i, false);
    mt_record_probe(r, MT_RECORD_AT, read, i, &from, 1);
  }
  if (!write) return;
  mt_record_go(r, i, true);
  mt_record_probe(r, MT_RECORD_AT, write, i, &to, 1);
}

/* Two sites, for the two elements of each lane. */
static void instrument_matrix(mt_RecordWork *r, LLVMValueRef i,
                              const char *name) {
  bool store = mt_starts(name, "__mt_matrix_store_");
  if (!store && !mt_starts(name, "__mt_matrix_load_")) return;
  unsigned first = store ? 1 : 0;
  uint64_t size = mt_starts(name + (store ? 18 : 17), "f32") ? 4 : 2;
  LLVMValueRef args[] = {LLVMGetOperand(i, first), LLVMGetOperand(i, first + 1),
                         LLVMGetOperand(i, first + 2)};
  mt_SiteKind kind = store ? MT_SITE_WRITE : MT_SITE_READ;
  uint32_t site = site_for(r, i, args[0], kind, size);
  if (!site || !site_for(r, i, args[0], kind, size)) return;
  for (uint32_t half = 0; half < 2; half++)
    r->w.table->site[site + half].path =
        strdup(name + (store ? 18 : 17)); /* "f32" */
  mt_record_go(r, i, store);
  args[2] = LLVMBuildZExt(r->w.b, args[2], r->w.i32, "");
  mt_record_probe(r, MT_RECORD_MATRIX, site, i, args, 3);
}

/* ------------------------------------------ barriers, cross-lane operations */

static void instrument_wait(mt_RecordWork *r, LLVMValueRef i,
                            mt_SiteKind kind) {
  uint32_t n = mt_site_add(r->w.table,
                           (mt_Site){.kind = kind, .root = MT_ROOT_UNKNOWN,
                                     .frame = frame_at(r, i),
                                     .place = mt_instrument_place(i)});
  if (!n) return;
  mt_record_go(r, i, false);
  mt_record_probe(r, MT_RECORD_WAIT, n, i, NULL, 0);
  if (kind != MT_SITE_BARRIER) return;
  mt_record_go(r, i, true);
  mt_record_probe(r, MT_RECORD_PASS, n, i, NULL, 0);
}

/* A value of at most 8 bytes as an i64; NULL: it is larger. */
static LLVMValueRef word_of(mt_Instrumenter *w, LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  if (LLVMGetTypeKind(t) == LLVMVoidTypeKind ||
      LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    return NULL;
  unsigned bits = (unsigned)LLVMSizeOfTypeInBits(w->layout, t);
  if (bits > 64) return NULL;
  if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind)
    v = LLVMBuildBitCast(w->b, v, LLVMIntTypeInContext(w->context, bits), "");
  return LLVMBuildIntCast2(w->b, v, w->i64, 0, "");
}

/* Does a shuffle of words move a float? */
static bool is_float(LLVMValueRef call) {
  LLVMValueRef v = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  return v && LLVMIsABitCastInst(v) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMFloatTypeKind;
}

static void instrument_lanes(mt_RecordWork *r, LLVMValueRef i,
                             const char *name) {
  mt_Crosslane c;
  mt_Instrumenter *w = &r->w;
  if (!mt_crosslane_find(name, &c) || c.row->class == MT_LANES_POSITION ||
      c.row->class == MT_LANES_CELL)
    return;
  mt_record_go(r, i, true);
  LLVMValueRef value = word_of(w, i), from = NULL;
  if (!value) return;
  uint32_t n = mt_site_add(
      w->table, (mt_Site){.kind = MT_SITE_LANES, .root = MT_ROOT_UNKNOWN,
                          .place = mt_instrument_place(i),
                          .frame = frame_at(r, i),
                          .size = (uint32_t)LLVMStoreSizeOfType(
                              w->layout, LLVMTypeOf(i))});
  if (!n) return;
  const char *type = strrchr(name, '_');
  char plain[64];
  snprintf(plain, sizeof plain, "%s", name + strlen("__mt_"));
  if (type && strrchr(plain, '_')) *strrchr(plain, '_') = 0;
  w->table->site[n].name = strdup(plain);
  w->table->site[n].path = strdup(is_float(i) ? "f32" : type ? type + 1 : "");
  if (c.row->class == MT_LANES_MOVE)
    from = mt_instrument_lane_source(w, i, &c);
  LLVMValueRef args[] = {from ? from : mt_instrument_number(w, ~0u), value};
  mt_record_probe(r, MT_RECORD_LANES, n, i, args, 2);
}

static void instrument_call(mt_RecordWork *r, LLVMValueRef i) {
  const char *name = mt_callee(i);
  if (mt_is_copy(name))
    instrument_copy(r, i, false);
  else if (mt_starts(name, "llvm.memset."))
    instrument_copy(r, i, true);
  else if (!strcmp(name, "__mt_barrier_threadgroup"))
    instrument_wait(r, i, MT_SITE_BARRIER);
  else if (!strcmp(name, "__mt_barrier_simdgroup"))
    instrument_wait(r, i, MT_SITE_SIMD_BARRIER);
  else if (mt_starts(name, "__mt_matrix_"))
    instrument_matrix(r, i, name);
  else if (mt_starts(name, "__mt_simd_") || mt_starts(name, "__mt_quad_"))
    instrument_lanes(r, i, name);
}

static void instrument(mt_RecordWork *r, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
      instrument_access(r, i, LLVMGetOperand(i, 0), LLVMTypeOf(i));
      break;
    case LLVMStore:
      instrument_access(r, i, LLVMGetOperand(i, 1),
                   LLVMTypeOf(LLVMGetOperand(i, 0)));
      break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      instrument_access(r, i, LLVMGetOperand(i, 0),
                   LLVMTypeOf(LLVMGetOperand(i, 1)));
      break;
    case LLVMCall: instrument_call(r, i); break;
    default: break;
  }
}

/* --------------------------------------------------------------- the whole */

/* The types of threadgroup variables and program-scope constants. */
static void set_types(mt_RecordWork *r) {
  mt_SiteTable *t = r->w.table;
  for (size_t i = 0; i < t->roots; i++) {
    mt_Root *root = &t->root[i];
    mt_Str text = {0};
    if (root->kind != MT_ROOT_VARIABLE && root->kind != MT_ROOT_GLOBAL)
      continue;
    if (mt_debug_type_of_global(r->w.context, root->of, &text))
      root->type_text = strdup(mt_str_text(&text));
    mt_str_free(&text);
  }
}

/* The addresses of variables are known to the code alone: at its start, each
** thread tells them. */
static void tell_bases(mt_RecordWork *r) {
  mt_Instrumenter *w = &r->w;
  LLVMTypeRef types[] = {w->i32, w->ptr};
  LLVMTypeRef type = LLVMFunctionType(w->none, types, 2, 0);
  LLVMPositionBuilderBefore(
      w->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  LLVMMetadataRef scope = LLVMGetSubprogram(w->function);
  if (scope) /* a call needs a place where its function has one */
    LLVMSetCurrentDebugLocation2(
        w->b, LLVMDIBuilderCreateDebugLocation(w->context, 0, 0, scope, NULL));
  for (size_t i = 0; i < w->table->roots; i++) {
    const mt_Root *root = &w->table->root[i];
    if (root->kind != MT_ROOT_VARIABLE && root->kind != MT_ROOT_GLOBAL)
      continue;
    LLVMValueRef args[] = {mt_instrument_number(w, (uint32_t)i), root->of};
    mt_instrument_call(w, mt_instrument_declare(w, MT_RECORD_BASE, type), args,
                       2);
  }
}

static mt_Status record_accesses(void *context, mt_Target *target,
                                 LLVMModuleRef module, LLVMValueRef function,
                                 const mt_MslKernel *kernel, mt_Error *err) {
  mt_RecordWork r;
  mt_Status status =
      mt_record_work_begin(&r, module, function, kernel, context, err);
  if (status == MT_OK) {
    mt_instrument_params(&r.w);
    for (size_t i = 0; i < r.count; i++) instrument(&r, r.all[i]);
    tell_bases(&r);
    set_types(&r);
  }
  mt_record_work_end(&r);
  (void)target;
  return status;
}

mt_Instrumentation mt_record_instrumentation(mt_SiteTable *table) {
  return (mt_Instrumentation){.context = table,
                              .library = mt_record_hide_library,
                              .variables = mt_record_values,
                              .accesses = record_accesses};
}
