/*
** interleaved_stores.c - stores of a block to adjacent elements of each lane.
**
** The one idea: y[3 * i], y[3 * i + 1] and y[3 * i + 2] are three scatters,
** each to every third element. But where a block has all three, they write one
** contiguous range: the values are interleaved in registers and stored once, at
** the last of the three. Where the lanes leave gaps, or are anywhere, four
** words and more of each lane are short vectors: a register transpose and one
** store for four. Between the first and the last store nothing may access what
** they write; other arguments of the kernel are other memory, if the launch's
** buffers do not overlap, and so are other elements of the lane's own. (What
** other threads access is unordered, without a barrier.)
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/strategy/strategies.h"

#define MAX_STORES 16 /* as many elements */
#define MAX_EXAMINED 128 /* stores of a block: each is compared with each */
#define MIN_RUN 8     /* lanes whose elements are contiguous together */
#define WORD 4        /* bytes */
#define WORDS 4       /* of a short vector */
#define MAX_ADDRESS_DEPTH 16 /* instructions of an address or an index */

/* ------------------------------------------------------------ address forms */

/* In one order, whatever order they were added up in. */
static void add_term(mt_AddressForm *w, LLVMValueRef of, int64_t by) {
  int at = 0;
  while (at < w->terms && (uintptr_t)w->term[at].of < (uintptr_t)of) at++;
  if (at < w->terms && w->term[at].of == of) {
    w->term[at].by += by;
    return;
  }
  if ((w->failed |= w->terms == MT_FORM_TERMS)) return;
  memmove(&w->term[at + 1], &w->term[at],
          (size_t)(w->terms++ - at) * sizeof *w->term);
  w->term[at].of = of;
  w->term[at].by = by;
}

/* Indices of 32 bits and more do not wrap within a buffer (docs/engine.md). */
static void add_index(mt_AddressForm *w, LLVMValueRef v, int64_t by,
                      int depth) {
  if (w->failed) return;
  if (LLVMIsAConstantInt(v)) {
    w->offset += LLVMConstIntGetSExtValue(v) * by;
    return;
  }
  bool near = LLVMIsAInstruction(v) && depth < MAX_ADDRESS_DEPTH;
  LLVMOpcode op = near ? LLVMGetInstructionOpcode(v) : 0;
  LLVMValueRef a = op ? LLVMGetOperand(v, 0) : NULL;
  LLVMValueRef c =
      op && LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
  bool known = c && LLVMIsAConstantInt(c);
  if ((op == LLVMZExt || op == LLVMSExt) &&
      LLVMGetIntTypeWidth(LLVMTypeOf(a)) >= 32) {
    add_index(w, a, by, depth + 1);
  } else if (op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(v))) {
    add_index(w, a, by, depth + 1);
    add_index(w, c, by, depth + 1);
  } else if (known && op == LLVMMul) {
    add_index(w, a, by * LLVMConstIntGetSExtValue(c), depth + 1);
  } else if (known && op == LLVMShl && LLVMConstIntGetZExtValue(c) < 24) {
    add_index(w, a, by << LLVMConstIntGetZExtValue(c), depth + 1);
  } else {
    add_term(w, v, by);
  }
}

static void add_pointer(mt_Spmd *s, mt_AddressForm *w, LLVMValueRef p,
                        int depth) {
  if (!LLVMIsAGetElementPtrInst(p) || depth > MAX_ADDRESS_DEPTH) {
    w->root = p;
    return;
  }
  add_pointer(s, w, LLVMGetOperand(p, 0), depth + 1);
  mt_GepWalk g = mt_gep_walk(s->layout, p);
  for (mt_GepIndex x; mt_gep_next(&g, &x);)
    if (x.in == LLVMStructTypeKind)
      w->offset += (int64_t)x.bytes;
    else
      add_index(w, x.index, (int64_t)x.bytes, 0);
}

mt_AddressForm mt_address_form(mt_Spmd *s, LLVMValueRef p) {
  mt_AddressForm w = {0};
  add_pointer(s, &w, p, 0);
  return w;
}

bool mt_same_address_form(const mt_AddressForm *a, const mt_AddressForm *b) {
  if (a->failed || b->failed || a->root != b->root || a->terms != b->terms)
    return false;
  for (int i = 0; i < a->terms; i++)
    if (a->term[i].of != b->term[i].of || a->term[i].by != b->term[i].by)
      return false;
  return true;
}

/* --------------------------------------------------------------- candidates */

typedef struct Beside {
  int count;                      /* of stores, to one element each */
  int run;                        /* lanes that leave no gap; 0: they do */
  LLVMValueRef store[MAX_STORES]; /* in order of address */
  LLVMValueRef last;              /* in program order */
  mt_AddressForm at;              /* of the first element */
  LLVMTypeRef type;
  int64_t size;                   /* bytes of an element */
} Beside;

static bool is_like(const Beside *g, LLVMValueRef i) {
  return LLVMIsAStoreInst(i) && LLVMTypeOf(LLVMGetOperand(i, 0)) == g->type &&
         !LLVMGetVolatile(i) &&
         LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

/* The elements to which the block stores, from that of one store on. */
typedef struct Elements {
  int n;
  int64_t at[MAX_EXAMINED];
} Elements;

static void list(mt_Spmd *s, const mt_CfgBlock *k, const Beside *g,
                 const mt_AddressForm *at, Elements *all) {
  all->n = 0;
  for (LLVMValueRef i = k->first; i != k->end && all->n < MAX_EXAMINED;
       i = LLVMGetNextInstruction(i)) {
    if (!is_like(g, i)) continue;
    mt_AddressForm w = mt_address_form(s, LLVMGetOperand(i, 1));
    int64_t bytes = w.offset - at->offset;
    if (mt_same_address_form(at, &w) && bytes % g->size == 0)
      all->at[all->n++] = bytes / g->size;
  }
}

static int times(const Elements *all, int64_t element) {
  int n = 0;
  for (int i = 0; i < all->n; i++) n += all->at[i] == element;
  return n;
}

/* All stores to elements without a gap between them, in order of address, or
** as many of them as are written at once, counted from the lowest one; false:
** it is alone, or an element is stored to twice. */
static bool collect(mt_Spmd *s, const mt_CfgBlock *k, mt_AddressForm at,
                    Beside *g) {
  Elements all;
  int64_t low = 0;
  list(s, k, g, &at, &all);
  while (times(&all, low - 1)) low--;
  low += -low / MAX_STORES * MAX_STORES;
  while (g->count < MAX_STORES && times(&all, low + g->count) == 1) g->count++;
  at.offset += low * g->size;
  g->at = at;
  if (g->count < 2 || -low >= g->count || times(&all, low + g->count) > 1)
    return false;
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    if (!is_like(g, i)) continue;
    mt_AddressForm w = mt_address_form(s, LLVMGetOperand(i, 1));
    int64_t bytes = w.offset - at.offset, n = bytes / g->size;
    if (mt_same_address_form(&at, &w) && bytes >= 0 && bytes % g->size == 0 &&
        n < g->count)
      g->store[n] = g->last = i;
  }
  return true;
}

/* -------------------------------------------------------------------- order */

static int number_of(const Beside *g, LLVMValueRef i) {
  for (int n = 0; n < g->count; n++)
    if (g->store[n] == i) return n;
  return -1;
}

/* Does the load or store 'i' access none of the elements of which 'passed' has
** a bit, in its own lane? */
static bool is_beside(mt_Spmd *s, const Beside *g, LLVMValueRef i,
                      unsigned passed) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  int64_t size = (int64_t)mt_type_size(s, t);
  mt_AddressForm w = mt_address_form(s, LLVMGetOperand(i, store));
  if (!mt_same_address_form(&g->at, &w)) return false;
  for (int n = 0; n < g->count; n++) {
    int64_t from = g->at.offset + n * g->size;
    if (passed >> n & 1 && w.offset < from + g->size && w.offset + size > from)
      return false;
  }
  return true;
}

/* May the stores of which 'passed' has a bit be moved across 'i'? */
static bool may_pass(mt_Spmd *s, const Beside *g, LLVMValueRef i,
                     unsigned passed) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  if (LLVMIsACallInst(i)) return mt_is_pure_intrinsic(mt_callee(i));
  if (!store && !LLVMIsALoadInst(i))
    return !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
           !LLVMIsAFenceInst(i);
  LLVMValueRef p = LLVMGetOperand(i, store);
  if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return false;
  return mt_is_private(s, p) ||
         mt_no_alias(s, LLVMGetOperand(g->last, 1), p) ||
         is_beside(s, g, i, passed);
}

static bool all_reach_last(mt_Spmd *s, const mt_CfgBlock *k, const Beside *g) {
  unsigned passed = 0;
  for (LLVMValueRef i = k->first; i != g->last; i = LLVMGetNextInstruction(i)) {
    int n = number_of(g, i);
    if (n >= 0)
      passed |= 1u << n;
    else if (passed && !may_pass(s, g, i, passed))
      return false;
  }
  return true;
}

/* -------------------------------------------------------------------- lanes */

static bool can_weave(const mt_Spmd *s, int count) {
  bool known = count % 3 ? !(count & (count - 1)) : count <= 12 && count != 9;
  return known && (count <= 4 || s->lanes <= MT_LANES);
}

/* Lanes, a power of two, that are contiguous in memory; 0: too few. */
static int run_of(const mt_Spmd *s, const mt_Shape *h, int64_t step) {
  for (int run = s->lanes; run >= MIN_RUN; run /= 2) {
    bool even = true;
    for (int l = 0; l < s->lanes && even; l++)
      even = l % run == 0 || (mt_same_class(h, l, l - 1) &&
                              h->offset[l] - h->offset[l - 1] == step);
    if (even) return run;
  }
  return 0;
}

/* Are the elements of each lane apart from those of its neighbour? */
static bool are_apart(const mt_Shape *h, int64_t bytes) {
  int64_t step = h->offset[1] - h->offset[0];
  return !mt_same_class(h, 0, 1) || step >= bytes || step <= -bytes;
}

/* How can they be written at once? */
static bool measure(mt_Spmd *s, LLVMValueRef p, Beside *g) {
  const mt_Shape *h = mt_part_shape(s, p, 0);
  bool affine = h->kind == MT_SHAPE_AFFINE;
  if (affine && can_weave(s, g->count))
    g->run = run_of(s, h, g->count * g->size);
  if (g->run) return true;
  return g->size == WORD && g->count >= WORDS && s->lanes >= WORDS &&
         (affine ? are_apart(h, g->count * g->size)
                 : h->kind == MT_SHAPE_VARYING);
}

static bool find(mt_Spmd *s, LLVMValueRef store, Beside *g) {
  LLVMValueRef p = LLVMGetOperand(store, 1);
  mt_PointerSpace space = mt_address_space(s, p);
  *g = (Beside){.type = LLVMTypeOf(LLVMGetOperand(store, 0))};
  if (!s->full ||
      (space != MT_POINTER_DEVICE && space != MT_POINTER_THREADGROUP) ||
      mt_part_kind(s, p, 0) == MT_SHAPE_UNIFORM ||
      mt_type_parts(g->type) != 1 || g->type == s->i1 ||
      LLVMGetTypeKind(g->type) == LLVMPointerTypeKind)
    return false;
  g->size = (int64_t)mt_type_size(s, g->type);
  const mt_CfgBlock *k = &s->block[mt_value(s, store)->block];
  mt_AddressForm at = mt_address_form(s, p);
  return is_like(g, store) && !at.failed && collect(s, k, at, g) &&
         measure(s, p, g) && all_reach_last(s, k, g);
}

/* ------------------------------------------------------------------ writing */

/* Interleave two to four vectors: one, in memory order. Machines have
** instructions for this, which LLVM recognises. */
static LLVMValueRef few_woven(mt_Spmd *s, const LLVMValueRef *x, int count) {
  int from[4 * MT_MAX_LANES];
  int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(x[0]));
  LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(x[0])), b = NULL;
  if (count > 2) b = mt_concat(s, x[2], count > 3 ? x[3] : none);
  for (int l = 0; l < count * lanes; l++)
    from[l] = l % count * lanes + l / count;
  return mt_shuffle_two(s, mt_concat(s, x[0], x[1]), b, from, count * lanes);
}

/* The lower, or the upper, half of 'a' interleaved with that of 'b'. */
static LLVMValueRef half_woven(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b,
                               bool upper) {
  int from[MT_MAX_LANES], n = (int)LLVMGetVectorSize(LLVMTypeOf(a));
  for (int l = 0; l < n; l++) from[l] = l % 2 * n + l / 2 + (upper ? n / 2 : 0);
  return mt_shuffle_two(s, a, b, from, n);
}

/* Interleave 'count' vectors, a power of two: as many vectors, in memory order
** one after the other. Each step reads two registers for one. */
static void weave(mt_Spmd *s, LLVMValueRef *x, int count) {
  LLVMValueRef y[MAX_STORES];
  for (int step = 1; step < count; step *= 2) {
    for (int i = 0; i < count; i++)
      y[i] = half_woven(s, x[i / 2], x[i / 2 + count / 2], i % 2);
    memcpy(x, y, (size_t)count * sizeof *y);
  }
}

/* Three times a power of two: each third of them by itself, then the three. */
static LLVMValueRef thirds_woven(mt_Spmd *s, const LLVMValueRef *x, int count) {
  LLVMValueRef third[3], own[MAX_STORES];
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < count / 3; i++) own[i] = x[3 * i + t];
    weave(s, own, count / 3);
    for (int n = count / 3; n > 1; n /= 2)
      for (int i = 0; i < n / 2; i++)
        own[i] = mt_concat(s, own[2 * i], own[2 * i + 1]);
    third[t] = own[0];
  }
  return few_woven(s, third, 3);
}

static void write_at(mt_Spmd *s, const Beside *g, LLVMValueRef x,
                     LLVMValueRef at, int64_t elements) {
  at = mt_byte_offset(s, at, elements * g->size);
  LLVMSetAlignment(LLVMBuildStore(s->b, x, at),
                   LLVMGetAlignment(g->store[0]));
}

/* The values of 'run' lanes, in memory order. */
static void write_run(mt_Spmd *s, const Beside *g, LLVMValueRef *x,
                      LLVMValueRef at) {
  if (g->count <= 4) {
    write_at(s, g, few_woven(s, x, g->count), at, 0);
  } else if (g->count % 3 == 0) {
    write_at(s, g, thirds_woven(s, x, g->count), at, 0);
  } else {
    weave(s, x, g->count);
    for (int n = 0; n < g->count; n++) write_at(s, g, x[n], at, n * g->run);
  }
}

/* Words as short vectors of each lane. The last one may begin early: what two
** write is equal. */
static void write_pieces(mt_Spmd *s, const Beside *g, LLVMValueRef low) {
  for (int n = 0; n < g->count; n += WORDS) {
    LLVMValueRef x[WORDS];
    if (n > g->count - WORDS) n = g->count - WORDS;
    for (int i = 0; i < WORDS; i++)
      x[i] = mt_vector(s, LLVMGetOperand(g->store[n + i], 0), 0);
    mt_aos_words_store(s, low, WORD * n, LLVMGetAlignment(g->store[0]), x);
  }
}

static void write_all(mt_Spmd *s, const Beside *g) {
  LLVMValueRef low = LLVMGetOperand(g->store[0], 1);
  if (!g->run) write_pieces(s, g, low);
  for (int first = 0; g->run && first < s->lanes; first += g->run) {
    LLVMValueRef x[MAX_STORES];
    for (int n = 0; n < g->count; n++) {
      x[n] = mt_vector(s, LLVMGetOperand(g->store[n], 0), 0);
      if (g->run < s->lanes) x[n] = mt_extract_lanes(s, x[n], first, g->run);
    }
    write_run(s, g, x, mt_affine_lane(s, mt_affine(s, low, 0),
                                      (unsigned)first));
  }
}

static bool choose(mt_Spmd *s, LLVMValueRef store, mt_AccessPlan *plan) {
  Beside g;
  if (!find(s, store, &g)) return false;
  plan->how = g.run ? MT_ACCESS_INTERLEAVED : MT_ACCESS_SHORT_VECTOR;
  return true;
}

/* The last one in the block writes for all. */
static void store(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  (void)plan;
  Beside g;
  if (find(s, i, &g) && g.last == i) write_all(s, &g);
}

const mt_Strategy mt_strategy_interleaved = {choose, NULL, store};
