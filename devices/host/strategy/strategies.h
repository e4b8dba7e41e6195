/*
** strategies.h - the strategies for a load or store as a whole; for the files of
** this folder.
*/
#ifndef MT_HOST_STRATEGY_STRATEGIES_H
#define MT_HOST_STRATEGY_STRATEGIES_H

#include "devices/host/strategy/strategy.h"

/* How a load or store as a whole is emitted. */
typedef enum mt_AccessForm {
  MT_FORM_PARTS,      /* part by part */
  MT_FORM_AOS_RUNS,   /* short vectors, contiguous in runs of 'run' lanes */
  MT_FORM_AOS_LANES,  /* a short vector of each lane, or contiguous if 'test' */
  MT_FORM_COALESCED,  /* loaded together with others (coalesce_loads.c) */
  MT_FORM_INTERLEAVED, /* stored together with others */
  MT_FORM_ROW_BUFFER
} mt_AccessForm;

/* What was decided for a load or store in one version of the code, before any
** is emitted (plan.c); emission switches on it. */
typedef struct mt_AccessPlan {
  mt_AccessForm form;
  mt_AccessStrategy how; /* of its parts the costliest */
  mt_PlanReason why;
  int run;
  mt_RunTest test;
  mt_PartPlan part[]; /* MT_FORM_PARTS: as many as the value has parts */
} mt_AccessPlan;

/* plan.c: the plan of 'instr' in the version that is generated. */
const mt_AccessPlan *mt_access_plan(mt_Spmd *s, LLVMValueRef instr);

/* The choices, each in the file of its strategy; false or 0: it does not apply.
** They ask for s->full and emit nothing. */
int mt_aos_contiguous_run(mt_Spmd *s, LLVMValueRef instr);
bool mt_aos_choose(mt_Spmd *s, LLVMValueRef instr, mt_AccessPlan *plan);
bool mt_coalesced_choose(mt_Spmd *s, LLVMValueRef load, mt_AccessPlan *plan);

/* row_buffer.c: the number of distinct addresses among the lanes. */
int mt_distinct_addresses(mt_Spmd *s, LLVMValueRef pointer);

/* aos_vectors.c: each lane's short vector (float4) as one access, as planned:
** contiguous in runs of lanes, or any. */
void mt_aos_contiguous_load(mt_Spmd *s, LLVMValueRef load, int run);
void mt_aos_contiguous_store(mt_Spmd *s, LLVMValueRef store, int run);
void mt_aos_load(mt_Spmd *s, LLVMValueRef load, mt_RunTest test);
void mt_aos_store(mt_Spmd *s, LLVMValueRef store, mt_RunTest test);

/* Load four words of each lane, 'offset' bytes from the address of 'load', with
** all lanes active: four vectors of i32. The test that suits such a load. */
void mt_aos_words_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                       unsigned align, mt_RunTest test, LLVMValueRef *word);
mt_RunTest mt_aos_words_test(mt_Spmd *s, LLVMValueRef load);
/* Gather two words of each lane, 'offset' bytes from the address of 'load': two
** vectors of i32. */
void mt_aos_pair_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                      LLVMValueRef *word);
/* Store four vectors of words, 'offset' bytes from each lane's 'pointer', with
** all lanes active. */
void mt_aos_words_store(mt_Spmd *s, LLVMValueRef pointer, int64_t offset,
                        unsigned align, LLVMValueRef *word);

/* coalesce_loads.c: a load that is one of several which together cover 16 bytes
** of each lane, or one of two gathered words: the first of them loads for
** all. */
void mt_coalesced_load(mt_Spmd *s, LLVMValueRef load, mt_RunTest test);

/* interleaved_stores.c: an address as root + sum of terms times constants +
** constant offset. Two addresses of the same form differ only in the offset. */
#define MT_FORM_TERMS 8
typedef struct mt_AddressForm {
  LLVMValueRef root;
  int terms;
  struct { LLVMValueRef of; int64_t by; } term[MT_FORM_TERMS];
  int64_t offset;
  bool failed;
} mt_AddressForm;
mt_AddressForm mt_address_form(mt_Spmd *s, LLVMValueRef pointer);
bool mt_same_address_form(const mt_AddressForm *a, const mt_AddressForm *b);

/* interleaved_stores.c: is a store one of a group of interleaved stores that
** together leave no gap? Then the last one in the block writes for all
** (mt_interleaved_store), the earlier ones emit nothing. */
typedef enum mt_InterleavedRole {
  MT_INTERLEAVED_NOT,
  MT_INTERLEAVED_EARLIER,
  MT_INTERLEAVED_LAST
} mt_InterleavedRole;
mt_InterleavedRole mt_interleaved_role(mt_Spmd *s, LLVMValueRef store);
void mt_interleaved_store(mt_Spmd *s, LLVMValueRef store);

#endif
