/*
** pointer.c - the objects that a pointer may point into, see pointer.h.
*/
#include "devices/compiler/ir/pointer.h"

#define SEEN 128 /* phis and selects between the pointer and its objects */

typedef struct Search {
  bool (*each)(void *with, LLVMValueRef object);
  void *with;
  LLVMValueRef seen[SEEN];
  unsigned count;
} Search;

/* Add a choice; '*known': it was there. False: there are too many. */
static bool add(Search *s, LLVMValueRef choice, bool *known) {
  *known = false;
  for (unsigned i = 0; i < s->count; i++)
    if (s->seen[i] == choice) return *known = true;
  if (s->count == SEEN) return false;
  s->seen[s->count++] = choice;
  return true;
}

static bool visit(Search *s, LLVMValueRef v) {
  bool known;
  v = mt_underlying_object(v);
  if (!mt_is_choice(v)) return s->each(s->with, v);
  if (!add(s, v, &known)) return false;
  for (unsigned i = 0; !known && i < mt_choices(v); i++)
    if (!visit(s, mt_choice(v, i))) return false;
  return true;
}

bool mt_each_object(LLVMValueRef p,
                    bool (*each)(void *with, LLVMValueRef object), void *with) {
  Search s = {.each = each, .with = with};
  return visit(&s, p);
}

/* 'with': the object so far, or NULL. */
static bool is_same(void *with, LLVMValueRef object) {
  LLVMValueRef *one = with;
  if (LLVMIsUndef(object)) return true;
  if (!*one) *one = object;
  return *one == object;
}

LLVMValueRef mt_single_object(LLVMValueRef p) {
  LLVMValueRef one = NULL;
  return mt_each_object(p, is_same, &one) ? one : NULL;
}

mt_GepWalk mt_gep_walk(LLVMTargetDataRef layout, LLVMValueRef gep) {
  return (mt_GepWalk){layout, gep, LLVMGetGEPSourceElementType(gep), 1};
}

bool mt_gep_next(mt_GepWalk *g, mt_GepIndex *out) {
  if (g->next >= (unsigned)LLVMGetNumOperands(g->gep)) return false;
  out->index = LLVMGetOperand(g->gep, g->next);
  out->in = g->next == 1 ? LLVMPointerTypeKind : LLVMGetTypeKind(g->type);
  g->next++;
  if (out->in == LLVMStructTypeKind) {
    LLVMValueRef n = out->index; /* of a vector of addresses, a vector */
    if (!LLVMIsAConstantInt(n)) n = LLVMGetAggregateElement(n, 0);
    unsigned member = (unsigned)LLVMConstIntGetZExtValue(n);
    out->bytes = LLVMOffsetOfElement(g->layout, g->type, member);
    g->type = LLVMStructGetTypeAtIndex(g->type, member);
    return true;
  }
  if (out->in != LLVMPointerTypeKind) g->type = LLVMGetElementType(g->type);
  out->bytes = LLVMABISizeOfType(g->layout, g->type);
  return true;
}

bool mt_constant_step(LLVMTargetDataRef layout, LLVMValueRef gep,
                      uint64_t *bytes) {
  mt_GepIndex x;
  *bytes = 0;
  for (mt_GepWalk g = mt_gep_walk(layout, gep); mt_gep_next(&g, &x);) {
    if (!LLVMIsAConstantInt(x.index) || x.in == LLVMVectorTypeKind)
      return false;
    *bytes += x.in == LLVMStructTypeKind
                  ? x.bytes
                  : (uint64_t)LLVMConstIntGetSExtValue(x.index) * x.bytes;
  }
  return true;
}
