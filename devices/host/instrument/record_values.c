/*
** record_values.c - the recorder's probes of lines and variables.
**
** The one idea: before SROA every variable of the source is an alloca that has
** its name, and every assignment a store to it. A probe after the store carries
** the value itself, so that SROA can still put the variable into a register;
** only what is copied as a block is read from memory.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/instructions.h"
#include "devices/compiler/ir/pointer.h"
#include "devices/host/instrument/probes.h"
#include "devices/host/instrument/record_work.h"

enum { WORDS = 4, WORD_BITS = 64 };

/* Before the library's functions are inlined: their variables are not the
** source's. They have no debug information (metal/__types: nodebug). */
#define LIBRARYS "__librarys"
void mt_record_hide_library(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMGetSubprogram(f)) continue;
    MT_EACH_INSTRUCTION(i, f)
      if (LLVMIsAAllocaInst(i))
        LLVMSetValueName2(i, LIBRARYS, strlen(LIBRARYS));
  }
}

/* Variables that the compiler or the library makes, not the source. */
static bool is_made(const char *name) {
  static const char *const made[] = {"",        "ref",   "agg",    "tmp",
                                     "retval",  "saved", "coerce", "undef",
                                     "cleanup", "exn",   "byval",  "this"};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    if (!strcmp(name, made[i])) return true;
  return mt_starts(name, "__");
}

/* own.id: the member that is assigned, if the code tells; a[]: an element. */
static void add_member(LLVMValueRef p, LLVMValueRef base, char *name,
                       size_t size) {
  char member[48];
  size_t n = strlen(name);
  if (p == base || !LLVMIsAGetElementPtrInst(p)) return;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetGEPSourceElementType(p));
  if (kind == LLVMArrayTypeKind) snprintf(name + n, size - n, "[]");
  if (kind != LLVMStructTypeKind) return;
  mt_instrument_member(p, member, sizeof member);
  if (member[0]) snprintf(name + n, size - n, ".%s", member);
}

/* The variable that 'p' points into, and the offset there; NULL: none of the
** source, or at an offset that is not a constant of the code. */
static LLVMValueRef variable_of(mt_RecordWork *r, LLVMValueRef p, char *name,
                                size_t size, LLVMValueRef *offset) {
  LLVMValueRef base = mt_underlying_object(p);
  if (!LLVMIsAAllocaInst(base)) return NULL;
  mt_instrument_name(base, name, size);
  if (is_made(name)) return NULL;
  add_member(p, base, name, size);
  LLVMValueRef at = mt_instrument_offset(&r->w, p, base);
  if (!at) return NULL;
  *offset = LLVMBuildTrunc(r->w.b, at, r->w.i32, "");
  return base;
}

static uint32_t add_site(mt_RecordWork *r, LLVMValueRef i, const char *name,
                         const char *type, uint64_t size) {
  uint32_t n = mt_site_add(r->w.table,
                           (mt_Site){.kind = MT_SITE_VALUE,
                                     .place = mt_instrument_place(i),
                                     .root = MT_ROOT_UNKNOWN,
                                     .size = (uint32_t)size});
  if (!n) return 0;
  r->w.table->site[n].name = strdup(name);
  r->w.table->site[n].path = strdup(type);
  return n;
}

/* A value as words of 64 bits; false: it has more than WORDS. */
static bool words_of(mt_Instrumenter *w, LLVMValueRef v, LLVMValueRef *out) {
  LLVMTypeRef t = LLVMTypeOf(v);
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind &&
      kind != LLVMHalfTypeKind && kind != LLVMBFloatTypeKind &&
      kind != LLVMVectorTypeKind)
    return false;
  unsigned bits = (unsigned)LLVMSizeOfTypeInBits(w->layout, t);
  if (bits > WORDS * WORD_BITS) return false;
  LLVMTypeRef whole = LLVMIntTypeInContext(w->context, bits);
  if (kind != LLVMIntegerTypeKind) v = LLVMBuildBitCast(w->b, v, whole, "");
  LLVMTypeRef wide = LLVMIntTypeInContext(w->context, WORDS * WORD_BITS);
  v = LLVMBuildIntCast2(w->b, v, wide, 0, "");
  for (unsigned i = 0; i < WORDS; i++) {
    LLVMValueRef by = LLVMConstInt(wide, i * WORD_BITS, 0);
    out[i] = LLVMBuildTrunc(w->b, LLVMBuildLShr(w->b, v, by, ""), w->i64, "");
  }
  return true;
}

static void watch_store(mt_RecordWork *r, LLVMValueRef i) {
  char name[64];
  LLVMValueRef value = LLVMGetOperand(i, 0), args[1 + WORDS];
  mt_record_go(r, i, true);
  if (!variable_of(r, LLVMGetOperand(i, 1), name, sizeof name, &args[0]))
    return;
  LLVMTypeRef t = LLVMTypeOf(value);
  uint64_t size = LLVMStoreSizeOfType(r->w.layout, t);
  if (LLVMGetTypeKind(t) == LLVMPointerTypeKind) {
    uint32_t n = add_site(r, i, name, "ptr", size);
    if (n) mt_record_probe(r, MT_RECORD_POINTER, n, i, &value, 1);
  } else if (words_of(&r->w, value, args + 1)) {
    uint32_t n = add_site(r, i, name, mt_record_type(t), size);
    if (n) mt_record_probe(r, MT_RECORD_VALUE, n, i, args, 1 + WORDS);
  }
}

/* A copy into a variable: a struct, or an array that is initialised. */
static void watch_copy(mt_RecordWork *r, LLVMValueRef i) {
  char name[64];
  LLVMValueRef to = LLVMGetOperand(i, 0), offset, n = LLVMGetOperand(i, 2);
  if (!LLVMIsAConstantInt(n)) return;
  mt_record_go(r, i, true);
  LLVMValueRef base = variable_of(r, to, name, sizeof name, &offset);
  if (!base) return;
  LLVMTypeRef t = LLVMGetAllocatedType(base);
  while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
  uint32_t site = add_site(r, i, name, mt_record_type(t),
                           LLVMConstIntGetZExtValue(n));
  if (site) mt_record_probe(r, MT_RECORD_COPY, site, i, &to, 1);
}

static void watch_value(mt_RecordWork *r, LLVMValueRef i) {
  if (LLVMIsAStoreInst(i)) {
    watch_store(r, i);
  } else if (LLVMIsACallInst(i)) {
    const char *name = mt_callee(i);
    if (mt_starts(name, "llvm.memcpy.") || mt_starts(name, "llvm.memmove.") ||
        mt_starts(name, "llvm.memset."))
      watch_copy(r, i);
  }
}

/* A line begins at 'i'. Phis stay first in their block, allocas in theirs. */
static void watch_line(mt_RecordWork *r, LLVMValueRef i) {
  uint32_t n = mt_site_add(r->w.table, (mt_Site){.kind = MT_SITE_LINE,
                                                 .place = mt_instrument_place(i),
                                                 .root = MT_ROOT_UNKNOWN});
  if (!n) return;
  mt_record_go(r, i, false);
  mt_record_probe(r, MT_RECORD_LINE, n, i, NULL, 0);
}

static void watch_lines(mt_RecordWork *r) {
  LLVMBasicBlockRef block = NULL;
  unsigned last = 0;
  for (size_t k = 0; k < r->count; k++) {
    LLVMValueRef i = r->all[k];
    if (LLVMGetInstructionParent(i) != block) {
      block = LLVMGetInstructionParent(i);
      last = 0;
    }
    unsigned line = LLVMGetDebugLocLine(i);
    if (!line || line == last || LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i))
      continue;
    last = line;
    watch_line(r, i);
  }
}

mt_Status mt_record_values(void *context, LLVMModuleRef module,
                           LLVMValueRef function, mt_Error *err) {
  mt_SiteTable *table = context;
  mt_RecordWork r;
  if (!table->values) return MT_OK;
  mt_Status status =
      mt_record_work_begin(&r, module, function, NULL, table, err);
  if (status == MT_OK) {
    watch_lines(&r);
    for (size_t k = 0; k < r.count; k++) watch_value(&r, r.all[k]);
  }
  mt_record_work_end(&r);
  return status;
}
