/*
** split_sums.c - a loop that adds up matrices, as several loops with a few sums
** each.
**
** The one idea: a kernel keeps a block of matrices as its sums, say 4 x 4, more
** than there are registers. A loop without barriers and stores computes its
** sums and nothing else, and one sum does not depend on another. So the loop is
** copied, the copies run one after the other, and each computes some rows of
** the block, as many as registers can hold: a matrix may belong to two copies,
** the first of which computes its upper rows and the second the lower ones.
** This is loop distribution; what is loaded twice is in a cache by then.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/keep_tiles.h"

#define MAX_SUMS 64 /* of a loop */
#define MAX_LOOPS 8 /* that one loop becomes */
/* of a loop, which is copied MAX_LOOPS times at most */
#define MAX_INSTRUCTIONS 1500
/* Sums that are too many for one loop, even if it loads from far away: a copy
** loads the right factors again. */
#define MAX_UNSPLIT_SUMS (2 * MT_PRODUCTS)

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
  LLVMValueRef phi[MAX_SUMS];  /* by sum: of the header */
  LLVMValueRef last[MAX_SUMS]; /* what that gets next */
  int left[MAX_SUMS];          /* the number of its left factor */
  int first[MAX_SUMS], end[MAX_SUMS]; /* its copies, up to before 'end' */
  LLVMValueRef factor[MAX_SUMS]; /* by number: that of the first products */
  int factors;
  int loops;
  /* by copy: rows of the block, eight for each factor */
  int top[MAX_LOOPS], bottom[MAX_LOOPS];
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
  m->phi[m->sums] = phi;
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

/* ------------------------------------------------------------ the division */

static bool number_factors(Sums *m) {
  for (int i = 0; i < m->sums; i++) {
    LLVMValueRef left = left_of(m, i);
    int n = 0;
    while (n < m->factors && m->factor[n] != left) n++;
    if (!left) return false;
    if (n == m->factors) m->factor[m->factors++] = left;
    m->left[i] = n;
  }
  return true;
}

/* The sums that share a left factor; 0: there are more for some than for
** others. */
static int columns(const Sums *m) {
  int n[MAX_SUMS] = {0};
  for (int i = 0; i < m->sums; i++) n[m->left[i]]++;
  for (int i = 1; i < m->factors; i++)
    if (n[i] != n[0]) return 0;
  return n[0];
}

/* Two rows of two matrices are a vector: such pairs of rows are divided among
** as few loops as have registers for them. The first loops have more: they find
** less in the first-level cache, and have more to do meanwhile. */
static bool divide_rows(Sums *m, int columns) {
  int most = m->s->cost->sum_registers / ((columns + 1) / 2) / 2,
       pairs = 4 * m->factors;
  m->loops = (pairs + most - 1) / most;
  if (m->loops > MAX_LOOPS) return false;
  for (int l = 0; l < m->loops; l++) {
    m->top[l] = l ? m->bottom[l - 1] : 0;
    m->bottom[l] = 2 * (((l + 1) * pairs + m->loops - 1) / m->loops);
  }
  for (int i = 0; i < m->sums; i++) {
    int row = 8 * m->left[i];
    m->first[i] = 0;
    while (m->bottom[m->first[i]] <= row) m->first[i]++;
    m->end[i] = m->first[i];
    while (m->end[i] < m->loops && m->top[m->end[i]] < row + 8) m->end[i]++;
  }
  return true;
}

/* So many sums that share their left factor have one loop. */
static bool divide_columns(Sums *m, int most) {
  int has[MAX_LOOPS] = {0};
  for (int i = 0; i < m->sums; i++) {
    int l = 0, row = 8 * m->left[i];
    while (l < m->loops && (m->top[l] != row || has[l] == most)) l++;
    if (l == MAX_LOOPS) return false;
    if (l == m->loops) m->loops++;
    m->top[l] = row, m->bottom[l] = row + 8;
    has[l]++;
    m->first[i] = l, m->end[i] = l + 1;
  }
  return true;
}

static bool divide(Sums *m) {
  if (!number_factors(m)) return false;
  int n = columns(m);
  if (!m->s->cost->sum_registers) return divide_columns(m, 1);
  if (n < 3 || n > 2 * MT_PRODUCTS) return divide_columns(m, MT_PRODUCTS);
  return divide_rows(m, n);
}

static bool has_sum(const Sums *m, int loop, int sum) {
  return loop >= m->first[sum] && loop < m->end[sum];
}

/* A matrix, or another vector of two. */
static bool is_pair(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind && LLVMGetVectorSize(t) == 2;
}

static bool find_sums(Sums *m) {
  find_blocks(m);
  size_t n = instructions(m);
  if (!n || n > MAX_INSTRUCTIONS) return false;
  m->step = mt_new(m->s, n, sizeof *m->step);
  m->c.pair = mt_new(m->s, n, sizeof *m->c.pair);
  for (LLVMValueRef v = LLVMGetFirstInstruction(m->header);
       v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
    if (!is_pair(v)) continue;
    if (m->sums == MAX_SUMS || !follow(m, v)) return false;
    m->sums++;
  }
  return m->sums > 0 && divide(m);
}

bool mt_can_split_sums(mt_Spmd *s, LLVMBasicBlockRef header) {
  Sums m = {.s = s, .header = header};
  return find_sums(&m);
}

/* ------------------------------------------------------------------- marks */

#define PARKED "mt.parked"
#define ROWS "mt.rows"

/* The rows of a sum that a loop computes, and the sum's number. */
static void mark_rows(const Sums *m, LLVMValueRef v, int loop, int sum) {
  int from = m->top[loop] - 8 * m->left[sum];
  int to = m->bottom[loop] - 8 * m->left[sum];
  if (from < 0) from = 0;
  if (to > 8) to = 8;
  mt_mark(v, ROWS, (1 + sum) * 256 + from * 16 + to);
}

bool mt_product_rows(LLVMValueRef product, mt_Rows *out) {
  int rows = mt_marked(product, ROWS);
  *out = rows ? (mt_Rows){rows / 16 % 16, rows % 16} : (mt_Rows){0, 8};
  return rows != 0;
}

int mt_parked_sum(const mt_Value *v, unsigned part) {
  if (v->block < 0 || !v->partner) return 0;
  int parked = mt_marked(v->of, PARKED), number = mt_marked(v->of, ROWS) / 256;
  int row = v->second * 4 + (int)part * 2;
  mt_Rows computed;
  if (parked || !mt_product_rows(v->of, &computed)) return parked;
  return row >= computed.from && row < computed.to ? 0 : number;
}

/* --------------------------------------------------------------- the copies */

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
    if (!has_sum(m, loop, step->sum) || step->of != m->last[step->sum])
      continue;
    step->copy = phi_of(m, then, step->copy);
    mt_mark(step->copy, PARKED, 1 + step->sum);
  }
}

static void erase(LLVMValueRef v) {
  LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
  LLVMInstructionEraseFromParent(v);
}

static void drop_dead(LLVMBasicBlockRef *block, int n) {
  for (int again = 0; again < 2; again++)
    for (int i = n; i-- > 0;) mt_drop_dead(block[i]);
}

static void set_incoming(LLVMValueRef phi, LLVMBasicBlockRef from,
                         LLVMValueRef x) {
  for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
    if (LLVMGetIncomingBlock(phi, n) == from) LLVMSetOperand(phi, n, x);
}

/* Step 'i' of a sum in a loop that is entered from 'from', where it is 'v'. If
** it is not the sum's first loop, the ones before have computed other rows. */
static void enter_step(const Sums *m, int i, int loop, LLVMValueRef v,
                       LLVMBasicBlockRef from) {
  int sum = m->step[i].sum;
  if (loop > m->first[sum] && m->step[i].of == m->phi[sum])
    set_incoming(v, from, find(m, m->last[sum])->copy);
  mark_rows(m, v, loop, sum);
}

/* A copy of the loop, between 'from' and 'then', with its sums alone. */
static void copy_loop(Sums *m, int loop, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef then) {
  mt_Copies *c = &m->c;
  mt_copy_phis(c, "mt.sums");
  mt_copy_bodies(c, NULL, then);
  for (int i = 0; i < c->copies; i++) mt_copy_incoming(c, c->old[i], from);
  for (int i = 0; i < m->steps; i++) { /* of a sum: the header's phi first */
    LLVMValueRef copy = mt_copy_of(c, m->step[i].of);
    if (!has_sum(m, loop, m->step[i].sum)) {
      erase(copy);
      continue;
    }
    enter_step(m, i, loop, copy, from);
    m->step[i].copy = copy;
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
  int loop = m->loops - 1;
  for (int i = 0; i < m->steps; i++)
    if (has_sum(m, loop, m->step[i].sum))
      enter_step(m, i, loop, m->step[i].of, last);
    else
      use_copy(m, &m->step[i]);
  for (int i = 0; i < m->steps; i++)
    if (!has_sum(m, loop, m->step[i].sum)) erase(m->step[i].of);
  drop_dead(m->c.old, m->c.copies);
}

static void tell(const Sums *m, mt_TransformFacts *facts) {
  if (m->loops < 2) return;
  facts->split = m->loops;
  for (int i = m->steps; i-- > 0;)
    if (mt_is_product(m->step[i].of))
      facts->split_line = LLVMGetDebugLocLine(m->step[i].of);
}

void mt_split_sums(mt_Spmd *s, LLVMBasicBlockRef header,
                   LLVMBasicBlockRef from, bool parks,
                   mt_TransformFacts *facts) {
  Sums m = {.s = s, .header = header};
  LLVMBasicBlockRef last = enter_by(&m, from);
  if (!find_sums(&m)) return;
  tell(&m, facts);
  for (int i = 0; parks && i < m.sums; i++)
    mt_mark(mt_incoming(m.phi[i], last), PARKED, 1 + i);
  split(&m, from, last, parks);
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

/* Is it one of the loops that another one was split into? */
static bool is_split(const Sums *m) {
  mt_Rows rows;
  return mt_product_rows(m->phi[0], &rows);
}

static bool has_products(const mt_Spmd *s) {
  for (int i = 0; i < s->values; i++)
    if (s->value[i].block >= 0 && mt_is_product(s->value[i].of)) return true;
  return false;
}

bool mt_split_all_sums(mt_Spmd *s, mt_TransformFacts *facts) {
  bool any = false;
  if (s->probes || !has_products(s)) return false;
  for (int l = 0; l < s->loops; l++) {
    Sums m = {.s = s, .header = s->block[s->loop[l].header].of};
    if (!find_sums(&m) || m.sums <= MAX_UNSPLIT_SUMS || is_split(&m) ||
        has_effects(&m))
      continue;
    LLVMBasicBlockRef from = block_into(&m);
    if (from) mt_split_sums(s, m.header, from, false, facts);
    any |= from != NULL;
  }
  return any;
}
