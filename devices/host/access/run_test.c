/*
** run_test.c - accesses that are contiguous if a test at run time says so, else
** gathered or scattered (contiguity_guarded.c and contiguity_tested.c have the
** tests).
*/
#include "devices/host/access/parts.h"

/* scattered accesses of a kernel, from which on none is tested for contiguity:
** each test doubles the code */
#define MAX_SCATTERED_TESTED 64

mt_RuntimeBranch mt_runtime_branch(mt_Spmd *s, LLVMValueRef question) {
  mt_RuntimeBranch f = {mt_new_block(s, "scattered"), NULL,
                        mt_new_block(s, "")};
  LLVMBasicBlockRef yes = mt_new_block(s, "near");
  LLVMBuildCondBr(s->b, question, yes, f.no);
  LLVMPositionBuilderAtEnd(s->b, yes);
  return f;
}

void mt_runtime_branch_else(mt_Spmd *s, mt_RuntimeBranch *f) {
  f->yes_end = LLVMGetInsertBlock(s->b);
  LLVMBuildBr(s->b, f->done);
  LLVMPositionBuilderAtEnd(s->b, f->no);
}

void mt_runtime_branch_end(mt_Spmd *s, mt_RuntimeBranch *f, LLVMValueRef *yes,
                           LLVMValueRef *no, int n) {
  LLVMBasicBlockRef from[2] = {f->yes_end, LLVMGetInsertBlock(s->b)};
  LLVMBuildBr(s->b, f->done);
  LLVMPositionBuilderAtEnd(s->b, f->done);
  for (int i = 0; i < n; i++) {
    LLVMValueRef in[2] = {yes[i], no[i]};
    no[i] = LLVMBuildPhi(s->b, LLVMTypeOf(yes[i]), "");
    LLVMAddIncoming(no[i], in, from, 2);
  }
}

LLVMValueRef mt_run_test(mt_Spmd *s, LLVMValueRef instr, LLVMValueRef pointer,
                         int64_t size, mt_RunTest test, LLVMValueRef *at) {
  return test.guarded ? mt_guarded_test(s, instr, pointer, size, test.run, at)
                      : mt_tested_test(s, pointer, size, test.run, at);
}

/* Lanes that are contiguous if a run-time test holds (contiguity_guarded.c,
** contiguity_tested.c): accessed in runs then, else gathered or scattered. */
typedef struct Nearly {
  int runs;
  mt_Run run[MT_CONTIGUOUS_RUNS];
  LLVMValueRef at[MT_CONTIGUOUS_RUNS], ok;
} Nearly;

static Nearly test_runs(mt_Spmd *s, const mt_LaneAccess *a, mt_RunTest test) {
  Nearly n = {.runs = s->lanes / test.run};
  n.ok = mt_run_test(s, a->instr, a->pointer,
                     (int64_t)mt_type_size(s, a->type), test, n.at);
  for (int i = 0; i < n.runs; i++) {
    n.run[i] = (mt_Run){i * test.run, test.run, false, 0, false};
    n.at[i] = mt_byte_offset(s, n.at[i], a->offset);
  }
  return n;
}

static LLVMValueRef read_nearly(mt_Spmd *s, const mt_LaneAccess *a, Nearly *n,
                                LLVMValueRef at) {
  mt_RuntimeBranch f = mt_runtime_branch(s, n->ok);
  LLVMValueRef x[MT_MAX_LANE_RUNS];
  for (int i = 0; i < n->runs; i++)
    x[i] = mt_run_load(s, a, n->at[i], n->run[i]);
  LLVMValueRef yes = mt_join_runs(s, x, n->run, n->runs);
  mt_runtime_branch_else(s, &f);
  LLVMValueRef no = mt_gather(s, a->type, at, a->align);
  mt_runtime_branch_end(s, &f, &yes, &no, 1);
  return no;
}

static void write_nearly(mt_Spmd *s, const mt_LaneAccess *a, Nearly *n,
                         LLVMValueRef at, LLVMValueRef x) {
  mt_RuntimeBranch f = mt_runtime_branch(s, n->ok);
  for (int i = 0; i < n->runs; i++) mt_run_store(s, a, n->at[i], n->run[i], x);
  mt_runtime_branch_else(s, &f);
  mt_scatter(s, x, at, a->align);
  mt_runtime_branch_end(s, &f, NULL, NULL, 0);
}

mt_RunTest mt_access_choose_test(mt_Spmd *s, const mt_LaneAccess *a,
                                 bool addresses) {
  mt_RunTest test = {0, true};
  if (!a->instr || !(s->full || s->cost->masks)) return test;
  if (mt_access_state(s)->scattered >= MAX_SCATTERED_TESTED) return test;
  test.run = mt_guarded_run(s, a->instr, a->pointer,
                            (int64_t)mt_type_size(s, a->type));
  if (!test.run && addresses)
    test = (mt_RunTest){mt_tested_run(s, a->pointer), false};
  return test;
}

static bool tested_choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                          mt_PartPlan *plan) {
  (void)write;
  plan->test = mt_access_choose_test(s, a, true);
  if (!plan->test.run) return false;
  plan->how = MT_ACCESS_TESTED;
  plan->why = mt_access_reason(s, a);
  return true;
}

static mt_LaneValue tested_read(mt_Spmd *s, const mt_LaneAccess *a,
                                const mt_PartPlan *plan) {
  LLVMValueRef at = mt_lane_addresses(s, a);
  Nearly n = test_runs(s, a, plan->test);
  return mt_lanes(read_nearly(s, a, &n, at));
}

static void tested_write(mt_Spmd *s, const mt_LaneAccess *a,
                         const mt_PartPlan *plan, mt_LaneValue g) {
  LLVMValueRef x = mt_lane_vector(s, g);
  LLVMValueRef at = mt_lane_addresses(s, a);
  Nearly n = test_runs(s, a, plan->test);
  write_nearly(s, a, &n, at, x);
}

const mt_PartStrategy mt_part_tested = {tested_choose, tested_read,
                                        tested_write};
