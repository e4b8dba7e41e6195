/*
** group_function.c - the function that runs a threadgroup.
**
** It calls a region for every SIMD-group before it goes on to the next region:
** that is the barrier. A kernel without barriers is one region; where it cannot
** tell its threadgroup (grid_rows.c) it runs along a row of the grid.
*/
#include <stddef.h>

#include "devices/host/plan/plan.h"
#include "devices/host/region/region.h"

typedef struct Group {
  const mt_Regions *regions;
  LLVMValueRef group, simdgroups; /* the function's argument; how many */
} Group;

/* The checker chooses the order of an instrumented kernel's SIMD-groups. */
static LLVMValueRef in_turn(mt_Spmd *s, LLVMValueRef i, LLVMValueRef n) {
  if (!s->probes || !s->probes->order) return i;
  LLVMValueRef args[] = {
      mt_group_field(s, offsetof(mt_Group, observer), s->ptr), i, n};
  return mt_call_runtime(s, s->probes->order, s->i32, args, 3);
}

typedef struct Each { /* a loop over the SIMD-groups */
  LLVMBasicBlockRef head, done;
  LLVMValueRef number, sg; /* the iteration, and the SIMD-group that it runs */
} Each;

static Each each_begin(mt_Spmd *s, LLVMValueRef simdgroups) {
  Each e = {mt_new_block(s, "each"), mt_new_block(s, "done"), NULL, NULL};
  LLVMBasicBlockRef from = LLVMGetInsertBlock(s->b);
  LLVMBuildBr(s->b, e.head);
  LLVMPositionBuilderAtEnd(s->b, e.head);
  e.number = LLVMBuildPhi(s->b, s->i32, "");
  LLVMValueRef zero = mt_const_i32(s, 0);
  LLVMAddIncoming(e.number, &zero, &from, 1);
  e.sg = in_turn(s, e.number, simdgroups);
  return e;
}

static void each_end(mt_Spmd *s, Each e, LLVMValueRef simdgroups) {
  LLVMValueRef next = LLVMBuildAdd(s->b, e.number, mt_const_i32(s, 1), "");
  LLVMBasicBlockRef from = LLVMGetInsertBlock(s->b);
  LLVMAddIncoming(e.number, &next, &from, 1);
  LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntULT, next, simdgroups, "");
  LLVMBuildCondBr(s->b, more, e.head, e.done);
  LLVMPositionBuilderAtEnd(s->b, e.done);
}

/* The frame of a SIMD-group; it starts with the number of its next region.
** Along rows, where there are no barriers, all have the first. */
static LLVMValueRef frame_of(mt_Spmd *s, Group *g, LLVMValueRef sg) {
  const mt_Regions *r = g->regions;
  if (!r->frame) return LLVMConstNull(s->ptr);
  LLVMValueRef all = mt_group_field(s, offsetof(mt_Group, spill), s->ptr);
  if (s->by_rows) return all;
  LLVMValueRef at = LLVMBuildMul(s->b, LLVMBuildZExt(s->b, sg, s->i64, ""),
                                 mt_const_i64(s, (int64_t)r->frame), "");
  return LLVMBuildGEP2(s->b, s->i8, all, &at, 1, "");
}

/* 'whole': all lanes are known to be in the grid. */
static LLVMValueRef call_region(mt_Spmd *s, Group *g, int n, LLVMValueRef sg,
                                bool whole) {
  LLVMValueRef args[4] = {g->group, sg, frame_of(s, g, sg),
                          LLVMConstInt(s->i1, whole, 0)};
  const mt_Regions *r = g->regions;
  return LLVMBuildCall2(s->b, r->type, r->region[n], args, 4, "");
}

/* Run region n for the SIMD-groups that wait for it: all of them, if the kernel
** follows Metal's rule that all threads reach a barrier. */
static void run_region(mt_Spmd *s, Group *g, int n) {
  Each e = each_begin(s, g->simdgroups);
  if (n > 0) {
    LLVMBasicBlockRef run = mt_new_block(s, "run"), over = mt_new_block(s, "");
    LLVMValueRef next = LLVMBuildLoad2(s->b, s->i32, frame_of(s, g, e.sg), "");
    LLVMValueRef mine =
        LLVMBuildICmp(s->b, LLVMIntEQ, next, mt_const_i32(s, n), "");
    LLVMBuildCondBr(s->b, mine, run, over);
    LLVMPositionBuilderAtEnd(s->b, run);
    LLVMValueRef then = call_region(s, g, n, e.sg, false);
    LLVMBuildStore(s->b, then, frame_of(s, g, e.sg));
    LLVMBuildBr(s->b, over);
    LLVMPositionBuilderAtEnd(s->b, over);
  } else {
    LLVMValueRef then = call_region(s, g, 0, e.sg, false);
    LLVMBuildStore(s->b, then, frame_of(s, g, e.sg));
  }
  each_end(s, e, g->simdgroups);
}

static void run_regions(mt_Spmd *s, Group *g) {
  LLVMBasicBlockRef choose = mt_new_block(s, "choose"),
                    end = mt_new_block(s, "end");
  run_region(s, g, 0);
  LLVMBuildBr(s->b, choose);
  /* the region that the first unfinished SIMD-group waits for */
  LLVMPositionBuilderAtEnd(s->b, choose);
  Each e = each_begin(s, g->simdgroups);
  LLVMBasicBlockRef found = mt_new_block(s, "found"), on = mt_new_block(s, "");
  LLVMValueRef next = LLVMBuildLoad2(s->b, s->i32, frame_of(s, g, e.sg), "");
  LLVMValueRef waits =
      LLVMBuildICmp(s->b, LLVMIntSGE, next, mt_const_i32(s, 0), "");
  LLVMBuildCondBr(s->b, waits, found, on);
  LLVMPositionBuilderAtEnd(s->b, on);
  each_end(s, e, g->simdgroups);
  LLVMBuildBr(s->b, end);

  LLVMPositionBuilderAtEnd(s->b, found);
  unsigned count = (unsigned)g->regions->count;
  LLVMValueRef which = LLVMBuildSwitch(s->b, next, end, count);
  for (int n = 1; n < g->regions->count; n++) {
    LLVMBasicBlockRef at = mt_new_block(s, "region");
    LLVMAddCase(which, mt_const_i32(s, n), at);
    LLVMPositionBuilderAtEnd(s->b, at);
    run_region(s, g, n);
    LLVMBuildBr(s->b, choose);
  }
  LLVMPositionBuilderAtEnd(s->b, end);
  LLVMBuildRetVoid(s->b);
}

/* Atomic, since only a fault makes anybody read it; a volatile store would keep
** everything after it in the loop. */
static void note_first(mt_Spmd *s, Group *g, LLVMValueRef first) {
  LLVMValueRef offset = mt_const_i64(s, offsetof(mt_Group, first));
  LLVMValueRef at = LLVMBuildGEP2(s->b, s->i8, g->group, &offset, 1, "");
  LLVMValueRef store = LLVMBuildStore(s->b, first, at);
  LLVMSetAlignment(store, 4);
  LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
}

/* What follows is for n > 0; '*over' comes after it. */
static void if_any(mt_Spmd *s, LLVMValueRef n, LLVMBasicBlockRef *over) {
  LLVMBasicBlockRef some = mt_new_block(s, "some");
  *over = mt_new_block(s, "over");
  LLVMValueRef zero = mt_const_i32(s, 0);
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntNE, n, zero, ""), some,
                  *over);
  LLVMPositionBuilderAtEnd(s->b, some);
}

/* The vectors of a row of which all lanes are in the grid, from thread 'from'
** on. */
static void run_whole(mt_Spmd *s, Group *g, LLVMValueRef from,
                      LLVMValueRef vectors) {
  LLVMBasicBlockRef over;
  if_any(s, vectors, &over);
  Each e = each_begin(s, vectors);
  LLVMValueRef first =
      LLVMBuildMul(s->b, e.sg, mt_const_i32(s, s->lanes), "");
  first = LLVMBuildAdd(s->b, from, first, "");
  note_first(s, g, first);
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  LLVMAddCallSiteAttribute(call_region(s, g, 0, first, true),
                           (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(s->context, kind, 0));
  each_end(s, e, vectors);
  LLVMBuildBr(s->b, over);
  LLVMPositionBuilderAtEnd(s->b, over);
}

/* The vector at thread 'first', of which only some lanes are in the grid, if
** there are 'any' of them. */
static void run_end(mt_Spmd *s, Group *g, LLVMValueRef first, LLVMValueRef note,
                    LLVMValueRef any) {
  LLVMBasicBlockRef over;
  if_any(s, any, &over);
  note_first(s, g, note);
  call_region(s, g, 0, first, false);
  LLVMBuildBr(s->b, over);
  LLVMPositionBuilderAtEnd(s->b, over);
}

/* A piece of a row (grid_rows.c): first the vectors of which all lanes are in
** the grid, in a loop of their own, out of which the addresses of rows and all
** else that is the same for the whole row can be hoisted; then the rest, unless
** it is known that there is none. */
static void run_row(mt_Spmd *s, Group *g) {
  LLVMValueRef lanes = mt_const_i32(s, s->lanes), zero = mt_const_i32(s, 0);
  LLVMValueRef threads =
      mt_group_field(s, offsetof(mt_Group, actual), s->i32);
  LLVMValueRef from = zero, shift = zero, left = threads;
  if (s->geometry->shifted) {
    s->sg = zero;
    shift = mt_row_shift(s, threads);
    from = LLVMBuildSub(s->b, lanes, shift, "");
    from = LLVMBuildURem(s->b, from, lanes, "");
    LLVMValueRef args[2] = {threads, from};
    left = mt_intrinsic(s, "llvm.usub.sat", &s->i32, 1, args, 2);
  }
  LLVMValueRef whole = LLVMBuildUDiv(s->b, left, lanes, "");
  LLVMValueRef rest = LLVMBuildURem(s->b, left, lanes, "");
  if (s->geometry->shifted)
    run_end(s, g, LLVMBuildNeg(s->b, shift, ""), zero, shift);
  run_whole(s, g, from, whole);
  LLVMValueRef last = LLVMBuildMul(s->b, whole, lanes, "");
  last = LLVMBuildAdd(s->b, from, last, "");
  if (!s->geometry->whole) run_end(s, g, last, last, rest);
  LLVMBuildRetVoid(s->b);
}

LLVMValueRef mt_group_function(mt_Spmd *s, const mt_Regions *regions) {
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(s->context), &s->ptr, 1, 0);
  s->fn = LLVMAddFunction(s->module, "mt_spmd_group", type);
  LLVMPositionBuilderAtEnd(s->b, mt_new_block(s, "entry"));
  Group g = {regions, LLVMGetParam(s->fn, 0), NULL};
  g.simdgroups = mt_geometry_simdgroups(s, g.group);
  if (regions->count > 1) {
    run_regions(s, &g);
  } else if (s->by_rows) {
    run_row(s, &g);
  } else {
    Each e = each_begin(s, g.simdgroups);
    call_region(s, &g, 0, e.sg, false);
    each_end(s, e, g.simdgroups);
    LLVMBuildRetVoid(s->b);
  }
  return s->fn;
}
