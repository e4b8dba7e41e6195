/*
** few_indices.c - an element of a private array that is one of a few, without
** memory.
**
** The one idea: once loops are unrolled, an index is often one of a few
** constants: the row of a pivot, the place of a number in a short list, the
** axis of a vector. LLVM keeps the whole array in memory for it. A choice
** between the elements is a few selections in registers, and then every other
** access of the array is free:
**
**   v = a[p], p is 1, 2 or 3   v = p == 1 ? a[1] : p == 2 ? a[2] : a[3]
**   a[p] = v                   a[k] = p == k ? v : a[k], for each k of them
**
** This is done where it frees the array of all such indices, and not where it
** would be more than a few selections for each.
*/
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/unroll.h"

#define FEW 16 /* elements to choose from */
#define TINY 4 /* elements of an array at any index */
#define MOST_COPIES 512 /* accesses that take the place of those of an array */
#define MOST_DEPTH 32
#define MOST_CHOICES 32 /* phis and selections that an index comes from */

typedef struct Few {
  int64_t of[FEW];
  unsigned count;
  LLVMValueRef seen[MOST_CHOICES]; /* choices among which they were found */
  unsigned seen_count;
} Few;

typedef struct Array {
  LLVMBuilderRef b;
  LLVMTargetDataRef layout;
  LLVMValueRef alloca;
  uint64_t bytes;
  unsigned copies;
} Array;

/* ------------------------------------------------------- values of an index */

static int64_t as_signed(uint64_t v, unsigned bits) {
  return bits >= 64 ? (int64_t)v
                    : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static uint64_t as_unsigned(int64_t v, unsigned bits) {
  return bits >= 64 ? (uint64_t)v : (uint64_t)v & ((1ull << bits) - 1);
}

static bool add(Few *to, int64_t v) {
  for (unsigned k = 0; k < to->count; k++)
    if (to->of[k] == v) return true;
  if (to->count == FEW) return false;
  to->of[to->count++] = v;
  return true;
}

static bool add_below(Few *to, int64_t end) {
  for (int64_t v = 0; v < end; v++)
    if (!add(to, v)) return false;
  return true;
}

/* False: not an operation that is understood here. */
static bool operate(LLVMOpcode op, int64_t a, int64_t b, unsigned bits,
                    int64_t *out) {
  uint64_t x = as_unsigned(a, bits), y = as_unsigned(b, bits);
  if ((op == LLVMShl || op == LLVMLShr) && y >= bits) return false;
  switch (op) {
    case LLVMAdd: x += y; break;
    case LLVMSub: x -= y; break;
    case LLVMMul: x *= y; break;
    case LLVMAnd: x &= y; break;
    case LLVMOr: x |= y; break;
    case LLVMXor: x ^= y; break;
    case LLVMShl: x <<= y; break;
    case LLVMLShr: x >>= y; break;
    default: return false;
  }
  *out = as_signed(x, bits);
  return true;
}

static bool find_values(LLVMValueRef v, Few *to, int depth);

/* x & 3, x % 5 */
static bool find_bounded(LLVMValueRef v, Few *to) {
  int64_t by;
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  if (!mt_const_number(LLVMGetOperand(v, 1), &by) || by < 0 || by > FEW)
    return false;
  if (op == LLVMURem) return add_below(to, by);
  if (op != LLVMAnd || by == FEW) return false;
  for (int64_t x = 0; x <= by; x++)
    if ((x & by) == x && !add(to, x)) return false;
  return true;
}

static bool find_results(LLVMValueRef v, Few *to, int depth) {
  Few a = {.count = 0}, b = {.count = 0};
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  int64_t result;
  if (!find_values(LLVMGetOperand(v, 0), &a, depth) ||
      !find_values(LLVMGetOperand(v, 1), &b, depth))
    return find_bounded(v, to);
  for (unsigned j = 0; j < a.count; j++)
    for (unsigned k = 0; k < b.count; k++)
      if (!operate(op, a.of[j], b.of[k], bits, &result) || !add(to, result))
        return false;
  return true;
}

static bool find_extended(LLVMValueRef v, Few *to, int depth) {
  Few a = {.count = 0};
  LLVMValueRef from = LLVMGetOperand(v, 0);
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  unsigned was = LLVMGetIntTypeWidth(LLVMTypeOf(from));
  unsigned is = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  if (!find_values(from, &a, depth)) return false;
  for (unsigned k = 0; k < a.count; k++) {
    uint64_t x = op == LLVMSExt ? (uint64_t)a.of[k] : as_unsigned(a.of[k], was);
    if (!add(to, as_signed(x, is))) return false;
  }
  return true;
}

static bool find_choices(LLVMValueRef v, Few *to, int depth) {
  for (unsigned k = 0; k < to->seen_count; k++)
    if (to->seen[k] == v) return true;
  if (to->seen_count == MOST_CHOICES) return false;
  to->seen[to->seen_count++] = v;
  for (unsigned k = 0; k < mt_choices(v); k++)
    if (!find_values(mt_choice(v, k), to, depth)) return false;
  return true;
}

/* All values that 'v' can have, if they are few. A counter that is its own next
** value ends at MOST_DEPTH. */
static bool find_values(LLVMValueRef v, Few *to, int depth) {
  int64_t x;
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind) return false;
  if (mt_const_number(v, &x)) return add(to, x);
  if (!LLVMIsAInstruction(v) || depth++ > MOST_DEPTH) return false;
  if (mt_is_choice(v)) return find_choices(v, to, depth);
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMICmp: case LLVMFCmp: return add(to, 0) && add(to, -1);
    case LLVMZExt: case LLVMSExt: case LLVMTrunc:
      return find_extended(v, to, depth);
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMAnd: case LLVMOr:
    case LLVMXor: case LLVMShl: case LLVMLShr: case LLVMURem:
      return find_results(v, to, depth);
    default: return false;
  }
}

/* --------------------------------------------------------------- an address */

/* The place of the only index that is no constant; 0: none, or several. */
static unsigned variable_index(LLVMValueRef gep) {
  unsigned at = 0;
  for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(gep, k))) {
      if (at) return 0;
      at = k;
    }
  return at;
}

/* Bytes from the array's start, by constants alone. */
static bool offset_of(const Array *a, LLVMValueRef pointer, int64_t *bytes) {
  *bytes = 0;
  for (; LLVMIsAGetElementPtrInst(pointer);
       pointer = LLVMGetOperand(pointer, 0)) {
    uint64_t step;
    if (!mt_constant_step(a->layout, pointer, &step)) return false;
    *bytes += (int64_t)step;
  }
  return pointer == a->alloca;
}

/* Bytes between elements that the last index chooses; 0: it is not the last. */
static uint64_t stride_of(const Array *a, LLVMValueRef gep, unsigned at) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  unsigned last = (unsigned)LLVMGetNumOperands(gep) - 1;
  if (at != last || at > 2) return 0;
  if (at == 1) return LLVMABISizeOfType(a->layout, t);
  return LLVMGetTypeKind(t) == LLVMArrayTypeKind
             ? LLVMABISizeOfType(a->layout, LLVMGetElementType(t)) : 0;
}

static bool is_plain(LLVMValueRef access) {
  LLVMTypeKind t = LLVMGetTypeKind(LLVMIsALoadInst(access)
                                       ? LLVMTypeOf(access)
                                       : LLVMTypeOf(LLVMGetOperand(access, 0)));
  return !LLVMGetVolatile(access) && t != LLVMStructTypeKind &&
         t != LLVMArrayTypeKind;
}

/* The loads and stores below an address, and how many bytes they are from it:
** list[i - 6] may be the address of list[i], and then 6 elements less. */
typedef struct Below {
  unsigned count;
  int64_t least, most;
} Below;

static void add_access(Below *below, int64_t offset) {
  if (!below->count || offset < below->least) below->least = offset;
  if (!below->count || offset > below->most) below->most = offset;
  below->count++;
}

/* False: something else uses the address. */
static bool find_accesses(const Array *a, LLVMValueRef pointer, int64_t offset,
                          Below *below) {
  uint64_t step;
  for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(i)) {
      if (!mt_constant_step(a->layout, i, &step) ||
          !find_accesses(a, i, offset + (int64_t)step, below))
        return false;
    } else if ((!LLVMIsALoadInst(i) &&
                (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 0) == pointer)) ||
               !is_plain(i)) {
      return false;
    } else {
      add_access(below, offset);
    }
  }
  return true;
}

static int64_t divide_up(int64_t x, int64_t by) {
  return x > 0 ? (x + by - 1) / by : -(-x / by);
}

/* The values of the index for which an access is within the array; any such
** value, if they are as few as in a tiny array. */
static bool find_elements(const Array *a, LLVMValueRef gep, unsigned at,
                          const Below *below, Few *to) {
  Few all = {.count = 0};
  int64_t base, stride = (int64_t)stride_of(a, gep, at);
  to->count = 0;
  if (!stride || !offset_of(a, LLVMGetOperand(gep, 0), &base)) return false;
  int64_t first = divide_up(-base - below->most, stride);
  int64_t end = divide_up((int64_t)a->bytes - base - below->least, stride);
  if (!find_values(LLVMGetOperand(gep, at), &all, 0)) {
    for (int64_t v = first; v < end && end - first <= TINY; v++) add(to, v);
    return to->count > 0;
  }
  for (unsigned k = 0; k < all.count; k++)
    if (all.of[k] >= first && all.of[k] < end) add(to, all.of[k]);
  return to->count > 0;
}

/* Can all indices of the array be resolved? */
static bool can_resolve(Array *a, LLVMValueRef pointer, int depth) {
  if (depth > MOST_DEPTH) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (!LLVMIsAGetElementPtrInst(i)) {
      if (mt_is_choice(i) || (LLVMIsAStoreInst(i) &&
                              LLVMGetOperand(i, 0) == pointer))
        return false;
      continue;
    }
    if (!mt_has_variable_index(i)) {
      if (!can_resolve(a, i, depth + 1)) return false;
      continue;
    }
    Few few;
    Below below = {.count = 0};
    unsigned at = variable_index(i);
    if (!at || !find_accesses(a, i, 0, &below) ||
        !find_elements(a, i, at, &below, &few))
      return false;
    a->copies += few.count * below.count;
    if (a->copies > MOST_COPIES) return false;
  }
  return true;
}

/* ------------------------------------------------------------- the accesses */

typedef struct Choice {
  LLVMValueRef index, element[FEW]; /* addresses, one for each value */
  const Few *few;
} Choice;

static LLVMValueRef is_element(Array *a, const Choice *c, unsigned k) {
  LLVMValueRef value = LLVMConstInt(LLVMTypeOf(c->index),
                                    (unsigned long long)c->few->of[k], true);
  return LLVMBuildICmp(a->b, LLVMIntEQ, c->index, value, "");
}

/* Is the access by which value 'k' is chosen in the array? Another one does not
** happen, and LLVM shall not see it. */
static bool is_inside(const Array *a, const Choice *c, unsigned k,
                      LLVMTypeRef t) {
  int64_t at;
  return offset_of(a, c->element[k], &at) && at >= 0 &&
         at + (int64_t)LLVMStoreSizeOfType(a->layout, t) <= (int64_t)a->bytes;
}

static LLVMValueRef load_element(Array *a, LLVMValueRef access, LLVMTypeRef t,
                                 LLVMValueRef from) {
  LLVMValueRef v = LLVMBuildLoad2(a->b, t, from, "");
  LLVMSetAlignment(v, LLVMGetAlignment(access));
  return v;
}

static void resolve_load(Array *a, LLVMValueRef load, const Choice *c) {
  LLVMTypeRef t = LLVMTypeOf(load);
  LLVMValueRef v = NULL;
  for (unsigned k = 0; k < c->few->count; k++) {
    if (!is_inside(a, c, k, t)) continue;
    LLVMValueRef one = load_element(a, load, t, c->element[k]);
    v = v ? LLVMBuildSelect(a->b, is_element(a, c, k), one, v, "") : one;
  }
  LLVMReplaceAllUsesWith(load, v ? v : LLVMConstNull(t));
}

static void resolve_store(Array *a, LLVMValueRef store, const Choice *c) {
  LLVMValueRef v = LLVMGetOperand(store, 0);
  for (unsigned k = 0; k < c->few->count; k++) {
    if (!is_inside(a, c, k, LLVMTypeOf(v))) continue;
    LLVMValueRef old = load_element(a, store, LLVMTypeOf(v), c->element[k]);
    LLVMValueRef now =
        LLVMBuildSelect(a->b, is_element(a, c, k), v, old, "");
    LLVMSetAlignment(LLVMBuildStore(a->b, now, c->element[k]),
                     LLVMGetAlignment(store));
  }
}

/* 'address' with another operand, before it. */
static LLVMValueRef copy_with(Array *a, LLVMValueRef address, unsigned at,
                              LLVMValueRef operand) {
  LLVMValueRef made = LLVMInstructionClone(address);
  LLVMSetOperand(made, at, operand);
  LLVMPositionBuilderBefore(a->b, address);
  LLVMInsertIntoBuilder(a->b, made);
  return made;
}

/* All accesses below 'address', which becomes the choice's elements. */
static void resolve_uses(Array *a, LLVMValueRef address, const Choice *c) {
  LLVMUseRef u;
  while ((u = LLVMGetFirstUse(address))) {
    LLVMValueRef i = LLVMGetUser(u);
    LLVMPositionBuilderBefore(a->b, i);
    LLVMSetCurrentDebugLocation2(a->b, LLVMInstructionGetDebugLoc(i));
    if (LLVMIsAGetElementPtrInst(i)) {
      Choice inner = {.index = c->index, .few = c->few};
      for (unsigned k = 0; k < c->few->count; k++)
        inner.element[k] = copy_with(a, i, 0, c->element[k]);
      resolve_uses(a, i, &inner);
    } else if (LLVMIsALoadInst(i)) {
      resolve_load(a, i, c);
    } else {
      resolve_store(a, i, c);
    }
    LLVMInstructionEraseFromParent(i);
  }
}

static bool resolve_address(Array *a, LLVMValueRef gep) {
  unsigned at = variable_index(gep);
  Few few;
  Below below = {.count = 0};
  if (!find_accesses(a, gep, 0, &below) ||
      !find_elements(a, gep, at, &below, &few))
    return false;
  Choice c = {.index = LLVMGetOperand(gep, at), .few = &few};
  LLVMTypeRef t = LLVMTypeOf(c.index);
  for (unsigned k = 0; k < few.count; k++)
    c.element[k] = copy_with(
        a, gep, at, LLVMConstInt(t, (unsigned long long)few.of[k], true));
  resolve_uses(a, gep, &c);
  LLVMInstructionEraseFromParent(gep);
  return true;
}

/* The first address below 'pointer' with an index that is no constant. */
static LLVMValueRef next_address(LLVMValueRef pointer) {
  for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (!LLVMIsAGetElementPtrInst(i)) continue;
    if (mt_has_variable_index(i)) return i;
    LLVMValueRef below = next_address(i);
    if (below) return below;
  }
  return NULL;
}

static bool resolve(Array *a) {
  LLVMValueRef i = next_address(a->alloca);
  if (!i || !can_resolve(a, a->alloca, 0)) return false;
  while (i && resolve_address(a, i)) i = next_address(a->alloca);
  return true;
}

bool mt_resolve_few_indices(LLVMValueRef f, const mt_ArrayLimits *limits) {
  LLVMModuleRef m = LLVMGetGlobalParent(f);
  Array a = {.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m)),
             .layout = LLVMGetModuleDataLayout(m)};
  bool any = false;
  LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(f);
  for (LLVMValueRef i = LLVMGetFirstInstruction(first); i;
       i = LLVMGetNextInstruction(i)) {
    int64_t count;
    if (!LLVMIsAAllocaInst(i) ||
        !mt_const_number(LLVMGetOperand(i, 0), &count) || count != 1)
      continue;
    a.alloca = i;
    a.copies = 0;
    a.bytes = LLVMABISizeOfType(a.layout, LLVMGetAllocatedType(i));
    if (a.bytes <= limits->bytes) any |= resolve(&a);
  }
  LLVMDisposeBuilder(a.b);
  return any;
}
