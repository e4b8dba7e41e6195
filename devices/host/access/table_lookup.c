/*
** table_lookup.c - loads from small tables of constants.
**
** The one idea: a table of letters, weights or directions that the source has
** as constants fits a few vector registers, and instructions that permute the
** elements of registers by indices in another look up all lanes at once. That
** takes no access to memory, and so no mask either; a gather takes a step for
** each lane. A table of more elements than one permutation reaches is looked up
** in pieces, of which the index selects one.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/target/target.h"
#include "devices/host/access/parts.h"

#define MAX_VECTORS 2 /* of one permutation */
#define MAX_ADDRESS_DEPTH 4 /* GEPs between the table and an element */

/* A permutation: of how many vectors, of how many elements of how many bytes.
** The elements of a table may have fewer. */
typedef struct Permutation {
  const char *feature, *name;
  int vectors, lanes, bytes;
  int pieces;          /* of a table that is looked up so */
  bool index_in_between; /* vector, index, vector; else the index is last */
} Permutation;

static const Permutation permutations[] = {
    {"avx512f", "llvm.x86.avx512.vpermi2var.d.512", 2, 16, 4, 8, true},
    {"avx512bw", "llvm.x86.avx512.vpermi2var.hi.512", 2, 32, 2, 8, true},
    {"avx2", "llvm.x86.avx2.permd", 1, 8, 4, 2, false}};

typedef struct Table {
  LLVMValueRef values; /* the constant, arrays of arrays perhaps */
  LLVMValueRef root;
  int64_t size, count; /* bytes of an element; elements */
  const Permutation *by;
} Table;

/* ---------------------------------------------------------------- the table */

static bool is_number(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMIntegerTypeKind || k == LLVMFloatTypeKind ||
         k == LLVMHalfTypeKind;
}

static LLVMTypeRef element_of(LLVMTypeRef t) {
  while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
  return t;
}

static const Permutation *permutation_for(mt_Spmd *s, const Table *t) {
  for (size_t i = 0; i < sizeof permutations / sizeof *permutations; i++) {
    const Permutation *p = &permutations[i];
    bool fits = t->size == 4 ? p->bytes == 4
                : t->size == 2 ? p->bytes == 2
                               : p->bytes <= 2;
    if (fits && mt_target_has(s->target, p->feature) &&
        s->lanes % p->lanes == 0 &&
        t->count <= p->vectors * p->lanes * p->pieces)
      return p;
  }
  return NULL;
}

/* The indices of an address, from the table on: are all of them multiples of an
** element, and available where the load is? */
static bool is_address(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef p,
                       Table *t, int depth) {
  if (LLVMIsAGlobalVariable(p)) {
    t->root = p;
    return true;
  }
  if (!LLVMIsAGetElementPtrInst(p) || depth == MAX_ADDRESS_DEPTH ||
      mt_type_parts(LLVMTypeOf(p)) != 1 ||
      !is_address(s, a, LLVMGetOperand(p, 0), t, depth + 1))
    return false;
  mt_GepIndex x;
  int block = mt_value(s, a->instr)->block;
  for (mt_GepWalk g = mt_gep_walk(s->layout, p); mt_gep_next(&g, &x);)
    if ((int64_t)x.bytes % t->size ||
        (x.in != LLVMStructTypeKind && !mt_is_available(s, x.index, block)))
      return false;
  return true;
}

/* Element 'n', of those of all arrays one after the other. */
static LLVMValueRef element(const Table *t, int64_t n) {
  LLVMValueRef at = t->values;
  while (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMArrayTypeKind) {
    LLVMTypeRef in = LLVMGetElementType(LLVMTypeOf(at));
    int64_t each = 1;
    for (LLVMTypeRef e = in; LLVMGetTypeKind(e) == LLVMArrayTypeKind;
         e = LLVMGetElementType(e))
      each *= (int64_t)LLVMGetArrayLength2(e);
    at = LLVMGetAggregateElement(at, (unsigned)(n / each));
    n %= each;
  }
  return at;
}

static bool are_known(const Table *t) {
  for (int64_t n = 0; n < t->count; n++) {
    LLVMValueRef x = element(t, n);
    if (!x || (!LLVMIsAConstantInt(x) && !LLVMIsAConstantFP(x))) return false;
  }
  return true;
}

static bool find(mt_Spmd *s, const mt_LaneAccess *a, Table *t) {
  *t = (Table){.size = (int64_t)mt_type_size(s, a->type)};
  if (!a->instr || a->is_volatile || !is_number(a->type) ||
      (t->size != 1 && t->size != 2 && t->size != 4) || a->offset % t->size ||
      !is_address(s, a, a->pointer, t, 0) || !LLVMIsGlobalConstant(t->root))
    return false;
  t->values = LLVMGetInitializer(t->root);
  if (!t->values || element_of(LLVMTypeOf(t->values)) != a->type) return false;
  t->count = (int64_t)mt_type_size(s, LLVMTypeOf(t->values)) / t->size;
  t->by = permutation_for(s, t);
  return t->by && are_known(t);
}

static bool choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                   mt_PartPlan *plan) {
  Table t;
  plan->how = MT_ACCESS_TABLE_LOOKUP;
  return !write && find(s, a, &t);
}

/* ------------------------------------------------------------------- lookup */

static LLVMTypeRef int_type(mt_Spmd *s, int64_t bytes) {
  return LLVMIntTypeInContext(s->context, (unsigned)bytes * 8);
}

/* A vector of the table's elements from 'first' on, zero past its end. */
static LLVMValueRef part_of_table(mt_Spmd *s, const Table *t, int64_t first) {
  LLVMValueRef x[MT_MAX_LANES];
  LLVMTypeRef own = int_type(s, t->size), wide = int_type(s, t->by->bytes);
  for (int n = 0; n < t->by->lanes; n++) {
    uint64_t bits = 0;
    if (first + n < t->count)
      bits = LLVMConstIntGetZExtValue(
          LLVMConstBitCast(element(t, first + n), own));
    x[n] = LLVMConstInt(wide, bits, 0);
  }
  return LLVMConstVector(x, (unsigned)t->by->lanes);
}

/* The piece from element 'first' on, for one register of indices. */
static LLVMValueRef permuted(mt_Spmd *s, const Table *t, int64_t first,
                             LLVMValueRef index) {
  const Permutation *p = t->by;
  LLVMValueRef arg[MAX_VECTORS + 1];
  for (int v = 0; v < p->vectors; v++)
    arg[v + (p->index_in_between && v > 0)] =
        part_of_table(s, t, first + v * p->lanes);
  arg[p->index_in_between ? 1 : p->vectors] = index;
  return mt_intrinsic(s, p->name, NULL, 0, arg, (unsigned)p->vectors + 1);
}

static LLVMValueRef looked_up(mt_Spmd *s, const Table *t, LLVMValueRef index) {
  int64_t reach = t->by->vectors * t->by->lanes;
  LLVMTypeRef type = LLVMTypeOf(index), one = LLVMGetElementType(type);
  LLVMValueRef x = permuted(s, t, 0, index), lane[MT_MAX_LANES];
  for (int64_t first = reach; first < t->count; first += reach) {
    for (int l = 0; l < t->by->lanes; l++)
      lane[l] = LLVMConstInt(one, (uint64_t)first, 0);
    LLVMValueRef from = LLVMConstVector(lane, (unsigned)t->by->lanes);
    LLVMValueRef above = LLVMBuildICmp(s->b, LLVMIntUGE, index, from, "");
    x = LLVMBuildSelect(s->b, above, permuted(s, t, first, index), x, "");
  }
  return x;
}

/* The number of the element that the lanes load. */
static LLVMValueRef index_of(mt_Spmd *s, const Table *t, LLVMValueRef p) {
  LLVMTypeRef words = mt_vector_of(s, s->i32);
  if (p == t->root) return LLVMConstNull(words);
  LLVMValueRef sum = index_of(s, t, LLVMGetOperand(p, 0));
  mt_GepIndex x;
  for (mt_GepWalk g = mt_gep_walk(s->layout, p); mt_gep_next(&g, &x);) {
    LLVMValueRef by =
        mt_splat(s, mt_const_i32(s, (int64_t)x.bytes / t->size));
    if (x.in != LLVMStructTypeKind)
      by = LLVMBuildMul(
          s->b, by,
          LLVMBuildIntCast2(s->b, mt_vector(s, x.index, 0), words, 1, ""), "");
    sum = LLVMBuildAdd(s->b, sum, by, "");
  }
  return sum;
}

static mt_LaneValue read(mt_Spmd *s, const mt_LaneAccess *a,
                         const mt_PartPlan *plan) {
  (void)plan;
  Table t;
  LLVMValueRef x[MT_MAX_LANES];
  find(s, a, &t);
  LLVMValueRef index = LLVMBuildAdd(
      s->b, index_of(s, &t, a->pointer),
      mt_splat(s, mt_const_i32(s, a->offset / t.size)), "");
  index = LLVMBuildIntCast2(s->b, index,
                            mt_vector_of(s, int_type(s, t.by->bytes)), 0, "");
  int n = s->lanes / t.by->lanes;
  for (int i = 0; i < n; i++)
    x[i] = looked_up(s, &t, n == 1 ? index
                                   : mt_extract_lanes(s, index, i * t.by->lanes,
                                                      t.by->lanes));
  for (; n > 1; n /= 2)
    for (int i = 0; i < n / 2; i++) x[i] = mt_concat(s, x[2 * i], x[2 * i + 1]);
  x[0] = LLVMBuildTrunc(s->b, x[0], mt_vector_of(s, int_type(s, t.size)), "");
  x[0] = LLVMBuildBitCast(s->b, x[0], mt_vector_of(s, a->type), "");
  return (mt_LaneValue){x[0], false};
}

const mt_PartStrategy mt_part_table = {choose, read, NULL};
