/*
** access.c - loads and stores of 32 lanes, one scalar part at a time.
**
** The one idea: what an access can be is an ordered table. The first row that
** applies is the plan; each row is a file that chooses and emits. Where lanes
** store to the same address, the highest one wins, in every row.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/access/parts.h"

/* ------------------------------------------------------------------ offsets */

LLVMValueRef mt_byte_offset(mt_Spmd *s, LLVMValueRef p, int64_t offset) {
  LLVMValueRef at = mt_const_i64(s, offset);
  return offset ? LLVMBuildGEP2(s->b, s->i8, p, &at, 1, "") : p;
}

LLVMValueRef mt_memory_lanes(mt_Spmd *s, LLVMValueRef pointer,
                             mt_PointerSpace space) {
  LLVMValueRef at = mt_vector(s, pointer, 0);
  if (space == MT_POINTER_PRIVATE || space == MT_POINTER_UNKNOWN)
    return mt_private_address(s, at, space == MT_POINTER_UNKNOWN);
  return at;
}

/* ------------------------------------------------------- a uniform address */

/* The value of the highest active lane. */
static LLVMValueRef last_lane(mt_Spmd *s, LLVMValueRef x) {
  if (s->full)
    return LLVMBuildExtractElement(s->b, x, mt_const_i64(s, s->lanes - 1), "");
  LLVMValueRef args[2] = {mt_mask_bits(s, s->mask), LLVMConstInt(s->i1, 0, 0)};
  LLVMValueRef above = mt_intrinsic(s, "llvm.ctlz", &s->bits, 1, args, 2);
  LLVMValueRef top = LLVMConstInt(s->bits, (uint64_t)s->lanes - 1, 0);
  LLVMValueRef l = LLVMBuildSub(s->b, top, above, "");
  l = LLVMBuildTrunc(s->b, l, LLVMIntTypeInContext(s->context, 8), "");
  return LLVMBuildExtractElement(s->b, x, l, "");
}

/* Constant memory is not written during a launch, as prepare.c says too. */
static bool is_constant(mt_Spmd *s, const mt_LaneAccess *a) {
  const mt_Param *p =
      mt_parameter(s->kernel, s->old, mt_underlying_object(a->pointer));
  return p && p->constant && !a->is_volatile;
}

static bool uniform_choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                           mt_PartPlan *plan) {
  (void)write;
  plan->how = MT_ACCESS_UNIFORM;
  return mt_part_kind(s, a->pointer, 0) == MT_SHAPE_UNIFORM;
}

static LLVMValueRef uniform_address(mt_Spmd *s, const mt_LaneAccess *a) {
  return mt_byte_offset(s, mt_uniform(s, a->pointer, 0), a->offset);
}

static mt_LaneValue uniform_read(mt_Spmd *s, const mt_LaneAccess *a,
                                 const mt_PartPlan *plan) {
  (void)plan;
  LLVMValueRef x =
      LLVMBuildLoad2(s->b, a->type, uniform_address(s, a), "");
  LLVMSetAlignment(x, a->align);
  LLVMSetVolatile(x, a->is_volatile);
  if (is_constant(s, a)) mt_mark_invariant(s, x);
  return (mt_LaneValue){x, true};
}

static void uniform_write(mt_Spmd *s, const mt_LaneAccess *a,
                          const mt_PartPlan *plan, mt_LaneValue g) {
  (void)plan;
  LLVMValueRef at = uniform_address(s, a);
  LLVMValueRef x = g.uniform ? g.value : last_lane(s, g.value);
  LLVMValueRef st = LLVMBuildStore(s->b, x, at);
  LLVMSetAlignment(st, a->align);
  LLVMSetVolatile(st, a->is_volatile);
}

const mt_PartStrategy mt_part_uniform = {uniform_choose, uniform_read,
                                         uniform_write};

/* --------------------------------------------------------------- the table */

/* The first that applies is taken. */
static const mt_PartStrategy *const strategies[] = {
    &mt_part_private, &mt_part_uniform, &mt_part_masked_run, &mt_part_runs,
    &mt_part_table,   &mt_part_tile,    &mt_part_tested,     &mt_part_gather};

mt_PartPlan mt_access_choose_part(mt_Spmd *s, const mt_LaneAccess *a,
                                  bool write) {
  for (size_t i = 0;; i++) {
    mt_PartPlan plan = {.by = strategies[i]};
    if (plan.by->choose(s, a, write, &plan)) return plan;
  }
}

static const struct {
  const char *name[2]; /* of a load, of a store */
  int cost;
} told[] = {
    {{"", ""}, 0},
#define MT_ACCESS_TOLD(name, load, store, cost) {{load, store}, cost},
    MT_ACCESS_TABLE(MT_ACCESS_TOLD)
#undef MT_ACCESS_TOLD
};

const char *mt_access_strategy_name(mt_AccessStrategy how, bool store) {
  return told[how].name[store];
}

int mt_access_cost(mt_AccessStrategy how) { return told[how].cost; }

/* ----------------------------------------------------------------- accesses */

static bool is_bool(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(t) == 1;
}

mt_LaneValue mt_access_read(mt_Spmd *s, const mt_LaneAccess *a) {
  if (is_bool(a->type)) { /* a bool takes a byte */
    mt_LaneAccess byte = *a;
    byte.type = s->i8;
    mt_LaneValue g = mt_access_read(s, &byte);
    g.value = LLVMBuildTrunc(s->b, g.value, g.uniform ? s->i1 : s->v_i1, "");
    return g;
  }
  mt_PartPlan plan = a->plan ? *a->plan : mt_access_choose_part(s, a, false);
  return plan.by->read(s, a, &plan);
}

void mt_access_write(mt_Spmd *s, const mt_LaneAccess *a, mt_LaneValue g) {
  if (is_bool(a->type)) {
    mt_LaneAccess byte = *a;
    byte.type = s->i8;
    g.value = LLVMBuildZExt(s->b, g.value,
                            g.uniform ? s->i8 : mt_vector_of(s, s->i8), "");
    mt_access_write(s, &byte, g);
    return;
  }
  mt_PartPlan plan = a->plan ? *a->plan : mt_access_choose_part(s, a, true);
  plan.by->write(s, a, &plan, g);
}

static unsigned align_at(unsigned align, int64_t offset) {
  if (align == 0) align = 1;
  while (offset % align) align /= 2;
  return align;
}

mt_LaneAccess mt_access_of(mt_Spmd *s, LLVMValueRef i, unsigned part) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  mt_LaneAccess a = {.instr = i, .pointer = LLVMGetOperand(i, store),
                     .type = mt_type_part(t, part)};
  a.offset = (int64_t)mt_type_offset(s, t, part);
  a.align = align_at(LLVMGetAlignment(i), a.offset);
  a.space = mt_address_space(s, a.pointer);
  a.is_volatile = LLVMGetVolatile(i);
  return a;
}
