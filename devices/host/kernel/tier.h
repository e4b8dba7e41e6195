/*
** tier.h - the two tiers of a kernel's code: quick and optimised.
**
** LLVM's time grows with the kernel, to ten seconds and more, too long to wait
** for a single launch. So a large kernel is first compiled quickly (few passes,
** code generation without optimisation: a third of the time), and launches run
** that quick code while a background process compiles the optimised code, so
** that no other kernel waits for it. Later launches use the optimised code once
** it has arrived, and a launch that is running continues with it from the next
** threadgroups on. Launches that measure (mt_Launch.measured) wait for it. If
** LLVM fails in the background, or takes too long, the quick code stays in use.
**
** Both tiers give the same bits. What LLVM may round in several ways
** (contraction, reassociation, reciprocals) is settled before the tiers differ
** (settle_rounding.c). A kernel whose sums LLVM may reorder has the optimised
** tier only, and so has a small kernel.
**
** As vectors, a huge kernel takes LLVM seconds even without optimisation, since
** each instruction selects code for 32 lanes. Its quick code therefore runs
** thread by thread, which is a tenth of the work for LLVM, and its rounding is
** settled before it becomes vectors. If it has no floating-point arithmetic, so
** that there is no rounding to settle, its functions are not even inlined
** (prepare/keep_calls.c): a kernel whose functions call each other is many
** times as long with all of them inlined.
**
** A kernel that is large because its source asks for loops to be unrolled keeps
** these loops in quick code (prepare/unroll_limit.c); its rounding is settled
** before optimised code unrolls them.
**
** The tiers are cached under separate keys, in memory and on disk.
**
** METTLE_TIER, for tests and experiments:
**   optimised  every launch waits for optimised code
**   quick      every kernel has quick code, and keeps it
**   both       every kernel has two tiers, however small
**   threads    the same, with quick code thread by thread
**   calls      the same, with calls in it where that is possible
** Console thread.
*/
#ifndef MT_HOST_KERNEL_TIER_H
#define MT_HOST_KERNEL_TIER_H

#include "devices/host/kernel/compile.h"
#include "devices/host/native/native.h"

/* Is LLVM likely to take more than about a second over 'module'? */
bool mt_tier_is_slow(LLVMModuleRef module);
/* Is LLVM likely to take long over the prepared kernel as vectors, even without
** optimisation? */
bool mt_tier_is_huge(const mt_Prepared *p);

/* settle_rounding.c: fix all rounding, so that no later pass changes a result.
** false: that is not possible. */
bool mt_rounding_settle(mt_Target *t, LLVMModuleRef module);

/* Apply METTLE_TIER to a request. */
void mt_tier_ask(mt_CompileRequest *order);
/* METTLE_TIER is also part of the code's key. */
void mt_tier_add_to_key(mt_Key *key);

/*
** The code of 'k' for launches of 'kind', whose key is 'key', held until
** mt_code_cache_release; from memory, from disk, or compiled now. Unless
** 'measured' it may be quick code (mt_CodeFacts.quick), with the optimised code
** compiled in the background.
*/
mt_Status mt_tier_hold(mt_HostKernel *k, const mt_Variant *kind,
                       const mt_Key *key, bool measured, mt_LoadedCode **out,
                       mt_Error *err);

/* Has the optimised code of 'key' arrived? Cheap: launches ask while they run,
** and say when they have ended. Until then a background compile has the usual
** priority, then a low one. */
bool mt_tier_has_arrived(const mt_Key *key);
void mt_tier_launch_ended(void);

/* Events so far, for tests. */
typedef struct mt_TierCounts {
  unsigned quick;   /* quick compiles */
  unsigned begun;   /* background compiles begun */
  unsigned arrived; /* background compiles that gave code */
  unsigned lost;    /* background compiles that LLVM did not survive */
} mt_TierCounts;
const mt_TierCounts *mt_tier_counts(void);

/* How many background compiles are running or queued, for tests. */
size_t mt_tier_unfinished(void);

#endif
