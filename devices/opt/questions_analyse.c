/*
** questions_analyse.c - the facts that host/analyse finds about a kernel before
** it becomes vectors, as text.
**
** The kernel is analysed as mt_vectorise does it, for a SIMD-group of 32 lanes
** and the threadgroup that was asked for. Its loops have to be canonical: the
** pass canonical-loops before the question makes them so.
*/
#include <string.h>

#include "devices/host/analyse/analyse.h"
#include "devices/host/vectorise/vectorise.h"
#include "devices/opt/unit.h"

/* Answer with the facts of the kernel. */
static mt_Status with_facts(mt_OptUnit *u, void (*answer)(mt_Spmd *, mt_Str *),
                            mt_Error *err) {
  const unsigned *n = u->request->group;
  mt_Geometry g = {.size = {n[0] ? n[0] : 256, n[1] ? n[1] : 1,
                            n[2] ? n[2] : 1}};
  mt_Spmd *s = mt_vectorise_analyse(u->target, u->module, &u->kernel, &g, err);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status = s->status;
  if (status == MT_OK || s->analysed) answer(s, u->out);
  if (status != MT_OK) mt_str_addf(u->out, "no vectors: %s\n", err->text);
  mt_vectorise_analyse_free(s);
  return status == MT_FAIL ? status : MT_OK;
}

#define QUESTION(name)                                         \
  static void answer_##name(mt_Spmd *s, mt_Str *out);          \
  static mt_Status name(void *unit, mt_Error *err) {           \
    return with_facts(unit, answer_##name, err);               \
  }                                                            \
  static void answer_##name(mt_Spmd *s, mt_Str *out)

static bool has_result(const mt_Value *v) {
  return LLVMGetTypeKind(LLVMTypeOf(v->of)) != LLVMVoidTypeKind;
}

/* "%x: ", or "%x[1]: " for a part of several. */
static void add_part(mt_Str *out, const mt_Value *v, unsigned part) {
  mt_opt_add_value(out, v->of);
  if (v->parts > 1) mt_str_addf(out, "[%u]", part);
  mt_str_add(out, ": ");
}

/* -------------------------------------------------------------- uniformity */

QUESTION(uniformity) {
  static const char *const kinds[] = {"not reached", "uniform", "affine",
                                      "varying"};
  for (int i = 0; i < s->values; i++)
    for (unsigned k = 0; has_result(&s->value[i]) && k < s->value[i].parts;
         k++) {
      add_part(out, &s->value[i], k);
      mt_str_addf(out, "%s\n", kinds[mt_part_kind(s, s->value[i].of, k)]);
    }
  for (int b = 0; b < s->blocks; b++) {
    if (s->block[b].succs < 2) continue;
    mt_str_add(out, "branch of ");
    mt_opt_add_block(out, s->block[b].of);
    mt_str_add(out, s->block[b].divergent ? ": divergent\n" : ": uniform\n");
  }
}

/* How many lanes from 'l' on are the same distance apart. */
static int run_of(const int64_t *of, int l, int lanes) {
  int n = l + 1 < lanes ? 2 : 1;
  while (l + n < lanes && of[l + n] - of[l + n - 1] == of[l + 1] - of[l]) n++;
  return n;
}

/* "0 + 4 lane" where all are the same distance apart, else each run of lanes:
** "16 from 0 by 1, 16 from 0 by 1". */
static void add_lanes(mt_Str *out, const int64_t *of, int lanes) {
  long long step = of[1] - of[0];
  if (run_of(of, 0, lanes) == lanes) {
    mt_str_addf(out, "%lld", (long long)of[0]);
    if (step) mt_str_addf(out, " + %lld lane", step);
    return;
  }
  for (int l = 0, n; l < lanes; l += n) {
    n = run_of(of, l, lanes);
    step = n > 1 ? of[l + 1] - of[l] : 0;
    mt_str_addf(out, "%s%d from %lld by %lld", l ? ", " : "", n,
                (long long)of[l], step);
  }
}

static void add_shape(const mt_Spmd *s, mt_Str *out, const mt_Shape *h) {
  mt_str_add(out, h->constant ? "" : "base + ");
  add_lanes(out, h->offset, s->lanes);
  for (unsigned t = 0; t < h->terms; t++) {
    mt_str_add(out, " + (");
    add_lanes(out, h->factor[t], s->lanes);
    mt_str_addf(out, ") term %u", t);
  }
  if (!h->constant)
    mt_str_addf(out, ", base a multiple of %llu",
                (unsigned long long)h->align);
  mt_str_add(out, h->address_only ? ", as an address only\n" : "\n");
}

QUESTION(affine) {
  for (int i = 0; i < s->values; i++)
    for (unsigned k = 0; has_result(&s->value[i]) && k < s->value[i].parts;
         k++) {
      const mt_Shape *h = mt_part_shape(s, s->value[i].of, k);
      if (h->kind != MT_SHAPE_AFFINE) continue;
      add_part(out, &s->value[i], k);
      add_shape(s, out, h);
    }
}

/* ------------------------------------------------------------ control flow */

static void add_block(const mt_Spmd *s, mt_Str *out, int b) {
  if (b < 0) mt_str_add(out, "none");
  else if (b >= s->blocks) mt_str_add(out, "the end");
  else mt_opt_add_block(out, s->block[b].of);
}

static void add_set(const mt_Spmd *s, mt_Str *out, const char *word,
                    const uint64_t *set) {
  mt_str_add(out, word);
  for (int b = 0; set && b < s->blocks; b++)
    if (mt_set_has(set, b)) {
      mt_str_add(out, " ");
      add_block(s, out, b);
    }
}

static void add_divergent(const mt_Spmd *s, mt_Str *out, const mt_CfgBlock *k) {
  add_set(s, out, ", divergent: one side", k->side[0]);
  add_set(s, out, ", the other", k->side[1]);
  if (!mt_cfg_reconverges(s, k)) mt_str_add(out, ", for good");
}

QUESTION(blocks) {
  for (int p = 0; p < s->blocks; p++) {
    const mt_CfgBlock *k = &s->block[s->order[p]];
    mt_str_addf(out, "%d ", p);
    add_block(s, out, s->order[p]);
    mt_str_addf(out, ": loop %d, dominator ", k->loop);
    add_block(s, out, k->dominator);
    mt_str_add(out, ", postdominator ");
    add_block(s, out, k->postdominator);
    if (k->reconverges) mt_str_add(out, ", lanes meet");
    if (k->divergent) add_divergent(s, out, k);
    mt_str_add(out, "\n");
  }
  for (int l = 0; l < s->loops; l++) {
    mt_str_addf(out, "loop %d: header ", l);
    add_block(s, out, s->loop[l].header);
    mt_str_addf(out, ", parent %d%s\n", s->loop[l].parent,
                s->loop[l].divergent ? ", lanes leave apart" : "");
  }
}

QUESTION(barriers) {
  for (int b = 0; b < s->blocks; b++) {
    if (!s->block[b].barrier) continue;
    mt_str_add(out, "barrier at the end of ");
    add_block(s, out, b);
    mt_str_addf(out, ": %s, %s\n",
                mt_cfg_may_miss(s, b) ? "missed by threads that returned"
                                      : "missed by others",
                mt_cfg_can_wait(s, b) ? "vectors wait" : "vectors cannot wait");
  }
}

/* ------------------------------------------------------------------- loops */

QUESTION(steps) {
  for (int l = 0; l < s->loops; l++) {
    int64_t count = mt_loop_trip_count(s, l);
    mt_str_addf(out, "loop %d: ", l);
    if (count) mt_str_addf(out, "%lld iterations\n", (long long)count);
    else mt_str_add(out, "not known how often\n");
    for (int i = 0; i < s->values; i++) {
      bool known;
      if (!has_result(&s->value[i]) || s->value[i].block < 0) continue;
      int64_t step = mt_induction_step(s, l, s->value[i].of, &known);
      mt_str_add(out, "  ");
      add_part(out, &s->value[i], 0);
      if (known) mt_str_addf(out, "%lld more\n", (long long)step);
      else mt_str_add(out, "not known\n");
    }
  }
}

/* ------------------------------------------------------------------ memory */

static LLVMValueRef pointer_of(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return LLVMGetOperand(i, 0);
  return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

static const char *space_name(mt_PointerSpace space) {
  static const char *const names[] = {"device",  "constant",
                                      "threadgroup", "private",
                                      "private, one copy for all lanes",
                                      "unknown"};
  return names[space];
}

/* Which of the pointers after value 'i' overlap with its own. */
static void add_overlaps(mt_Spmd *s, mt_Str *out, int i, LLVMValueRef p) {
  for (int k = i + 1; k < s->values; k++) {
    LLVMValueRef q = pointer_of(s->value[k].of);
    if (!q || q == p) continue;
    mt_str_add(out, mt_no_alias(s, p, q) ? "  apart from " : "  may overlap ");
    mt_opt_add_value(out, q);
    mt_str_add(out, "\n");
  }
}

QUESTION(address_spaces) {
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef p = pointer_of(s->value[i].of);
    if (!p) continue;
    mt_opt_add_value(out, p);
    mt_str_addf(out, ": %s", space_name(mt_address_space(s, p)));
    if (mt_root_argument(p)) {
      mt_str_add(out, ", of ");
      mt_opt_add_value(out, mt_root_argument(p));
    }
    mt_str_add(out, mt_is_private(s, p) ? ", the thread's own\n" : "\n");
    add_overlaps(s, out, i, p);
  }
}

QUESTION(uniform_memory) {
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    if (!LLVMIsAAllocaInst(v->of)) continue;
    add_part(out, v, 0);
    mt_str_add(out, v->shared ? "one copy for all lanes\n"
                              : "a copy for each lane\n");
  }
}

QUESTION(matrices) {
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    if (!v->rows && !mt_is_product(v->of)) continue;
    mt_opt_add_value(out, v->of);
    mt_str_add(out, v->rows ? ": row by row" : ": two elements a lane");
    if (v->partner) {
      mt_str_addf(out, ", %s of a pair with ", v->second ? "second" : "first");
      mt_opt_add_value(out, v->partner->of);
    }
    mt_str_add(out, "\n");
  }
}

/* --------------------------------------------------------------- the table */

#define ROW(name, what, run) {name, what, run, .needs = 0}

static const mt_Pass questions[] = {
    ROW("uniformity", "values and branches: uniform, affine or varying",
        uniformity),
    ROW("affine", "base, offsets and factors of affine values", affine),
    ROW("blocks", "the order of blocks; where lanes part and meet", blocks),
    ROW("barriers", "which threads miss a barrier, and whether vectors wait",
        barriers),
    ROW("steps", "what an iteration adds to values; trip counts", steps),
    ROW("address-spaces", "the memory that pointers lead to, and overlaps",
        address_spaces),
    ROW("uniform-memory", "private arrays that hold the same in all lanes",
        uniform_memory),
    ROW("matrices", "simdgroup matrices that are kept row by row, and in pairs",
        matrices),
};

static const char *const none[] = {NULL};

const mt_PassTable mt_opt_analyse_questions = {
    "host/analyse", questions, sizeof questions / sizeof *questions, none,
    none};
