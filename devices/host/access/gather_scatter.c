/*
** gather_scatter.c - vector loads and stores: contiguous, strided, masked, and
** gathers and scatters.
**
** The one idea: inactive lanes must not touch memory. Masked instructions are
** used where the CPU has them; elsewhere the addresses of inactive lanes are
** redirected to a scratch address, and memory that belongs to this OS thread
** alone is read, blended and written back. A kernel with very many scattered
** accesses (textures in any format) calls a function for each: inlined, they
** would take seconds to compile.
*/
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <string.h>

#include "devices/host/access/parts.h"

/* -------------------------------------------------------------- out of line */

/* The body of a function that accesses <32 x iN> at <32 x ptr> lane by lane. */
static void lane_by_lane(mt_Spmd *s, LLVMValueRef f, LLVMTypeRef t,
                         bool store) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(s->context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(s->context, f, ""));
  LLVMValueRef at = LLVMGetParam(f, 0), x = LLVMGetPoison(mt_vector_of(s, t));
  for (int l = 0; l < s->lanes; l++) {
    LLVMValueRef n = mt_const_i64(s, l),
                 p = LLVMBuildExtractElement(b, at, n, "");
    if (store) {
      LLVMValueRef one = LLVMBuildExtractElement(b, LLVMGetParam(f, 1), n, "");
      LLVMSetAlignment(LLVMBuildStore(b, one, p), 1);
    } else {
      LLVMValueRef one = LLVMBuildLoad2(b, t, p, "");
      LLVMSetAlignment(one, 1);
      x = LLVMBuildInsertElement(b, x, one, n, "");
    }
  }
  if (store)
    LLVMBuildRetVoid(b);
  else
    LLVMBuildRet(b, x);
  LLVMDisposeBuilder(b);
}

static LLVMValueRef out_of_line(mt_Spmd *s, LLVMTypeRef t, bool store) {
  char name[40];
  snprintf(name, sizeof name, "mt_%s_%u_%d", store ? "scatter" : "gather",
           LLVMGetIntTypeWidth(t), s->lanes);
  LLVMValueRef f = LLVMGetNamedFunction(s->module, name);
  if (f) return f;
  LLVMTypeRef args[2] = {mt_vector_of(s, s->ptr), mt_vector_of(s, t)};
  LLVMTypeRef out = store ? LLVMVoidTypeInContext(s->context) : args[1];
  f = LLVMAddFunction(s->module, name,
                      LLVMFunctionType(out, args, store ? 2 : 1, 0));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  mt_add_attribute(f, "noinline", 0);
  lane_by_lane(s, f, t, store);
  return f;
}

static bool is_call(const mt_Spmd *s, bool native, size_t size) {
  return mt_access_state(s)->scattered >= MT_MAX_SCATTERED_INLINE &&
         !(native && size >= 4);
}

static LLVMTypeRef int_of(mt_Spmd *s, size_t size) {
  return LLVMIntTypeInContext(s->context, (unsigned)(8 * size));
}

static LLVMValueRef call_gather(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at) {
  LLVMTypeRef bits = int_of(s, mt_type_size(s, t));
  LLVMValueRef f = out_of_line(s, bits, false);
  LLVMValueRef x =
      LLVMBuildCall2(s->b, LLVMGlobalGetValueType(f), f, &at, 1, "");
  if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(s->b, x, mt_vector_of(s, t), "");
  return LLVMBuildBitCast(s->b, x, mt_vector_of(s, t), "");
}

static void call_scatter(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at) {
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(x));
  LLVMTypeRef bits = int_of(s, mt_type_size(s, t));
  LLVMValueRef f = out_of_line(s, bits, true), args[2] = {at, x};
  args[1] = LLVMGetTypeKind(t) == LLVMPointerTypeKind
                ? LLVMBuildPtrToInt(s->b, x, mt_vector_of(s, bits), "")
                : LLVMBuildBitCast(s->b, x, mt_vector_of(s, bits), "");
  LLVMBuildCall2(s->b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

/* --------------------------------------------------------------- intrinsics */

static LLVMValueRef aligned_call(mt_Spmd *s, const char *name,
                                 LLVMTypeRef *types, LLVMValueRef *args,
                                 unsigned count, unsigned pointer,
                                 unsigned align) {
#if LLVM_VERSION_MAJOR >= 22
  LLVMValueRef call = mt_intrinsic(s, name, types, 2, args, count);
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAddCallSiteAttribute(call, pointer + 1,
                           LLVMCreateEnumAttribute(s->context, kind, align));
  return call;
#else
  /* before LLVM 22 the alignment is an argument after the pointer */
  LLVMValueRef with[5];
  for (unsigned i = 0; i <= pointer; i++) with[i] = args[i];
  with[pointer + 1] = mt_const_i32(s, align);
  for (unsigned i = pointer + 1; i < count; i++) with[i + 1] = args[i];
  return mt_intrinsic(s, name, types, 2, with, count + 1);
#endif
}

LLVMValueRef mt_redirect_inactive(mt_Spmd *s, LLVMValueRef at) {
  return LLVMBuildSelect(s->b, s->mask, at, mt_splat(s, s->scratch), "");
}

LLVMValueRef mt_strided_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                             int count, int stride, unsigned align) {
  int half = count / 2 * stride, second = (count - 1) * stride + 1 - half;
  LLVMTypeRef wide = LLVMVectorType(t, (unsigned)half);
  LLVMValueRef x[2], from[MT_MAX_LANES];
  unsigned size = (unsigned)mt_type_size(s, t);
  if (align > size) align = size; /* the second half may be less aligned */
  for (int i = 0; i < 2; i++) {
    int64_t offset = i * second * (int64_t)size;
    x[i] = LLVMBuildLoad2(s->b, wide, mt_byte_offset(s, at, offset), "");
    LLVMSetAlignment(x[i], align);
  }
  for (int l = 0; l < count; l++)
    from[l] = mt_const_i32(
        s, l < count / 2 ? l * stride : half + l * stride - second);
  return LLVMBuildShuffleVector(s->b, x[0], x[1],
                                LLVMConstVector(from, (unsigned)count), "");
}

LLVMValueRef mt_gather(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                       unsigned align) {
  LLVMValueRef mask = s->mask;
  size_t size = mt_type_size(s, t);
  /* of bytes and halves the aligned words (native/gathers.c) */
  bool masked = s->cost->gather && (size >= 4 || align >= size);
  if (!s->full && !masked) {
    at = mt_redirect_inactive(s, at); /* inactive lanes read the scratch */
    mask = s->all_on;
    align = 1;
  }
  if (!masked && is_call(s, s->cost->gather, size))
    return call_gather(s, t, at);
  LLVMTypeRef types[2] = {mt_vector_of(s, t), mt_vector_of(s, s->ptr)};
  LLVMValueRef args[3] = {at, mask, LLVMConstNull(types[0])};
  return aligned_call(s, "llvm.masked.gather", types, args, 3, 0, align);
}

LLVMValueRef mt_gather_all(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at) {
  LLVMTypeRef types[2] = {mt_vector_of(s, t), mt_vector_of(s, s->ptr)};
  LLVMValueRef args[3] = {at, s->all_on, LLVMConstNull(types[0])};
  return aligned_call(s, "llvm.masked.gather", types, args, 3, 0,
                      (unsigned)mt_type_size(s, t));
}

void mt_scatter(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at, unsigned align) {
  LLVMValueRef mask = s->mask;
  size_t size = mt_type_size(s, LLVMGetElementType(LLVMTypeOf(x)));
  if (!s->full && !(s->cost->masks && size >= 4)) {
    at = mt_redirect_inactive(s, at);
    mask = s->all_on;
    align = 1;
  }
  if (is_call(s, s->cost->masks, size)) {
    call_scatter(s, x, at);
    return;
  }
  LLVMTypeRef types[2] = {LLVMTypeOf(x), mt_vector_of(s, s->ptr)};
  LLVMValueRef args[3] = {x, at, mask};
  aligned_call(s, "llvm.masked.scatter", types, args, 3, 1, align);
}

/* The address of each lane, for lane-by-lane accesses without branches: LLVM
** would expand a masked access to a branch around each lane. */
static LLVMValueRef each_address(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at) {
  return LLVMBuildGEP2(s->b, t, at, &s->lane, 1, "");
}

/* LLVM widens short vectors to a register's 16 bytes, and where their mask is
** extracted from a longer one it includes the adjacent lanes' bits: a masked
** store of eight bytes would write sixteen. So the vector is widened here, with
** inactive lanes. */
static unsigned widened(mt_Spmd *s, LLVMTypeRef vector) {
  unsigned n = LLVMGetVectorSize(vector);
  size_t size = mt_type_size(s, LLVMGetElementType(vector));
  return size && n * size < 16 ? (unsigned)(16 / size) : n;
}

/* 'x' cut, or extended with copies of element 0 of 'rest', to 'to' elements. */
static LLVMValueRef resized(mt_Spmd *s, LLVMValueRef x, LLVMValueRef rest,
                            unsigned to) {
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(x));
  LLVMValueRef from[16];
  if (n == to) return x;
  for (unsigned i = 0; i < to; i++)
    from[i] = mt_const_i32(s, (int)(i < n ? i : n));
  return LLVMBuildShuffleVector(s->b, x, rest, LLVMConstVector(from, to), "");
}

static LLVMValueRef resized_mask(mt_Spmd *s, LLVMValueRef mask, unsigned to) {
  return resized(s, mask, LLVMConstNull(LLVMTypeOf(mask)), to);
}

LLVMValueRef mt_masked_load(mt_Spmd *s, LLVMTypeRef vector, LLVMValueRef at,
                            LLVMValueRef mask, unsigned align) {
  unsigned wide = widened(s, vector);
  LLVMTypeRef full = LLVMVectorType(LLVMGetElementType(vector), wide);
  LLVMTypeRef types[2] = {full, s->ptr};
  LLVMValueRef args[3] = {at, resized_mask(s, mask, wide), LLVMConstNull(full)};
  LLVMValueRef x =
      aligned_call(s, "llvm.masked.load", types, args, 3, 0, align);
  return resized(s, x, LLVMGetPoison(full), LLVMGetVectorSize(vector));
}

void mt_masked_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at,
                     LLVMValueRef mask, unsigned align) {
  unsigned wide = widened(s, LLVMTypeOf(x));
  x = resized(s, x, LLVMGetPoison(LLVMTypeOf(x)), wide);
  mask = resized_mask(s, mask, wide);
  LLVMTypeRef types[2] = {LLVMTypeOf(x), s->ptr};
  LLVMValueRef args[3] = {x, at, mask};
  aligned_call(s, "llvm.masked.store", types, args, 3, 1, align);
}

LLVMValueRef mt_vector_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                            unsigned align) {
  if (s->full) {
    LLVMValueRef x = LLVMBuildLoad2(s->b, mt_vector_of(s, t), at, "");
    LLVMSetAlignment(x, align);
    return x;
  }
  if (!s->cost->gather) return mt_gather(s, t, each_address(s, t, at), align);
  return mt_masked_load(s, mt_vector_of(s, t), at, s->mask, align);
}

void mt_vector_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at,
                     unsigned align, mt_PointerSpace space) {
  bool own = space == MT_POINTER_THREADGROUP || space == MT_POINTER_PRIVATE;
  if (s->full) {
    LLVMSetAlignment(LLVMBuildStore(s->b, x, at), align);
  } else if (own && !s->cost->masks) { /* this OS thread's own memory: blend */
    LLVMValueRef old = LLVMBuildLoad2(s->b, LLVMTypeOf(x), at, "");
    LLVMSetAlignment(old, align);
    x = LLVMBuildSelect(s->b, s->mask, x, old, "");
    LLVMSetAlignment(LLVMBuildStore(s->b, x, at), align);
  } else if (!s->cost->gather) {
    LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(x));
    mt_scatter(s, x, each_address(s, t, at), align);
  } else {
    mt_masked_store(s, x, at, s->mask, align);
  }
}

void mt_transpose_call(mt_Spmd *s, const char *name, LLVMValueRef at, int count,
                       LLVMValueRef words, LLVMValueRef memory) {
  LLVMTypeRef types[5] = {s->ptr, s->ptr, s->i32, s->i32, s->ptr};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(s->context), types, 5, 0);
  LLVMValueRef f = LLVMGetNamedFunction(s->module, name);
  if (!f) f = LLVMAddFunction(s->module, name, type);
  LLVMValueRef args[5] = {s->group, at, mt_const_i32(s, count), words, memory};
  LLVMBuildCall2(s->b, type, f, args, 5, "");
}

static bool gather_choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                          mt_PartPlan *plan) {
  (void)write;
  plan->how = MT_ACCESS_GATHER;
  plan->why = mt_access_reason(s, a);
  return true;
}

static mt_LaneValue gather_read(mt_Spmd *s, const mt_LaneAccess *a,
                                const mt_PartPlan *plan) {
  (void)plan;
  return mt_lanes(mt_gather(s, a->type, mt_lane_addresses(s, a), a->align));
}

static void scatter_write(mt_Spmd *s, const mt_LaneAccess *a,
                          const mt_PartPlan *plan, mt_LaneValue g) {
  (void)plan;
  LLVMValueRef x = mt_lane_vector(s, g);
  mt_scatter(s, x, mt_lane_addresses(s, a), a->align);
}

const mt_PartStrategy mt_part_gather = {gather_choose, gather_read,
                                        scatter_write};
