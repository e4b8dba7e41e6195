/*
** functions.c - sets of functions, and what each of them calls.
*/
#include <stdint.h>
#include <stdlib.h>

#include "msl/passes/passes.h"

static size_t slot_of(const mt_Functions *f, LLVMValueRef function) {
  size_t h = ((size_t)function >> 4) * 0x9E3779B97F4A7C15ull,
         mask = f->slot_count - 1;
  for (size_t i = h & mask;; i = (i + 1) & mask)
    if (f->slots[i] == 0 || f->items[f->slots[i] - 1] == function) return i;
}

size_t mt_functions_index(const mt_Functions *f, LLVMValueRef function) {
  size_t s = f->slot_count ? f->slots[slot_of(f, function)] : 0;
  return s ? s - 1 : SIZE_MAX;
}

bool mt_functions_has(const mt_Functions *f, LLVMValueRef function) {
  return mt_functions_index(f, function) != SIZE_MAX;
}

bool mt_functions_add(mt_Functions *f, LLVMValueRef function) {
  if (mt_functions_has(f, function)) return false;
  if (!mt_grow(&f->items, f->count, &f->room, sizeof function)) return false;
  f->items[f->count++] = function;
  if (f->count * 2 > f->slot_count) {
    size_t n = f->slot_count ? f->slot_count * 2 : 64;
    size_t *slots = calloc(n, sizeof *slots);
    if (slots == NULL) return f->count--, false;
    free(f->slots);
    f->slots = slots;
    f->slot_count = n;
    for (size_t i = 0; i < f->count; i++)
      f->slots[slot_of(f, f->items[i])] = i + 1;
  } else
    f->slots[slot_of(f, function)] = f->count;
  return true;
}

void mt_functions_free(mt_Functions *f) {
  free(f->items);
  free(f->slots);
  *f = (mt_Functions){0};
}

LLVMValueRef mt_pass_called(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
    return NULL;
  return LLVMIsAFunction(LLVMGetCalledValue(instruction));
}

static void add_called(LLVMValueRef f, mt_Functions *out) {
  MT_EACH_BLOCK(b, f) MT_EACH_IN_BLOCK(i, b) {
    LLVMValueRef g = mt_pass_called(i);
    if (g) mt_functions_add(out, g);
  }
}

void mt_functions_reach(LLVMValueRef root, mt_Functions *out) {
  mt_Calls calls = {0};
  mt_calls_reach(&calls, root, out);
  mt_calls_free(&calls);
}

const mt_Functions *mt_calls_of(mt_Calls *c, LLVMValueRef f) {
  size_t k = mt_functions_index(&c->functions, f);
  if (k != SIZE_MAX) return &c->called[k];
  if (!mt_grow(&c->called, c->functions.count, &c->room, sizeof *c->called) ||
      !mt_functions_add(&c->functions, f))
    return NULL;
  mt_Functions *called_by = &c->called[c->functions.count - 1];
  *called_by = (mt_Functions){0};
  add_called(f, called_by);
  return called_by;
}

void mt_calls_reach(mt_Calls *c, LLVMValueRef root, mt_Functions *out) {
  size_t next = out->count;
  mt_functions_add(out, root);
  for (; next < out->count; next++) {
    const mt_Functions *called_by = mt_calls_of(c, out->items[next]);
    for (size_t k = 0; called_by && k < called_by->count; k++)
      if (!LLVMIsDeclaration(called_by->items[k]))
        mt_functions_add(out, called_by->items[k]);
  }
}

void mt_calls_free(mt_Calls *c) {
  for (size_t k = 0; k < c->functions.count; k++)
    mt_functions_free(&c->called[k]);
  free(c->called);
  mt_functions_free(&c->functions);
}
