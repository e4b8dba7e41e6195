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

void mt_memory_load(mt_Spmd *s, LLVMValueRef i) {
  const mt_AccessPlan *plan = mt_access_plan(s, i);
  mt_access_note(s, i, plan->how, plan->why);
  plan->by->load(s, i, plan);
}

void mt_memory_store(mt_Spmd *s, LLVMValueRef i) {
  const mt_AccessPlan *plan = mt_access_plan(s, i);
  mt_access_note(s, i, plan->how, plan->why);
  plan->by->store(s, i, plan);
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
  mt_LaneValue g = mt_operand_part(s, LLVMGetOperand(call, 1), 0);
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
