/*
** analysed_kernel.c - a prepared kernel with its facts, for vectors of a width:
** what every row of passes.c works on.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/emit/emit.h"
#include "devices/host/vectorise/steps.h"

/* Kernels above these sizes, in instructions, would take seconds to compile:
** LARGE ones get no full version, HUGE_KERNEL ones run thread by thread. */
#define LARGE 6000
#define HUGE_KERNEL 40000

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

void mt_spmd_free(mt_Spmd *s) {
  if (!s) return;
  mt_arena_free(&s->working);
  if (s->b) LLVMDisposeBuilder(s->b);
  free(s);
}

/* -------------------------------------------------------------- the kernel */

/* Where a failed allocation of the arena ends. The only place with a setjmp. */
bool mt_spmd_run(mt_SpmdStep *step, mt_Spmd *s, void *out) {
  if (setjmp(s->working.out)) {
    s->status = mt_error(s->err, MT_FAIL, "out of memory while kernel '%s' was "
                         "compiled", s->kernel->name);
    return false;
  }
  step(s, out);
  return true;
}

static void set_up(mt_Spmd *s, void *none) {
  (void)none;
  make_types(s);
  analyse(s);
}

mt_Spmd *mt_spmd_new(mt_Target *target, LLVMModuleRef module,
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
  mt_spmd_run(set_up, s, NULL);
  return s;
}

mt_Spmd *mt_spmd_variant(const mt_Spmd *s, const mt_Geometry *geometry,
                         int lanes, mt_Error *err) {
  return mt_spmd_new(s->target, s->module, s->kernel, geometry, s->probes,
                     lanes, err);
}

/* --------------------------------------------- for those who only ask */

mt_Spmd *mt_vectorise_analyse(mt_Target *target, LLVMModuleRef module,
                              const mt_MslKernel *kernel,
                              const mt_Geometry *geometry, mt_Error *err) {
  return mt_spmd_new(target, module, kernel, geometry, NULL, MT_LANES, err);
}

void mt_vectorise_analyse_free(mt_Spmd *s) { mt_spmd_free(s); }

bool mt_barriers_reconverge(mt_Target *target, LLVMModuleRef module,
                            const mt_MslKernel *kernel,
                            const mt_ProbeLowering *probes) {
  static const mt_Geometry any = {.size = {8, 4, 2},
                                  .ragged = {true, true, true}};
  mt_Error ignored;
  mt_Spmd *s =
      mt_spmd_new(target, module, kernel, &any, probes, MT_LANES, &ignored);
  bool well = s && (s->status == MT_OK || s->analysed);
  for (int i = 0; well && i < s->blocks; i++)
    well = !s->block[i].barrier || mt_cfg_may_miss(s, i);
  mt_spmd_free(s);
  return well;
}
