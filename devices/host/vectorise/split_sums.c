/*
** split_sums.c - a loop that adds up matrices, as several loops with a few sums
** each.
**
** The one idea: a kernel keeps a block of matrices as its sums, say 4 x 4, more
** than there are registers. A loop without barriers and stores computes its
** sums and nothing else, and one sum does not depend on another. So the loop is
** copied, the copies run one after the other, and each has the sums of one row
** of the block: those that share their left factors. This is loop distribution;
** what is loaded twice is in a cache by then.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/vectorise/keep_tiles.h"
#include "devices/host/vectorise/simdgroup_matrix.h"
#include "devices/host/vectorise/vectorise.h"

#define MOST_SUMS 64
#define MOST_LOOPS 8
#define MOST_INSTRUCTIONS 1500
/* Sums that are too many for one loop, even if it loads from far away: a copy
** loads the right factors again. */
#define MANY (2 * MT_PRODUCTS)

/* A phi or product that a sum passes through on its way round the loop. */
typedef struct Step {
  LLVMValueRef of;
  LLVMValueRef copy; /* in the loop that has this sum */
  int sum;
} Step;

typedef struct Sums {
  mt_Spmd *s;
  LLVMBasicBlockRef header;
  mt_Copies c; /* of the loop's blocks */
  Step *step;
  int steps, sums;
  LLVMValueRef last[MOST_SUMS]; /* by sum: what the header's phi gets next */
  int loop[MOST_SUMS];          /* the copy that has it */
  int loops;
  LLVMValueRef left[MOST_LOOPS]; /* by copy: the factor of its first products */
  int has[MOST_LOOPS];           /* sums */
} Sums;

/* ----------------------------------------------------------------- the loop */

static bool is_block_inside(const Sums *m, LLVMBasicBlockRef b) {
  for (int i = 0; i < m->c.copies; i++)
    if (m->c.old[i] == b) return true;
  return false;
}

static bool is_inside(const Sums *m, LLVMValueRef v) {
  return is_block_inside(m, LLVMGetInstructionParent(v));
}

/* The blocks of the loop, dominators first; none if memory has run out. */
static void find_blocks(Sums *m) {
  mt_Spmd *s = m->s;
  size_t blocks = LLVMCountBasicBlocks(s->old);
  mt_LoopNest nest;
  mt_Error ignored;
  m->c = (mt_Copies){.b = s->b, .function = s->old};
  m->c.old = mt_new(s, blocks, sizeof(LLVMBasicBlockRef));
  m->c.copy = mt_new(s, blocks, sizeof(LLVMBasicBlockRef));
  if (mt_loop_nest_make(s->old, &nest, &ignored) == MT_OK) {
    int header = mt_loop_nest_number(&nest, m->header);
    for (int i = 0; i < nest.blocks && nest.block[i]; i++)
      if (mt_loop_nest_contains(&nest, i, nest.loop[header]))
        m->c.old[m->c.copies++] = nest.block[i];
  }
  mt_loop_nest_free(&nest);
}

static size_t instructions(const Sums *m) {
  size_t n = 0;
  for (int i = 0; i < m->c.copies; i++)
    for (LLVMValueRef v = LLVMGetFirstInstruction(m->c.old[i]); v;
         v = LLVMGetNextInstruction(v))
      n++;
  return n;
}

/* ----------------------------------------------------------------- the sums */

static const Step *find(const Sums *m, LLVMValueRef v) {
  for (int i = 0; i < m->steps; i++)
    if (m->step[i].of == v) return &m->step[i];
  return NULL;
}

/* Is it the next step, if 'v' is one? */
static bool goes_on(LLVMValueRef user, LLVMValueRef v) {
  if (LLVMIsAPHINode(user)) return true;
  return mt_is_product(user) && LLVMGetOperand(user, MT_PRODUCT_SUM) == v &&
         LLVMGetOperand(user, 0) != v && LLVMGetOperand(user, 1) != v;
}

/* Follow a sum from the header's phi on. False: it has another use in the loop,
** or meets another sum. */
static bool follow(Sums *m, LLVMValueRef phi) {
  int first = m->steps;
  m->step[m->steps++] = (Step){.of = phi, .sum = m->sums};
  for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
    if (is_block_inside(m, LLVMGetIncomingBlock(phi, n)))
      m->last[m->sums] = LLVMGetIncomingValue(phi, n);
  for (int i = first; i < m->steps; i++) {
    LLVMValueRef v = m->step[i].of;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (!is_inside(m, user)) continue;
      const Step *known = find(m, user);
      if (!goes_on(user, v) || (known && known->sum != m->sums)) return false;
      if (!known) m->step[m->steps++] = (Step){.of = user, .sum = m->sums};
    }
  }
  return true;
}

/* The left factor of a sum's first product; NULL: it is no sum of products. */
static LLVMValueRef left_of(const Sums *m, int sum) {
  for (int i = 0; i < m->steps; i++)
    if (m->step[i].sum == sum && mt_is_product(m->step[i].of))
      return LLVMGetOperand(m->step[i].of, 0);
  return NULL;
}

/* Sums that share their left factors have one loop, as many as there are
** registers for. */
static bool place(Sums *m, int sum) {
  int most = m->s->native_masks ? MT_PRODUCTS : 1;
  LLVMValueRef left = left_of(m, sum);
  int l = 0;
  while (l < m->loops && (m->left[l] != left || m->has[l] == most)) l++;
  if (!left || l == MOST_LOOPS) return false;
  if (l == m->loops) m->left[m->loops++] = left;
  m->has[l]++;
  m->loop[sum] = l;
  return true;
}

/* A matrix, or another vector of two. */
static bool is_pair(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind && LLVMGetVectorSize(t) == 2;
}

static bool find_sums(Sums *m) {
  find_blocks(m);
  size_t n = instructions(m);
  if (!n || n > MOST_INSTRUCTIONS) return false;
  m->step = mt_new(m->s, n, sizeof *m->step);
  m->c.pair = mt_new(m->s, n, sizeof *m->c.pair);
  for (LLVMValueRef v = LLVMGetFirstInstruction(m->header);
       v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
    if (!is_pair(v)) continue;
    if (m->sums == MOST_SUMS || !follow(m, v) || !place(m, m->sums))
      return false;
    m->sums++;
  }
  return m->sums > 0;
}

bool mt_can_split_sums(mt_Spmd *s, LLVMBasicBlockRef header) {
  Sums m = {.s = s, .header = header};
  return find_sums(&m);
}

/* ------------------------------------------------------------- parked sums */

#define PARKED "mt.parked"

static unsigned parked(LLVMContextRef c) {
  return LLVMGetMDKindIDInContext(c, PARKED, strlen(PARKED));
}

static void park(LLVMContextRef c, LLVMValueRef v) {
  LLVMMetadataRef nothing = LLVMMDNodeInContext2(c, NULL, 0);
  LLVMSetMetadata(v, parked(c), LLVMMetadataAsValue(c, nothing));
}

bool mt_is_parked(LLVMValueRef v) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(v));
  return LLVMIsAPHINode(v) && LLVMGetMetadata(v, parked(c));
}

/* A phi in 'b' that has the value 'x', wherever 'b' is entered from. */
static LLVMValueRef phi_of(const Sums *m, LLVMBasicBlockRef b, LLVMValueRef x) {
  LLVMPositionBuilderBefore(m->s->b, LLVMGetFirstInstruction(b));
  LLVMValueRef phi = LLVMBuildPhi(m->s->b, LLVMTypeOf(x), "");
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u;
       u = LLVMGetNextUse(u)) {
    LLVMValueRef end = LLVMGetUser(u);
    LLVMBasicBlockRef from = LLVMGetInstructionParent(end);
    if (LLVMIsATerminatorInst(end)) LLVMAddIncoming(phi, &x, &from, 1);
  }
  return phi;
}

/* After the loop, in the block 'then', its sums are parked. */
static void park_sums(Sums *m, int loop, LLVMBasicBlockRef then) {
  for (int i = 0; i < m->steps; i++) {
    Step *step = &m->step[i];
    if (m->loop[step->sum] != loop || step->of != m->last[step->sum]) continue;
    step->copy = phi_of(m, then, step->copy);
    park(m->s->context, step->copy);
  }
}

/* --------------------------------------------------------------- the copies */

static void erase(LLVMValueRef v) {
  LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
  LLVMInstructionEraseFromParent(v);
}

static void drop_dead(LLVMBasicBlockRef *block, int n) {
  for (int again = 0; again < 2; again++)
    for (int i = n; i-- > 0;) mt_drop_dead(block[i]);
}

/* A copy of the loop, between 'from' and 'then', with its sums alone. */
static void copy_loop(Sums *m, int loop, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef then) {
  mt_Copies *c = &m->c;
  mt_copy_phis(c, "mt.sums");
  mt_copy_bodies(c, NULL, then);
  for (int i = 0; i < c->copies; i++) mt_copy_incoming(c, c->old[i], from);
  for (int i = 0; i < m->steps; i++) {
    LLVMValueRef copy = mt_copy_of(c, m->step[i].of);
    if (m->loop[m->step[i].sum] == loop) m->step[i].copy = copy;
    else erase(copy);
  }
  drop_dead(c->copy, c->copies);
}

static LLVMValueRef later_user(const Sums *m, LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
    if (!is_inside(m, LLVMGetUser(u))) return LLVMGetUser(u);
  return NULL;
}

/* What follows the loop uses the sum where it is. */
static void use_copy(const Sums *m, const Step *step) {
  for (LLVMValueRef u; (u = later_user(m, step->of));)
    for (int n = 0; n < LLVMGetNumOperands(u); n++)
      if (LLVMGetOperand(u, (unsigned)n) == step->of)
        LLVMSetOperand(u, (unsigned)n, step->copy);
}

/* A block that leads to 'to'. */
static LLVMBasicBlockRef block_before(const Sums *m, LLVMBasicBlockRef to) {
  LLVMBasicBlockRef b =
      LLVMAppendBasicBlockInContext(m->s->context, m->s->old, "mt.sums.next");
  LLVMPositionBuilderAtEnd(m->s->b, b);
  LLVMBuildBr(m->s->b, to);
  return b;
}

/* A block of its own before the header, in place of the one that it is entered
** from. */
static LLVMBasicBlockRef enter_by(const Sums *m, LLVMBasicBlockRef from) {
  LLVMBasicBlockRef entry = block_before(m, m->header);
  for (LLVMValueRef v = LLVMGetFirstInstruction(m->header), next;
       LLVMIsAPHINode(v); v = next) {
    next = LLVMGetNextInstruction(v);
    mt_change_phi(m->s->b, v, from, entry, NULL);
  }
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(from), 0, entry);
  return entry;
}

/* The loop itself is the last one. */
static void split(Sums *m, LLVMBasicBlockRef from, LLVMBasicBlockRef last,
                  bool parks) {
  for (int l = 0; l + 1 < m->loops; l++) {
    LLVMBasicBlockRef then = l + 2 < m->loops ? block_before(m, last) : last;
    copy_loop(m, l, from, then);
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(from), 0,
                     mt_block_copy(&m->c, m->header));
    if (parks) park_sums(m, l, then);
    from = then;
  }
  for (int i = 0; i < m->steps; i++)
    if (m->step[i].copy) use_copy(m, &m->step[i]);
  for (int i = 0; i < m->steps; i++)
    if (m->step[i].copy) erase(m->step[i].of);
  drop_dead(m->c.old, m->c.copies);
}

static void tell(const Sums *m, mt_VectorFacts *facts) {
  if (m->loops < 2) return;
  facts->split = m->loops;
  for (int i = m->steps; i-- > 0;)
    if (mt_is_product(m->step[i].of))
      facts->split_line = LLVMGetDebugLocLine(m->step[i].of);
}

void mt_split_sums(mt_Spmd *s, LLVMBasicBlockRef header,
                   LLVMBasicBlockRef from, bool parks, mt_VectorFacts *facts) {
  Sums m = {.s = s, .header = header};
  LLVMBasicBlockRef last = enter_by(&m, from);
  if (!find_sums(&m)) return;
  tell(&m, facts);
  split(&m, from, last, parks);
  for (LLVMValueRef v = LLVMGetFirstInstruction(from);
       parks && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
    if (is_pair(v)) park(s->context, v);
}

/* ---------------------------------------------------------------- all loops */

/* The block that a loop is entered from; NULL: there are several, or it has
** another successor. */
static LLVMBasicBlockRef block_into(const Sums *m) {
  LLVMBasicBlockRef from = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(m->header)); u;
       u = LLVMGetNextUse(u)) {
    LLVMValueRef end = LLVMGetUser(u);
    if (!LLVMIsATerminatorInst(end) || is_inside(m, end)) continue;
    if (from || LLVMGetNumSuccessors(end) != 1) return NULL;
    from = LLVMGetInstructionParent(end);
  }
  return from;
}

static bool has_effects(const Sums *m) {
  unsigned at;
  for (int i = 0; i < m->c.copies; i++)
    for (LLVMValueRef v = LLVMGetFirstInstruction(m->c.old[i]); v;
         v = LLVMGetNextInstruction(v))
      if (mt_tile_effect(v, &at) >= MT_WRITES || mt_is_barrier(v)) return true;
  return false;
}

static bool has_products(const mt_Spmd *s) {
  for (int i = 0; i < s->values; i++)
    if (s->value[i].block >= 0 && mt_is_product(s->value[i].of)) return true;
  return false;
}

bool mt_split_all_sums(mt_Spmd *s, mt_VectorFacts *facts) {
  bool any = false;
  if (s->probes || !has_products(s)) return false;
  for (int l = 0; l < s->loops; l++) {
    Sums m = {.s = s, .header = s->block[s->loop[l].header].of};
    if (!find_sums(&m) || m.sums <= MANY || has_effects(&m)) continue;
    LLVMBasicBlockRef from = block_into(&m);
    if (from) mt_split_sums(s, m.header, from, false, facts);
    any |= from != NULL;
  }
  return any;
}
