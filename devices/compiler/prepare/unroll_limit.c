/*
** unroll_limit.c - how far the source's own unroll hints are followed.
**
** The one idea: two nested loops of ten lines with #pragma unroll may be ten
** thousand instructions, over which LLVM takes seconds. So the size that
** unrolling would give is estimated before it is done, from the innermost loop
** outwards: the instructions of one iteration times the copies that LLVM would
** make of it. Quick code keeps a loop that would be long; its answer is
** wanted now, and a loop runs well enough. Optimised code keeps a very
** long one of which a part is unrolled, unless the induction variable then
** decides something (unroll.c): a few hundred instructions hide all that a
** loop costs. Loops over simdgroup matrices are always unrolled as asked:
** matrices in an array would be copied to and from memory. So are all loops
** of a kernel with another loop whose sum LLVM may reorder: quick and optimised
** code could not give the same bits.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/unroll.h"

#define MOST_TRIPS 16384 /* iterations that are counted */
/* LLVM's own limits: instructions after unrolling, with a hint and without;
** copies of a loop whose trip count is not known. */
#define MOST_HINTED 16384
#define MOST_UNHINTED 300
#define GUESSED 8

#define MANY 1000      /* copies that quick code is spared */
#define LONG 256       /* instructions of an unrolled loop in quick code */
#define VERY_LONG 4000 /* of one in optimised code, */
#define PART 512       /* and of what is unrolled instead */

typedef struct Loop {
  uint64_t body; /* instructions of an iteration, inner loops unrolled */
  mt_UnrollGain gain;
} Loop;

typedef struct Nest {
  mt_LoopEnds ends;
  Loop *loop;   /* by number */
  Loop outside; /* the whole function, as a loop that runs once */
} Nest;

/* --------------------------------------------------------------- the nest */

/* Is it gone, or next to nothing, once the induction variable is a constant:
** a branch, an address, an access of a variable that is in a register then? */
static bool folds(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMBr:
    case LLVMICmp:
    case LLVMGetElementPtr:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc: return true;
    case LLVMLoad:
    case LLVMStore: return mt_unroll_gain(i) == MT_GAINS;
    default: return LLVMIsADbgInfoIntrinsic(i) != NULL;
  }
}

/* Instructions that it is for LLVM: one for each component, and more where
** few machines have the arithmetic: half is converted to and fro, and bfloat
** rounded by hand, over whose operations LLVM takes far longer. */
uint64_t mt_unrolled_weight(LLVMValueRef i) {
  LLVMTypeRef t = LLVMTypeOf(i);
  uint64_t parts = 1;
  if (folds(i)) return 0;
  if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) {
    parts = LLVMGetVectorSize(t);
    t = LLVMGetElementType(t);
  }
  switch (LLVMIsALoadInst(i) ? LLVMVoidTypeKind : LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind: return 4 * parts;
    case LLVMBFloatTypeKind: return 32 * parts;
    default: return parts;
  }
}

/* Count a block into a loop. */
static void add_block(Loop *loop, LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
       i = LLVMGetNextInstruction(i)) {
    mt_UnrollGain gain = mt_unroll_gain(i);
    loop->body += mt_unrolled_weight(i);
    if (gain > loop->gain) loop->gain = gain;
  }
}

/* False: out of memory. */
static bool open_nest(Nest *n, LLVMValueRef f) {
  const mt_LoopNest *of = &n->ends.nest;
  memset(n, 0, sizeof *n);
  if (!mt_loop_ends_make(f, 0, &n->ends)) return false;
  n->loop = calloc((size_t)of->loop_count + 1, sizeof *n->loop);
  if (!n->loop) return false;
  for (int b = 0; b < of->blocks && of->block[b]; b++)
    add_block(of->loop[b] < 0 ? &n->outside : &n->loop[of->loop[b]],
              of->block[b]);
  return true;
}

static void close_nest(Nest *n) {
  mt_loop_ends_free(&n->ends);
  free(n->loop);
}

/* --------------------------------------------------------------- estimates */

/* How many copies of the body LLVM would make, of at most 'size' instructions
** in all. */
static int64_t fit(int64_t copies, uint64_t body, uint64_t size) {
  int64_t most = (int64_t)(size / (body ? body : 1));
  while (copies > most && copies > 1) copies = (copies + 1) / 2;
  return copies;
}

static bool is_wish(mt_UnrollHint hint) {
  return hint != MT_HINT_NONE && hint != MT_HINT_DISABLE;
}

/* '*hinted': the source, or unroll.c, asks for it. */
static int64_t copies_of(const Nest *n, int l, bool *hinted) {
  const Loop *loop = &n->loop[l];
  LLVMValueRef branch = n->ends.of[l].branch;
  int64_t count, known;
  *hinted = false;
  if (!branch) return 1;
  mt_UnrollHint hint = mt_unroll_hint(branch, &count);
  *hinted = is_wish(hint);
  known = mt_loop_trips(&n->ends.nest, l, branch, MOST_TRIPS);
  switch (hint) {
    case MT_HINT_DISABLE: return 1;
    case MT_HINT_NONE:
      return known && (uint64_t)known * loop->body <= MOST_UNHINTED ? known : 1;
    case MT_HINT_COUNT: return fit(count, loop->body, MOST_HINTED);
    default: return fit(known ? known : GUESSED, loop->body, MOST_HINTED);
  }
}

/* ------------------------------------------------------------------ limits */

/* The copies that a hinted loop gets in the end. */
static int64_t limited(const Loop *loop, int64_t copies, mt_Unrolling how) {
  uint64_t size = (uint64_t)copies * loop->body;
  if (how == MT_UNROLL_AS_ASKED || loop->gain == MT_GAINS_MUCH || size <= LONG)
    return copies;
  if (how == MT_UNROLL_LITTLE) return 1;
  if (loop->gain == MT_GAINS_NOTHING && size > VERY_LONG)
    return fit(copies, loop->body, PART);
  return copies;
}

/* Add a loop, as it will be, to the one around it. */
static void add_loop(Nest *n, int l, int64_t copies) {
  int parent = n->ends.nest.loops[l].parent;
  Loop *loop = &n->loop[l];
  Loop *around = parent < 0 ? &n->outside : &n->loop[parent];
  around->body += loop->body * (uint64_t)copies;
  if (loop->gain > around->gain) around->gain = loop->gain;
}

/* The size of 'f' once it is unrolled. 'changed' (or NULL: no hint is touched)
** says whether a hint is another one now. */
static uint64_t unrolled_size(LLVMValueRef f, mt_Unrolling how, bool *changed) {
  Nest n;
  bool hinted;
  if (open_nest(&n, f))
    /* inner ones are last */
    for (int l = n.ends.nest.loop_count - 1; l >= 0; l--) {
      int64_t wish = copies_of(&n, l, &hinted);
      int64_t copies = hinted ? limited(&n.loop[l], wish, how) : wish;
      if (changed && copies != wish) {
        mt_unroll_hint_replace(n.ends.of[l].branch, copies);
        *changed = true;
      }
      add_loop(&n, l, copies);
    }
  close_nest(&n);
  return n.outside.body;
}

#define MOST_BLOCKS 5000 /* as in unroll.c */

/* Most kernels have no hints, and a nest takes time. */
static bool has_wishes(LLVMValueRef f) {
  int64_t count;
  if (LLVMCountBasicBlocks(f) > MOST_BLOCKS) return false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    if (is_wish(mt_unroll_hint(LLVMGetBasicBlockTerminator(b), &count)))
      return true;
  return false;
}

static bool has_free_sum(LLVMBasicBlockRef header) {
  for (LLVMValueRef v = LLVMGetFirstInstruction(header);
       v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
    if (mt_is_free_sum(v)) return true;
  return false;
}

/* Does a loop that stays one have a sum that LLVM's vectoriser may reorder? */
static bool has_free_sums(LLVMValueRef f) {
  Nest n;
  bool found = false, hinted;
  if (open_nest(&n, f))
    for (int l = n.ends.nest.loop_count - 1; l >= 0 && !found; l--)
      found = copies_of(&n, l, &hinted) == 1 &&
              has_free_sum(mt_loop_header(&n.ends.nest, l));
  close_nest(&n);
  return found;
}

bool mt_unroll_is_long(LLVMValueRef f) {
  return has_wishes(f) &&
         unrolled_size(f, MT_UNROLL_AS_ASKED, NULL) >
             unrolled_size(f, MT_UNROLL_LITTLE, NULL) + MANY &&
         !has_free_sums(f);
}

bool mt_unroll_limit(LLVMValueRef f, mt_Unrolling how) {
  bool changed = false;
  unrolled_size(f, how, &changed);
  return changed;
}
