/*
** gathers.c - gathers and scatters, as the CPU has them.
**
** The one idea: a gather costs by the instruction, and with indices of 32 bits
** one instruction serves twice as many lanes as with addresses of 64. x86 takes
** the index as signed, while a kernel's is a uint as a rule; so the index loses
** 2^31 and the base, which all lanes share, gets it back. Some CPUs (those
** with microcode against Gather Data Sampling) take 30 cycles for a gather
** however few its lanes are.
**
** There are no gathers of bytes and halves: the aligned words that they are in
** are gathered. An aligned word never crosses into another page.
*/
#include <llvm/Config/llvm-config.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/target/target.h"
#include "devices/host/native/gathers.h"

#define MAX_LANES 256 /* of a vector */

#if LLVM_VERSION_MAJOR >= 22
#define MASK_OF_GATHER 1
#else
#define MASK_OF_GATHER 2 /* after the alignment */
#endif

/* base + offset + size * index, where the index is of 32 bits. */
typedef struct Address {
  LLVMValueRef base; /* that all lanes share; NULL: not of this form */
  int64_t offset;
  uint64_t size;
  LLVMValueRef index; /* <n x i32> */
  bool is_signed;
  bool is_frozen; /* the address is, so the index has to be */
} Address;

typedef struct Unit {
  LLVMBuilderRef b;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  bool native; /* the CPU has gathers */
  LLVMTypeRef i8, i32, i64;
} Unit;

/* ---------------------------------------------------------------- constants */

/* The vector of 'n' times 'x', a constant of a scalar type. */
static LLVMValueRef all_of(LLVMValueRef x, unsigned n) {
  LLVMValueRef each[MAX_LANES];
  for (unsigned l = 0; l < n; l++) each[l] = x;
  return LLVMConstVector(each, n);
}

static LLVMValueRef number(LLVMTypeRef t, uint64_t x, unsigned n) {
  return all_of(LLVMConstInt(t, x, 0), n);
}

/* The number that 'x' is, in all lanes if it is a vector. */
static bool is_number(LLVMValueRef x, int64_t *out) {
  if (LLVMIsAConstantInt(x)) {
    *out = LLVMConstIntGetSExtValue(x);
    return true;
  }
  if (!LLVMIsAConstantDataVector(x)) return false;
  LLVMValueRef first = LLVMGetAggregateElement(x, 0);
  for (unsigned l = 1; l < LLVMGetVectorSize(LLVMTypeOf(x)); l++)
    if (LLVMGetAggregateElement(x, l) != first) return false;
  return is_number(first, out);
}

/* ---------------------------------------------------------------- addresses */

static bool is_vector(LLVMValueRef x) {
  return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
}

/* The pointer that 'x' is, in all lanes: shufflevector (insertelement _, p, 0),
** _, zeroinitializer; NULL: it is not such a vector. */
static LLVMValueRef shared(LLVMValueRef x) {
  if (!is_vector(x)) return x;
  if (!LLVMIsAShuffleVectorInst(x)) return NULL;
  for (unsigned l = 0; l < LLVMGetNumMaskElements(x); l++)
    if (LLVMGetMaskValue(x, l) != 0) return NULL;
  LLVMValueRef first = LLVMGetOperand(x, 0);
  int64_t at;
  if (!LLVMIsAInsertElementInst(first) ||
      !is_number(LLVMGetOperand(first, 2), &at) || at != 0)
    return NULL;
  return LLVMGetOperand(first, 1);
}

static bool is_of_32_bits(LLVMValueRef extension) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(extension, 0));
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
         LLVMGetIntTypeWidth(LLVMGetElementType(t)) == 32;
}

/* size * i, where 'i' is an extension, or a sum or product of one and a number
** (which wraps in 64 bits, as addresses do). */
static bool find_index(Address *a, LLVMValueRef i) {
  int64_t more;
  if (LLVMIsAZExtInst(i) || LLVMIsASExtInst(i)) {
    a->index = LLVMGetOperand(i, 0);
    a->is_signed = LLVMIsASExtInst(i) || LLVMGetNNeg(i);
    return is_of_32_bits(i);
  }
  if (!LLVMIsABinaryOperator(i) || !is_number(LLVMGetOperand(i, 1), &more))
    return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(i)))
    a->offset += (int64_t)(a->size * (uint64_t)more);
  else if (op == LLVMShl && more >= 0 && more < 4)
    a->size <<= more;
  else
    return false;
  return find_index(a, LLVMGetOperand(i, 0));
}

static Address find(const Unit *u, LLVMValueRef p) {
  Address a = {0}, none = {0};
  if (LLVMIsAFreezeInst(p)) p = LLVMGetOperand(p, 0), a.is_frozen = true;
  while (LLVMIsAGetElementPtrInst(p) && LLVMGetNumOperands(p) == 2) {
    LLVMValueRef base = LLVMGetOperand(p, 0), i = LLVMGetOperand(p, 1);
    int64_t by;
    a.size = LLVMABISizeOfType(u->layout, LLVMGetGEPSourceElementType(p));
    if (is_number(i, &by)) {
      a.offset += (int64_t)(a.size * (uint64_t)by);
      p = base;
      continue;
    }
    a.base = shared(base);
    return a.base && find_index(&a, i) ? a : none;
  }
  return none;
}

/* ------------------------------------------------------- indices of 32 bits */

static bool is_scale(uint64_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The addresses again, with a signed index. */
static LLVMValueRef addresses(const Unit *u, Address a) {
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(a.index));
  if (a.is_frozen) a.index = LLVMBuildFreeze(u->b, a.index, "");
  if (!a.is_signed) {
    a.offset += (int64_t)(a.size << 31);
    a.index = LLVMBuildAdd(u->b, a.index, number(u->i32, 1u << 31, n), "");
  }
  LLVMTypeRef element = LLVMIntTypeInContext(u->context, 8 * (unsigned)a.size);
  LLVMValueRef by = LLVMConstInt(u->i64, (uint64_t)a.offset, 1);
  if (a.offset) a.base = LLVMBuildGEP2(u->b, u->i8, a.base, &by, 1, "");
  LLVMValueRef i =
      LLVMBuildSExt(u->b, a.index, LLVMVectorType(u->i64, n), "");
  return LLVMBuildGEP2(u->b, element, a.base, &i, 1, "");
}

static void shorten(const Unit *u, LLVMValueRef call, unsigned pointer) {
  Address a = find(u, LLVMGetOperand(call, pointer));
  if (!a.base || !is_scale(a.size)) return;
  LLVMPositionBuilderBefore(u->b, call);
  LLVMSetOperand(call, pointer, addresses(u, a));
}

/* -------------------------------------------------------- bytes and halves */

/* Elements that are gathered as parts of words: how many of them a word has,
** and where each lane's word and its part of it are. */
typedef struct Parts {
  LLVMValueRef words; /* <n x ptr> */
  LLVMValueRef low;   /* <n x i32>, bits: other than the lowest five are any */
} Parts;

/* Of addresses of 64 bits. */
static Parts parts_of(const Unit *u, LLVMValueRef p, unsigned n) {
  LLVMTypeRef wide = LLVMVectorType(u->i64, n);
  LLVMValueRef at = LLVMBuildPtrToInt(u->b, p, wide, "");
  LLVMValueRef word = LLVMBuildAnd(u->b, at, number(u->i64, ~3ull, n), "");
  LLVMValueRef low =
      LLVMBuildTrunc(u->b, at, LLVMVectorType(u->i32, n), "");
  return (Parts){
      LLVMBuildIntToPtr(u->b, word, LLVMTypeOf(p), ""),
      LLVMBuildShl(u->b, low, number(u->i32, 3, n), "")};
}

/* The index from the start of the word that the base is in. The last of 2^32
** elements are moved: no buffer has so many. */
static LLVMValueRef index_in_words(const Unit *u, const Address *a,
                                   LLVMValueRef base, unsigned part) {
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(a->index)), in = 4 / part;
  LLVMValueRef into = LLVMBuildTrunc(u->b, base, u->i32, "");
  into = LLVMBuildAnd(u->b, into, LLVMConstInt(u->i32, 3, 0), "");
  if (part == 2)
    into = LLVMBuildLShr(u->b, into, LLVMConstInt(u->i32, 1, 0), "");
  LLVMValueRef most =
      number(u->i32, (a->is_signed ? INT32_MAX : UINT32_MAX) - (in - 1), n);
  LLVMValueRef i = LLVMBuildSelect(
      u->b,
      LLVMBuildICmp(u->b, a->is_signed ? LLVMIntSLT : LLVMIntULT, a->index,
                    most, ""),
      a->index, most, "");
  return LLVMBuildAdd(u->b, i, mt_splat_to(u->b, into, n), "");
}

/* Of a base and indices of 32 bits: an index of words needs two bits less. */
static Parts parts_by_index(const Unit *u, const Address *a) {
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(a->index));
  unsigned part = (unsigned)a->size, shift = part == 2 ? 1 : 2;
  LLVMValueRef by = LLVMConstInt(u->i64, (uint64_t)a->offset, 1);
  LLVMValueRef base = LLVMBuildGEP2(u->b, u->i8, a->base, &by, 1, "");
  base = LLVMBuildPtrToInt(u->b, base, u->i64, "");
  LLVMValueRef i = index_in_words(u, a, base, part);
  LLVMValueRef by_words = number(u->i32, shift, n);
  Address words = {
      .base = LLVMBuildIntToPtr(
          u->b, LLVMBuildAnd(u->b, base, LLVMConstInt(u->i64, ~3ull, 0), ""),
          LLVMTypeOf(a->base), ""),
      .size = 4, .is_signed = true,
      .index = a->is_signed ? LLVMBuildAShr(u->b, i, by_words, "")
                            : LLVMBuildLShr(u->b, i, by_words, "")};
  LLVMValueRef bits = number(u->i32, part == 2 ? 4 : 3, n);
  return (Parts){addresses(u, words), LLVMBuildShl(u->b, i, bits, "")};
}

static LLVMValueRef gather_words(const Unit *u, LLVMValueRef words,
                                 LLVMValueRef mask, LLVMTypeRef result) {
  static const char NAME[] = "llvm.masked.gather";
  LLVMTypeRef t[2] = {result, LLVMTypeOf(words)};
  unsigned id = LLVMLookupIntrinsicID(NAME, sizeof NAME - 1);
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(u->module, id, t, 2);
#if LLVM_VERSION_MAJOR >= 22
  LLVMValueRef args[3] = {words, mask, LLVMConstNull(result)};
#else
  LLVMValueRef args[4] = {words, LLVMConstInt(u->i32, 4, 0), mask,
                          LLVMConstNull(result)};
#endif
  return LLVMBuildCall2(u->b, LLVMGlobalGetValueType(f), f, args,
                        sizeof args / sizeof *args, "");
}

/* A gather of bytes or halves becomes one of words. */
static void widen(const Unit *u, LLVMValueRef call) {
  LLVMTypeRef t = LLVMTypeOf(call);
  unsigned n = LLVMGetVectorSize(t);
  unsigned size = (unsigned)LLVMABISizeOfType(u->layout, LLVMGetElementType(t));
  Address a = find(u, LLVMGetOperand(call, 0));
  LLVMPositionBuilderBefore(u->b, call);
  Parts p = u->native && a.base && a.size == size
                ? parts_by_index(u, &a)
                : parts_of(u, LLVMGetOperand(call, 0), n);
  LLVMTypeRef word = LLVMVectorType(u->i32, n);
  LLVMTypeRef bits =
      LLVMVectorType(LLVMIntTypeInContext(u->context, 8 * size), n);
  LLVMValueRef mask = LLVMGetOperand(call, MASK_OF_GATHER);
  LLVMValueRef x = gather_words(u, p.words, mask, word);
  LLVMValueRef low = LLVMBuildAnd(u->b, p.low, number(u->i32, 31, n), "");
  x = LLVMBuildTrunc(u->b, LLVMBuildLShr(u->b, x, low, ""), bits, "");
  LLVMReplaceAllUsesWith(call, LLVMBuildBitCast(u->b, x, t, ""));
  LLVMInstructionEraseFromParent(call);
}

/* --------------------------------------------------------------- the module */

static bool is_call_of(LLVMValueRef i, const char *prefix) {
  return strncmp(mt_callee(i), prefix, strlen(prefix)) == 0;
}

static bool has_words(const Unit *u, LLVMValueRef gather) {
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(gather));
  return LLVMABISizeOfType(u->layout, t) >= 4;
}

static void change(const Unit *u, LLVMValueRef i) {
  if (is_call_of(i, "llvm.masked.scatter.")) {
    if (u->native) shorten(u, i, 1);
  } else if (is_call_of(i, "llvm.masked.gather.")) {
    if (!has_words(u, i))
      widen(u, i);
    else if (u->native)
      shorten(u, i, 0);
  }
}

/* Has it instructions for gathers that LLVM uses? */
static bool is_native(mt_Target *t) {
  return mt_target_has(t, "avx512f") ||
         (mt_target_has(t, "avx2") && mt_target_has(t, "fast-gather"));
}

void mt_finish_gathers(mt_Target *t, LLVMModuleRef m) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  Unit u = {.b = LLVMCreateBuilderInContext(c), .context = c, .module = m,
            .layout = LLVMGetModuleDataLayout(m), .native = is_native(t),
            .i8 = LLVMInt8TypeInContext(c), .i32 = LLVMInt32TypeInContext(c),
            .i64 = LLVMInt64TypeInContext(c)};
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(f); at;
         at = LLVMGetNextBasicBlock(at))
      for (LLVMValueRef i = LLVMGetFirstInstruction(at), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        change(&u, i);
      }
  LLVMDisposeBuilder(u.b);
}
