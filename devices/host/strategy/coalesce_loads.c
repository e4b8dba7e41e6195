/*
** coalesce_loads.c - scalar loads of adjacent words, as one load of each lane.
**
** The one idea: b.x, b.y, b.z and b.w of a struct, or x[8 * i + k] for
** consecutive k, are separate loads, each a gather or the like. But where a
** block loads the first and the last word of 16 bytes, and one between, they
** are one short vector of each lane: the first of the loads brings it for all
** (aos_vectors.c). Two adjacent words at a gathered index (t[h] and t[h + 1])
** are one element of eight bytes: a gather costs by its elements, whatever
** their size. The first and the last word are accessed anyway, so the wider
** load cannot fault. The later loads are hoisted by this, so nothing in between
** may store there.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/strategy/row_buffer.h"

#define WORD 4 /* bytes */
#define WORDS 4       /* of a vector */
#define MIN_FIELDS 3 /* words of a vector that the kernel loads */
#define PAIR 2        /* words of a gathered element */
#define MAX_EXAMINED 64 /* loads of a block: each is compared with each */
/* accesses of a kernel, from which on it is not tried */
#define MAX_SCATTERED 64

typedef struct Field {
  LLVMValueRef load;
  int64_t offset;
} Field;

/* --------------------------------------------------------------- candidates */

/* The lanes are neither contiguous nor at one address but at least a vector
** apart; or their index was loaded. */
static bool is_scattered(mt_Spmd *s, LLVMValueRef pointer) {
  const mt_Shape *h = mt_part_shape(s, pointer, 0);
  if (h->kind == MT_SHAPE_VARYING) return !mt_is_computed(s, pointer);
  if (h->kind != MT_SHAPE_AFFINE) return false;
  int64_t step = h->offset[1] - h->offset[0];
  return mt_same_class(h, 0, 1) &&
         (step >= WORD * WORDS || step <= -WORD * WORDS);
}

static bool is_field(mt_Spmd *s, LLVMValueRef i) {
  if (LLVMGetVolatile(i) || LLVMGetAlignment(i) < WORD ||
      LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return false;
  LLVMTypeRef t = LLVMTypeOf(i);
  if (mt_type_parts(t) != 1 || mt_type_size(s, t) != WORD || t == s->i1 ||
      LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    return false;
  LLVMValueRef p = LLVMGetOperand(i, 0);
  mt_PointerSpace space = mt_address_space(s, p);
  return !mt_is_private(s, p) && space != MT_POINTER_UNKNOWN &&
         mt_part_kind(s, p, 0) != MT_SHAPE_UNIFORM && !mt_row_buffer(s, i);
}

/* Does 'i' leave the word at 'at' alone? Stores of other threads do not count:
** without a barrier they are unordered. */
static bool is_harmless(mt_Spmd *s, const mt_AddressForm *at, LLVMValueRef i) {
  if (LLVMIsACallInst(i)) return mt_is_pure_intrinsic(mt_callee(i));
  if (!LLVMIsAStoreInst(i))
    return !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
           !LLVMIsAFenceInst(i);
  LLVMValueRef p = LLVMGetOperand(i, 1);
  if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return false;
  if (mt_is_private(s, p) || mt_no_alias(s, at->root, p)) return true;
  mt_AddressForm w = mt_address_form(s, p);
  int64_t size = (int64_t)mt_type_size(s, LLVMTypeOf(LLVMGetOperand(i, 0)));
  return mt_same_address_form(at, &w) &&
         (w.offset + size <= at->offset || w.offset >= at->offset + WORD);
}

/* ----------------------------------------------------------------- grouping */

/* Nothing from 'first' up to 'load' writes the word at 'at': it can be
** hoisted. */
static bool may_be_early(mt_Spmd *s, LLVMValueRef first, LLVMValueRef load,
                         const mt_AddressForm *at) {
  for (LLVMValueRef i = first; i != load; i = LLVMGetNextInstruction(i))
    if (!is_harmless(s, at, i)) return false;
  return true;
}

/* The loads of the block that differ from 'load' by a constant offset, in
** program order, as far as all can be hoisted to the first; 0: too many loads.
** The result is the same for each of them. */
static int collect(mt_Spmd *s, LLVMValueRef load, const mt_AddressForm *at,
                   Field *f) {
  const mt_CfgBlock *k = &s->block[mt_value(s, load)->block];
  int n = 0, seen = 0;
  bool found = false;
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsALoadInst(i)) continue;
    if (++seen > MAX_EXAMINED) return 0;
    mt_AddressForm w = mt_address_form(s, LLVMGetOperand(i, 0));
    if (!mt_same_address_form(at, &w) || !is_field(s, i)) continue;
    if (n && !may_be_early(s, f[0].load, i, &w)) {
      if (found) return n;
      n = 0;
    }
    found |= i == load;
    f[n++] = (Field){i, w.offset};
  }
  return n;
}

static bool has(const Field *f, int n, int64_t offset) {
  for (int i = 0; i < n; i++)
    if (f[i].offset == offset) return true;
  return false;
}

/* The lowest offset not below '*from' at which a vector starts; false: none. */
static bool next_piece(const Field *f, int n, int64_t *from) {
  int64_t best = 0;
  bool found = false;
  for (int i = 0; i < n; i++) {
    int64_t o = f[i].offset;
    int words = 0;
    for (int k = 0; k < WORDS; k++) words += has(f, n, o + WORD * k);
    if (o < *from || words < MIN_FIELDS || !has(f, n, o + WORD * (WORDS - 1)) ||
        (found && o >= best))
      continue;
    best = o, found = true;
  }
  *from = best;
  return found;
}

/* The start of the vector that 'offset' belongs to; false: none. Vectors are
** cut from the lowest offset on, so all their loads agree. */
static bool piece_of(const Field *f, int n, int64_t offset, int64_t *low) {
  int64_t from = INT64_MIN;
  while (next_piece(f, n, &from)) {
    if (offset < from) return false;
    *low = from;
    from += WORD * WORDS;
    if (offset < from) return (offset - *low) % WORD == 0;
  }
  return false;
}

/* The loads of a group: 'n' candidates, those of the vector or the pair of
** 'words' that starts at 'low' from number 'first' on. */
typedef struct Group {
  Field f[MAX_EXAMINED];
  int n, first, words;
  int64_t low;
} Group;

static bool is_in(const Group *g, int k) {
  int64_t at = g->f[k].offset - g->low;
  return at >= 0 && at < WORD * g->words && at % WORD == 0;
}

/* A word that is loaded and belongs to no vector. Under a mask there are no
** vectors. */
static bool is_left(const mt_Spmd *s, const Group *g, int64_t offset) {
  int64_t low;
  return has(g->f, g->n, offset) &&
         !(s->full && piece_of(g->f, g->n, offset, &low));
}

/* The start of the pair that 'offset' belongs to; false: none. Pairs are cut
** from the start of each sequence of words, so both their loads agree. */
static bool pair_of(const mt_Spmd *s, const Group *g, int64_t offset,
                    int64_t *low) {
  int before = 0;
  while (is_left(s, g, offset - WORD * (before + 1))) before++;
  *low = offset - WORD * (before % PAIR);
  return is_left(s, g, *low + WORD);
}

/* As planned without its neighbour. */
static mt_PartPlan alone(mt_Spmd *s, LLVMValueRef load) {
  mt_LaneAccess a = mt_access_of(s, load, 0);
  return mt_access_choose_part(s, &a, false);
}

static bool find(mt_Spmd *s, LLVMValueRef load, Group *g) {
  if (s->lanes < WORDS || !is_field(s, load)) return false;
  mt_AddressForm at = mt_address_form(s, LLVMGetOperand(load, 0));
  if (mt_access_state(s)->scattered >= MAX_SCATTERED || at.failed) return false;
  g->n = collect(s, load, &at, g->f);
  g->words = WORDS;
  if (!s->full || !piece_of(g->f, g->n, at.offset, &g->low)) {
    g->words = PAIR;
    if (!g->n || !pair_of(s, g, at.offset, &g->low)) return false;
  }
  g->first = 0;
  while (!is_in(g, g->first)) g->first++;
  LLVMValueRef first = g->f[g->first].load;
  return g->words == PAIR ? alone(s, first).by == &mt_part_gather
                          : is_scattered(s, LLVMGetOperand(first, 0));
}

static bool choose(mt_Spmd *s, LLVMValueRef load, mt_AccessPlan *plan) {
  Group g;
  if (!find(s, load, &g)) return false;
  plan->how = g.words == PAIR ? MT_ACCESS_PAIR : MT_ACCESS_SHORT_VECTOR;
  if (g.words == PAIR)
    plan->why = alone(s, load).why;
  else if (g.f[g.first].load == load)
    plan->test = mt_aos_words_test(s, load);
  return true;
}

static void load_all(mt_Spmd *s, const Group *g, mt_RunTest test) {
  LLVMValueRef word[WORDS];
  const Field *first = &g->f[g->first];
  int64_t offset = g->low - first->offset;
  if (g->words == PAIR)
    mt_aos_pair_load(s, first->load, offset, word);
  else
    mt_aos_words_load(s, first->load, offset, WORD, test, word);
  for (int k = g->first; k < g->n; k++) {
    const Field *f = &g->f[k];
    if (!is_in(g, k)) continue;
    LLVMTypeRef t = mt_vector_of(s, LLVMTypeOf(f->load));
    mt_set_vector(s, f->load, 0,
                  LLVMBuildBitCast(s->b, word[(f->offset - g->low) / WORD], t,
                                   ""));
  }
}

static void load(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  Group g;
  if (find(s, i, &g) && g.f[g.first].load == i) load_all(s, &g, plan->test);
}

const mt_Strategy mt_strategy_coalesced = {choose, load, NULL};
