/*
** tile_fill.c - the half of a tile that the next iteration uses, filled in the
** inner loop of this one (double_buffer.c gives tiles two halves).
**
** The one idea: a guess, and a test of it. Where a load of this iteration is
** emitted, the address that it will have in the next one follows from its step
** (prefetch.c). It goes to the frame if all of it is inside the buffer. The
** inner loop exists twice: one copies from there to the other half, a cache
** line every few steps, and prefetches what comes after that; the other is for
** SIMD-groups that have no such address. In the next iteration the load
** compares its addresses with those that were copied. If they are the same,
** neither the load nor its store has anything to do.
**
** A guess needs no proof: guards, edges and the loop's end are tested where
** they always were, and a half that is not used does no harm.
*/
#include <stddef.h>

#include "devices/host/vectorise/access/access.h"
#include "devices/host/vectorise/regions.h"

#define LINE 64

/* The fields of a tile in the frame. */
enum {
  FROM = 0,   /* address of the first run in the next iteration; 0: unknown */
  STEP = 8,   /* from run to run, in bytes */
  AHEAD = 16, /* from iteration to iteration */
  TO = 24,    /* address of the first run in the first half; 0: unknown */
  COPIED = 32, /* what FROM was when it was copied; 0: it was not */
  PLACE = 64
};

size_t mt_tile_places(mt_Spmd *s, size_t at) {
  for (int i = 0; i < s->tiles; i++) {
    s->tile[i].at = at;
    at += PLACE;
  }
  return at;
}

static LLVMValueRef place(mt_Spmd *s, const mt_Tile *t, int field) {
  return mt_frame_field(s, t->at + (size_t)field);
}

static LLVMValueRef get(mt_Spmd *s, const mt_Tile *t, int field) {
  return LLVMBuildLoad2(s->b, s->i64, place(s, t, field), "");
}

static void set(mt_Spmd *s, const mt_Tile *t, int field, LLVMValueRef x) {
  LLVMBuildStore(s->b, x, place(s, t, field));
}

static LLVMValueRef is_equal(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildICmp(s->b, LLVMIntEQ, a, b, "");
}

static LLVMValueRef both(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b) {
  return a ? LLVMBuildAnd(s->b, a, b, "") : b;
}

mt_Tile *mt_tile_of(mt_Spmd *s, LLVMValueRef access) {
  for (int i = 0; i < s->tiles; i++)
    if (s->tile[i].load == access || s->tile[i].store == access)
      return &s->tile[i];
  return NULL;
}

/* --------------------------------------------------------------- the guess */

/* Is a run at 'at' inside the buffer that the load reads? */
static LLVMValueRef is_in_buffer(mt_Spmd *s, const mt_Tile *t,
                                 LLVMValueRef at) {
  LLVMValueRef i = mt_const_i64(s, t->parameter);
  LLVMValueRef all = mt_group_field(s, offsetof(mt_Group, ends), s->ptr);
  LLVMValueRef end = LLVMBuildLoad2(
      s->b, s->i64, LLVMBuildGEP2(s->b, s->i64, all, &i, 1, ""), "");
  mt_mark_invariant(s, end);
  LLVMValueRef start =
      mt_address_number(s, mt_uniform(s, LLVMGetParam(s->old, t->parameter),
                                      0));
  LLVMValueRef last = LLVMBuildAdd(
      s->b, at, mt_const_i64(s, (int64_t)t->bytes), "");
  return both(s, LLVMBuildICmp(s->b, LLVMIntUGE, at, start, ""),
              LLVMBuildICmp(s->b, LLVMIntULE, last, end, ""));
}

LLVMValueRef mt_tile_load(mt_Spmd *s, mt_Tile *t, LLVMValueRef *run,
                          LLVMValueRef ahead) {
  LLVMValueRef first = mt_address_number(s, run[0]), last = first;
  LLVMValueRef step = mt_const_i64(s, 0), even = NULL;
  if (t->runs > 1) {
    step = LLVMBuildSub(s->b, mt_address_number(s, run[1]), first, "");
    last = mt_address_number(s, run[t->runs - 1]);
    /* runs are equally far apart unless an index wraps in between */
    LLVMValueRef far =
        LLVMBuildMul(s->b, step, mt_const_i64(s, t->runs - 1), "");
    even = is_equal(s, LLVMBuildSub(s->b, last, first, ""), far);
  }
  LLVMValueRef filled = both(s, even, is_equal(s, get(s, t, COPIED), first));
  filled = both(s, filled, is_equal(s, get(s, t, STEP), step));
  LLVMBuildStore(s->b, filled, t->filled);

  LLVMValueRef next = LLVMBuildAdd(s->b, first, ahead, "");
  LLVMValueRef good = both(s, even, is_in_buffer(s, t, next));
  if (t->runs > 1)
    good = both(s, good,
                is_in_buffer(s, t, LLVMBuildAdd(s->b, last, ahead, "")));
  set(s, t, FROM, LLVMBuildSelect(s->b, good, next, mt_const_i64(s, 0), ""));
  set(s, t, STEP, step);
  set(s, t, AHEAD, ahead);
  return filled;
}

LLVMValueRef mt_tile_store(mt_Spmd *s, const mt_Tile *t) {
  if (s->full)
    set(s, t, TO,
        mt_address_number(s, mt_affine_lane(s, mt_affine(s, t->to, 0), 0)));
  return LLVMBuildLoad2(s->b, s->i1, t->filled, "");
}

void mt_tiles_enter(mt_Spmd *s, int loop) {
  for (int i = 0; i < s->tiles; i++)
    if (s->block[mt_value(s, s->tile[i].load)->block].loop == loop)
      set(s, &s->tile[i], COPIED, mt_const_i64(s, 0));
}

/* -------------------------------------------------------------- the region */

static bool is_filled_in(const mt_Spmd *s, int block) {
  return s->tiles && s->block[block].of == s->fill_in;
}

bool mt_tiles_fill_here(mt_Spmd *s, int block) {
  return is_filled_in(s, block) && s->fill;
}

/* Is the inner loop in this region? */
static bool is_filling(const mt_Spmd *s) {
  bool here = false;
  for (int i = 0; i < s->blocks; i++)
    here |= s->inside[i] && is_filled_in(s, i);
  return here && s->needs_full;
}

/* Is it known what to copy for all tiles? */
static LLVMValueRef is_known(mt_Spmd *s) {
  LLVMValueRef known = NULL, zero = mt_const_i64(s, 0);
  for (int i = 0; i < s->tiles; i++)
    for (int field = FROM; field <= TO; field += TO - FROM) {
      LLVMValueRef x = get(s, &s->tile[i], field);
      known = both(s, known, LLVMBuildICmp(s->b, LLVMIntNE, x, zero, ""));
    }
  return known;
}

void mt_tiles_begin(mt_Spmd *s) {
  LLVMValueRef zero = mt_const_i64(s, 0);
  s->fill = NULL;
  for (int i = 0; i < s->tiles; i++) {
    mt_Tile *t = &s->tile[i];
    t->filled = mt_entry_alloca(s, s->i1, 0);
    LLVMBuildStore(s->b, LLVMConstInt(s->i1, 0, 0), t->filled);
    if (s->start != 0) continue;
    set(s, t, FROM, zero), set(s, t, TO, zero), set(s, t, COPIED, zero);
  }
  if (!s->tiles || !is_filling(s)) return;
  s->fill = is_known(s);
  for (int i = 0; i < s->tiles; i++) set(s, &s->tile[i], COPIED, zero);
}

/* ---------------------------------------------------------- the inner loop */

void mt_tiles_fill_begin(mt_Spmd *s) {
  for (int i = 0; i < s->tiles; i++) {
    mt_Tile *t = &s->tile[i];
    LLVMValueRef from = get(s, t, FROM), to = get(s, t, TO);
    LLVMValueRef turn = mt_uniform(s, t->turn, 0);
    LLVMValueRef other =
        LLVMBuildSub(s->b, mt_const_i64(s, t->half), turn, "");
    set(s, t, COPIED, from);
    t->from = mt_entry_alloca(s, s->ptr, 0);
    t->into = mt_entry_alloca(s, s->ptr, 0);
    LLVMBuildStore(s->b, LLVMBuildIntToPtr(s->b, from, s->ptr, ""), t->from);
    to = LLVMBuildIntToPtr(s->b, to, s->ptr, "");
    LLVMBuildStore(s->b, LLVMBuildGEP2(s->b, s->i8, to, &other, 1, ""),
                   t->into);
    t->step = get(s, t, STEP), t->ahead = get(s, t, AHEAD);
  }
}

static void copy_line(mt_Spmd *s, const mt_Tile *t, size_t offset,
                      size_t bytes) {
  LLVMTypeRef line = LLVMVectorType(s->i32, (unsigned)bytes / 4);
  LLVMValueRef from = LLVMBuildLoad2(s->b, s->ptr, t->from, "");
  LLVMValueRef into = LLVMBuildLoad2(s->b, s->ptr, t->into, "");
  from = mt_byte_offset(s, from, (int64_t)offset);
  into = mt_byte_offset(s, into, (int64_t)offset);
  LLVMValueRef x = LLVMBuildLoad2(s->b, line, from, "");
  LLVMSetAlignment(x, (unsigned)mt_type_size(s, LLVMTypeOf(t->load)));
  LLVMSetAlignment(LLVMBuildStore(s->b, x, into),
                   (unsigned)mt_type_size(s, LLVMTypeOf(t->load)));
  mt_prefetch(s, from, t->ahead, bytes);
}

static size_t lines_of(const mt_Tile *t) {
  return (t->bytes + LINE - 1) / LINE;
}

/* The lines of a run of every tile, spread over the steps. */
void mt_tiles_fill_step(mt_Spmd *s, int step) {
  size_t lines = 0, n = 0, steps = (size_t)s->fill_steps;
  for (int i = 0; i < s->tiles; i++) lines += lines_of(&s->tile[i]);
  for (int i = 0; i < s->tiles; i++) {
    const mt_Tile *t = &s->tile[i];
    for (size_t at = 0; at < t->bytes; at += LINE, n++)
      if (n * steps / lines == (size_t)step)
        copy_line(s, t, at, t->bytes - at < LINE ? t->bytes - at : LINE);
  }
}

static void advance(mt_Spmd *s, LLVMValueRef slot, LLVMValueRef by) {
  LLVMValueRef p = LLVMBuildLoad2(s->b, s->ptr, slot, "");
  LLVMBuildStore(s->b, LLVMBuildGEP2(s->b, s->i8, p, &by, 1, ""), slot);
}

void mt_tiles_fill_next(mt_Spmd *s) {
  for (int i = 0; i < s->tiles; i++) {
    advance(s, s->tile[i].from, s->tile[i].step);
    advance(s, s->tile[i].into, mt_const_i64(s, s->tile[i].apart));
  }
}
