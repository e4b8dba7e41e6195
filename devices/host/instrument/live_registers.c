/*
** live_registers.c - about how many registers a thread of the kernel needs on a
** GPU: the most values that are live at one place.
**
** The one idea: liveness as every register allocator computes it, backwards
** over the blocks until nothing changes, on the code that the profiler counts.
** What a GPU has elsewhere is left out: pointers that are arguments (uniform
** registers), constants, and addresses, which are a base and an index in the
** access itself. A real compiler also reorders, rematerialises and rounds up:
** the number is an estimate.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/profiler.h"

typedef struct Live {
  LLVMTargetDataRef layout;
  LLVMValueRef *value; /* by number */
  unsigned *weight;    /* in registers of 16 bits */
  size_t count;
  LLVMValueRef *key;   /* hash of the values; open addressing */
  size_t *number;      /* of the key */
  size_t room;         /* of the hash, a power of 2 */
  LLVMBasicBlockRef *block;
  uint64_t **in;       /* by block: live at its start */
  size_t blocks, words;
  uint64_t *now;       /* the set that is walked with */
} Live;

/* ------------------------------------------------------------------ values */

static unsigned halves_of(Live *v, LLVMTypeRef t) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind:
      return LLVMGetVectorSize(t) * halves_of(v, LLVMGetElementType(t));
    case LLVMPointerTypeKind: return 2; /* an offset from a uniform base */
    case LLVMVoidTypeKind:
    case LLVMTokenTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind: return 0;
    default: {
      unsigned long long bits = LLVMSizeOfTypeInBits(v->layout, t);
      return (unsigned)((bits + 15) / 16);
    }
  }
}

static size_t slot_of(const Live *v, LLVMValueRef x) {
  size_t at = (size_t)((uintptr_t)x >> 4) * 0x9e3779b97f4a7c15ull >> 20;
  for (at &= v->room - 1; v->key[at] && v->key[at] != x;)
    at = (at + 1) & (v->room - 1);
  return at;
}

/* An address or a conversion of an index is part of the access that uses it:
** what must be kept is what it is made of. NULL: nothing. */
static LLVMValueRef kept_for(LLVMValueRef x) {
  for (;;) {
    if (LLVMIsAZExtInst(x) || LLVMIsASExtInst(x) || LLVMIsAFreezeInst(x)) {
      x = LLVMGetOperand(x, 0);
      continue;
    }
    if (!LLVMIsAGetElementPtrInst(x)) return x;
    LLVMValueRef index = NULL;
    unsigned variable = 0;
    for (int i = 1; i < LLVMGetNumOperands(x); i++) {
      LLVMValueRef o = LLVMGetOperand(x, (unsigned)i);
      if (LLVMIsAConstant(o)) continue;
      index = o;
      variable++;
    }
    LLVMValueRef base = LLVMGetOperand(x, 0);
    if (variable == 0) x = base;
    else if (variable == 1 && !LLVMIsAInstruction(base)) x = index;
    else return x; /* computed once: an offset in a register */
  }
}

/* The number of what must be live for a use of 'x', or -1. */
static long number_for(const Live *v, LLVMValueRef x) {
  if (!LLVMIsAInstruction(x) && !LLVMIsAArgument(x)) return -1;
  x = kept_for(x);
  size_t at = slot_of(v, x);
  return v->key[at] ? (long)v->number[at] : -1;
}

static void add_value(Live *v, LLVMValueRef x, unsigned weight) {
  if (weight == 0) return;
  size_t at = slot_of(v, x);
  v->key[at] = x;
  v->number[at] = v->count;
  v->value[v->count] = x;
  v->weight[v->count++] = weight;
}

/* Arguments that are values, and what instructions give. Variables that are
** still in memory (allocas) are arrays: not in registers. */
static void add_values(Live *v, LLVMValueRef function) {
  for (LLVMValueRef a = LLVMGetFirstParam(function); a; a = LLVMGetNextParam(a))
    if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMPointerTypeKind)
      add_value(v, a, halves_of(v, LLVMTypeOf(a)));
  for (size_t b = 0; b < v->blocks; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->block[b]); i;
         i = LLVMGetNextInstruction(i))
      if (!LLVMIsAAllocaInst(i) && kept_for(i) == i)
        add_value(v, i, halves_of(v, LLVMTypeOf(i)));
}

/* ---------------------------------------------------------------- liveness */

static void use(Live *v, LLVMValueRef x) {
  long n = number_for(v, x);
  if (n >= 0) v->now[n / 64] |= 1ull << n % 64;
}

static void kill(Live *v, LLVMValueRef x) {
  size_t at = slot_of(v, x);
  if (v->key[at])
    v->now[v->number[at] / 64] &= ~(1ull << v->number[at] % 64);
}

static size_t block_number(const Live *v, LLVMBasicBlockRef b) {
  size_t i = 0;
  while (i + 1 < v->blocks && v->block[i] != b) i++;
  return i;
}

/* What is live at the end of block b: at the start of those that follow, and
** what their phis take from here. */
static void live_at_end(Live *v, LLVMBasicBlockRef b) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  memset(v->now, 0, v->words * 8);
  unsigned n = end ? LLVMGetNumSuccessors(end) : 0;
  for (unsigned s = 0; s < n; s++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
    const uint64_t *in = v->in[block_number(v, next)];
    for (size_t w = 0; w < v->words; w++) v->now[w] |= in[w];
    for (LLVMValueRef p = LLVMGetFirstInstruction(next);
         p && LLVMIsAPHINode(p); p = LLVMGetNextInstruction(p))
      for (unsigned k = 0; k < LLVMCountIncoming(p); k++)
        if (LLVMGetIncomingBlock(p, k) == b)
          use(v, LLVMGetIncomingValue(p, k));
  }
}

static unsigned weight_now(const Live *v) {
  unsigned sum = 0;
  for (size_t w = 0; w < v->words; w++)
    for (uint64_t left = v->now[w]; left; left &= left - 1)
      sum += v->weight[w * 64 + (size_t)__builtin_ctzll(left)];
  return sum;
}

/* Walk backwards through block b; the most that was live, if 'most'. */
static void walk(Live *v, LLVMBasicBlockRef b, unsigned *most) {
  live_at_end(v, b);
  for (LLVMValueRef i = LLVMGetLastInstruction(b); i;
       i = LLVMGetPreviousInstruction(i)) {
    if (most) {
      unsigned sum = weight_now(v);
      if (sum > *most) *most = sum;
    }
    kill(v, i);
    if (LLVMIsAPHINode(i)) continue; /* live where its values come from */
    if (LLVMIsAGetElementPtrInst(i) && kept_for(i) != i) continue;
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      use(v, LLVMGetOperand(i, (unsigned)k));
  }
}

static bool set_up(Live *v, LLVMValueRef function) {
  size_t values = LLVMCountParams(function);
  v->blocks = LLVMCountBasicBlocks(function);
  v->block = calloc(v->blocks + 1, sizeof *v->block);
  v->in = calloc(v->blocks + 1, sizeof *v->in);
  if (!v->block || !v->in) return false;
  LLVMGetBasicBlocks(function, v->block);
  for (size_t b = 0; b < v->blocks; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->block[b]); i;
         i = LLVMGetNextInstruction(i))
      values++;
  for (v->room = 64; v->room < 2 * values; v->room *= 2) continue;
  v->words = values / 64 + 1;
  v->value = calloc(values + 1, sizeof *v->value);
  v->weight = calloc(values + 1, sizeof *v->weight);
  v->key = calloc(v->room, sizeof *v->key);
  v->number = calloc(v->room, sizeof *v->number);
  v->now = calloc(v->words, sizeof *v->now);
  bool ok = v->value && v->weight && v->key && v->number && v->now;
  for (size_t b = 0; ok && b < v->blocks; b++)
    ok = (v->in[b] = calloc(v->words, sizeof **v->in)) != NULL;
  return ok;
}

static void tear_down(Live *v) {
  for (size_t b = 0; v->in && b < v->blocks; b++) free(v->in[b]);
  free(v->in);
  free(v->block);
  free(v->value);
  free(v->weight);
  free(v->key);
  free(v->number);
  free(v->now);
}

uint32_t mt_live_registers(LLVMValueRef function, LLVMTargetDataRef layout) {
  Live v = {.layout = layout};
  unsigned most = 0;
  if (set_up(&v, function)) {
    bool changed = true;
    add_values(&v, function);
    while (changed) {
      changed = false;
      for (size_t b = v.blocks; b-- > 0;) {
        walk(&v, v.block[b], NULL);
        changed |= memcmp(v.in[b], v.now, v.words * 8) != 0;
        memcpy(v.in[b], v.now, v.words * 8);
      }
    }
    for (size_t b = 0; b < v.blocks; b++) walk(&v, v.block[b], &most);
  }
  tear_down(&v);
  return (most + 1) / 2;
}
