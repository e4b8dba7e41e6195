/*
** values.c - the parts of the kernel's values, in generated code.
**
** The one idea: a part that is used in another block than its own is kept in a
** slot, a stack variable that is written where the part is defined and read
** where it is used. Code for a block may then be generated twice and entered
** from anywhere: LLVM's promotion to SSA places the phis. Within its block a
** part is used directly.
*/
#include <llvm-c/Target.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/vector/vector.h"

/* ----------------------------------------------------------------- types */

bool mt_is_scalar(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMIntegerTypeKind || k == LLVMFloatTypeKind ||
         k == LLVMPointerTypeKind;
}

unsigned mt_type_parts(LLVMTypeRef t) {
  unsigned n = 0;
  switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind: return 0;
    case LLVMVectorTypeKind: return LLVMGetVectorSize(t);
    case LLVMArrayTypeKind:
      return (unsigned)LLVMGetArrayLength2(t) *
             mt_type_parts(LLVMGetElementType(t));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
        n += mt_type_parts(LLVMStructGetTypeAtIndex(t, i));
      return n;
    default: return 1;
  }
}

/* Which element of an aggregate holds part '*part'; '*part' becomes the part
** within that element. */
static unsigned element_of(LLVMTypeRef t, unsigned *part, LLVMTypeRef *type) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind != LLVMStructTypeKind) {
    *type = LLVMGetElementType(t);
    unsigned each = mt_type_parts(*type), i = *part / each;
    *part %= each;
    return i;
  }
  for (unsigned i = 0;; i++) {
    *type = LLVMStructGetTypeAtIndex(t, i);
    unsigned each = mt_type_parts(*type);
    if (*part < each) return i;
    *part -= each;
  }
}

static bool is_aggregate(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMVectorTypeKind || k == LLVMArrayTypeKind ||
         k == LLVMStructTypeKind;
}

LLVMTypeRef mt_type_part(LLVMTypeRef t, unsigned part) {
  while (is_aggregate(t)) element_of(t, &part, &t);
  return t;
}

size_t mt_type_size(mt_Spmd *s, LLVMTypeRef t) {
  return LLVMStoreSizeOfType(s->layout, t);
}

size_t mt_type_offset(mt_Spmd *s, LLVMTypeRef t, unsigned part) {
  size_t at = 0;
  while (is_aggregate(t)) {
    LLVMTypeRef element;
    unsigned i = element_of(t, &part, &element);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMStructTypeKind)
      at += LLVMOffsetOfElement(s->layout, t, i);
    else if (kind == LLVMArrayTypeKind)
      at += i * LLVMABISizeOfType(s->layout, element);
    else
      at += i * mt_type_size(s, element);
    t = element;
  }
  return at;
}

LLVMValueRef mt_constant_part(LLVMValueRef c, unsigned part) {
  LLVMTypeRef t = LLVMTypeOf(c);
  while (is_aggregate(t)) {
    unsigned i = element_of(t, &part, &t);
    c = LLVMGetAggregateElement(c, i);
    if (!c) return LLVMGetPoison(t);
  }
  return c;
}

LLVMTypeRef mt_vector_of(const mt_Spmd *s, LLVMTypeRef scalar) {
  return LLVMVectorType(scalar, (unsigned)s->lanes);
}

/* ------------------------------------------------------------- constants */

LLVMValueRef mt_const_i32(mt_Spmd *s, int64_t x) {
  return LLVMConstInt(s->i32, (uint64_t)x, 1);
}

LLVMValueRef mt_const_i64(mt_Spmd *s, int64_t x) {
  return LLVMConstInt(s->i64, (uint64_t)x, 1);
}

LLVMValueRef mt_const_vector(mt_Spmd *s, LLVMTypeRef scalar,
                             const int64_t *lanes) {
  LLVMValueRef c[MT_MAX_LANES];
  unsigned bits = LLVMGetIntTypeWidth(scalar);
  uint64_t keep = bits < 64 ? (1ull << bits) - 1 : ~0ull;
  for (int i = 0; i < s->lanes; i++)
    c[i] = LLVMConstInt(scalar, (uint64_t)lanes[i] & keep, 0);
  return LLVMConstVector(c, (unsigned)s->lanes);
}

LLVMValueRef mt_splat(mt_Spmd *s, LLVMValueRef x) {
  if (LLVMIsConstant(x)) {
    LLVMValueRef c[MT_MAX_LANES];
    for (int i = 0; i < s->lanes; i++) c[i] = x;
    return LLVMConstVector(c, (unsigned)s->lanes);
  }
  return mt_splat_to(s->b, x, (unsigned)s->lanes);
}

/* ------------------------------------------------------------------- map */

typedef struct Map {
  size_t size; /* a power of two */
  LLVMValueRef *key;
  int *at;
} Map;

static size_t map_find(const Map *m, LLVMValueRef v) {
  size_t i = ((uintptr_t)v >> 4) * 0x9E3779B97F4A7C15ull >> 20;
  for (i &= m->size - 1; m->key[i] && m->key[i] != v;
       i = (i + 1) & (m->size - 1));
  return i;
}

mt_Value *mt_value(mt_Spmd *s, LLVMValueRef v) {
  Map *m = s->map;
  size_t i = map_find(m, v);
  return m->key[i] ? &s->value[m->at[i]] : NULL;
}

static void add_value(mt_Spmd *s, LLVMValueRef v, int block) {
  Map *m = s->map;
  size_t at = map_find(m, v);
  mt_Value *x = &s->value[s->values];
  m->key[at] = v, m->at[at] = s->values++;
  LLVMTypeRef t = LLVMTypeOf(v);
  x->of = v, x->block = block, x->space = -1, x->parts = mt_type_parts(t);
  x->part = mt_new(s, x->parts + 1, sizeof *x->part);
  for (unsigned i = 0; i < x->parts; i++) {
    x->part[i].type = mt_type_part(t, i);
    x->part[i].shape = mt_shape_new(s);
  }
}

/* A value crosses if it is used in another block; a phi's operand is used in
** the block that the edge comes from, and phis themselves always cross. */
static void find_crossing(mt_Spmd *s) {
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0) continue;
    v->crosses = LLVMIsAPHINode(v->of) != NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(v->of); u && !v->crosses;
         u = LLVMGetNextUse(u)) {
      mt_Value *user = mt_value(s, LLVMGetUser(u));
      if (!user || LLVMIsAPHINode(user->of) || user->block != v->block)
        v->crosses = true;
    }
  }
}

mt_Status mt_values_build(mt_Spmd *s) {
  size_t n = LLVMCountParams(s->old), size = 64;
  for (int i = 0; i < s->blocks; i++)
    for (LLVMValueRef v = s->block[i].first; v != s->block[i].end;
         v = LLVMGetNextInstruction(v))
      n++;
  while (size < 2 * n) size *= 2;
  Map *m = s->map = mt_new(s, 1, sizeof *m);
  m->size = size;
  m->key = mt_new(s, size, sizeof *m->key);
  m->at = mt_new(s, size, sizeof *m->at);
  s->value = mt_new(s, n + 1, sizeof *s->value);
  for (unsigned i = 0; i < LLVMCountParams(s->old); i++)
    add_value(s, LLVMGetParam(s->old, i), -1);
  for (int i = 0; i < s->blocks; i++) /* in layout order: dominators first */
    for (LLVMValueRef v = s->block[s->order[i]].first;
         v != s->block[s->order[i]].end; v = LLVMGetNextInstruction(v))
      add_value(s, v, s->order[i]);
  find_crossing(s);
  return MT_OK;
}

/* ----------------------------------------------------------------- slots */

LLVMValueRef mt_entry_alloca(mt_Spmd *s, LLVMTypeRef type, unsigned align) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->b);
  LLVMValueRef first = LLVMGetFirstInstruction(s->entry);
  if (first)
    LLVMPositionBuilderBefore(s->b, first);
  else
    LLVMPositionBuilderAtEnd(s->b, s->entry);
  LLVMValueRef a = LLVMBuildAlloca(s->b, type, "");
  if (align) LLVMSetAlignment(a, align);
  LLVMPositionBuilderAtEnd(s->b, here);
  return a;
}

static LLVMTypeRef term_type(mt_Spmd *s, const mt_Part *p) {
  return LLVMGetTypeKind(p->type) == LLVMPointerTypeKind ? s->i64 : p->type;
}

static bool has_vector(const mt_Part *p) {
  return p->shape->kind == MT_SHAPE_VARYING || p->shape->address_only;
}

static void make_slots(mt_Spmd *s, mt_Part *p) {
  p->made = 0;
  if (p->shape->kind == MT_SHAPE_TOP) return;
  if (p->shape->kind != MT_SHAPE_VARYING && !p->shape->constant)
    p->slot_base = mt_entry_alloca(s, p->type, 0);
  for (unsigned t = 0; t < p->shape->terms; t++)
    p->slot_term[t] = mt_entry_alloca(s, term_type(s, p), 0);
  if (has_vector(p))
    p->slot_vector = mt_entry_alloca(s, mt_vector_of(s, p->type), 0);
}

/* New slots for a new region. */
void mt_slots_make(mt_Spmd *s) {
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    for (unsigned p = 0; p < v->parts; p++) {
      v->part[p].made = 0;
      if (v->crosses) make_slots(s, &v->part[p]);
    }
  }
}

void mt_store_part(mt_Spmd *s, mt_Part *p) {
  const mt_Shape *h = p->shape;
  if (h->kind != MT_SHAPE_VARYING && !h->constant)
    LLVMBuildStore(s->b, p->base, p->slot_base);
  for (unsigned t = 0; t < h->terms; t++)
    LLVMBuildStore(s->b, p->term[t], p->slot_term[t]);
  if (has_vector(p)) LLVMBuildStore(s->b, p->vector, p->slot_vector);
}

void mt_fetch_part(mt_Spmd *s, mt_Part *p) {
  const mt_Shape *h = p->shape;
  if (h->constant)
    p->base = LLVMConstNull(p->type);
  else if (h->kind != MT_SHAPE_VARYING)
    p->base = LLVMBuildLoad2(s->b, p->type, p->slot_base, "");
  for (unsigned t = 0; t < h->terms; t++)
    p->term[t] = LLVMBuildLoad2(s->b, term_type(s, p), p->slot_term[t], "");
  p->vector = has_vector(p) ? LLVMBuildLoad2(s->b, mt_vector_of(s, p->type),
                                             p->slot_vector, "")
                            : NULL;
  p->made = s->making;
}

/* -------------------------------------------------------------- operands */

/* Arguments and builtin positions are computed in each block that uses them. */
static void make_argument(mt_Spmd *s, mt_Value *v, unsigned part) {
  mt_Part *p = &v->part[part];
  p->base = p->vector = NULL;
  if (p->shape->constant)
    p->base = LLVMConstNull(p->type);
  else if (p->shape->kind == MT_SHAPE_VARYING)
    p->vector = mt_geometry_vector(s, v->of, part);
  else
    p->base = mt_geometry_base(s, v->of, part);
  p->made = s->making;
}

static mt_Part *ready(mt_Spmd *s, mt_Value *v, unsigned part) {
  mt_Part *p = &v->part[part];
  if (p->made == s->making) return p;
  if (v->block < 0)
    make_argument(s, v, part);
  else
    mt_fetch_part(s, p);
  return p;
}

static LLVMValueRef threadgroup_variable(mt_Spmd *s, LLVMValueRef g);

/* A constant operand, as a scalar. */
static LLVMValueRef constant(mt_Spmd *s, LLVMValueRef v, unsigned part) {
  LLVMValueRef c = mt_constant_part(v, part);
  return LLVMIsAGlobalVariable(c) ? threadgroup_variable(s, c) : c;
}

static LLVMValueRef threadgroup_variable(mt_Spmd *s, LLVMValueRef g) {
  const char *section = LLVMGetSection(g);
  if (!section || strcmp(section, MT_SECTION_THREADGROUP) != 0) return g;
  LLVMValueRef base =
      mt_group_field(s, offsetof(mt_Group, threadgroup), s->ptr);
  LLVMValueRef at =
      mt_const_i64(s, (int64_t)mt_threadgroup_place(s->module, g));
  return LLVMBuildGEP2(s->b, s->i8, base, &at, 1, "");
}

LLVMValueRef mt_uniform(mt_Spmd *s, LLVMValueRef v, unsigned part) {
  mt_Value *x = mt_value(s, v);
  if (!x) return constant(s, v, part);
  return ready(s, x, part)->base;
}

mt_Part *mt_affine(mt_Spmd *s, LLVMValueRef v, unsigned part) {
  return ready(s, mt_value(s, v), part);
}

/* offset[l] + the sum of factor[j][l] * term[j], without the base; NULL: 0. */
static LLVMValueRef lane_offset(mt_Spmd *s, const mt_Part *p, unsigned l) {
  LLVMTypeRef t = term_type(s, p);
  LLVMValueRef sum = NULL;
  if (p->shape->offset[l])
    sum = LLVMConstInt(t, (uint64_t)p->shape->offset[l], 1);
  for (unsigned j = 0; j < p->shape->terms; j++) {
    int64_t f = p->shape->factor[j][l];
    LLVMValueRef x = p->term[j];
    if (!f) continue;
    if (f != 1)
      x = LLVMBuildMul(s->b, x, LLVMConstInt(t, (uint64_t)f, 1), "");
    sum = sum ? LLVMBuildAdd(s->b, sum, x, "") : x;
  }
  return sum;
}

LLVMValueRef mt_affine_lane(mt_Spmd *s, const mt_Part *p, unsigned l) {
  LLVMValueRef at = lane_offset(s, p, l);
  if (!at) return p->base;
  if (LLVMGetTypeKind(p->type) == LLVMPointerTypeKind)
    return LLVMBuildGEP2(s->b, s->i8, p->base, &at, 1, "");
  return LLVMBuildAdd(s->b, p->base, at, "");
}

static LLVMValueRef spread(mt_Spmd *s, const mt_Part *p) {
  LLVMTypeRef t = term_type(s, p);
  LLVMValueRef sum = mt_const_vector(s, t, p->shape->offset);
  for (unsigned j = 0; j < p->shape->terms; j++) {
    LLVMValueRef f = mt_const_vector(s, t, p->shape->factor[j]);
    LLVMValueRef x = LLVMBuildMul(s->b, mt_splat(s, p->term[j]), f, "");
    sum = LLVMBuildAdd(s->b, sum, x, "");
  }
  if (LLVMGetTypeKind(p->type) == LLVMPointerTypeKind)
    return LLVMBuildGEP2(s->b, s->i8, p->base, &sum, 1, "");
  if (p->shape->constant) return sum;
  return LLVMBuildAdd(s->b, mt_splat(s, p->base), sum, "");
}

LLVMValueRef mt_vector(mt_Spmd *s, LLVMValueRef v, unsigned part) {
  mt_Value *x = mt_value(s, v);
  if (!x) return mt_splat(s, constant(s, v, part));
  mt_Part *p = ready(s, x, part);
  if (!p->vector)
    p->vector = p->shape->kind == MT_SHAPE_AFFINE ? spread(s, p)
                                              : mt_splat(s, p->base);
  return p->vector;
}

/* --------------------------------------------------------------- results */

static void done(mt_Spmd *s, mt_Value *v, mt_Part *p) {
  p->made = s->making;
  if (v->crosses) mt_store_part(s, p);
}

void mt_set_vector(mt_Spmd *s, LLVMValueRef v, unsigned part, LLVMValueRef x) {
  mt_Value *to = mt_value(s, v);
  to->part[part].vector = x;
  done(s, to, &to->part[part]);
}

void mt_set_uniform(mt_Spmd *s, LLVMValueRef v, unsigned part, LLVMValueRef x) {
  mt_Value *to = mt_value(s, v);
  mt_Part *p = &to->part[part];
  p->vector = NULL;
  if (p->shape->kind == MT_SHAPE_VARYING)
    p->vector = mt_splat(s, x);
  else
    p->base = x;
  done(s, to, p);
}

void mt_set_affine(mt_Spmd *s, LLVMValueRef v, unsigned part, LLVMValueRef base,
                   LLVMValueRef *terms, LLVMValueRef vector) {
  mt_Value *to = mt_value(s, v);
  mt_Part *p = &to->part[part];
  p->base = base;
  p->vector = vector;
  for (unsigned t = 0; t < p->shape->terms; t++) p->term[t] = terms[t];
  done(s, to, p);
}

/* ---------------------------------------------------------------- helpers */

LLVMValueRef mt_intrinsic(mt_Spmd *s, const char *name, LLVMTypeRef *types,
                          unsigned type_count, LLVMValueRef *args,
                          unsigned arg_count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  if (!id) {
    mt_unsupported(s, "LLVM has no %s", name);
    return args[0];
  }
  LLVMValueRef f =
      LLVMGetIntrinsicDeclaration(s->module, id, types, type_count);
  LLVMTypeRef t = LLVMGlobalGetValueType(f);
  return LLVMBuildCall2(s->b, t, f, args, arg_count, "");
}

LLVMBasicBlockRef mt_new_block(mt_Spmd *s, const char *name) {
  return LLVMAppendBasicBlockInContext(s->context, s->fn, name);
}

/* ----------------------------------------------------------------- failure */

mt_Status mt_unsupported(mt_Spmd *s, const char *what, ...) {
  if (s->status != MT_OK) return s->status;
  va_list args;
  va_start(args, what);
  s->status = mt_verror(s->err, MT_UNSUPPORTED, what, args);
  va_end(args);
  return s->status;
}
