/*
** vectorise.c - from a prepared kernel to the function that runs a threadgroup
** of it as vectors: the order of the steps, and their set-up.
*/
#include "devices/host/vectorise/vectorise.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/emit/emit.h"
#include "devices/host/plan/plan.h"
#include "devices/host/region/region.h"
#include "devices/host/vectorise/steps.h"

/* Kernels above these sizes, in instructions, would take seconds to compile:
** LARGE ones get no full version, HUGE_KERNEL ones run thread by thread. */
#define LARGE 6000
#define HUGE_KERNEL 40000
#define MAX_TANGLE 150 /* divergent branches times blocks */

static void make_types(mt_Spmd *s) {
  LLVMContextRef c = s->context = LLVMGetModuleContext(s->module);
  s->b = LLVMCreateBuilderInContext(c);
  s->layout = LLVMGetModuleDataLayout(s->module);
  s->i1 = LLVMInt1TypeInContext(c), s->i8 = LLVMInt8TypeInContext(c);
  s->i16 = LLVMInt16TypeInContext(c), s->i32 = LLVMInt32TypeInContext(c);
  s->i64 = LLVMInt64TypeInContext(c), s->f32 = LLVMFloatTypeInContext(c);
  s->ptr = LLVMPointerTypeInContext(c, 0);
  s->bits = LLVMIntTypeInContext(c, (unsigned)s->lanes);
  s->v_i1 = mt_vector_of(s, s->i1), s->v_i32 = mt_vector_of(s, s->i32);
  s->v_i64 = mt_vector_of(s, s->i64);
  s->all_on = LLVMConstAllOnes(s->v_i1), s->all_off = LLVMConstNull(s->v_i1);
  int64_t lane[MT_MAX_LANES];
  for (int l = 0; l < s->lanes; l++) lane[l] = l;
  s->lane = mt_const_vector(s, s->i32, lane);
}

/* Offsets of the kernel's allocas in a thread's private memory, or in the
** memory that all lanes share. */
static void place_allocas(mt_Spmd *s) {
  s->private_bytes = s->shared_bytes = 0;
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0 || !LLVMIsAAllocaInst(v->of)) continue;
    LLVMValueRef n = LLVMGetOperand(v->of, 0);
    if (!LLVMIsAConstantInt(n)) {
      mt_unsupported(s, "an array of a size that is not known");
      return;
    }
    size_t size = LLVMABISizeOfType(s->layout, LLVMGetAllocatedType(v->of));
    size_t *end = v->shared ? &s->shared_bytes : &s->private_bytes;
    v->place = *end;
    *end += (size * LLVMConstIntGetZExtValue(n) + 15) / 16 * 16;
  }
}

/* Which arrays are shared is known after the analysis: their pointers now lead
** to memory of another kind. */
static void place_shared(mt_Spmd *s) {
  place_allocas(s);
  for (int i = 0; s->shared_bytes && i < s->values; i++) s->value[i].space = -1;
}

static void check_barriers(mt_Spmd *s) {
  for (int i = 0; i < s->blocks; i++)
    if (s->block[i].barrier && !mt_cfg_can_wait(s, i)) {
      LLVMValueRef barrier = LLVMGetPreviousInstruction(s->block[i].end);
      unsigned line = LLVMGetDebugLocLine(barrier);
      char in_line[32] = "";
      if (line) snprintf(in_line, sizeof in_line, ", in line %u", line);
      mt_unsupported(s, "a barrier that not all threads may reach%s", in_line);
    }
}

static mt_Status analyse(mt_Spmd *s) {
  if (mt_cfg_build(s) != MT_OK || mt_values_build(s) != MT_OK) return s->status;
  if (s->values > HUGE_KERNEL)
    return mt_unsupported(s, "%d instructions, too many for vectors",
                          s->values);
  place_allocas(s);
  s->mode = mt_geometry_mode(s);
  if (s->status != MT_OK || mt_shape_analyse(s) != MT_OK) return s->status;
  s->analysed = true;
  place_shared(s);
  check_barriers(s);
  mt_matrix_layout_choose(s);
  mt_matrix_pairs_choose(s);
  const uint32_t *n = s->geometry->size;
  s->needs_full = n[0] * n[1] * n[2] >= (uint32_t)s->lanes;
  s->needs_masks = mt_geometry_partial(s);
  for (int i = 0; i < s->blocks; i++) s->needs_masks |= s->block[i].divergent;
  if (s->values > LARGE && s->needs_masks) s->needs_full = false;
  return s->status;
}

/* The full and the masked version rejoin after each divergent branch. If some
** lanes also stay inactive for good, from the start or since they returned, all
** values that blocks of both versions keep in slots would be merged there:
** LLVM's work would grow with the square of the number of branches. */
static bool is_tangled(const mt_Spmd *s) {
  int meeting = 0, parting = mt_geometry_partial(s);
  for (int i = 0; i < s->blocks; i++) {
    if (!s->block[i].divergent) continue;
    bool meets = mt_cfg_reconverges(s, &s->block[i]);
    meeting += meets, parting += !meets;
  }
  return s->needs_full && parting && meeting * s->blocks > MAX_TANGLE;
}

static void make_region_tables(mt_Spmd *s) {
  size_t n = (size_t)s->blocks + 1;
  s->inside = mt_new(s, n, sizeof *s->inside);
  s->twofold = is_tangled(s);
  for (int i = 0; i < 2; i++)
    s->masked[i] = (mt_MaskedBlocks){.partial = mt_new(s, n, sizeof(bool)),
                                     .passed = mt_new(s, n, sizeof(bool))};
  mt_cfg_partial(s, &s->masked[0], true, !s->twofold);
  if (s->twofold) mt_cfg_partial(s, &s->masked[1], false, true);
  if (!s->needs_full || mt_geometry_partial(s))
    memset(s->masked[s->twofold].partial, true, (size_t)s->blocks);
}

/* Cells for the values of inactive lanes. */
static void make_cells(mt_Spmd *s) {
  s->cells = mt_inactive_cell_count(s->old);
  s->held_type = mt_new(s, s->cells + 1, sizeof *s->held_type);
  s->held = mt_new(s, s->cells + 1, sizeof *s->held);
  for (unsigned k = 0; k < s->cells; k++) s->held_type[k] = s->v_i32;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (strncmp(mt_callee(v), MT_HOLD, strlen(MT_HOLD))) continue;
    s->held_type[LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0))] =
        mt_vector_of(s, LLVMTypeOf(LLVMGetOperand(v, 1)));
  }
}

static void release(mt_Spmd *s) {
  if (!s) return;
  mt_arena_free(&s->working);
  if (s->b) LLVMDisposeBuilder(s->b);
  free(s);
}

/* ------------------------------------------------------------------- steps */

/* Does something with the kernel, and what comes of it to 'out'. */
typedef void Step(mt_Spmd *s, void *out);

/* Where a failed allocation of the arena ends: the kernel, which may be half
** rewritten, is given up. The only place with a setjmp; false: it came here. */
static bool run(Step *step, mt_Spmd *s, void *out) {
  if (setjmp(s->working.out)) {
    s->status = mt_error(s->err, MT_FAIL, "out of memory while kernel '%s' was "
                         "compiled", s->kernel->name);
    return false;
  }
  step(s, out);
  return true;
}

/* The answer of a step that asks something; false if memory ran out. */
static bool says(Step *step, mt_Spmd *s, void *question, const bool *answer) {
  return run(step, s, question) && *answer;
}

static void set_up(mt_Spmd *s, void *none) {
  (void)none;
  make_types(s);
  analyse(s);
}

/* Set up and analyse the kernel for vectors of 'lanes' lanes; NULL: out of
** memory. */
static mt_Spmd *start(mt_Target *target, LLVMModuleRef module,
                      const mt_MslKernel *kernel, const mt_Geometry *geometry,
                      const mt_ProbeLowering *probes, int lanes,
                      mt_Error *err) {
  mt_EmitState *whole = calloc(1, sizeof *whole);
  if (!whole) return NULL;
  mt_Spmd *s = &whole->below.below.below.head;
  s->lanes = lanes;
  s->probes = probes;
  s->target = target, s->cost = mt_target_costs(target);
  s->err = err, s->module = module, s->kernel = kernel, s->geometry = geometry;
  s->old = LLVMGetNamedFunction(module, kernel->function);
  if (!s->old) {
    s->status =
        mt_error(err, MT_FAIL, "no kernel '%s' in its module", kernel->name);
    return s;
  }
  s->noalias =
      LLVMGetStringAttributeAtIndex(s->old, LLVMAttributeFunctionIndex,
                                    MT_NOALIAS, strlen(MT_NOALIAS)) != NULL;
  run(set_up, s, NULL);
  return s;
}

/* The same kernel with another width or geometry, to be compared. */
static mt_Spmd *variant(const mt_Spmd *s, const mt_Geometry *geometry,
                        int lanes, mt_Error *err) {
  return start(s->target, s->module, s->kernel, geometry, s->probes, lanes,
               err);
}

/* Take the variant in place of the kernel, or drop it. */
static mt_Spmd *better(mt_Spmd *s, mt_Spmd *other, bool is_better) {
  if (is_better) other->err = s->err;
  release(is_better ? s : other);
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
  run(ask_width, s, &lanes);
  for (; lanes != s->lanes;
       lanes = lanes == MT_MAX_LANES ? lanes / 2 : s->lanes) {
    mt_Spmd *wide = variant(s, s->geometry, lanes, &ignored);
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
  mt_Spmd *rows = variant(*s, row, (*s)->lanes, &ignored);
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

static void keep_tiles(mt_Spmd *s, void *change) {
  Change *c = change;
  c->changed = mt_keep_tiles(s, c->facts);
}

static void split_sums(mt_Spmd *s, void *change) {
  Change *c = change;
  c->changed = mt_split_all_sums(s, c->facts);
}

/* Change the kernel, and analyse it again if it was changed. */
static mt_Spmd *transform(mt_Spmd *s, Step *step, mt_TransformFacts *facts) {
  Change c = {facts, false};
  if (!says(step, s, &c, &c.changed)) return s;
  mt_Spmd *changed = start(s->target, s->module, s->kernel, s->geometry, NULL,
                           s->lanes, s->err);
  release(s);
  return changed;
}

/* Keep tiles from threadgroup to threadgroup, and divide what is added up, if
** that suits the kernel. */
static mt_Spmd *with_kept_tiles(mt_Spmd *s, mt_VectorFacts *facts) {
  if (s->barriers) s = transform(s, keep_tiles, &facts->loops);
  return s && s->status == MT_OK ? transform(s, split_sums, &facts->loops) : s;
}

/* --------------------------------------------------------------- the whole */

mt_Spmd *mt_vectorise_analyse(mt_Target *target, LLVMModuleRef module,
                              const mt_MslKernel *kernel,
                              const mt_Geometry *geometry, mt_Error *err) {
  return start(target, module, kernel, geometry, NULL, MT_LANES, err);
}

void mt_vectorise_analyse_free(mt_Spmd *s) { release(s); }

bool mt_barriers_reconverge(mt_Target *target, LLVMModuleRef module,
                            const mt_MslKernel *kernel,
                            const mt_ProbeLowering *probes) {
  static const mt_Geometry any = {.size = {8, 4, 2},
                                  .ragged = {true, true, true}};
  mt_Error ignored;
  mt_Spmd *s = start(target, module, kernel, &any, probes, MT_LANES, &ignored);
  bool well = s && (s->status == MT_OK || s->analysed);
  for (int i = 0; well && i < s->blocks; i++)
    well = !s->block[i].barrier || mt_cfg_may_miss(s, i);
  release(s);
  return well;
}

typedef struct Output {
  LLVMValueRef *group_function;
  mt_VectorFacts *facts;
} Output;

static void emit(mt_Spmd *s, void *output) {
  mt_VectorFacts *facts = ((Output *)output)->facts;
  make_region_tables(s);
  make_cells(s);
  mt_plan_control_flow(s);
  mt_plan_start(s);
  mt_region_start(s);
  mt_emit_start(s);
  mt_regions_build(s, ((Output *)output)->group_function, &facts->spill_bytes);
  facts->lanes = s->lanes;
  facts->by_rows = s->by_rows;
  facts->threadgroup_bytes = mt_threadgroup_size(s->module);
  if (facts->list) mt_access_report(s, facts);
  /* no longer called: LLVM drops it */
  LLVMSetLinkage(s->old, LLVMInternalLinkage);
}

mt_Status mt_vectorise(mt_Target *target, LLVMModuleRef module,
                       const mt_MslKernel *kernel, const mt_Geometry *geometry,
                       const mt_ProbeLowering *probes,
                       LLVMValueRef *group_function, mt_VectorFacts *facts,
                       mt_Error *err) {
  *group_function = NULL;
  *facts = (mt_VectorFacts){.list = facts->list};
  LLVMValueRef function = LLVMGetNamedFunction(module, kernel->function);
  /* what is instrumented stays in the order of the source */
  if (function && !probes) {
    mt_order_products(function);
    mt_sink_guards(function);
  }
  mt_Spmd *s = start(target, module, kernel, geometry, probes, MT_LANES, err);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  if (s->status == MT_OK) s = along_rows(widen(s), facts);
  if (s->status == MT_OK) s = with_kept_tiles(s, facts);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  if (s->status == MT_OK) run(emit, s, &(Output){group_function, facts});
  mt_Status status = s->status;
  release(s);
  return status;
}
