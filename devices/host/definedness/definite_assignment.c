/*
** definite_assignment.c - reads of local variables that are always initialised.
**
** The one idea: definite assignment, as compilers of Java or Swift require it:
** a forward dataflow analysis. For each byte of each variable a bit says that
** it is initialised on every path to this point, and for each value a bit says
** that no part of it comes from an uninitialised byte. Bits only ever fall, so
** iterating until none does gives the greatest fixed point. Values that are
** used without proof, by a branch, as an address, by a store that others see,
** are then traced back to the variables that they come from. Only these need
** shadow flags (uninitialised.c), and in nearly all kernels there are none:
** flags for all variables would cost more than the rest of the kernel, only to
** be removed again by LLVM.
**
** The analysis must never prove more than the flags would find at run time: it
** follows values where the flags do, and takes as initialised what they do.
*/
#include <stdlib.h>
#include <string.h>

#include "base/pointer_map.h"
#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/definedness/variables.h"

#define MAX_SWEEPS 24          /* over the code; then nothing is proved */
#define MAX_STATE_BYTES (64u << 20)  /* of the states of all blocks */
#define ALL (~(uint64_t)0)
#define PARTS 64                /* elements of a vector that are
                                ** distinguished */

/* A variable, and its bits in a state. A variable whose uses are all in one
** block has bits after those of the others, which no block's state keeps. */
typedef struct Variable {
  LLVMValueRef alloca;
  size_t size, bit;
  bool followed;
  bool needed; /* it needs flags: a use may come from an uninitialised byte */
} Variable;

struct mt_Definite {
  LLVMTargetDataRef layout;
  Variable *variable;
  size_t variables;
  LLVMBasicBlockRef *block;
  size_t blocks;
  size_t *own;        /* by block: bits of variables that only it uses */
  mt_PointerMap number;  /* of instructions, of variables and of blocks */
  uint64_t *value;    /* by instruction: a bit per element that is initialised;
                      ** for scalars all bits or none */
  size_t shared;      /* bits of a block's state */
  size_t words;       /* words of a block's state */
  uint64_t *at;       /* states at the blocks' starts */
  uint64_t *now;      /* the state at the current instruction */
  bool changed, last; /* in this sweep; the sweep after the fixed point */
  bool *traced;       /* by instruction: it has been traced */
  LLVMValueRef *open; /* worklist of values and variables to trace back */
  size_t opened;
};

typedef mt_Definite Definite;

/* -------------------------------------------------------------------- bits */

static bool has(const Definite *d, size_t bit) {
  return d->now[bit / 64] >> bit % 64 & 1;
}

static bool has_all(const Definite *d, size_t bit, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!has(d, bit + i)) return false;
  return true;
}

static void put(Definite *d, size_t bit, size_t n, bool good) {
  for (size_t i = bit; i < bit + n; i++) {
    uint64_t one = (uint64_t)1 << i % 64;
    if (good) d->now[i / 64] |= one;
    else d->now[i / 64] &= ~one;
  }
}

/* ------------------------------------------------------------------- places */

/* Bytes of a variable that an access covers, if they are known. */
typedef struct Place {
  Variable *variable; /* NULL: no variable that may have flags */
  bool known;
  size_t bit, size;
} Place;

/* Bytes from 'root' to 'p'; false: not constant. */
static bool constant_offset(const Definite *d, LLVMValueRef p,
                            LLVMValueRef root, int64_t *out) {
  int64_t sum = 0;
  for (; p != root; p = LLVMGetOperand(p, 0)) {
    if (LLVMIsABitCastInst(p)) continue;
    mt_GepIndex x;
    for (mt_GepWalk g = mt_gep_walk(d->layout, p); mt_gep_next(&g, &x);) {
      if (!LLVMIsAConstantInt(x.index)) return false;
      int64_t k =
          x.in == LLVMStructTypeKind ? 1 : LLVMConstIntGetSExtValue(x.index);
      if (k > INT32_MAX || k < INT32_MIN) return false;
      sum += k * (int64_t)x.bytes;
    }
  }
  *out = sum;
  return true;
}

static Place place_of(const Definite *d, LLVMValueRef p, size_t size) {
  LLVMValueRef root = mt_underlying_object(p);
  uint32_t n = LLVMIsAAllocaInst(root) ? mt_pointer_map_get(&d->number, root)
                                       : MT_POINTER_MAP_NONE;
  int64_t at;
  if (n >= d->variables) return (Place){.variable = NULL};
  Place x = {.variable = &d->variable[n], .size = size};
  if (!x.variable->followed || !constant_offset(d, p, root, &at) || at < 0 ||
      size > x.variable->size || (uint64_t)at > x.variable->size - size)
    return x;
  x.known = true;
  x.bit = x.variable->bit + (size_t)at;
  return x;
}

/* Are all bytes of the place initialised? Of an unknown place, all bytes of the
** variable. */
static bool is_good(const Definite *d, const Place *x) {
  if (!x->variable) return true;
  if (!x->variable->followed) return false;
  return x->known ? has_all(d, x->bit, x->size)
                  : has_all(d, x->variable->bit, x->variable->size);
}

/* An uninitialised value may be anywhere in the variable. */
static void spoil(Definite *d, const Place *x) {
  if (x->variable->followed) put(d, x->variable->bit, x->variable->size, false);
}

/* ------------------------------------------------------------------- traces */

static void trace_variable(Definite *d, Variable *v) {
  if (v->needed) return;
  v->needed = true;
  d->open[d->opened++] = v->alloca;
}

/* 'v' is used: by a traced value, or by an instruction that checks it. */
static void trace(Definite *d, LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v)) return;
  uint32_t n = mt_pointer_map_get(&d->number, v);
  if (n == MT_POINTER_MAP_NONE || d->value[n] == ALL || d->traced[n]) return;
  d->traced[n] = true;
  d->open[d->opened++] = v;
}

static void trace_value(Definite *d, LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) {
    Place x = place_of(d, LLVMGetOperand(i, 0), 0);
    if (x.variable) trace_variable(d, x.variable);
  } else if (LLVMIsAPHINode(i)) {
    for (unsigned n = 0; n < LLVMCountIncoming(i); n++)
      trace(d, LLVMGetIncomingValue(i, n));
  } else {
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
      trace(d, LLVMGetOperand(i, (unsigned)n));
  }
}

/* Traces what is stored in a variable, or copied to it. */
static void trace_stores(Definite *d, LLVMValueRef p) {
  for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(i) || LLVMIsABitCastInst(i)) {
      trace_stores(d, i);
    } else if (LLVMIsAStoreInst(i)) {
      trace(d, LLVMGetOperand(i, 0));
    } else if (mt_is_copy(mt_callee(i)) &&
               LLVMGetOperand(i, 0) == p) {
      Place from = place_of(d, LLVMGetOperand(i, 1), 0);
      uint32_t n = mt_pointer_map_get(&d->number, i);
      if (from.variable && n != MT_POINTER_MAP_NONE && d->value[n] != ALL)
        trace_variable(d, from.variable);
    }
  }
}

static void trace_back(Definite *d) {
  while (d->opened) {
    LLVMValueRef v = d->open[--d->opened];
    if (LLVMIsAAllocaInst(v)) trace_stores(d, v);
    else trace_value(d, v);
  }
}

/* ------------------------------------------------------------------- values */

static uint64_t good_of(const Definite *d, LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v)) return ALL;
  uint32_t n = mt_pointer_map_get(&d->number, v);
  return n == MT_POINTER_MAP_NONE ? ALL : d->value[n];
}

static uint64_t all_or_none(bool good) { return good ? ALL : 0; }

bool mt_instrument_sets_bits(LLVMValueRef load) {
  LLVMValueRef rest = mt_only_user(load);
  if (!rest || LLVMGetInstructionOpcode(rest) != LLVMAnd ||
      !LLVMIsAConstantInt(LLVMGetOperand(rest, 1)))
    return false;
  LLVMValueRef all = mt_only_user(rest);
  if (!all || LLVMGetInstructionOpcode(all) != LLVMOr) return false;
  LLVMValueRef store = mt_only_user(all);
  return store && LLVMIsAStoreInst(store) &&
         LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0);
}

static uint64_t of_load(Definite *d, LLVMValueRef i) {
  if (mt_instrument_sets_bits(i)) return ALL;
  LLVMTypeRef t = LLVMTypeOf(i), part = mt_element_type(t);
  size_t size = LLVMStoreSizeOfType(d->layout, t);
  size_t each = LLVMStoreSizeOfType(d->layout, part);
  unsigned n = mt_instrument_parts(t);
  Place x = place_of(d, LLVMGetOperand(i, 0), size);
  bool good = is_good(d, &x);
  if (d->last && !good && mt_instrument_is_aggregate(part))
    trace_variable(d, x.variable);
  if (good) return ALL;
  if (!x.known || n == 1 || n > PARTS || n * each > size) return 0;
  uint64_t parts = ALL;
  for (unsigned k = 0; k < n; k++)
    if (!has_all(d, x.bit + k * each, each)) parts &= ~((uint64_t)1 << k);
  return parts;
}

/* The conjunction of all operands: element by element where the widths agree,
** else each as a whole. */
static uint64_t of_operands(const Definite *d, LLVMValueRef i) {
  unsigned own = mt_instrument_parts(LLVMTypeOf(i));
  unsigned n = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i)
                                  : (unsigned)LLVMGetNumOperands(i);
  uint64_t all = ALL;
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef x = LLVMGetOperand(i, k);
    uint64_t good = good_of(d, x);
    if (mt_instrument_parts(LLVMTypeOf(x)) == own) all &= good;
    else if (good != ALL) return 0;
  }
  return all;
}

static uint64_t of_phi(const Definite *d, LLVMValueRef i) {
  uint64_t all = ALL;
  for (unsigned n = 0; n < LLVMCountIncoming(i); n++)
    all &= good_of(d, LLVMGetIncomingValue(i, n));
  return all;
}

/* The index of an element, if it is constant and distinguished. */
static bool part_number(LLVMValueRef n, unsigned parts, unsigned *out) {
  if (!LLVMIsAConstantInt(n)) return false;
  uint64_t k = LLVMConstIntGetZExtValue(n);
  *out = (unsigned)k;
  return k < parts && k < PARTS;
}

static uint64_t of_extract(const Definite *d, LLVMValueRef i) {
  LLVMValueRef v = LLVMGetOperand(i, 0);
  uint64_t good = good_of(d, v);
  unsigned k;
  if (!part_number(LLVMGetOperand(i, 1), mt_instrument_parts(LLVMTypeOf(v)),
                   &k))
    return all_or_none(good == ALL);
  return all_or_none(good >> k & 1);
}

static uint64_t of_insert(const Definite *d, LLVMValueRef i) {
  LLVMValueRef n = LLVMGetOperand(i, 2);
  uint64_t good = good_of(d, LLVMGetOperand(i, 0));
  bool part = good_of(d, LLVMGetOperand(i, 1)) == ALL;
  unsigned k;
  if (!LLVMIsAConstantInt(n)) return part ? good : 0;
  if (!part_number(n, mt_instrument_parts(LLVMTypeOf(i)), &k))
    return all_or_none(good == ALL && part);
  return part ? good | (uint64_t)1 << k : good & ~((uint64_t)1 << k);
}

static uint64_t of_shuffle(const Definite *d, LLVMValueRef i) {
  uint64_t a = good_of(d, LLVMGetOperand(i, 0));
  uint64_t b = good_of(d, LLVMGetOperand(i, 1)), all = ALL;
  unsigned own = mt_instrument_parts(LLVMTypeOf(i));
  unsigned n = mt_instrument_parts(LLVMTypeOf(LLVMGetOperand(i, 0)));
  if (own > PARTS || n > PARTS) return all_or_none(a == ALL && b == ALL);
  for (unsigned k = 0; k < own; k++) {
    int from = LLVMGetMaskValue(i, k);
    if (from < 0) continue;
    uint64_t of = (unsigned)from < n ? a : b;
    if (!(of >> ((unsigned)from % n) & 1)) all &= ~((uint64_t)1 << k);
  }
  return all;
}

static uint64_t of_value(Definite *d, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: return of_load(d, i);
    case LLVMPHI: return of_phi(d, i);
    case LLVMExtractElement: return of_extract(d, i);
    case LLVMInsertElement: return of_insert(d, i);
    case LLVMShuffleVector: return of_shuffle(d, i);
    case LLVMExtractValue: /* (a struct as a whole) */
    case LLVMInsertValue:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMFreeze: return of_operands(d, i);
    default:
      return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i)
                 ? of_operands(d, i) : ALL;
  }
}

/* ------------------------------------------------------------------- stores */

static void store(Definite *d, LLVMValueRef i) {
  LLVMValueRef v = LLVMGetOperand(i, 0);
  LLVMTypeRef t = LLVMTypeOf(v), part = mt_element_type(t);
  size_t size = LLVMStoreSizeOfType(d->layout, t);
  size_t each = LLVMStoreSizeOfType(d->layout, part);
  unsigned n = mt_instrument_parts(t);
  uint64_t good = good_of(d, v);
  Place x = place_of(d, LLVMGetOperand(i, 1), size);
  if (!x.variable) return;
  if (n > PARTS || !x.known || n * each > size) {
    if (good != ALL || n > PARTS) spoil(d, &x);
    return;
  }
  if (good == ALL) {
    put(d, x.bit, size, true);
    return;
  }
  for (unsigned k = 0; k < n; k++)
    put(d, x.bit + k * each, each, good >> k & 1);
}

static void copy_bits(Definite *d, size_t to, size_t from, size_t n) {
  bool backwards = to > from;
  for (size_t k = 0; k < n; k++) {
    size_t byte = backwards ? n - 1 - k : k;
    put(d, to + byte, 1, has(d, from + byte));
  }
}

/* memcpy and memmove; 'set': memset. Gives whether all source bytes are
** initialised. */
static bool copy(Definite *d, LLVMValueRef i, bool set) {
  LLVMValueRef bytes = LLVMGetOperand(i, 2);
  if (!LLVMIsAConstantInt(bytes)) return true; /* no variable with flags has
                                               ** such a copy */
  size_t n = (size_t)LLVMConstIntGetZExtValue(bytes);
  Place to = place_of(d, LLVMGetOperand(i, 0), n), from = {.variable = NULL};
  if (!set) from = place_of(d, LLVMGetOperand(i, 1), n);
  bool good = is_good(d, &from);
  if (d->last && !good && !to.variable) trace_variable(d, from.variable);
  if (!to.variable) return good;
  if (to.known && good) put(d, to.bit, n, true);
  else if (to.known && from.known) copy_bits(d, to.bit, from.bit, n);
  else if (!good) spoil(d, &to);
  return good;
}

/* Gives the bits of its value. */
static uint64_t call(Definite *d, LLVMValueRef i) {
  const char *name = mt_callee(i);
  if (mt_starts(name, "llvm.memset.")) return all_or_none(copy(d, i, true));
  if (mt_is_copy(name)) return all_or_none(copy(d, i, false));
  if (mt_starts(name, "llvm.lifetime.start")) {
    Place x =
        place_of(d, LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1), 0);
    if (x.variable) spoil(d, &x);
  }
  if (mt_instrument_is_move(i)) return 0; /* perhaps from an inactive lane */
  return mt_starts(name, "llvm.") ? of_operands(d, i) : ALL;
}

/* -------------------------------------------------------------------- sweep */

/* Uses that uninitialised.c checks. */
static void use(Definite *d, LLVMValueRef i) {
  int n = LLVMGetNumOperands(i);
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
      trace(d, LLVMGetOperand(i, 1));
      if (place_of(d, LLVMGetOperand(i, 1), 0).variable) return;
      n = 1;
      break;
    case LLVMLoad:
    case LLVMBr:
    case LLVMSwitch: n = n > 0; break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: break;
    case LLVMCall:
      if (!mt_starts(mt_callee(i), "__mt_")) return;
      break;
    default: return;
  }
  for (int k = 0; k < n; k++) trace(d, LLVMGetOperand(i, (unsigned)k));
}

static void step(Definite *d, LLVMValueRef i) {
  uint32_t n = mt_pointer_map_get(&d->number, i);
  if (LLVMIsAAllocaInst(i)) return;
  if (LLVMIsAStoreInst(i)) store(d, i);
  if (d->last) use(d, i);
  uint64_t good =
      d->value[n] & (LLVMIsACallInst(i) ? call(d, i) : of_value(d, i));
  if (good == d->value[n]) return;
  d->value[n] = good;
  d->changed = true;
}

/* Meets the state with those of the successors of 'b'. */
static void go_on(Definite *d, LLVMBasicBlockRef b) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
  for (unsigned s = 0; last && s < LLVMGetNumSuccessors(last); s++) {
    uint32_t n = mt_pointer_map_get(&d->number, LLVMGetSuccessor(last, s));
    uint64_t *there = &d->at[n * d->words];
    for (size_t k = 0; k < d->words; k++) {
      uint64_t both = there[k] & d->now[k];
      if (both == there[k]) continue;
      there[k] = both;
      d->changed = true;
    }
  }
}

static void sweep(Definite *d) {
  for (size_t n = 0; n < d->blocks; n++) {
    memcpy(d->now, &d->at[n * d->words], d->words * sizeof *d->now);
    put(d, d->words * 64, d->own[n], false);
    for (LLVMValueRef i = LLVMGetFirstInstruction(d->block[n]); i;
         i = LLVMGetNextInstruction(i))
      step(d, i);
    go_on(d, d->block[n]);
  }
}

/* --------------------------------------------------------------- variables */

/* Are all uses of 'p' in one block? '*block' is that of earlier uses, or
** NULL. */
static bool in_one_block(LLVMValueRef p, LLVMBasicBlockRef *block) {
  for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(i) || LLVMIsABitCastInst(i)) {
      if (!in_one_block(i, block)) return false;
      continue;
    }
    if (*block && *block != LLVMGetInstructionParent(i)) return false;
    *block = LLVMGetInstructionParent(i);
  }
  return true;
}

/* Assigns bits to all variables that there is room for: those in states first,
** then the others block by block, at most '*most' in one block. */
static void give_bits(Definite *d, size_t *most) {
  for (size_t k = 0; k < d->variables; k++) {
    Variable *v = &d->variable[k];
    LLVMBasicBlockRef b = NULL;
    if (in_one_block(v->alloca, &b) && b) continue;
    if ((d->shared + v->size) / 8 * d->blocks > MAX_STATE_BYTES) continue;
    v->followed = true;
    v->bit = d->shared;
    d->shared += v->size;
  }
  d->words = (d->shared + 63) / 64;
  for (size_t k = 0; k < d->variables; k++) {
    Variable *v = &d->variable[k];
    LLVMBasicBlockRef b = NULL;
    if (v->followed || !in_one_block(v->alloca, &b) || !b) continue;
    size_t *own = &d->own[mt_pointer_map_get(&d->number, b)];
    v->followed = true;
    v->bit = d->words * 64 + *own;
    *own += v->size;
    if (*own > *most) *most = *own;
  }
}

static bool number_all(Definite *d, LLVMValueRef *all, size_t n,
                       LLVMValueRef *variables) {
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++)
    if (!LLVMIsAAllocaInst(all[i]))
      ok = mt_pointer_map_set(&d->number, all[i], (uint32_t)i);
  for (size_t k = 0; ok && k < d->variables; k++) {
    LLVMTypeRef t = LLVMGetAllocatedType(variables[k]);
    d->variable[k] = (Variable){.alloca = variables[k],
                                .size = LLVMABISizeOfType(d->layout, t)};
    ok = mt_pointer_map_set(&d->number, variables[k], (uint32_t)k);
  }
  for (size_t b = 0; ok && b < d->blocks; b++)
    ok = mt_pointer_map_set(&d->number, d->block[b], (uint32_t)b);
  return ok;
}

/* Everything is initialised at first, except variables at the entry. */
static bool set_up(Definite *d, LLVMValueRef function, LLVMValueRef *all,
                   size_t n, LLVMValueRef *variables) {
  size_t most = 0;
  d->blocks = LLVMCountBasicBlocks(function);
  d->variable = calloc(d->variables + 1, sizeof *d->variable);
  d->block = calloc(d->blocks + 1, sizeof *d->block);
  d->own = calloc(d->blocks + 1, sizeof *d->own);
  d->value = malloc((n + 1) * sizeof *d->value);
  d->traced = calloc(n + 1, sizeof *d->traced);
  d->open = calloc(n + 1, sizeof *d->open);
  if (!d->variable || !d->block || !d->own || !d->value || !d->traced ||
      !d->open)
    return false;
  LLVMGetBasicBlocks(function, d->block);
  if (!number_all(d, all, n, variables)) return false;
  give_bits(d, &most);
  size_t states = d->words * d->blocks;
  d->at = malloc((states + 1) * sizeof *d->at);
  d->now = calloc(d->words + most / 64 + 1, sizeof *d->now);
  if (!d->at || !d->now) return false;
  memset(d->value, 0xff, n * sizeof *d->value);
  memset(d->at, 0xff, states * sizeof *d->at);
  memset(d->at, 0, d->words * sizeof *d->at);
  return true;
}

/* -------------------------------------------------------------------- whole */

mt_Definite *mt_definite_new(LLVMTargetDataRef layout, LLVMValueRef function,
                             LLVMValueRef *all, size_t n,
                             LLVMValueRef *variables, size_t count) {
  Definite *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->layout = layout;
  d->variables = count;
  bool ok = set_up(d, function, all, n, variables);
  d->changed = ok;
  for (int k = 0; d->changed && k < MAX_SWEEPS; k++) {
    d->changed = false;
    sweep(d);
  }
  if (!ok || d->changed) {
    mt_definite_free(d);
    return NULL;
  }
  d->last = true;
  sweep(d);
  for (size_t k = 0; k < count; k++)
    if (!d->variable[k].followed) trace_variable(d, &d->variable[k]);
  trace_back(d);
  return d;
}

bool mt_definite_needless(const mt_Definite *d, size_t variable) {
  return d && !d->variable[variable].needed;
}

bool mt_definite_is_needless(const mt_Definite *d, LLVMValueRef alloca) {
  uint32_t n = d && LLVMIsAAllocaInst(alloca)
                   ? mt_pointer_map_get(&d->number, alloca)
                   : MT_POINTER_MAP_NONE;
  return n != MT_POINTER_MAP_NONE && mt_definite_needless(d, n);
}

bool mt_definite_value(const mt_Definite *d, LLVMValueRef instruction) {
  uint32_t n = d && !LLVMIsAAllocaInst(instruction)
                   ? mt_pointer_map_get(&d->number, instruction)
                   : MT_POINTER_MAP_NONE;
  return n != MT_POINTER_MAP_NONE && d->value[n] == ALL;
}

void mt_definite_free(mt_Definite *d) {
  if (!d) return;
  mt_pointer_map_free(&d->number);
  free(d->variable);
  free(d->block);
  free(d->own);
  free(d->value);
  free(d->traced);
  free(d->open);
  free(d->at);
  free(d->now);
  free(d);
}
