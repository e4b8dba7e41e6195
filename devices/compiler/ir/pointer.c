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

bool mt_constant_step(LLVMTargetDataRef layout, LLVMValueRef gep,
                      uint64_t *bytes) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  *bytes = 0;
  for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (!LLVMIsAConstantInt(index)) return false;
    uint64_t n = (uint64_t)LLVMConstIntGetSExtValue(index);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      *bytes += LLVMOffsetOfElement(layout, type, (unsigned)n);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
      continue;
    }
    if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind) return false;
    if (i > 1) type = LLVMGetElementType(type);
    *bytes += n * LLVMABISizeOfType(layout, type);
  }
  return true;
}
