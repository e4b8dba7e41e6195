/*
** interleaved_stores.c - strided stores that together leave no gap.
**
** The one idea: y[3 * i], y[3 * i + 1] and y[3 * i + 2] are three scatters,
** each to every third element. But where a block has all three, they write one
** contiguous range: the values are interleaved in registers and stored once, at
** the last of the three. Between the first and the last nothing may access that
** memory; other arguments of the kernel are other memory, if the launch's
** buffers do not overlap.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/strategy/strategies.h"

#define MAX_STRIDE 8 /* elements; as many stores */
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
  int count;                  /* stride in elements: stores of the group */
  int run;                    /* lanes that are contiguous together */
  LLVMValueRef store[MAX_STRIDE];   /* in order of address */
  LLVMValueRef last;          /* in program order */
  LLVMTypeRef type;
} Beside;

/* Find runs of 8 lanes or more, all of one length, with one stride. */
static bool measure(const mt_Spmd *s, const mt_Shape *h, int64_t size,
                    Beside *g) {
  int64_t step = h->offset[1] - h->offset[0];
  if (step % size || step < 2 * size || step > MAX_STRIDE * size) return false;
  g->count = (int)(step / size);
  for (g->run = s->lanes; g->run >= 8; g->run /= 2) {
    bool even = true;
    for (int l = 0; l < s->lanes && even; l++)
      even = l % g->run == 0 || (mt_same_class(h, l, l - 1) &&
                                 h->offset[l] - h->offset[l - 1] == step);
    if (even) break;
  }
  return g->run >= 8 &&
         (g->count <= 4 || (g->count == 8 && s->lanes <= MT_LANES));
}

/* May a store to 'at' be moved across 'i'? */
static bool may_pass(mt_Spmd *s, LLVMValueRef at, LLVMValueRef i) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  if (LLVMIsACallInst(i)) return mt_is_pure_intrinsic(mt_callee(i));
  if (!store && !LLVMIsALoadInst(i))
    return !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
           !LLVMIsAFenceInst(i);
  LLVMValueRef p = LLVMGetOperand(i, store);
  if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return false;
  if (mt_is_private(s, p)) return true;
  return mt_no_alias(s, at, p);
}

static bool is_like(const Beside *g, LLVMValueRef i) {
  return LLVMIsAStoreInst(i) && LLVMTypeOf(LLVMGetOperand(i, 0)) == g->type &&
         !LLVMGetVolatile(i) &&
         LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

/* All stores of the block with the address form 'at', in order of address;
** false if they leave a gap or overlap. */
static bool collect(mt_Spmd *s, const mt_CfgBlock *k, const mt_AddressForm *at,
                    int64_t size, Beside *g) {
  int64_t low = at->offset;
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    if (!is_like(g, i)) continue;
    mt_AddressForm w = mt_address_form(s, LLVMGetOperand(i, 1));
    if (mt_same_address_form(at, &w) && w.offset < low) low = w.offset;
  }
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    if (!is_like(g, i)) continue;
    mt_AddressForm w = mt_address_form(s, LLVMGetOperand(i, 1));
    if (!mt_same_address_form(at, &w)) continue;
    int64_t n = (w.offset - low) / size;
    if ((w.offset - low) % size || n >= g->count || g->store[n]) return false;
    g->store[n] = g->last = i;
  }
  for (int n = 0; n < g->count; n++)
    if (!g->store[n]) return false;
  return true;
}

static bool is_ours(const Beside *g, LLVMValueRef i) {
  for (int n = 0; n < g->count; n++)
    if (g->store[n] == i) return true;
  return false;
}

static bool find(mt_Spmd *s, LLVMValueRef store, Beside *g) {
  LLVMValueRef p = LLVMGetOperand(store, 1);
  mt_PointerSpace space = mt_address_space(s, p);
  *g = (Beside){.type = LLVMTypeOf(LLVMGetOperand(store, 0))};
  if (!s->full ||
      (space != MT_POINTER_DEVICE && space != MT_POINTER_THREADGROUP) ||
      mt_part_kind(s, p, 0) != MT_SHAPE_AFFINE || mt_type_parts(g->type) != 1 ||
      g->type == s->i1 || LLVMGetTypeKind(g->type) == LLVMPointerTypeKind)
    return false;
  int64_t size = (int64_t)mt_type_size(s, g->type);
  const mt_CfgBlock *k = &s->block[mt_value(s, store)->block];
  mt_AddressForm at = mt_address_form(s, p);
  if (!is_like(g, store) || at.failed ||
      !measure(s, mt_part_shape(s, p, 0), size, g) ||
      !collect(s, k, &at, size, g))
    return false;
  bool begun = false;
  for (LLVMValueRef i = k->first; i != g->last; i = LLVMGetNextInstruction(i)) {
    if (is_ours(g, i)) begun = true;
    else if (begun && !may_pass(s, p, i)) return false;
  }
  return true;
}

/* ------------------------------------------------------------------ writing */

static LLVMValueRef side_by_side(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef from[MAX_STRIDE * MT_MAX_LANES];
  unsigned n = 2 * LLVMGetVectorSize(LLVMTypeOf(a));
  for (unsigned l = 0; l < n; l++) from[l] = mt_const_i32(s, l);
  return LLVMBuildShuffleVector(s->b, a, b, LLVMConstVector(from, n), "");
}

/* Interleave two to four vectors: memory order. */
static LLVMValueRef few_woven(mt_Spmd *s, LLVMValueRef *x, int count) {
  LLVMValueRef from[MAX_STRIDE * MT_MAX_LANES];
  LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(x[0]));
  LLVMValueRef a = side_by_side(s, x[0], x[1]),
               b = LLVMGetPoison(LLVMTypeOf(a));
  int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(x[0])), n = count * lanes;
  if (count > 2) b = side_by_side(s, x[2], count > 3 ? x[3] : none);
  for (int l = 0; l < n; l++)
    from[l] = mt_const_i32(s, l % count * lanes + l / count);
  return LLVMBuildShuffleVector(s->b, a, b, LLVMConstVector(from, (unsigned)n),
                                "");
}

/* Eight vectors: interleave the even ones, the odd ones, and both results. */
static LLVMValueRef woven(mt_Spmd *s, LLVMValueRef *x, int count) {
  if (count <= 4) return few_woven(s, x, count);
  LLVMValueRef even[4] = {x[0], x[2], x[4], x[6]};
  LLVMValueRef odd[4] = {x[1], x[3], x[5], x[7]};
  LLVMValueRef both[2] = {few_woven(s, even, 4), few_woven(s, odd, 4)};
  return few_woven(s, both, 2);
}

static LLVMValueRef lanes_of(mt_Spmd *s, LLVMValueRef x, int first, int count) {
  LLVMValueRef from[MT_MAX_LANES];
  if (count == s->lanes) return x;
  for (int l = 0; l < count; l++) from[l] = mt_const_i32(s, first + l);
  return LLVMBuildShuffleVector(s->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                LLVMConstVector(from, (unsigned)count), "");
}

/* Eight words as two short vectors of each lane: cheaper than interleaving. */
static void write_pieces(mt_Spmd *s, const Beside *g, LLVMValueRef low,
                         unsigned align) {
  for (int n = 0; n < g->count; n += 4) {
    LLVMValueRef x[4];
    for (int i = 0; i < 4; i++)
      x[i] = mt_vector(s, LLVMGetOperand(g->store[n + i], 0), 0);
    mt_aos_words_store(s, low, 4 * n, align, x);
  }
}

static void write_all(mt_Spmd *s, const Beside *g) {
  LLVMValueRef low = LLVMGetOperand(g->store[0], 1);
  unsigned align = LLVMGetAlignment(g->store[0]);
  if (g->count == 8 && mt_type_size(s, g->type) == 4) {
    write_pieces(s, g, low, align);
    return;
  }
  for (int first = 0; first < s->lanes; first += g->run) {
    LLVMValueRef x[MAX_STRIDE], at;
    for (int n = 0; n < g->count; n++)
      x[n] = lanes_of(s, mt_vector(s, LLVMGetOperand(g->store[n], 0), 0), first,
                      g->run);
    at = mt_affine_lane(s, mt_affine(s, low, 0), (unsigned)first);
    LLVMSetAlignment(LLVMBuildStore(s->b, woven(s, x, g->count), at), align);
  }
}

static bool choose(mt_Spmd *s, LLVMValueRef store, mt_AccessPlan *plan) {
  Beside g;
  plan->how = MT_ACCESS_INTERLEAVED;
  return find(s, store, &g);
}

/* The last one in the block writes for all. */
static void store(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  (void)plan;
  Beside g;
  if (find(s, i, &g) && g.last == i) write_all(s, &g);
}

const mt_Strategy mt_strategy_interleaved = {choose, NULL, store};
