/*
** barrier_regions.c - barriers cut a kernel into regions.
**
** The one idea: a barrier ends a region. A region is a function of the
** SIMD-group's number that runs from the kernel's start, or from after a
** barrier, to the next barrier or the end, and returns the number of the next
** region. What is live across a barrier is spilled to a frame for each
** SIMD-group (frame.c). The group function (group_function.c) calls them.
*/
#include <string.h>

#include "base/align.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/host/access/access.h"
#include "devices/host/emit/emit.h"
#include "devices/host/region/region.h"
#include "devices/host/strategy/strategy.h"
#include "devices/host/vectorise/steps.h"

/* bytes of private memory that are kept on the stack */
#define MAX_STACK_ARENA (1 << 16)
#define MAX_TANGLE 150 /* divergent branches times blocks */

/* ------------------------------------------------ what all regions share */

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

void mt_regions_start(mt_Spmd *s) {
  make_region_tables(s);
  make_cells(s);
}

/* -------------------------------------------------------------- one region */

static void reach(mt_Spmd *s, int block) {
  if (s->inside[block]) return;
  s->inside[block] = true;
  if (s->block[block].barrier) return;
  for (int i = 0; i < s->block[block].succs; i++)
    reach(s, s->block[block].succ[i]);
}

/* Mark a value to rematerialise and all its operands. */
static void need(mt_Spmd *s, bool *needed, LLVMValueRef v) {
  mt_Value *x = mt_value(s, v);
  if (!x || x->block < 0 || needed[x - s->value]) return;
  needed[x - s->value] = true;
  for (int n = 0; n < LLVMGetNumOperands(v); n++)
    need(s, needed, LLVMGetOperand(v, (unsigned)n));
}

static void read_frame(mt_Spmd *s, int start) {
  bool *needed = mt_new(s, (size_t)s->values + 1, 1);
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (!mt_set_has(s->block[start].live, i)) continue;
    if (v->rematerialise)
      need(s, needed, v->of);
    else
      mt_frame_value(s, v, v->spill, -1);
  }
  s->making++, s->full = true, s->mask = s->all_on;
  for (int i = 0; i < s->values; i++)
    if (needed[i]) mt_instr_emit(s, s->value[i].of);
  mt_drop(s, needed);
}

/* Private memory of a SIMD-group: that of each lane, and after it what all
** lanes share. */
static size_t lanes_bytes(const mt_Spmd *s) {
  return mt_align_up(s->private_bytes * (size_t)s->lanes, 128);
}

/* The arrays that all lanes share: in the frame, or each by itself. */
static void make_shared(mt_Spmd *s, bool framed) {
  for (int i = 0; s->shared_bytes && i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (!v->shared) continue;
    LLVMTypeRef t = LLVMGetAllocatedType(v->of);
    uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(v->of, 0));
    if (framed)
      v->memory = mt_frame_field(
          s, mt_region_state(s)->spill_bytes + lanes_bytes(s) + v->place);
    else
      v->memory = mt_entry_alloca(s, n == 1 ? t : LLVMArrayType2(t, n), 16);
  }
}

static void make_memory(mt_Spmd *s, size_t frame) {
  s->spill = frame ? LLVMGetParam(s->fn, 2) : NULL;
  s->scratch = mt_entry_alloca(s, LLVMArrayType2(s->i8, 128), 128);
  bool framed = frame > mt_region_state(s)->spill_bytes;
  make_shared(s, framed);
  size_t arena = s->private_bytes * (size_t)s->lanes;
  if (!arena) return;
  if (framed)
    s->arena = mt_frame_field(s, mt_region_state(s)->spill_bytes);
  else
    s->arena = mt_entry_alloca(s, LLVMArrayType2(s->i8, arena), 128);
}

/* Only this pointer leads to the frame, unless it contains private arrays. */
static void frame_is_noalias(mt_Spmd *s) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
  LLVMAddAttributeAtIndex(s->fn, 3,
                          LLVMCreateEnumAttribute(s->context, kind, 0));
}

static LLVMValueRef region(mt_Spmd *s, LLVMTypeRef type, int start,
                           size_t frame) {
  s->fn = LLVMAddFunction(s->module, "mt_region", type);
  LLVMSetLinkage(s->fn, LLVMInternalLinkage);
  if (frame == mt_region_state(s)->spill_bytes) frame_is_noalias(s);
  s->group = LLVMGetParam(s->fn, 0), s->sg = LLVMGetParam(s->fn, 1);
  s->entry = mt_new_block(s, "entry");
  LLVMBasicBlockRef body = mt_new_block(s, "body");
  mt_emit_state(s)->leave = mt_new_block(s, "leave");
  memset(s->inside, 0, (size_t)s->blocks * sizeof *s->inside);
  s->start = start;
  reach(s, start);

  LLVMPositionBuilderAtEnd(s->b, body);
  mt_plan_region(s);
  make_memory(s, frame);
  mt_slots_make(s);
  if (frame) mt_frame_slots(s);
  mt_inactive_cells_make(s);
  LLVMValueRef mask = s->all_on;
  if (start == 0) {
    for (unsigned k = 0; k < s->cells; k++)
      LLVMBuildStore(s->b, LLVMConstNull(s->held_type[k]), s->held[k]);
    mask = LLVMBuildSelect(s->b, LLVMGetParam(s->fn, 3), mask,
                           mt_geometry_mask(s), "");
  } else {
    read_frame(s, start);
    mt_frame_held(s, mt_region_state(s)->held_at, -1);
    mask = LLVMBuildLoad2(s->b, s->bits, mt_frame_field(s, 16), "");
    mask = LLVMBuildBitCast(s->b, mask, s->v_i1, "");
  }
  mt_prefetch_now(s);
  mt_control_flow_enter(s, start, mask);
  mt_control_flow_emit(s);
  LLVMPositionBuilderAtEnd(s->b, mt_emit_state(s)->leave);
  LLVMBuildRet(s->b, mt_const_i32(s, MT_REGION_DONE));
  LLVMPositionBuilderAtEnd(s->b, s->entry);
  LLVMBuildBr(s->b, body);
  return s->fn;
}

static void all_regions(mt_Spmd *s, mt_Regions *r) {
  LLVMTypeRef args[4] = {s->ptr, s->i32, s->ptr, s->i1};
  r->type = LLVMFunctionType(s->i32, args, 4, 0);
  r->region = mt_new(s, (size_t)s->blocks + 1, sizeof *r->region);
  r->region[r->count++] = region(s, r->type, 0, r->frame);
  for (int i = 0; i < s->blocks && s->status == MT_OK; i++)
    if (s->block[i].barrier)
      r->region[r->count++] =
          region(s, r->type, s->block[i].succ[0], r->frame);
}

mt_Status mt_regions_build(mt_Spmd *s, LLVMValueRef *out, size_t *spill_bytes) {
  mt_Regions regions = {0};
  const uint32_t *n = s->geometry->size;
  size_t simdgroups =
      ((size_t)n[0] * n[1] * n[2] + (size_t)s->lanes - 1) / (size_t)s->lanes;
  size_t arena = lanes_bytes(s) + s->shared_bytes;
  if (s->barriers) {
    mt_frame_lay_out(s);
    regions.frame = mt_region_state(s)->spill_bytes;
  }
  if (arena && (s->barriers || arena > MAX_STACK_ARENA))
    regions.frame = mt_region_state(s)->spill_bytes + mt_align_up(arena, 128);
  all_regions(s, &regions);
  if (s->status == MT_OK) *out = mt_group_function(s, &regions);
  *spill_bytes = regions.frame * simdgroups;
  mt_drop(s, regions.region);
  return s->status;
}
