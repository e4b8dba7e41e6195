/*
** passes.c - the order of the steps from a prepared kernel to the function that
** runs a threadgroup of it as vectors.
**
** The one idea: the table at the end of this file. Its rows change the kernel
** as IR, find out facts about it, or choose how it becomes vectors. A choice is
** made by analysing the kernel in another way, and asking which is better.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/host/emit/emit.h"
#include "devices/host/plan/plan.h"
#include "devices/host/region/region.h"
#include "devices/host/vectorise/steps.h"

/* The answer of a step that asks something; false if memory ran out. */
static bool says(mt_SpmdStep *step, mt_Spmd *s, void *question,
                 const bool *answer) {
  return mt_spmd_run(step, s, question) && *answer;
}

/* Take the variant in place of the kernel, or drop it. */
static mt_Spmd *better(mt_Spmd *s, mt_Spmd *other, bool is_better) {
  if (is_better) other->err = s->err;
  mt_spmd_free(is_better ? s : other);
  return is_better ? other : s;
}

/* ------------------------------------------------------------ vector width */

static void ask_width(mt_Spmd *s, void *lanes) {
  *(int *)lanes = mt_vector_width(s);
}

static void ask_width_pays(mt_Spmd *wide, void *pays) {
  *(bool *)pays = mt_vector_width_pays(wide);
}

/* Change to another vector width, if that suits the kernel; the widest that is
** possible may not. */
static mt_Spmd *widen(mt_Spmd *s) {
  mt_Error ignored;
  int lanes = s->lanes;
  mt_spmd_run(ask_width, s, &lanes);
  for (; lanes != s->lanes;
       lanes = lanes == MT_MAX_LANES ? lanes / 2 : s->lanes) {
    mt_Spmd *wide = mt_spmd_variant(s, s->geometry, lanes, &ignored);
    bool pays = false;
    bool good = wide && wide->status == MT_OK &&
                says(ask_width_pays, wide, &pays, &pays);
    s = better(s, wide, good);
    if (good) break;
  }
  return s;
}

/* -------------------------------------------------------- rows of the grid */

typedef struct RowsQuestion {
  mt_Spmd *groups;
  bool pay;
} RowsQuestion;

static void ask_rows_pay(mt_Spmd *rows, void *question) {
  RowsQuestion *q = question;
  q->pay = mt_grid_rows_pay(q->groups, rows) &&
           (!rows->geometry->shifted || mt_row_alignment(rows));
}

static bool along(mt_Spmd **s, const mt_Geometry *row) {
  mt_Error ignored;
  mt_Spmd *rows = mt_spmd_variant(*s, row, (*s)->lanes, &ignored);
  RowsQuestion q = {*s, false};
  bool good =
      rows && rows->status == MT_OK && says(ask_rows_pay, rows, &q, &q.pay);
  if (good) rows->by_rows = true;
  *s = better(*s, rows, good);
  return good;
}

/* Change to groups along the rows of the grid, if that suits the kernel. */
static mt_Spmd *along_rows(mt_Spmd *s, mt_VectorFacts *facts) {
  static const mt_Geometry row[] = {
      [MT_ROWS_LONG] = {.size = {MT_ROW_THREADS, 1, 1}, .ragged = {true}},
      [MT_ROWS_WHOLE] = {.size = {MT_ROW_THREADS, 1, 1}, .ragged = {true},
                         .whole = true}},
      shifted = {.size = {MT_ROW_THREADS, 1, 1}, .ragged = {true},
                 .shifted = true};
  mt_GridRows rows = s->geometry->rows;
  facts->any_rows = s->lanes > MT_LANES || !mt_grid_rows_possible(s);
  if (rows == MT_ROWS_SHORT || facts->any_rows) return s;
  if (rows == MT_ROWS_LONG && s->cost->masks && along(&s, &shifted)) return s;
  along(&s, &row[rows]);
  return s;
}

/* -------------------------------------------------------------- transforms */

typedef struct Change {
  mt_TransformFacts *facts;
  bool changed;
} Change;

static void change_tiles(mt_Spmd *s, void *change) {
  Change *c = change;
  c->changed = mt_keep_tiles(s, c->facts);
}

static void change_sums(mt_Spmd *s, void *change) {
  Change *c = change;
  c->changed = mt_split_all_sums(s, c->facts);
}

/* Change the kernel, and analyse it again if it was changed. */
static mt_Status transform(mt_VectoriseUnit *u, mt_SpmdStep *step,
                           mt_Error *err) {
  Change c = {&u->facts->loops, false};
  mt_Spmd *s = u->s;
  if (!says(step, s, &c, &c.changed)) return s->status;
  u->s = mt_spmd_variant(s, s->geometry, s->lanes, err);
  if (u->s) u->s->by_rows = s->by_rows;
  mt_spmd_free(s);
  return u->s ? u->s->status : mt_error(err, MT_FAIL, "out of memory");
}

/* ---------------------------------------------------------------- the rows */

/* A row of the table: what it does with unit 'u'. */
#define PASS(name)                                              \
  static mt_Status do_##name(mt_VectoriseUnit *u, mt_Error *err); \
  static mt_Status name(void *unit, mt_Error *err) {            \
    return do_##name(unit, err);                                \
  }                                                             \
  static mt_Status do_##name(mt_VectoriseUnit *u, mt_Error *err)

static LLVMValueRef function_of(const mt_VectoriseUnit *u) {
  return LLVMGetNamedFunction(u->module, u->kernel->function);
}

PASS(hoist_barriers) {
  LLVMValueRef f = function_of(u);
  if (!f || !mt_hoist_barriers(f, u->kernel))
    return mt_error(err, MT_UNSUPPORTED, "no barrier can leave an if");
  mt_Status status = mt_canonicalise_loops(u->target, u->module, err);
  if (status == MT_OK) status = mt_verify(u->module, "barriers", err);
  return status == MT_OK ? MT_OK : MT_UNSUPPORTED;
}

PASS(order_products) {
  LLVMValueRef f = function_of(u);
  if (f) mt_order_products(f);
  (void)err;
  return MT_OK;
}

PASS(sink_guards) {
  LLVMValueRef f = function_of(u);
  if (f) mt_sink_guards(f);
  (void)err;
  return MT_OK;
}

PASS(analyse) {
  u->s = mt_spmd_new(u->target, u->module, u->kernel, u->geometry, u->probes,
                     MT_LANES, err);
  return u->s ? u->s->status : mt_error(err, MT_FAIL, "out of memory");
}

PASS(choose_width) {
  u->s = widen(u->s);
  (void)err;
  return u->s->status;
}

PASS(choose_rows) {
  u->s = along_rows(u->s, u->facts);
  (void)err;
  return u->s->status;
}

PASS(keep_tiles) {
  return u->s->barriers ? transform(u, change_tiles, err) : MT_OK;
}

PASS(split_sums) { return transform(u, change_sums, err); }

static void generate(mt_Spmd *s, void *unit) {
  mt_VectoriseUnit *u = unit;
  mt_VectorFacts *facts = u->facts;
  mt_regions_start(s);
  mt_plan_control_flow(s);
  mt_plan_start(s);
  mt_region_start(s);
  mt_emit_start(s);
  mt_regions_build(s, &u->group_function, &facts->spill_bytes);
  if (mt_streams(s))
    LLVMGetOrInsertNamedMetadata(s->module, MT_SHORT_REGISTERS,
                                 strlen(MT_SHORT_REGISTERS));
  facts->lanes = s->lanes;
  facts->by_rows = s->by_rows;
  facts->threadgroup_bytes = mt_threadgroup_size(s->module);
  if (facts->list) mt_access_report(s, facts);
  /* no longer called: LLVM drops it */
  LLVMSetLinkage(s->old, LLVMInternalLinkage);
}

PASS(emit) {
  mt_spmd_run(generate, u->s, u);
  (void)err;
  return u->s->status;
}

/* --------------------------------------------------------------- the table */

enum {
  PROBES = MT_VECTORISE_INSTRUMENTED,
  HOISTING = MT_VECTORISE_HOISTING,

  FACTS = MT_FORM_FACTS,
  WIDTH = MT_FORM_WIDTH,
  GROUPS = MT_FORM_GROUPS
};

/* (What is instrumented stays in the order of the source.) */
static const mt_Pass passes[] = {
    {"hoist-barriers", "barriers leave divergent ifs", hoist_barriers,
     .only = HOISTING, .breaks = FACTS},
    {"order-products", "products with the same sums, one after the other",
     order_products, .skip = PROBES, .breaks = FACTS},
    {"sink-guards", "comparisons of positions are beside their branches",
     sink_guards, .skip = PROBES, .breaks = FACTS},
    {"analyse", "blocks, shapes, divergent branches: can it become vectors?",
     analyse, .gives = FACTS},
    {"choose-width", "how many threads a vector has", choose_width,
     .needs = FACTS, .gives = WIDTH},
    {"choose-rows", "groups along the rows of the grid, or as launched",
     choose_rows, .needs = FACTS | WIDTH, .gives = GROUPS},
    {"keep-tiles", "tiles of all iterations are filled at once", keep_tiles,
     .skip = PROBES, .needs = FACTS | GROUPS},
    {"split-sums", "a loop that adds up matrices becomes several", split_sums,
     .skip = PROBES, .needs = FACTS | GROUPS},
    {"emit", "the function that runs a threadgroup, made of vectors", emit,
     .needs = FACTS | GROUPS},
};

static const char *const modes[] = {"instrumented", "hoisting", NULL};
static const char *const forms[] = {"facts are known",
                                    "the width of vectors is chosen",
                                    "groups are chosen", NULL};

const mt_PassTable mt_vectorise_passes = {
    "host/vectorise", passes, sizeof passes / sizeof *passes, modes, forms};

mt_Status mt_vectorise(mt_Target *target, LLVMModuleRef module,
                       const mt_MslKernel *kernel, const mt_Geometry *geometry,
                       const mt_ProbeLowering *probes,
                       LLVMValueRef *group_function, mt_VectorFacts *facts,
                       mt_Error *err) {
  mt_VectoriseUnit u = {.target = target, .module = module, .kernel = kernel,
                        .geometry = geometry, .probes = probes,
                        .facts = facts};
  if (probes) u.state.modes |= PROBES;
  if (facts->hoisting) u.state.modes |= HOISTING;
  *facts = (mt_VectorFacts){.list = facts->list, .hoisting = facts->hoisting};
  mt_Status status = mt_passes_run(&mt_vectorise_passes, &u, err);
  *group_function = u.group_function;
  mt_spmd_free(u.s);
  return status;
}
