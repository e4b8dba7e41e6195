/*
** double_buffer.c - tiles in threadgroup memory that get a second half, so that
** the next one is filled while this one is used.
**
** The one idea: a kernel that goes over a matrix tile by tile copies a tile to
** threadgroup memory, waits, multiplies, and waits again. While it copies, it
** does not multiply. If iterations take turns with two halves of the tile, the
** next iteration's half can be filled in the inner loop of this one, a cache
** line in each step, where the loads hide behind the arithmetic.
**
** Here the kernel is changed so that iterations take turns: an offset that is
** 0 or one half is added to each address of the tile. access/tile_fill.c has
** the copying, which is no more than a guess at what the next iteration will
** store: it stores itself if the guess was wrong.
**
** A half has what was stored in it two iterations ago, not one. So every
** iteration has to write all that is ever written, before anything is read:
** each store to the tile is in the loop, is reached in every iteration by all
** threads, and has an address that stays the same; and it dominates all loads.
**
** With two halves the barrier after the loads is needless, if nothing else in
** threadgroup memory depends on it: stores no longer overwrite what is read.
*/
#include <string.h>

#include "base/round.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/vectorise/access/access.h"

#define DEPTH 12      /* of the arithmetic of an address or a condition */
#define MOST_STEPS 8  /* of the inner loop for a run of lanes */
#define LONGEST 256   /* instructions of these steps */
#define MOST_TRIPS 1024

typedef struct Search {
  mt_Spmd *s;
  int loop;  /* with the barriers */
  int inner; /* the block that is the inner loop */
  int64_t trips;
  LLVMValueRef variable[MT_TILES]; /* that get a second half */
  int variables;
  mt_Tile tile[MT_TILES];
  int tiles;
} Search;

static int block_of(const Search *w, LLVMValueRef v) {
  mt_Value *x = mt_value(w->s, v);
  return x ? x->block : -1;
}

static bool is_inside(const Search *w, LLVMValueRef v) {
  int block = block_of(w, v);
  return block >= 0 && mt_cfg_in_loop(w->s, block, w->loop);
}

/* Directly in the loop, not in one inside it. */
static bool is_directly_inside(const Search *w, LLVMValueRef v) {
  int block = block_of(w, v);
  return block >= 0 && w->s->block[block].loop == w->loop;
}

static bool has_only(LLVMValueRef v, const Search *w, int depth,
                     bool (*is)(const Search *, LLVMValueRef, int)) {
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    if (!is(w, LLVMGetOperand(v, (unsigned)i), depth + 1)) return false;
  return true;
}

static bool is_arithmetic(LLVMValueRef v) {
  return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) ||
         LLVMIsAGetElementPtrInst(v) || LLVMIsAICmpInst(v) ||
         LLVMIsASelectInst(v) || LLVMIsAExtractElementInst(v) ||
         LLVMIsAFreezeInst(v);
}

/* Is it the same in all iterations? */
static bool is_invariant(const Search *w, LLVMValueRef v, int depth) {
  if (!is_inside(w, v)) return true;
  return depth < DEPTH && is_arithmetic(v) &&
         has_only(v, w, depth, is_invariant);
}

/* A position or size that all threads of a group have in common. */
static bool is_group_builtin(const mt_Param *p) {
  return p->kind == MT_PARAM_BUILTIN &&
         (mt_starts(p->builtin, "threadgroup") ||
          mt_starts(p->builtin, "threads_per_") ||
          mt_starts(p->builtin, "dispatch_"));
}

/* Is it the same for all threads of the group? */
static bool is_common(const Search *w, LLVMValueRef v, int depth) {
  mt_Spmd *s = w->s;
  if (LLVMIsConstant(v)) return true;
  if (LLVMIsAArgument(v)) {
    const mt_Param *p = mt_parameter(s->kernel, s->old, v);
    return p && (p->kind == MT_PARAM_BUFFER || is_group_builtin(p));
  }
  if (depth == DEPTH) return false;
  if (LLVMIsALoadInst(v)) {
    const mt_Param *p = mt_parameter(
        s->kernel, s->old, mt_underlying_object(LLVMGetOperand(v, 0)));
    return p && p->constant && is_common(w, LLVMGetOperand(v, 0), depth + 1);
  }
  mt_Induction i;
  if (LLVMIsAPHINode(v))
    return mt_induction_find(v, &i) && is_common(w, i.start, depth + 1) &&
           is_common(w, i.by, depth + 1);
  return is_arithmetic(v) && has_only(v, w, depth, is_common);
}

/* Do all threads of the group leave the loop in the same iteration? */
static bool leaves_together(const Search *w) {
  const mt_Spmd *s = w->s;
  if (s->loop[w->loop].divergent) return false;
  for (int i = 0; i < s->blocks; i++) {
    const mt_CfgBlock *k = &s->block[i];
    if (!mt_cfg_in_loop(s, i, w->loop)) continue;
    bool leaves = false;
    for (int n = 0; n < k->succs; n++)
      leaves |= !mt_cfg_in_loop(s, k->succ[n], w->loop);
    if (!k->succs || (leaves && (k->succs < 2 ||
                                 !is_common(w, k->condition, 0))))
      return false;
  }
  return true;
}

/* Does the loop change nothing but private and threadgroup memory? Then what
** the next iteration loads may be loaded now. */
static bool is_quiet(const Search *w) {
  mt_Spmd *s = w->s;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (s->value[i].block < 0 || !is_inside(w, v)) continue;
    if (LLVMIsAStoreInst(v)) {
      mt_PointerSpace space = mt_address_space(s, LLVMGetOperand(v, 1));
      if (space == MT_POINTER_DEVICE || space == MT_POINTER_UNKNOWN)
        return false;
    } else if (LLVMIsACallInst(v)) {
      const char *name = mt_callee(v);
      if (!mt_is_barrier(v) &&
          (!mt_starts(name, "llvm.") || mt_starts(name, "llvm.mem")))
        return false;
    } else if (LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) ||
               LLVMIsAFenceInst(v)) {
      return false;
    }
  }
  return true;
}

/* ------------------------------------------------------------ the variable */

static bool dominates_latch(const Search *w, int block) {
  const mt_Spmd *s = w->s;
  const mt_CfgBlock *header = &s->block[s->loop[w->loop].header];
  for (int i = 0; i < header->preds; i++)
    if (mt_cfg_in_loop(s, header->pred[i], w->loop) &&
        !mt_cfg_dominates(s, block, header->pred[i]))
      return false;
  return true;
}

typedef bool UseTest(Search *w, LLVMValueRef access, LLVMValueRef pointer);

/* Every load and store of the object that 'v' points into; false: there is
** another kind of use, or 'test' says no. */
static bool each_access(Search *w, LLVMValueRef v, UseTest *test) {
  for (LLVMUseRef u = LLVMGetFirstUse(v), next; u; u = next) {
    LLVMValueRef user = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (LLVMIsAConstantExpr(user) && !LLVMGetFirstUse(user)) continue;
    if (!LLVMIsAInstruction(user) || block_of(w, user) < 0) return false;
    bool good;
    if (LLVMIsAGetElementPtrInst(user))
      good = LLVMGetOperand(user, 0) == v && each_access(w, user, test);
    else if (LLVMIsALoadInst(user))
      good = test(w, user, v);
    else
      good = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == v &&
             LLVMGetOperand(user, 0) != v && test(w, user, v);
    if (!good) return false;
  }
  return true;
}

/* A store in every iteration, at an address that stays the same. */
static bool stores_always(Search *w, LLVMValueRef access, LLVMValueRef at) {
  if (LLVMGetVolatile(access) || !is_inside(w, access)) return false;
  return LLVMIsALoadInst(access) ||
         (is_directly_inside(w, access) && is_invariant(w, at, 0) &&
          dominates_latch(w, block_of(w, access)));
}

/* The variable that a load or store accesses; NULL: 'v' is neither. */
static LLVMValueRef accessed(const mt_Value *v, bool store) {
  LLVMValueRef is = store ? LLVMIsAStoreInst(v->of) : LLVMIsALoadInst(v->of);
  if (v->block < 0 || !is) return NULL;
  return mt_underlying_object(LLVMGetOperand(v->of, store));
}

/* All loads of 'variable' come after the store in 'block'. */
static bool comes_first(const Search *w, int block, LLVMValueRef variable) {
  const mt_Spmd *s = w->s;
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    if (accessed(v, false) == variable &&
        (v->block == block || !mt_cfg_dominates(s, block, v->block)))
      return false;
  }
  return true;
}

static bool is_written_first(const Search *w, LLVMValueRef variable) {
  const mt_Spmd *s = w->s;
  for (int i = 0; i < s->values; i++)
    if (accessed(&s->value[i], true) == variable &&
        !comes_first(w, s->value[i].block, variable))
      return false;
  return true;
}

/* ---------------------------------------------------------------- the copy */

static bool leads(const mt_Spmd *s, int from, int to, int not_by, bool *seen) {
  if (from == to) return true;
  if (seen[from]) return false;
  seen[from] = true;
  for (int i = 0; i < s->block[from].succs; i++) {
    int next = s->block[from].succ[i];
    if (next != not_by && leads(s, next, to, not_by, seen)) return true;
  }
  return false;
}

/* Is there a barrier between two blocks of one iteration? */
static bool waits_between(const Search *w, int from, int to) {
  mt_Spmd *s = w->s;
  int header = s->loop[w->loop].header;
  bool waits = false, *seen = mt_new(s, (size_t)s->blocks, sizeof *seen);
  for (int i = 0; i < s->blocks && !waits; i++) {
    if (!s->block[i].barrier || i == to) continue;
    memset(seen, 0, (size_t)s->blocks * sizeof *seen);
    if (!leads(s, from, i, header, seen)) continue;
    memset(seen, 0, (size_t)s->blocks * sizeof *seen);
    waits = leads(s, i, to, header, seen);
  }
  mt_drop(s, seen);
  return waits;
}

/* What is stored is what was loaded, or a constant where a guard forbids the
** load: return the load. NULL: it is something else. */
static LLVMValueRef loaded(LLVMValueRef store) {
  LLVMValueRef x = LLVMGetOperand(store, 0), load = NULL;
  if (mt_only_user(x) != store) return NULL;
  if (LLVMIsALoadInst(x)) return x;
  if (!LLVMIsAPHINode(x)) return NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
    LLVMValueRef in = LLVMGetIncomingValue(x, i);
    if (LLVMIsConstant(in)) continue;
    if (load || !LLVMIsALoadInst(in) || mt_only_user(in) != x) return NULL;
    load = in;
  }
  return load;
}

static bool is_plain(mt_Spmd *s, LLVMTypeRef t) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  return (kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind ||
          kind == LLVMIntegerTypeKind) && mt_type_size(s, t) * 8 >= 16;
}

/* Both addresses are runs of lanes of the same length, those of the tile a
** known distance apart. */
static bool copies_runs(const Search *w, LLVMValueRef load, LLVMValueRef store,
                        mt_Tile *out) {
  mt_EvenRuns from, to;
  LLVMTypeRef t = LLVMTypeOf(load);
  if (!mt_memory_even_runs(w->s, LLVMGetOperand(load, 0), t, 0, &from) ||
      !mt_memory_even_runs(w->s, LLVMGetOperand(store, 1), t, from.lanes,
                           &to) ||
      !to.known)
    return false;
  out->runs = from.count, out->apart = to.apart;
  out->bytes = (size_t)from.lanes * mt_type_size(w->s, t);
  return out->bytes % 16 == 0;
}

static bool add_copy(Search *w, LLVMValueRef access, LLVMValueRef at) {
  mt_Spmd *s = w->s;
  LLVMValueRef load = LLVMIsAStoreInst(access) ? loaded(access) : NULL;
  if (!load || w->tiles == MT_TILES) return true;
  mt_Tile tile = {.load = load, .store = access, .to = at};
  const mt_Param *p = mt_parameter(
      s->kernel, s->old, mt_underlying_object(LLVMGetOperand(load, 0)));
  if (!p || LLVMGetVolatile(load) || !is_directly_inside(w, load) ||
      !is_plain(s, LLVMTypeOf(load)) ||
      mt_address_space(s, LLVMGetOperand(load, 0)) != MT_POINTER_DEVICE ||
      waits_between(w, block_of(w, load), block_of(w, access)) ||
      !copies_runs(w, load, access, &tile))
    return true; /* it is stored as ever */
  tile.parameter = (unsigned)(p - s->kernel->params);
  w->tile[w->tiles++] = tile;
  return true;
}

/* ----------------------------------------------------------- the inner loop */

static int instructions_of(const mt_CfgBlock *k) {
  int n = 0;
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i))
    n++;
  return n;
}

static bool loads_tile(const Search *w, const mt_CfgBlock *k) {
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i))
    for (int n = 0; LLVMIsALoadInst(i) && n < w->variables; n++)
      if (mt_underlying_object(LLVMGetOperand(i, 0)) == w->variable[n])
        return true;
  return false;
}

/* A loop of one block, with a trip count that is known, on a tile. */
static bool find_inner(Search *w) {
  mt_Spmd *s = w->s;
  for (int l = 0; l < s->loops; l++) {
    int header = s->loop[l].header;
    const mt_CfgBlock *k = &s->block[header];
    if (s->loop[l].parent != w->loop || s->loop[l].divergent ||
        s->loop[l].last != k->place || k->succs != 2 || k->barrier ||
        mt_is_inner_loop(s, l) || !loads_tile(w, k))
      continue;
    w->inner = header;
    w->trips = mt_trip_count(k->of, k->condition, k->succ[0] == header,
                             MOST_TRIPS);
    return w->trips > 0;
  }
  return false;
}

/* All runs are copied by turns, one in so many steps of the inner loop. */
static bool fits_inner(Search *w) {
  int runs = w->tile[0].runs;
  int64_t steps = w->trips / runs;
  for (int i = 1; i < w->tiles; i++)
    if (w->tile[i].runs != runs) return false;
  w->s->fill_steps = (int)steps;
  return w->trips % runs == 0 && steps <= MOST_STEPS &&
         steps * instructions_of(&w->s->block[w->inner]) <= LONGEST;
}

/* ------------------------------------------------------------- the rewrite */

static bool is_threadgroup_object(LLVMValueRef v) {
  return LLVMIsAGlobalVariable(v) && mt_is_threadgroup(v);
}

static void find_variables(Search *w) {
  mt_Spmd *s = w->s;
  for (LLVMValueRef g = LLVMGetFirstGlobal(s->module); g;
       g = LLVMGetNextGlobal(g)) {
    if (!is_threadgroup_object(g) || !LLVMGetFirstUse(g) ||
        w->variables == MT_TILES || !each_access(w, g, stores_always) ||
        !is_written_first(w, g))
      continue;
    int before = w->tiles;
    each_access(w, g, add_copy);
    if (w->tiles > before) w->variable[w->variables++] = g;
  }
}

static size_t size_of(const Search *w, LLVMValueRef variable) {
  return LLVMABISizeOfType(w->s->layout, LLVMGlobalGetValueType(variable));
}

static LLVMValueRef twice_as_large(const Search *w, LLVMValueRef variable,
                                   int64_t half) {
  mt_Spmd *s = w->s;
  size_t size = (size_t)half + size_of(w, variable);
  LLVMTypeRef type = LLVMArrayType2(s->i8, size);
  LLVMValueRef g = LLVMAddGlobal(s->module, type, "mt.halves");
  LLVMSetSection(g, LLVMGetSection(variable));
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetInitializer(g, LLVMGetUndef(type));
  LLVMSetAlignment(g, 128);
  return g;
}

/* A phi of the loop's header that is 0 and 'half' by turns. */
static LLVMValueRef make_turn(const Search *w, int64_t half) {
  mt_Spmd *s = w->s;
  const mt_CfgBlock *header = &s->block[s->loop[w->loop].header];
  LLVMPositionBuilderBefore(s->b, LLVMGetFirstInstruction(header->of));
  LLVMValueRef phi = LLVMBuildPhi(s->b, s->i64, "mt.turn");
  for (int i = 0; i < header->preds; i++) {
    LLVMBasicBlockRef from = s->block[header->pred[i]].of;
    LLVMValueRef in = mt_const_i64(s, 0);
    if (mt_cfg_in_loop(s, header->pred[i], w->loop)) {
      LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(from));
      in = LLVMBuildSub(s->b, mt_const_i64(s, half), phi, "");
    }
    LLVMAddIncoming(phi, &in, &from, 1);
  }
  return phi;
}

static void take_turns(const Search *w, LLVMValueRef variable,
                       LLVMValueRef turn) {
  mt_Spmd *s = w->s;
  for (int i = 0; i < s->values; i++)
    for (unsigned store = 0; store < 2; store++) {
      LLVMValueRef v = s->value[i].of;
      if (accessed(&s->value[i], store) != variable) continue;
      LLVMValueRef at = LLVMGetOperand(v, store);
      LLVMPositionBuilderBefore(s->b, v);
      LLVMSetOperand(v, store, LLVMBuildGEP2(s->b, s->i8, at, &turn, 1, ""));
    }
}

static void rewrite(Search *w) {
  mt_Spmd *s = w->s;
  size_t most = 0;
  for (int i = 0; i < w->variables; i++)
    if (size_of(w, w->variable[i]) > most) most = size_of(w, w->variable[i]);
  int64_t half = (int64_t)mt_round_up(most, 128);
  LLVMValueRef turn = make_turn(w, half);
  for (int i = 0; i < w->variables; i++) {
    LLVMValueRef both = twice_as_large(w, w->variable[i], half);
    take_turns(w, w->variable[i], turn);
    LLVMReplaceAllUsesWith(w->variable[i], both);
    LLVMDeleteGlobal(w->variable[i]);
  }
  for (int i = 0; i < w->tiles; i++) {
    s->tile[i] = w->tile[i];
    s->tile[i].turn = turn, s->tile[i].half = half;
    /* a tile that starts the variable had the variable as its address */
    if (LLVMIsAGlobalVariable(s->tile[i].to))
      s->tile[i].to = LLVMGetOperand(LLVMGetOperand(s->tile[i].store, 1), 0);
  }
  s->tiles = w->tiles;
  s->fill_in = s->block[w->inner].of;
}

/* ------------------------------------------------------- the other barrier */

/* The barrier before the next iteration's stores keeps them from overwriting
** what is still read; they go to the other half now. */
typedef struct Barriers {
  int before, after; /* the loads: blocks that end with one */
} Barriers;

static bool find_barriers(const Search *w, Barriers *out) {
  const mt_Spmd *s = w->s;
  *out = (Barriers){-1, -1};
  for (int i = 0; i < s->blocks; i++) {
    if (!s->block[i].barrier || !mt_cfg_in_loop(s, i, w->loop)) continue;
    bool first = mt_cfg_dominates(s, i, w->inner);
    if (s->block[i].loop != w->loop || (first ? out->before : out->after) >= 0)
      return false;
    *(first ? &out->before : &out->after) = i;
  }
  return out->before >= 0 && out->after >= 0;
}

/* Is 'v' an access of threadgroup memory on its side of the barriers, and one
** of tiles? Any other is not. */
static bool is_on_its_side(const Search *w, const mt_Value *v, Barriers b) {
  const mt_Spmd *s = w->s;
  LLVMValueRef load = accessed(v, false), store = accessed(v, true);
  for (int i = 0; i < w->variables; i++) {
    if (store == w->variable[i])
      return v->block == b.before || mt_cfg_dominates(s, v->block, b.before);
    if (load == w->variable[i])
      return mt_cfg_dominates(s, b.before, v->block) && v->block != b.before &&
             (v->block == b.after || mt_cfg_dominates(s, v->block, b.after));
  }
  return false;
}

static bool is_needless(const Search *w, Barriers b) {
  mt_Spmd *s = w->s;
  if (s->loop[w->loop].parent >= 0) return false;
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    LLVMValueRef load = accessed(v, false), store = accessed(v, true);
    if ((!load && !store) || !mt_cfg_in_loop(s, v->block, w->loop)) continue;
    mt_PointerSpace space =
        mt_address_space(s, LLVMGetOperand(v->of, store != NULL));
    if ((space == MT_POINTER_THREADGROUP || space == MT_POINTER_UNKNOWN) &&
        !is_on_its_side(w, v, b))
      return false;
  }
  return true;
}

/* A barrier that is not needed with two halves; NULL: all are. */
static LLVMValueRef needless_barrier(const Search *w) {
  Barriers b;
  if (!find_barriers(w, &b) || !is_needless(w, b)) return NULL;
  return LLVMGetPreviousInstruction(w->s->block[b.after].end);
}

/* Only where eight SIMD-groups are a vector: their inner loop is bound by its
** products, sixteen for ten loads, and has room for a copy. One of four, eight
** products for nine loads, has none. */
bool mt_double_buffer(mt_Spmd *s) {
  if (s->probes || s->lanes < MT_MAX_LANES) return false;
  for (int l = 0; l < s->loops; l++) {
    Search w = {.s = s, .loop = l};
    if (mt_barriers_in(s, l) < 2 || !leaves_together(&w) || !is_quiet(&w))
      continue;
    find_variables(&w);
    if (!w.tiles || !find_inner(&w) || !fits_inner(&w)) continue;
    LLVMValueRef barrier = needless_barrier(&w);
    rewrite(&w);
    if (barrier) LLVMInstructionEraseFromParent(barrier);
    return true;
  }
  return false;
}
