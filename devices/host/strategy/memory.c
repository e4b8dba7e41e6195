/*
** memory.c - the code of a load or store, by its plan; copies of memory.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/host/strategy/row_buffer.h"

int mt_memory_gathers(mt_Spmd *s) {
  int count = 0;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (s->value[i].block < 0 || (!LLVMIsALoadInst(v) && !LLVMIsAStoreInst(v)))
      continue;
    bool store = LLVMIsAStoreInst(v) != NULL;
    LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(v, 0) : v);
    LLVMValueRef pointer = LLVMGetOperand(v, store);
    count += !mt_row_buffer(s, v) && !mt_transposed_columns(s, pointer, t) &&
             mt_memory_is_scattered(s, pointer, t);
  }
  return count;
}

/* ------------------------------------------------------------- instructions */

static void load_parts(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(i)); p++) {
    mt_LaneAccess a = mt_access_of(s, i, p);
    a.plan = &plan->part[p];
    if (p == 0 && a.space == MT_POINTER_DEVICE &&
        mt_part_kind(s, a.pointer, 0) == MT_SHAPE_AFFINE)
      a.ahead = mt_prefetch_distance(s, a.pointer, mt_value(s, i)->block);
    mt_LaneValue g = mt_access_read(s, &a);
    if (g.uniform)
      mt_set_uniform(s, i, p, g.value);
    else
      mt_set_vector(s, i, p, g.value);
  }
}

void mt_memory_load(mt_Spmd *s, LLVMValueRef i) {
  const mt_AccessPlan *plan = mt_access_plan(s, i);
  mt_access_note(s, i, plan->how, plan->why);
  switch (plan->form) {
    case MT_FORM_AOS_RUNS: mt_aos_contiguous_load(s, i, plan->run); break;
    case MT_FORM_AOS_LANES: mt_aos_load(s, i, plan->test); break;
    case MT_FORM_COALESCED: mt_coalesced_load(s, i, plan->test); break;
    case MT_FORM_ROW_BUFFER: mt_row_buffer_load(s, mt_row_buffer(s, i)); break;
    default: load_parts(s, i, plan); break;
  }
}

static mt_LaneValue get(mt_Spmd *s, LLVMValueRef x, unsigned part) {
  if (mt_part_kind(s, x, part) == MT_SHAPE_UNIFORM)
    return (mt_LaneValue){mt_uniform(s, x, part), true};
  return (mt_LaneValue){mt_vector(s, x, part), false};
}

static void store_parts(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  LLVMValueRef x = LLVMGetOperand(i, 0);
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(x)); p++) {
    mt_LaneAccess a = mt_access_of(s, i, p);
    a.plan = &plan->part[p];
    mt_access_write(s, &a, get(s, x, p));
  }
}

void mt_memory_store(mt_Spmd *s, LLVMValueRef i) {
  const mt_AccessPlan *plan = mt_access_plan(s, i);
  mt_access_note(s, i, plan->how, plan->why);
  switch (plan->form) {
    case MT_FORM_AOS_RUNS: mt_aos_contiguous_store(s, i, plan->run); break;
    case MT_FORM_AOS_LANES: mt_aos_store(s, i, plan->test); break;
    case MT_FORM_INTERLEAVED:
      if (mt_interleaved_role(s, i) == MT_INTERLEAVED_LAST)
        mt_interleaved_store(s, i);
      break;
    case MT_FORM_ROW_BUFFER: mt_row_buffer_store(s, mt_row_buffer(s, i)); break;
    default: store_parts(s, i, plan); break;
  }
}

/* -------------------------------------------------- memcpy, memmove, memset */

static void copy(mt_Spmd *s, LLVMValueRef call, uint64_t size) {
  unsigned align = mt_memcpy_align(call, 0), from = mt_memcpy_align(call, 1);
  if (from < align) align = from;
  unsigned step = align >= 4 && size % 4 == 0 ? 4 : 1;
  mt_LaneAccess r = {.pointer = LLVMGetOperand(call, 1), .align = step};
  mt_LaneAccess w = {.pointer = LLVMGetOperand(call, 0), .align = step};
  r.type = w.type = step == 4 ? s->i32 : s->i8;
  r.space = mt_address_space(s, r.pointer),
  w.space = mt_address_space(s, w.pointer);
  mt_LaneValue got[MT_SHORT_COPY];
  uint64_t n = size / step;
  for (uint64_t k = 0; k < n; k++) { /* load all first: memmove may overlap */
    r.offset = (int64_t)(k * step);
    got[k] = mt_access_read(s, &r);
  }
  for (uint64_t k = 0; k < n; k++) {
    w.offset = (int64_t)(k * step);
    mt_access_write(s, &w, got[k]);
  }
}

static void fill(mt_Spmd *s, LLVMValueRef call, uint64_t size) {
  unsigned step = mt_memcpy_align(call, 0) >= 4 && size % 4 == 0 ? 4 : 1;
  mt_LaneAccess w = {.pointer = LLVMGetOperand(call, 0), .align = step};
  w.type = step == 4 ? s->i32 : s->i8;
  w.space = mt_address_space(s, w.pointer);
  mt_LaneValue g = get(s, LLVMGetOperand(call, 1), 0);
  if (step == 4) {
    LLVMTypeRef t = g.uniform ? s->i32 : s->v_i32;
    LLVMValueRef ones = mt_const_i32(s, 0x01010101);
    g.value = LLVMBuildZExt(s->b, g.value, t, "");
    g.value =
        LLVMBuildMul(s->b, g.value, g.uniform ? ones : mt_splat(s, ones), "");
  }
  for (uint64_t k = 0; k < size / step; k++) {
    w.offset = (int64_t)(k * step);
    mt_access_write(s, &w, g);
  }
}

bool mt_memory_intrinsic(mt_Spmd *s, LLVMValueRef call, const char *name) {
  bool set = !strncmp(name, "llvm.memset.", 12);
  if (!set && !mt_is_copy(name)) return false;
  LLVMValueRef n = LLVMGetOperand(call, 2);
  uint64_t size = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : ~0ull;
  if (size > MT_SHORT_COPY)
    mt_unsupported(s, "a copy of many bytes at once");
  else if (set)
    fill(s, call, size);
  else
    copy(s, call, size);
  return true;
}
