/*
** row_buffer_load.c - loads along rows, several iterations at once.
**
** The one idea: each such load has a counter, its phase, that tells what its
** buffer holds. 0: nothing, so the buffer is filled or, if that is not allowed,
** the lanes gather; 1 and more: this iteration's elements, up to 'rounds',
** where the buffer is used up; below 0: too early to tell whether the loop is
** worth a fill. A lane reads only within the page of the element it has to read
** anyway, so the wider read cannot fault. Where the loop says how many
** iterations are left, a fill reads no more than these need: rows of a few
** words are read once, not 64 words of each.
*/
#include <string.h>

#include "devices/host/strategy/row_buffer.h"

#define LEAST 2 /* iterations that are worth a fill, if it is known */

void mt_row_buffers_make(mt_Spmd *s) {
  if (s->loops) mt_row_buffer(s, NULL);
  const mt_StrategyState *own = mt_strategy_state(s);
  for (int i = 0; i < own->row_buffers; i++) {
    mt_RowBuffer *w = &own->row_buffer[i];
    if (!s->inside[mt_value(s, w->instr)->block]) continue;
    unsigned room = (unsigned)w->room;
    LLVMTypeRef words =
        LLVMArrayType2(s->i32, (uint64_t)room * (uint64_t)w->words);
    w->phase = mt_entry_alloca(s, s->i32, 0);
    w->buffer = mt_entry_alloca(s, words, MT_CACHE_LINE);
    w->at = mt_entry_alloca(s, LLVMVectorType(s->ptr, room), MT_CACHE_LINE);
  }
}

void mt_row_buffers_enter(mt_Spmd *s, int loop) {
  const mt_StrategyState *own = mt_strategy_state(s);
  for (int i = 0; i < own->row_buffers; i++)
    if (own->row_buffer[i].loop == loop)
      LLVMBuildStore(s->b, mt_const_i32(s, -own->row_buffer[i].wait),
                     own->row_buffer[i].phase);
}

/* ------------------------------------------------------------------ filling */

/* 'x' for each of 'count' addresses. */
static LLVMValueRef for_each(mt_Spmd *s, LLVMValueRef x, int count) {
  return mt_splat_to(s->b, x, (unsigned)count);
}

/* For each distinct address, the value of its lane number 'turn' (0: the first;
** past the last: the last again). */
static LLVMValueRef pick(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef x,
                         int turn) {
  LLVMValueRef from[MT_MAX_LANES];
  for (int n = 0; n < w->room; n++) {
    int place = n < w->count ? n : 0, lane = w->lane[place], seen = 0;
    for (int l = lane; l < s->lanes && seen <= turn; l++)
      if (w->place[l] == place) lane = l, seen++;
    from[n] = mt_const_i32(s, lane);
  }
  return LLVMBuildShuffleVector(s->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                LLVMConstVector(from, (unsigned)w->room), "");
}

static int most_sharing(const mt_Spmd *s, const mt_RowBuffer *w) {
  int most = 0;
  for (int n = 0; n < w->count; n++) {
    int sharing = 0;
    for (int l = 0; l < s->lanes; l++) sharing += w->place[l] == n;
    if (sharing > most) most = sharing;
  }
  return most;
}

/* The addresses; a scratch address where all lanes that share one are
** inactive. */
static LLVMValueRef addresses(mt_Spmd *s, const mt_RowBuffer *w,
                              LLVMValueRef at) {
  LLVMValueRef x = pick(s, w, at, 0), on = NULL;
  if (s->full) return x;
  for (int turn = 0; turn < most_sharing(s, w); turn++) {
    LLVMValueRef m = pick(s, w, s->mask, turn);
    on = on ? LLVMBuildOr(s->b, on, m, "") : m;
  }
  LLVMValueRef none =
      for_each(s, mt_byte_offset(s, s->scratch, MT_CACHE_LINE), w->room);
  return LLVMBuildSelect(s->b, on, x, none, "");
}

static LLVMValueRef number(const mt_RowBuffer *w, LLVMTypeRef t, uint64_t x) {
  LLVMValueRef all[MT_MAX_LANES];
  for (int n = 0; n < w->room; n++) all[n] = LLVMConstInt(t, x, 0);
  return LLVMConstVector(all, (unsigned)w->room);
}

/* Iterations from the start of the aligned block of 'words' words that the
** first row's element is in: rows mostly start aligned, so the buffer
** should. */
static LLVMValueRef rounds_before(mt_Spmd *s, const mt_RowBuffer *w,
                                  LLVMValueRef at) {
  at =
      LLVMBuildTrunc(s->b, LLVMBuildPtrToInt(s->b, at, s->i64, ""), s->i32, "");
  at = LLVMBuildAnd(s->b, at, mt_const_i32(s, 4 * w->words - 1), "");
  return LLVMBuildUDiv(s->b, at, mt_const_i32(s, w->step), "");
}

LLVMValueRef mt_row_buffer_left(mt_Spmd *s, const mt_RowBuffer *w) {
  LLVMValueRef args[2] = {mt_uniform(s, w->end, 0),
                          mt_uniform(s, w->counter, 0)};
  LLVMTypeRef t = LLVMTypeOf(args[0]);
  return w->until == LLVMIntNE
             ? LLVMBuildSub(s->b, args[0], args[1], "")
             : mt_intrinsic(s, "llvm.usub.sat", &t, 1, args, 2);
}

/* What is read of each row at once: 'words' (i32) from 'back' bytes (i64)
** before the address on, for iterations from number 'phase' (i32) of the buffer
** on. It is within the address' page if ((address + more) & (page - 1)) - back
** <= most. */
typedef struct Fill {
  LLVMValueRef phase, words, back, more, most;
} Fill;

/* As much as a buffer has room for, which the loop may not need. */
static Fill whole(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef first) {
  LLVMValueRef before =
      w->anywhere ? mt_const_i32(s, 0) : rounds_before(s, w, first);
  LLVMValueRef back =
      LLVMBuildMul(s->b, before, mt_const_i32(s, w->step), "");
  return (Fill){.phase = before, .words = mt_const_i32(s, w->words),
                .back = LLVMBuildZExt(s->b, back, s->i64, ""),
                .more = mt_const_i64(s, 0),
                .most = mt_const_i64(s, MT_PAGE - 4 * (int64_t)w->words)};
}

/* 'x' (i64), rounded up to a multiple of 'by'. */
static LLVMValueRef rounded(mt_Spmd *s, LLVMValueRef x, int64_t by) {
  x = LLVMBuildAdd(s->b, x, mt_const_i64(s, by - 1), "");
  return LLVMBuildAnd(s->b, x, mt_const_i64(s, -by), "");
}

static LLVMValueRef below(mt_Spmd *s, LLVMValueRef x, int64_t most) {
  return LLVMBuildICmp(s->b, LLVMIntULE, x, mt_const_i64(s, most), "");
}

/* The rest of the row, 'bytes' of it, all of which the loop does need. */
static Fill rest(mt_Spmd *s, LLVMValueRef bytes) {
  LLVMValueRef read = LLVMBuildSelect(
      s->b, below(s, bytes, MT_CACHE_LINE), rounded(s, bytes, 16),
      rounded(s, bytes, MT_CACHE_LINE), "");
  LLVMValueRef over = LLVMBuildSub(s->b, read, bytes, "");
  LLVMValueRef words = LLVMBuildLShr(s->b, read, mt_const_i64(s, 2), "");
  return (Fill){
      .phase = mt_const_i32(s, 0), .back = mt_const_i64(s, 0),
      .words = LLVMBuildTrunc(s->b, words, s->i32, ""),
      .more = LLVMBuildSub(s->b, bytes, mt_const_i64(s, 1), ""),
      .most = LLVMBuildSub(s->b, mt_const_i64(s, MT_PAGE - 1), over, "")};
}

static Fill either(mt_Spmd *s, LLVMValueRef is_first, Fill a, Fill b) {
  LLVMBuilderRef at = s->b;
  return (Fill){LLVMBuildSelect(at, is_first, a.phase, b.phase, ""),
                LLVMBuildSelect(at, is_first, a.words, b.words, ""),
                LLVMBuildSelect(at, is_first, a.back, b.back, ""),
                LLVMBuildSelect(at, is_first, a.more, b.more, ""),
                LLVMBuildSelect(at, is_first, a.most, b.most, "")};
}

/* Bytes of a row that are left, up to many. */
static LLVMValueRef bytes_left(mt_Spmd *s, const mt_RowBuffer *w,
                               LLVMValueRef left) {
  if (LLVMTypeOf(left) != s->i64)
    left = LLVMBuildZExt(s->b, left, s->i64, "");
  left = LLVMBuildSelect(s->b, below(s, left, MT_PAGE), left,
                         mt_const_i64(s, MT_PAGE), "");
  left = LLVMBuildMul(s->b, left, mt_const_i64(s, w->step), "");
  int64_t size = (int64_t)LLVMABISizeOfType(s->layout, w->type);
  return LLVMBuildAdd(s->b, left, mt_const_i64(s, size - w->step), "");
}

/* 'left': iterations; NULL: it is not known how many. */
static Fill choose_fill(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef first,
                        LLVMValueRef left) {
  Fill all = whole(s, w, first);
  if (!left) return all;
  LLVMValueRef bytes = bytes_left(s, w, left);
  return either(s, below(s, bytes, 4 * (int64_t)w->words), rest(s, bytes), all);
}

/* The whole read stays within the pages of what has to be read. */
static LLVMValueRef in_pages(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef at,
                             const Fill *f) {
  LLVMTypeRef t = LLVMVectorType(s->i64, (unsigned)w->room);
  LLVMValueRef low = LLVMBuildPtrToInt(s->b, at, t, "");
  low = LLVMBuildAdd(s->b, low, for_each(s, f->more, w->room), "");
  low = LLVMBuildAnd(s->b, low, number(w, s->i64, MT_PAGE - 1), "");
  low = LLVMBuildSub(s->b, low, for_each(s, f->back, w->room), "");
  LLVMValueRef out = /* before the page's start: wraps to a large number */
      LLVMBuildICmp(s->b, LLVMIntUGT, low, for_each(s, f->most, w->room),
                    "");
  LLVMTypeRef bits = LLVMIntTypeInContext(s->context, (unsigned)w->room);
  out = LLVMBuildBitCast(s->b, out, bits, "");
  return LLVMBuildICmp(s->b, LLVMIntEQ, out, LLVMConstNull(bits), "");
}

/* A fill costs what a few gathers do. */
static LLVMValueRef is_worth(mt_Spmd *s, LLVMValueRef left) {
  LLVMValueRef least = LLVMConstInt(LLVMTypeOf(left), LEAST, 0);
  return LLVMBuildICmp(s->b, LLVMIntUGE, left, least, "");
}

void mt_row_buffer_call(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef words,
                        const char *name) {
  mt_transpose_call(s, name, w->at, w->room, words, w->buffer);
}

static void fill(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef at,
                 const Fill *f) {
  LLVMValueRef back =
      for_each(s, LLVMBuildNeg(s->b, f->back, ""), w->room);
  at = LLVMBuildGEP2(s->b, s->i8, at, &back, 1, "");
  LLVMSetAlignment(LLVMBuildStore(s->b, at, w->at), MT_CACHE_LINE);
  mt_row_buffer_call(s, w, f->words, "mt_transpose_in");
}

/* ------------------------------------------------------------------ reading */

/* Word number 'byte' / 4 (a scalar) + 'more' of each row. */
static LLVMValueRef words_at(mt_Spmd *s, const mt_RowBuffer *w,
                             LLVMValueRef byte, int more) {
  LLVMValueRef at = LLVMBuildLShr(s->b, byte, mt_const_i32(s, 2), "");
  at = LLVMBuildAdd(s->b, at, mt_const_i32(s, more), "");
  at = LLVMBuildMul(s->b, at, mt_const_i32(s, w->room), "");
  at = LLVMBuildGEP2(s->b, s->i32, w->buffer, &at, 1, "");
  LLVMTypeRef t = LLVMVectorType(s->i32, (unsigned)w->count);
  LLVMValueRef x = LLVMBuildLoad2(s->b, t, at, "");
  LLVMSetAlignment(x, MT_CACHE_LINE);
  return x;
}

/* Two adjacent words of each row, interleaved. */
static LLVMValueRef two_words(mt_Spmd *s, const mt_RowBuffer *w,
                              LLVMValueRef byte) {
  LLVMValueRef from[2 * MT_MAX_LANES];
  for (int n = 0; n < w->count; n++) {
    from[2 * n] = mt_const_i32(s, n);
    from[2 * n + 1] = mt_const_i32(s, w->count + n);
  }
  return LLVMBuildShuffleVector(
      s->b, words_at(s, w, byte, 0), words_at(s, w, byte, 1),
      LLVMConstVector(from, 2 * (unsigned)w->count), "");
}

/* A byte or half of each row's word. */
static LLVMValueRef cut(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef byte,
                        LLVMTypeRef bits) {
  LLVMValueRef x = words_at(s, w, byte, 0);
  LLVMValueRef by = LLVMBuildAnd(s->b, byte, mt_const_i32(s, 3), "");
  by = LLVMBuildShl(s->b, by, mt_const_i32(s, 3), "");
  LLVMValueRef all = for_each(s, by, w->count);
  x = LLVMBuildLShr(s->b, x, all, "");
  return LLVMBuildTrunc(s->b, x, LLVMVectorType(bits, (unsigned)w->count), "");
}

/* Broadcast from the distinct addresses to the lanes that share them. */
static LLVMValueRef spread(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef x) {
  LLVMValueRef from[MT_MAX_LANES];
  if (w->count == s->lanes) return x;
  for (int l = 0; l < s->lanes; l++) from[l] = mt_const_i32(s, w->place[l]);
  return LLVMBuildShuffleVector(s->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                LLVMConstVector(from, (unsigned)s->lanes), "");
}

static LLVMValueRef read_part(mt_Spmd *s, const mt_RowBuffer *w,
                              LLVMValueRef phase, unsigned part) {
  LLVMTypeRef t = mt_type_part(w->type, part);
  size_t size = mt_type_size(s, t);
  LLVMValueRef byte = LLVMBuildMul(s->b, phase, mt_const_i32(s, w->step), "");
  byte = LLVMBuildAdd(
      s->b, byte, mt_const_i32(s, (int64_t)mt_type_offset(s, w->type, part)),
      "");
  bool is_bit = t == s->i1;
  LLVMTypeRef bits = LLVMIntTypeInContext(s->context, 8 * (unsigned)size);
  LLVMValueRef x = size == 8   ? two_words(s, w, byte)
                   : size == 4 ? words_at(s, w, byte, 0)
                               : cut(s, w, byte, bits);
  LLVMTypeRef to = LLVMVectorType(is_bit ? bits : t, (unsigned)w->count);
  x = spread(s, w, LLVMBuildBitCast(s->b, x, to, ""));
  return is_bit ? LLVMBuildTrunc(s->b, x, s->v_i1, "") : x;
}

static LLVMValueRef gather_part(mt_Spmd *s, const mt_RowBuffer *w,
                                LLVMValueRef at, unsigned part) {
  LLVMTypeRef t = mt_type_part(w->type, part);
  int64_t offset = (int64_t)mt_type_offset(s, w->type, part);
  unsigned align = LLVMGetAlignment(w->instr);
  while (align > 1 && offset % align) align /= 2;
  at = mt_byte_offset(s, at, offset);
  if (t != s->i1) return mt_gather(s, t, at, align ? align : 1);
  return LLVMBuildTrunc(s->b, mt_gather(s, s->i8, at, 1), s->v_i1, "");
}

/* Branch weights: most iterations find the buffer filled. */
static void weigh(mt_Spmd *s, LLVMValueRef branch, const mt_RowBuffer *w) {
  LLVMMetadataRef name =
      LLVMMDStringInContext2(s->context, "branch_weights", 14);
  LLVMMetadataRef weight[3] = {
      name, LLVMValueAsMetadata(mt_const_i32(s, w->rounds)),
      LLVMValueAsMetadata(mt_const_i32(s, 1))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(s->context, weight, 3);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(s->context, "prof", 4),
                  LLVMMetadataAsValue(s->context, node));
}

LLVMValueRef mt_make_phi(mt_Spmd *s, LLVMValueRef *x, LLVMBasicBlockRef *from,
                         unsigned n) {
  LLVMValueRef phi = LLVMBuildPhi(s->b, LLVMTypeOf(x[0]), "");
  LLVMAddIncoming(phi, x, from, n);
  return phi;
}

/* The phase of the next iteration; 0 when the buffer is used up. */
static LLVMValueRef next_of(mt_Spmd *s, const mt_RowBuffer *w,
                            LLVMValueRef phase) {
  LLVMValueRef n = LLVMBuildAdd(s->b, phase, mt_const_i32(s, 1), "");
  LLVMValueRef end =
      LLVMBuildICmp(s->b, LLVMIntUGE, n, mt_const_i32(s, w->rounds), "");
  return LLVMBuildSelect(s->b, end, mt_const_i32(s, 0), n, "");
}

/* The buffer is empty. Fill it and branch to 'hold', at the phase that is
** returned in '*phase'; or leave the builder where to gather. */
static LLVMBasicBlockRef refill(mt_Spmd *s, mt_RowBuffer *w, LLVMValueRef at,
                                LLVMValueRef first, LLVMValueRef left,
                                LLVMValueRef *phase,
                                LLVMBasicBlockRef hold) {
  LLVMBasicBlockRef yes = mt_new_block(s, "fill"), no = mt_new_block(s, "far"),
                    ask = mt_new_block(s, "ask");
  LLVMValueRef now =
      LLVMBuildICmp(s->b, LLVMIntEQ, *phase, mt_const_i32(s, 0), "");
  if (left) now = LLVMBuildAnd(s->b, now, is_worth(s, left), "");
  LLVMBuildCondBr(s->b, now, ask, no);
  LLVMPositionBuilderAtEnd(s->b, ask);
  LLVMValueRef rows = addresses(s, w, at);
  Fill f = choose_fill(s, w, first, left);
  LLVMBuildCondBr(s->b, in_pages(s, w, rows, &f), yes, no);
  LLVMPositionBuilderAtEnd(s->b, yes);
  fill(s, w, rows, &f);
  LLVMBuildBr(s->b, hold);
  LLVMPositionBuilderAtEnd(s->b, no);
  *phase = f.phase;
  return yes;
}

/* The phase after an iteration without the buffer. */
static LLVMValueRef wait(mt_Spmd *s, LLVMValueRef phase) {
  LLVMValueRef zero = mt_const_i32(s, 0);
  LLVMValueRef early = LLVMBuildICmp(s->b, LLVMIntSLT, phase, zero, "");
  LLVMValueRef n = LLVMBuildAdd(s->b, phase, mt_const_i32(s, 1), "");
  return LLVMBuildSelect(s->b, early, n, zero, "");
}

void mt_row_buffer_load(mt_Spmd *s, mt_RowBuffer *w) {
  LLVMValueRef at = mt_vector(s, w->pointer, 0), x[2][MT_ROW_PARTS], next[2];
  LLVMBasicBlockRef hold = mt_new_block(s, "hold"),
                    anew = mt_new_block(s, "anew"), done = mt_new_block(s, "");
  LLVMBasicBlockRef end[2] = {hold, NULL}, from[2];
  unsigned parts = mt_type_parts(w->type);
  LLVMValueRef first = LLVMBuildFreeze( /* lane 0 may be inactive */
      s->b, LLVMBuildExtractElement(s->b, at, mt_const_i64(s, 0), ""), "");
  LLVMValueRef left = w->end ? mt_row_buffer_left(s, w) : NULL;
  LLVMValueRef phase = LLVMBuildLoad2(s->b, s->i32, w->phase, "");
  LLVMValueRef held =
      LLVMBuildICmp(s->b, LLVMIntSGT, phase, mt_const_i32(s, 0), "");
  from[0] = LLVMGetInsertBlock(s->b);
  weigh(s, LLVMBuildCondBr(s->b, held, hold, anew), w);

  LLVMPositionBuilderAtEnd(s->b, anew);
  LLVMValueRef phases[2] = {phase, phase};
  from[1] = refill(s, w, at, first, left, &phases[1], hold);
  for (unsigned p = 0; p < parts; p++) x[1][p] = gather_part(s, w, at, p);
  next[1] = wait(s, phase), end[1] = LLVMGetInsertBlock(s->b);
  LLVMBuildBr(s->b, done);

  LLVMPositionBuilderAtEnd(s->b, hold);
  phase = mt_make_phi(s, phases, from, 2);
  for (unsigned p = 0; p < parts; p++) x[0][p] = read_part(s, w, phase, p);
  next[0] = next_of(s, w, phase);
  LLVMBuildBr(s->b, done);

  LLVMPositionBuilderAtEnd(s->b, done);
  for (unsigned p = 0; p < parts; p++) {
    LLVMValueRef both[2] = {x[0][p], x[1][p]};
    x[0][p] = mt_make_phi(s, both, end, 2);
  }
  LLVMBuildStore(s->b, mt_make_phi(s, next, end, 2), w->phase);
  for (unsigned p = 0; p < parts; p++) mt_set_vector(s, w->instr, p, x[0][p]);
}
