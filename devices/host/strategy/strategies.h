/*
** strategies.h - the strategies for a load or store as a whole; for the files
** of this folder.
*/
#ifndef MT_HOST_STRATEGY_STRATEGIES_H
#define MT_HOST_STRATEGY_STRATEGIES_H

#include "devices/host/strategy/strategy.h"

/* What was decided for a load or store in one version of the code, before any
** is emitted (plan.c). */
typedef struct mt_AccessPlan {
  const struct mt_Strategy *by;
  mt_AccessStrategy how; /* of its parts the costliest */
  mt_PlanReason why;
  int run; /* wide accesses: lanes of each */
  mt_RunTest test;
  unsigned parts;
  mt_PartPlan part[]; /* mt_strategy_parts: as many as the value has */
} mt_AccessPlan;

/* A way to load or store a value as a whole: a row of the ordered table in
** plan.c, and a file. */
typedef struct mt_Strategy {
  /* Does it apply? Then set plan->how, why there is nothing cheaper, and what
  ** the other two need. Emits nothing, and asks for s->full. */
  bool (*choose)(mt_Spmd *s, LLVMValueRef instr, mt_AccessPlan *plan);
  /* NULL: it is not for loads, or not for stores. */
  void (*load)(mt_Spmd *s, LLVMValueRef load, const mt_AccessPlan *plan);
  void (*store)(mt_Spmd *s, LLVMValueRef store, const mt_AccessPlan *plan);
} mt_Strategy;

extern const mt_Strategy mt_strategy_row_buffer; /* row_buffer.c */
/* aos_vectors.c: short vectors (float4) that are contiguous in runs of lanes;
** one of each lane, wherever it is */
extern const mt_Strategy mt_strategy_wide_loads, mt_strategy_wide_stores;
extern const mt_Strategy mt_strategy_short_vectors;
extern const mt_Strategy mt_strategy_coalesced; /* coalesce_loads.c */
extern const mt_Strategy mt_strategy_interleaved; /* interleaved_stores.c */
extern const mt_Strategy mt_strategy_parts; /* parts.c: always applies */

/* plan.c: the plan of 'instr' in the version that is generated. */
const mt_AccessPlan *mt_access_plan(mt_Spmd *s, LLVMValueRef instr);

/* parts.c: a part of an operand. */
mt_LaneValue mt_operand_part(mt_Spmd *s, LLVMValueRef x, unsigned part);

/* row_buffer.c: the number of distinct addresses among the lanes. */
int mt_distinct_addresses(mt_Spmd *s, LLVMValueRef pointer);

/* aos_vectors.c, for others. Load four words of each lane, 'offset' bytes from
** the address of 'load', with all lanes active: four vectors of i32. The test
** that suits such a load. */
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

#endif
