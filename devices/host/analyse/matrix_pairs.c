/*
** matrix_pairs.c - which sums of simdgroup matrices are kept as pairs.
**
** The one idea: where a register holds sixteen floats, a product wants the rows
** of two sums side by side (emit/simdgroup_multiply.c). The sums that a
** loop carries are kept that way: the first of a pair holds the upper four rows
** of both matrices, the second the lower four, and nothing is shuffled from
** iteration to iteration. All that such a value becomes has to be a pair, too:
** the other sums of its chain of products, and phis. The analysis assumes so,
** and drops what turns out to be used in another way until nothing changes.
*/
#include <string.h>

#include "devices/host/analyse/analyse.h"

typedef struct Pairs {
  mt_Spmd *s;
  int *with;    /* by value: the other one; -1: none */
  bool *second; /* it is the second one */
  bool *fails;  /* it cannot be one of a pair */
  bool changed;
} Pairs;

bool mt_is_product(LLVMValueRef v) {
  return !strcmp(mt_callee(v), "__mt_matrix_multiply_add");
}

static int number(const Pairs *p, LLVMValueRef v) {
  mt_Value *x = LLVMIsAInstruction(v) ? mt_value(p->s, v) : NULL;
  return x && x->block >= 0 ? (int)(x - p->s->value) : -1;
}

/* Is 'v' computed before 'at'? */
static bool is_there(mt_Spmd *s, LLVMValueRef v, LLVMValueRef at) {
  mt_Value *x = mt_value(s, v), *here = mt_value(s, at);
  return !x || x->block != here->block || x < here;
}

bool mt_product_fits(mt_Spmd *s, LLVMValueRef product, LLVMValueRef at) {
  for (unsigned i = 0; i < 3; i++)
    if (!is_there(s, LLVMGetOperand(product, i), at)) return false;
  return true;
}

static bool is_sum(const mt_Value *v) {
  return v->rows && LLVMGetTypeKind(v->part[0].type) == LLVMFloatTypeKind &&
         (LLVMIsAPHINode(v->of) || mt_is_product(v->of));
}

static bool loop_waits(const mt_Spmd *s, int loop) {
  for (int i = 0; i < s->blocks; i++)
    if (s->block[i].barrier && mt_cfg_in_loop(s, i, loop)) return true;
  return false;
}

/* ---------------------------------------------------------------- relations */

typedef void Relation(Pairs *p, int of, LLVMValueRef a, LLVMValueRef b);

static bool is_splat(LLVMValueRef v) {
  return LLVMIsConstant(v) && mt_constant_part(v, 0) == mt_constant_part(v, 1);
}

/* Are they kept in one place: both phis, or products that are computed together
** where the first one is? */
static bool can_join(const Pairs *p, int first, int second) {
  LLVMValueRef a = p->s->value[first].of, b = p->s->value[second].of;
  if (!mt_is_product(a) || !mt_is_product(b))
    return LLVMIsAPHINode(a) && LLVMIsAPHINode(b);
  return first < second && LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0) &&
         mt_product_fits(p->s, b, a);
}

static void join(Pairs *p, int first, int second) {
  p->with[first] = second, p->with[second] = first;
  p->second[second] = true;
  p->changed = true;
}

/* 'of' is one of a pair: let 'a' and 'b' be one, or it fails. */
static void demand(Pairs *p, int of, LLVMValueRef a, LLVMValueRef b) {
  int x = a ? number(p, a) : -1, y = b ? number(p, b) : -1;
  if (x < 0 && y < 0 && a == b && is_splat(a)) return;
  if (x >= 0 && y >= 0 && p->with[x] == y && p->second[y]) return;
  if (x < 0 || y < 0 || x == y || p->with[x] >= 0 || p->with[y] >= 0 ||
      !is_sum(&p->s->value[x]) || !is_sum(&p->s->value[y]) ||
      p->s->value[x].block != p->s->value[y].block || !can_join(p, x, y))
    p->fails[of] = true;
  else
    join(p, x, y);
}

static void check(Pairs *p, int of, LLVMValueRef a, LLVMValueRef b) {
  int x = a ? number(p, a) : -1, y = b ? number(p, b) : -1;
  p->fails[of] |= x >= 0 && y >= 0 ? p->with[x] != y : x != y;
}

/* Is 'other' a phi that has 'b' wherever 'phi' has 'a'? */
static bool are_alike(LLVMValueRef phi, LLVMValueRef other, LLVMValueRef a,
                      LLVMValueRef b) {
  for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
    LLVMValueRef x = mt_incoming(other, LLVMGetIncomingBlock(phi, n));
    if ((LLVMGetIncomingValue(phi, n) == a) != (x == b)) return false;
  }
  return true;
}

static LLVMValueRef phi_like(LLVMValueRef phi, LLVMValueRef a, LLVMValueRef b) {
  for (LLVMValueRef v =
           LLVMGetFirstInstruction(LLVMGetInstructionParent(phi));
       LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
    if (v != phi && are_alike(phi, v, a, b)) return v;
  return NULL;
}

/* Phis of one are phis of both; what else has a use for it can take its rows
** from the pair. */
static void visit_users(Pairs *p, int of, LLVMValueRef a, LLVMValueRef b,
                        Relation *relation) {
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAPHINode(user)) {
      p->fails[of] |= strncmp(mt_callee(user), "__mt_matrix_", 12) != 0;
      continue;
    }
    LLVMValueRef like = phi_like(user, a, b);
    if (p->second[of])
      relation(p, of, like, user);
    else
      relation(p, of, user, like);
  }
}

/* All that has to be a pair if 'of' is the first of one. */
static void visit(Pairs *p, int of, Relation *relation) {
  LLVMValueRef a = p->s->value[of].of, b = p->s->value[p->with[of]].of;
  if (LLVMIsAPHINode(a))
    for (unsigned n = 0; n < LLVMCountIncoming(a); n++)
      relation(p, of, LLVMGetIncomingValue(a, n),
               mt_incoming(b, LLVMGetIncomingBlock(a, n)));
  else
    relation(p, of, LLVMGetOperand(a, MT_PRODUCT_SUM),
             LLVMGetOperand(b, MT_PRODUCT_SUM));
  visit_users(p, of, a, b, relation);
  visit_users(p, p->with[of], b, a, relation);
}

/* --------------------------------------------------------------- the choice */

/* A product that can be computed together with 'first'. */
static int product_beside(const Pairs *p, int first) {
  const mt_Value *value = p->s->value, *v = &value[first];
  for (int i = first + 1; i < p->s->values; i++) {
    if (value[i].block == v->block && p->with[i] < 0 && is_sum(&value[i]) &&
        can_join(p, first, i))
      return i;
  }
  return -1;
}

/* In loops with barriers sums are in the frame (region/matrix_frame.c). */
static void choose_products(Pairs *p) {
  mt_Spmd *s = p->s;
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    if (v->block < 0 || p->with[i] >= 0 || !mt_is_product(v->of) ||
        !is_sum(v) || s->block[v->block].loop < 0 ||
        loop_waits(s, s->block[v->block].loop))
      continue;
    int other = product_beside(p, i);
    if (other >= 0) join(p, i, other);
  }
}

static void visit_all(Pairs *p, Relation *relation) {
  for (int i = 0; i < p->s->values; i++)
    if (p->with[i] >= 0 && !p->second[i]) visit(p, i, relation);
}

static void drop_failed(Pairs *p) {
  for (int i = 0; i < p->s->values; i++) {
    int other = p->with[i];
    if (other < 0 || !(p->fails[i] || p->fails[other])) continue;
    p->with[i] = p->with[other] = -1;
    p->second[i] = p->second[other] = false;
    p->changed = true;
  }
}

void mt_matrix_pairs_choose(mt_Spmd *s) {
  Pairs p = {.s = s};
  if (!mt_has_pairs(s) || s->probes) return;
  p.with = mt_new(s, (size_t)s->values + 1, sizeof *p.with);
  p.second = mt_new(s, (size_t)s->values + 1, sizeof *p.second);
  p.fails = mt_new(s, (size_t)s->values + 1, sizeof *p.fails);
  for (int i = 0; i < s->values; i++) p.with[i] = -1;
  choose_products(&p);
  do {
    p.changed = false;
    visit_all(&p, demand);
  } while (p.changed);
  do {
    p.changed = false;
    visit_all(&p, check);
    drop_failed(&p);
  } while (p.changed);
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (p.with[i] < 0) continue;
    v->partner = &s->value[p.with[i]];
    v->second = p.second[i];
    v->crosses |= v->partner->crosses;
  }
  mt_drop(s, p.with);
  mt_drop(s, p.second);
  mt_drop(s, p.fails);
}
