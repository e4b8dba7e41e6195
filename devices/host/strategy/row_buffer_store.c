/*
** row_buffer_store.c - stores along rows, several iterations at once.
**
** The one idea: the inverse of row_buffer_load.c. The lanes' values are kept in
** a buffer, iteration by iteration, and when it is full each lane's part is
** written to its row. A buffer is begun only if enough iterations are left to
** fill it, so nothing is left over at the exit; the last few iterations
** scatter.
*/
#include "devices/host/strategy/row_buffer.h"


/* At least as many iterations as fill the buffer are left, this one
** included. */
static LLVMValueRef may_begin(mt_Spmd *s, const mt_RowBuffer *w) {
  LLVMValueRef left = mt_row_buffer_left(s, w);
  return LLVMBuildICmp(
      s->b, LLVMIntUGE, left,
      LLVMConstInt(LLVMTypeOf(left), (unsigned long long)w->rounds, 0), "");
}

static void scatter(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef at,
                    LLVMValueRef *x) {
  unsigned align = LLVMGetAlignment(w->instr);
  for (unsigned p = 0; p < mt_type_parts(w->type); p++) {
    int64_t offset = (int64_t)mt_type_offset(s, w->type, p);
    mt_scatter(s, x[p], mt_byte_offset(s, at, offset), align < 4 ? align : 4);
  }
}

static void keep(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef phase,
                 LLVMValueRef *x) {
  for (unsigned p = 0; p < mt_type_parts(w->type); p++) {
    LLVMValueRef at =
        LLVMBuildMul(s->b, phase, mt_const_i32(s, w->step / 4), "");
    int64_t word = (int64_t)mt_type_offset(s, w->type, p) / 4;
    at = LLVMBuildAdd(s->b, at, mt_const_i32(s, word), "");
    at = LLVMBuildMul(s->b, at, mt_const_i32(s, w->room), "");
    at = LLVMBuildGEP2(s->b, s->i32, w->buffer, &at, 1, "");
    LLVMSetAlignment(LLVMBuildStore(s->b, x[p], at), MT_CACHE_LINE);
  }
}

/* Write the buffer if it is full, and branch to 'done'; returns the two
** incoming phases and their blocks. */
static void end_round(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef phase,
                      LLVMBasicBlockRef done, LLVMValueRef *next,
                      LLVMBasicBlockRef *from) {
  LLVMBasicBlockRef full = mt_new_block(s, "write");
  LLVMValueRef n = LLVMBuildAdd(s->b, phase, mt_const_i32(s, 1), "");
  LLVMValueRef end =
      LLVMBuildICmp(s->b, LLVMIntEQ, n, mt_const_i32(s, w->rounds), "");
  next[0] = n, from[0] = LLVMGetInsertBlock(s->b);
  LLVMBuildCondBr(s->b, end, full, done);
  LLVMPositionBuilderAtEnd(s->b, full);
  mt_row_buffer_call(s, w, mt_const_i32(s, w->words), "mt_transpose_out");
  next[1] = mt_const_i32(s, 0), from[1] = full;
  LLVMBuildBr(s->b, done);
}

void mt_row_buffer_store(mt_Spmd *s, mt_RowBuffer *w) {
  LLVMValueRef x[MT_ROW_PARTS], value = LLVMGetOperand(w->instr, 0);
  LLVMValueRef at = mt_vector(s, w->pointer, 0), ok = may_begin(s, w);
  for (unsigned p = 0; p < mt_type_parts(w->type); p++)
    x[p] = mt_vector(s, value, p);
  LLVMBasicBlockRef begin = mt_new_block(s, "begin"),
                    hold = mt_new_block(s, "hold"),
                    other = mt_new_block(s, "other"),
                    direct = mt_new_block(s, "direct"),
                    done = mt_new_block(s, "");
  LLVMValueRef zero = mt_const_i32(s, 0), next[3];
  LLVMValueRef phase = LLVMBuildLoad2(s->b, s->i32, w->phase, "");
  LLVMBasicBlockRef from[3], here[2] = {LLVMGetInsertBlock(s->b), begin};
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntSGT, phase, zero, ""), hold,
                  other);
  LLVMPositionBuilderAtEnd(s->b, other);
  LLVMBuildCondBr(s->b, ok, begin, direct);

  LLVMPositionBuilderAtEnd(s->b, begin);
  LLVMSetAlignment(LLVMBuildStore(s->b, at, w->at), MT_CACHE_LINE);
  LLVMBuildBr(s->b, hold);

  LLVMPositionBuilderAtEnd(s->b, direct);
  scatter(s, w, at, x);
  next[2] = zero, from[2] = LLVMGetInsertBlock(s->b);
  LLVMBuildBr(s->b, done);

  LLVMPositionBuilderAtEnd(s->b, hold);
  LLVMValueRef phases[2] = {phase, zero};
  phase = mt_make_phi(s, phases, here, 2);
  keep(s, w, phase, x);
  end_round(s, w, phase, done, next, from);
  LLVMPositionBuilderAtEnd(s->b, done);
  LLVMBuildStore(s->b, mt_make_phi(s, next, from, 3), w->phase);
}
