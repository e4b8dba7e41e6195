/*
** passes_ir.c - the rewrites of compiler/ir, which other rooms call between
** their own passes, as rows for mettle opt.
*/
#include <stdlib.h>

#include "devices/opt/unit.h"

#define PASS(name) static mt_Status name(void *unit, mt_Error *err)

PASS(count_loops) {
  mt_OptUnit *u = unit;
  mt_LoopNest nest;
  mt_Status status = mt_loop_nest_make(u->function, &nest, err);
  size_t loops = status == MT_OK ? (size_t)nest.loop_count : 0;
  LLVMValueRef *counter = calloc(loops + 1, sizeof *counter);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
  for (size_t i = 0; counter && i < loops; i++)
    mt_loop_counters_add(&nest, u->function, b, counter, (int)i);
  LLVMDisposeBuilder(b);
  free(counter);
  mt_loop_nest_free(&nest);
  return status;
}

PASS(drop_reference_facts) {
  mt_OptUnit *u = unit;
  (void)err;
  mt_drop_reference_facts(u->function);
  return MT_OK;
}

PASS(trap_unreachable) {
  mt_OptUnit *u = unit;
  (void)err;
  mt_trap_unreachable(u->module);
  return MT_OK;
}

/* The memory is that of the kernel's first parameter. */
PASS(bind_threadgroup) {
  mt_OptUnit *u = unit;
  if (!LLVMCountParams(u->function))
    return mt_error(err, MT_BADARG, "the kernel has no parameter whose memory "
                    "could be the threadgroup's");
  mt_threadgroup_bind(
      u->function, LLVMGetParam(u->function, 0),
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(u->function)));
  return MT_OK;
}

PASS(prepare) { return mt_opt_prepare_all(unit, err); }

#define ROW(name, what, run) {name, what, run, .needs = 0}

static const mt_Pass passes[] = {
    ROW("prepare", "all passes of compiler/prepare that a plain launch has",
        prepare),
    ROW("count-loops", "variables that count the iterations of loops",
        count_loops),
    ROW("drop-reference-facts", "references may be null or dangling",
        drop_reference_facts),
    ROW("trap-unreachable", "unreachable code traps", trap_unreachable),
    ROW("bind-threadgroup", "threadgroup variables are at their places in the "
        "memory of the first parameter", bind_threadgroup),
};

static const char *const none[] = {NULL};

const mt_PassTable mt_opt_ir_passes = {
    "compiler/ir", passes, sizeof passes / sizeof *passes, none, none};
