/*
** function_constants.c - function constants get their values, see steps.h.
**
** The one idea: a value arrives as bytes in memory layout, and LLVM needs a
** constant of the global's type. So the type is traversed, and each scalar is
** read at its offset.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/prepare/steps.h"
#include "msl/passes/global_initialisers.h"

static LLVMValueRef from_bytes(LLVMTypeRef type, const unsigned char *bytes,
                               LLVMTargetDataRef layout);

static LLVMValueRef from_bits(LLVMTypeRef type, const unsigned char *bytes,
                              size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, size < sizeof bits ? size : sizeof bits);
  LLVMContextRef c = LLVMGetTypeContext(type);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    return LLVMConstInt(type, bits, 0);
  LLVMTypeRef word = LLVMIntTypeInContext(c, (unsigned)size * 8);
  return LLVMConstBitCast(LLVMConstInt(word, bits, 0), type);
}

static LLVMValueRef compose(LLVMTypeRef type, LLVMValueRef *parts,
                            unsigned count) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    return LLVMConstVector(parts, count);
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return LLVMConstArray2(LLVMGetElementType(type), parts, count);
  if (LLVMGetStructName(type)) return LLVMConstNamedStruct(type, parts, count);
  return LLVMConstStructInContext(LLVMGetTypeContext(type), parts, count,
                                  LLVMIsPackedStruct(type));
}

static LLVMValueRef from_parts(LLVMTypeRef type, const unsigned char *bytes,
                               unsigned count, LLVMTargetDataRef layout) {
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  LLVMValueRef *parts = calloc(count ? count : 1, sizeof *parts);
  bool ok = parts != NULL;
  for (unsigned i = 0; i < count && ok; i++) {
    LLVMTypeRef t = is_struct ? LLVMStructGetTypeAtIndex(type, i)
                              : LLVMGetElementType(type);
    size_t at = is_struct ? LLVMOffsetOfElement(layout, type, i)
                          : i * LLVMABISizeOfType(layout, t);
    parts[i] = from_bytes(t, bytes + at, layout);
    ok = parts[i] != NULL;
  }
  LLVMValueRef all = ok ? compose(type, parts, count) : NULL;
  free(parts);
  return all;
}

/* The constant of 'type' with this memory representation; NULL: memory is
** short. */
static LLVMValueRef from_bytes(LLVMTypeRef type, const unsigned char *bytes,
                               LLVMTargetDataRef layout) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
      return from_bits(type, bytes, LLVMStoreSizeOfType(layout, type));
    case LLVMVectorTypeKind:
      return from_parts(type, bytes, LLVMGetVectorSize(type), layout);
    case LLVMArrayTypeKind:
      return from_parts(type, bytes, (unsigned)LLVMGetArrayLength2(type),
                        layout);
    case LLVMStructTypeKind:
      return from_parts(type, bytes, LLVMCountStructElementTypes(type), layout);
    default:
      return LLVMConstNull(type);
  }
}

/* The number after 'prefix' in the section of 'g'; -1: another section. */
static long section_number(LLVMValueRef g, const char *prefix) {
  const char *section = LLVMGetSection(g);
  size_t n = strlen(prefix);
  if (!section || strncmp(section, prefix, n) != 0) return -1;
  return strtol(section + n, NULL, 10);
}

static const mt_ConstantValue *value_of(const mt_PrepareInput *in, long index) {
  for (size_t i = 0; i < in->value_count; i++)
    if (in->values[i].index == index) return &in->values[i];
  return NULL;
}

static void give_value(LLVMValueRef g, LLVMValueRef value) {
  LLVMSetInitializer(g, value);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetExternallyInitialized(g, 0);
  LLVMSetSection(g, "");
  LLVMSetLinkage(g, LLVMInternalLinkage);
}

static const mt_Constant *constant_at(const mt_PrepareInput *in, long index) {
  for (size_t i = 0; i < in->constant_count; i++)
    if (in->constants[i].index == index) return &in->constants[i];
  return NULL;
}

static mt_Status set_constant(LLVMValueRef g, const mt_ConstantValue *v,
                              const mt_PrepareInput *in,
                              LLVMTargetDataRef layout, mt_Error *err) {
  LLVMTypeRef type = LLVMGlobalGetValueType(g);
  size_t size = LLVMABISizeOfType(layout, type);
  if (v->size < LLVMStoreSizeOfType(layout, type)) {
    const mt_Constant *c = constant_at(in, v->index);
    return mt_error(err, MT_BADARG,
                    "function constant %u%s%s has %zu bytes, got %zu", v->index,
                    c ? " " : "", c ? c->name : "", size, v->size);
  }
  unsigned char *bytes = calloc(1, size > v->size ? size : v->size);
  if (!bytes) return mt_error(err, MT_FAIL, "out of memory");
  memcpy(bytes, v->bytes, v->size);
  LLVMValueRef value = from_bytes(type, bytes, layout);
  free(bytes);
  if (!value) return mt_error(err, MT_FAIL, "out of memory");
  give_value(g, value);
  return MT_OK;
}

mt_Status mt_function_constants_set(LLVMModuleRef m, const mt_PrepareInput *in,
                                    mt_Error *err) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m);
  mt_Status status = MT_OK;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g && status == MT_OK;
       g = LLVMGetNextGlobal(g)) {
    long defined = section_number(g, MT_SECTION_DEFINED);
    long index = section_number(g, MT_SECTION_CONSTANT);
    const mt_ConstantValue *v = value_of(in, defined >= 0 ? defined : index);
    if (defined >= 0)
      give_value(g, LLVMConstInt(LLVMGlobalGetValueType(g), v != NULL, 0));
    else if (index >= 0 && v)
      status = set_constant(g, v, in, layout, err);
  }
  if (status == MT_OK && mt_global_initialisers_any(m))
    mt_global_initialisers_late(m);
  return status;
}

mt_Status mt_function_constants_check(LLVMModuleRef m,
                                      const mt_PrepareInput *in,
                                      mt_Error *err) {
  bool is_checked = in->instrument && in->instrument->accesses;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    long index = section_number(g, MT_SECTION_CONSTANT);
    if (index < 0) continue;
    const mt_Constant *c = constant_at(in, index);
    /* Instrumented code is less simplified and may still read a constant that
    ** plain code does not; the kernel was checked when it was taken. */
    if (LLVMGetFirstUse(g) && c && c->required && !is_checked)
      return mt_error(err, MT_BADARG,
                      "kernel '%s' needs a value for function constant '%s' "
                      "(index %ld)", in->kernel->name, c->name, index);
    give_value(g, LLVMConstNull(LLVMGlobalGetValueType(g)));
  }
  return MT_OK;
}
