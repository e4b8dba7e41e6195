/*
** matrix_banks.c - rows of matrices in different banks.
**
** The one idea: the eight rows of a matrix in threadgroup memory are read
** together, and lie in the same banks if a row has a multiple of 128 bytes; of
** rows of 64 bytes every second one does, of 32 every fourth. Longer rows help,
** but copies that come from device memory 128 bytes at a time are then cut in
** two. So where a threadgroup variable is only written by copies (copies.c) and
** read as matrices, the kernel cannot see its layout: the eight chunks of 16
** bytes in 128 bytes, or those of a shorter row, change places by the number of
** their 128 bytes (exclusive or). Copies stay whole, and rows of a matrix are
** in different banks.
**
** It is the last step of matrix.c.
*/
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/address.h"
#include "devices/cuda/ptx/work.h"

#define MOST 2048      /* uses of a variable */
#define CHUNK 16       /* bytes */
#define BANKS 128u     /* bytes that lie in different banks */
#define LEAST_ROW 32u  /* bytes: of shorter ones, eight are BANKS */

typedef struct Banks {
  mt_PtxWork *w;
  LLVMTargetDataRef layout;
  LLVMValueRef variable;
  LLVMValueRef call[MOST];
  unsigned count;
  uint64_t row; /* bytes; 0: no matrix was loaded yet */
} Banks;

/* -------------------------------------------------------------- known bits */

static unsigned zeros_of(uint64_t n) { return (unsigned)__builtin_ctzll(n); }

/* The bits of what is added to the address's constant that may be one. */
static uint64_t bits_of_term(const mt_Address *a, unsigned i) {
  uint64_t may = mt_may_be_one(a->term[i].of), times = a->term[i].times;
  if (may == 0 || times == 0) return 0;
  if ((times & (times - 1)) == 0) return may * times;
  return -((may & -may) * (times & -times));
}

static bool is_aligned(const mt_Address *a, uint64_t to) {
  uint64_t all = a->constant;
  for (unsigned i = 0; i < a->terms; i++) all |= bits_of_term(a, i);
  return !a->failed && (all & (to - 1)) == 0;
}

/* The bits of an address that say which chunk of its row, or of its 128 bytes,
** it is in. */
static uint64_t chunk_bits(const Banks *k) {
  return (k->row < BANKS ? k->row : BANKS) - CHUNK;
}

/* Does nothing but its constant make the chunk and the row, which is the first
** of eight? No bits of two terms may be added up. */
static bool is_plain(const Banks *k, const mt_Address *a) {
  uint64_t fixed = chunk_bits(k) | 7 * k->row, taken = a->constant;
  if (a->failed || (a->constant & 7 * k->row) != 0) return false;
  for (unsigned i = 0; i < a->terms; i++) {
    uint64_t bits = bits_of_term(a, i);
    if ((bits & (fixed | taken)) != 0) return false;
    taken |= bits;
  }
  return is_aligned(a, CHUNK);
}

static mt_Address address(const Banks *k, LLVMValueRef p) {
  return mt_address_of(k->layout, p);
}

/* How far apart two addresses are, if that is known. */
static bool is_constant_apart(const mt_Address *p, const mt_Address *q) {
  mt_Address d = *p;
  for (unsigned i = 0; i < q->terms; i++)
    mt_address_add(&d, q->term[i].of, -q->term[i].times);
  for (unsigned i = 0; i < d.terms; i++)
    if (d.term[i].times != 0) return false;
  return !d.failed;
}

/* --------------------------------------------------------- who may know it? */

static bool is_rows(LLVMValueRef call, unsigned *matrices) {
  const char *name = mt_callee(call);
  *matrices = strcmp(name, MT_TENSOR "rows4") == 0   ? 4
              : strcmp(name, MT_TENSOR "rows2") == 0 ? 2
                                                     : 0;
  return *matrices > 0;
}

static bool is_copy(LLVMValueRef call) {
  return strcmp(mt_callee(call), MT_COPY) == 0;
}

static bool note(Banks *k, LLVMValueRef call) {
  for (unsigned i = 0; i < k->count; i++)
    if (k->call[i] == call) return true;
  if (k->count == MOST) return false;
  k->call[k->count++] = call;
  return true;
}

/* A load of matrices with rows as long as all others, of which only the first
** one's address is not known, and of that not the bits that matter. */
static bool is_load(Banks *k, LLVMValueRef call) {
  unsigned n;
  if (!is_rows(call, &n)) return false;
  LLVMValueRef stride = LLVMGetOperand(call, n);
  uint64_t row =
      LLVMIsAConstantInt(stride) ? 2 * LLVMConstIntGetZExtValue(stride) : 0;
  if (k->row == 0) k->row = row;
  if (row != k->row || row < LEAST_ROW || (row & (row - 1)) != 0) return false;
  mt_Address first = address(k, LLVMGetOperand(call, 0));
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef p = LLVMGetOperand(call, i);
    mt_Address a = address(k, p);
    if (mt_underlying_object(p) != k->variable || !is_plain(k, &a) ||
        !is_constant_apart(&first, &a))
      return false;
  }
  return true;
}

static bool is_start(const Banks *k, LLVMValueRef call, LLVMValueRef p) {
  if (!is_copy(call) || LLVMGetOperand(call, 0) != p ||
      LLVMGetOperand(call, 1) == p)
    return false;
  mt_Address a = address(k, p);
  return is_aligned(&a, CHUNK);
}

/* Are all that use 'p', which leads into the variable, copies and loads? */
static bool users_fit(Banks *k, LLVMValueRef p) {
  for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef v = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(v) ||
        (LLVMIsAConstantExpr(v) &&
         LLVMGetConstOpcode(v) == LLVMGetElementPtr)) {
      if (LLVMGetOperand(v, 0) != p || !users_fit(k, v)) return false;
    } else if ((!is_load(k, v) && !is_start(k, v, p)) || !note(k, v)) {
      return false;
    }
  }
  return true;
}

/* --------------------------------------------------------------- rewriting */

/* What the row and the chunk of an address depend on, as a number: eight rows
** more make no difference. */
static LLVMValueRef place(const Banks *k, const mt_Address *a) {
  mt_PtxWork *w = k->w;
  LLVMValueRef sum = LLVMConstInt(w->i32, a->constant % (8 * k->row), 0);
  for (unsigned i = 0; i < a->terms; i++) {
    LLVMValueRef n = LLVMBuildIntCast2(w->b, a->term[i].of, w->i32, 0, "");
    LLVMValueRef times = LLVMConstInt(w->i32, a->term[i].times, 0);
    sum = LLVMBuildAdd(w->b, sum, LLVMBuildMul(w->b, n, times, ""), "");
  }
  return sum;
}

/* How far a matrix is from the first, and its chunk. */
static LLVMValueRef where(const Banks *k, const mt_Address *first,
                          LLVMValueRef p) {
  mt_Address a = address(k, p);
  uint32_t chunk = (a.constant & chunk_bits(k)) / CHUNK;
  return LLVMConstInt(k->w->i32, (a.constant - first->constant) + chunk, 0);
}

static void rewrite(Banks *k, LLVMValueRef call) {
  mt_PtxWork *w = k->w;
  LLVMValueRef args[7];
  unsigned n = LLVMGetNumArgOperands(call), matrices, count = 0;
  mt_Address first = address(k, LLVMGetOperand(call, 0));
  const char *name = MT_COPY "_swizzled";
  LLVMPositionBuilderBefore(w->b, call);
  args[count++] = LLVMGetOperand(call, 0);
  if (is_rows(call, &matrices)) {
    name = matrices == 4 ? MT_TENSOR "swizzled4" : MT_TENSOR "swizzled2";
    for (unsigned i = 0; i < matrices; i++)
      args[count++] = where(k, &first, LLVMGetOperand(call, i));
  } else {
    args[count++] = place(k, &first);
  }
  args[count++] = LLVMGetOperand(call, n - 1); /* turned, or where from */
  args[count++] = LLVMConstInt(w->i32, zeros_of(k->row), 0);
  LLVMValueRef made =
      mt_build_call(w->module, w->b, name, LLVMTypeOf(call), args, count);
  if (LLVMTypeOf(call) != w->none) LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

mt_Status mt_ptx_swizzle(mt_PtxWork *w, mt_Error *err) {
  Banks *k = calloc(1, sizeof *k);
  if (!k) return mt_error(err, MT_FAIL, "out of memory");
  k->w = w, k->layout = LLVMGetModuleDataLayout(w->module);
  for (LLVMValueRef v = LLVMGetFirstGlobal(w->module); v;
       v = LLVMGetNextGlobal(v)) {
    if (!mt_is_threadgroup(v)) continue;
    k->variable = v, k->count = 0, k->row = 0;
    if (!users_fit(k, v) || k->row == 0) continue;
    for (unsigned i = 0; i < k->count; i++) rewrite(k, k->call[i]);
  }
  free(k);
  return MT_OK;
}
