/*
** private_memory.c - a thread's own arrays, for 32 threads.
**
** The one idea: private memory is one arena for the SIMD-group, interleaved
** word by word: the same word of all 32 lanes is contiguous, so a uniform index
** is one vector access. A private pointer counts in bytes of a single thread
** from the arena's start (so it can be added to, compared and stored like any
** other) and is translated where it is used: byte o of lane l is at (o rounded
** down to words) * 32 + 4 l + o % 4.
*/
#include <string.h>

#include "devices/host/access/parts.h"

#define WORD 4 /* bytes */

/* Byte offset from the arena's start, of a pointer or a vector of pointers. */
static LLVMValueRef bytes_in(mt_Spmd *s, LLVMValueRef at, bool vector) {
  LLVMTypeRef t = vector ? s->v_i64 : s->i64;
  LLVMValueRef start = LLVMBuildPtrToInt(s->b, s->arena, s->i64, "");
  if (vector) start = mt_splat(s, start);
  return LLVMBuildSub(s->b, LLVMBuildPtrToInt(s->b, at, t, ""), start, "");
}

static LLVMValueRef number(mt_Spmd *s, int64_t x) {
  return mt_splat(s, mt_const_i64(s, x));
}

LLVMValueRef mt_private_address(mt_Spmd *s, LLVMValueRef at, bool maybe) {
  LLVMBuilderRef b = s->b;
  int64_t lane[MT_MAX_LANES];
  for (int l = 0; l < s->lanes; l++) lane[l] = WORD * l;
  LLVMValueRef o = bytes_in(s, at, true);
  LLVMValueRef word = LLVMBuildAnd(b, o, number(s, -WORD), "");
  LLVMValueRef x = LLVMBuildMul(b, word, number(s, s->lanes), "");
  x = LLVMBuildAdd(b, x, LLVMBuildAnd(b, o, number(s, WORD - 1), ""), "");
  x = LLVMBuildAdd(b, x, mt_const_vector(s, s->i64, lane), "");
  LLVMValueRef real = LLVMBuildGEP2(b, s->i8, s->arena, &x, 1, "");
  if (!maybe) return real;
  LLVMValueRef in = LLVMBuildICmp(b, LLVMIntULT, o,
                                  number(s, (int64_t)s->private_bytes), "");
  return LLVMBuildSelect(b, in, real, at, "");
}

/* The address of the 32 words at a uniform private address; '*shift' is the bit
** offset of the address within its word. */
static LLVMValueRef row(mt_Spmd *s, const mt_LaneAccess *a,
                        LLVMValueRef *shift) {
  LLVMBuilderRef b = s->b;
  LLVMValueRef p = mt_byte_offset(s, mt_uniform(s, a->pointer, 0), a->offset);
  LLVMValueRef o = bytes_in(s, p, false);
  LLVMValueRef word = LLVMBuildAnd(b, o, mt_const_i64(s, -WORD), "");
  LLVMValueRef x = LLVMBuildMul(b, word, mt_const_i64(s, s->lanes), "");
  LLVMValueRef in = LLVMBuildAnd(b, o, mt_const_i64(s, WORD - 1), "");
  in = LLVMBuildMul(b, in, mt_const_i64(s, 8), "");
  *shift = mt_splat(s, LLVMBuildTrunc(b, in, s->i32, ""));
  return LLVMBuildGEP2(b, s->i8, s->arena, &x, 1, "");
}

static LLVMTypeRef int_type(mt_Spmd *s, size_t size) {
  return LLVMIntTypeInContext(s->context, (unsigned)(8 * size));
}

static bool is_row(mt_Spmd *s, const mt_LaneAccess *a) {
  return a->space == MT_POINTER_PRIVATE &&
         mt_part_kind(s, a->pointer, 0) == MT_SHAPE_UNIFORM;
}

/* An integer of 1, 2 or 4 bytes that does not cross a word. */
static LLVMValueRef read_piece(mt_Spmd *s, const mt_LaneAccess *a,
                               size_t size) {
  LLVMTypeRef t = int_type(s, size);
  if (!is_row(s, a)) {
    LLVMValueRef at = mt_byte_offset(s, mt_vector(s, a->pointer, 0), a->offset);
    at = mt_private_address(s, at, a->space == MT_POINTER_UNKNOWN);
    return mt_gather(s, t, at, (unsigned)(size < a->align ? size : a->align));
  }
  LLVMValueRef shift, at = row(s, a, &shift);
  /* private: inactive lanes too */
  LLVMValueRef x = LLVMBuildLoad2(s->b, s->v_i32, at, "");
  LLVMSetAlignment(x, WORD * (unsigned)s->lanes);
  if (size == WORD) return x;
  return LLVMBuildTrunc(s->b, LLVMBuildLShr(s->b, x, shift, ""),
                        mt_vector_of(s, t), "");
}

static void write_piece(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef x,
                        size_t size) {
  if (!is_row(s, a)) {
    LLVMValueRef at = mt_byte_offset(s, mt_vector(s, a->pointer, 0), a->offset);
    at = mt_private_address(s, at, a->space == MT_POINTER_UNKNOWN);
    mt_scatter(s, x, at, (unsigned)(size < a->align ? size : a->align));
    return;
  }
  LLVMBuilderRef b = s->b;
  LLVMValueRef shift, at = row(s, a, &shift);
  LLVMValueRef old = LLVMBuildLoad2(b, s->v_i32, at, "");
  LLVMSetAlignment(old, WORD * (unsigned)s->lanes);
  if (size < WORD) {
    LLVMValueRef hole = mt_splat(s, mt_const_i32(s, (1 << 8 * size) - 1));
    hole = LLVMBuildShl(b, hole, shift, "");
    x = LLVMBuildShl(b, LLVMBuildZExt(b, x, s->v_i32, ""), shift, "");
    x = LLVMBuildOr(b, x, LLVMBuildAnd(b, old, LLVMBuildNot(b, hole, ""), ""),
                    "");
  }
  if (!s->full) x = LLVMBuildSelect(b, s->mask, x, old, "");
  LLVMSetAlignment(LLVMBuildStore(b, x, at), WORD * (unsigned)s->lanes);
}

/* The size of the units an access is split into: words, or bytes if it is
** misaligned. */
static size_t piece_size(const mt_LaneAccess *a, size_t size) {
  size_t piece = size < WORD ? size : WORD;
  return a->align >= piece && size % piece == 0 ? piece : 1;
}

static LLVMValueRef from_bits(mt_Spmd *s, LLVMValueRef x, LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(s->b, x, mt_vector_of(s, t), "");
  return LLVMBuildBitCast(s->b, x, mt_vector_of(s, t), "");
}

static LLVMValueRef to_bits(mt_Spmd *s, LLVMValueRef x, LLVMTypeRef t,
                            size_t size) {
  LLVMTypeRef bits = mt_vector_of(s, int_type(s, size));
  if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(s->b, x, bits, "");
  return LLVMBuildBitCast(s->b, x, bits, "");
}

static LLVMValueRef bits_at(mt_Spmd *s, size_t size, size_t byte) {
  return mt_splat(s, LLVMConstInt(int_type(s, size), 8 * byte, 0));
}

static LLVMValueRef read_private(mt_Spmd *s, const mt_LaneAccess *a) {
  size_t size = mt_type_size(s, a->type), piece = piece_size(a, size);
  LLVMTypeRef t = mt_vector_of(s, int_type(s, size));
  LLVMValueRef all = NULL;
  for (size_t k = 0; k < size; k += piece) {
    mt_LaneAccess one = *a;
    one.offset += (int64_t)k;
    LLVMValueRef x = read_piece(s, &one, piece);
    if (piece == size) return from_bits(s, x, a->type);
    x = LLVMBuildShl(s->b, LLVMBuildZExt(s->b, x, t, ""), bits_at(s, size, k),
                     "");
    all = all ? LLVMBuildOr(s->b, all, x, "") : x;
  }
  return from_bits(s, all, a->type);
}

static void write_private(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef x) {
  size_t size = mt_type_size(s, a->type), piece = piece_size(a, size);
  x = to_bits(s, x, a->type, size);
  for (size_t k = 0; k < size; k += piece) {
    mt_LaneAccess one = *a;
    one.offset += (int64_t)k;
    LLVMValueRef y = x;
    if (piece < size)
      y = LLVMBuildTrunc(s->b, LLVMBuildLShr(s->b, x, bits_at(s, size, k), ""),
                         mt_vector_of(s, int_type(s, piece)), "");
    write_piece(s, &one, y, piece);
  }
}

/* One element in all lanes is a row of interleaved words. */
static bool private_choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                           mt_PartPlan *plan) {
  (void)write;
  bool row = mt_part_kind(s, a->pointer, 0) == MT_SHAPE_UNIFORM &&
             a->space == MT_POINTER_PRIVATE;
  if (a->space != MT_POINTER_PRIVATE && a->space != MT_POINTER_UNKNOWN)
    return false;
  plan->how = row ? MT_ACCESS_PRIVATE : MT_ACCESS_GATHER;
  if (!row) plan->why = mt_access_reason(s, a);
  return true;
}

static mt_LaneValue private_read(mt_Spmd *s, const mt_LaneAccess *a,
                                 const mt_PartPlan *plan) {
  (void)plan;
  return mt_lanes(read_private(s, a));
}

static void private_write(mt_Spmd *s, const mt_LaneAccess *a,
                          const mt_PartPlan *plan, mt_LaneValue g) {
  (void)plan;
  write_private(s, a, mt_lane_vector(s, g));
}

const mt_PartStrategy mt_part_private = {private_choose, private_read,
                                         private_write};

void mt_memory_alloca(mt_Spmd *s, LLVMValueRef i) {
  mt_Value *v = mt_value(s, i);
  if (v->shared)
    mt_set_uniform(s, i, 0, v->memory);
  else
    mt_set_uniform(s, i, 0, mt_byte_offset(s, s->arena, (int64_t)v->place));
}
