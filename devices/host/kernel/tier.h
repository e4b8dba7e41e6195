/*
** tier.h - the two tiers of a kernel's code: quick and optimised.
**
** LLVM's time grows with a kernel, to ten seconds and more, and a person who
** launches it once does not want to wait for them. So a large kernel is made
** quickly first (few passes, no optimisation while code is generated: a third
** of the time), and launches run that quick code while the optimised code is
** made in the background, in a process of its own: no other kernel waits behind
** it. Launches take the optimised code from when it is there. Those that
** measure (mt_Launch.measured) wait for it. If LLVM does not survive the
** background compile, or takes too long over it, the quick code stays in use.
**
** Both tiers give the same bits. What lets LLVM round in one way or another
** (contraction, reassociation, reciprocals) is settled before the tiers part
** (settle_rounding.c), and a kernel whose sums LLVM orders has the optimised
** tier only. So has a small kernel: nothing of this concerns it.
**
** The tiers are cached under keys of their own, in memory and on disk.
**
** METTLE_TIER, for tests and the curious:
**   optimised  every launch waits for it
**   quick      every kernel is made quickly, and stays so
**   both       every kernel has two tiers, however small
** Console thread.
*/
#ifndef MT_HOST_KERNEL_TIER_H
#define MT_HOST_KERNEL_TIER_H

#include "devices/host/kernel/compile.h"
#include "devices/host/native/code_cache.h"

/* Is LLVM likely to take more than about a second over it? */
bool mt_tier_is_slow(LLVMModuleRef module);

/* settle_rounding.c: from here on every result is settled, whatever LLVM
** does. false: it cannot be done. */
bool mt_rounding_settle(mt_Target *t, LLVMModuleRef module);

/* What METTLE_TIER asks of an order. */
void mt_tier_ask(mt_CompileRequest *order);
/* And it is part of the code's key. */
void mt_tier_add_to_key(mt_Key *key);

/*
** The code of 'k' for launches of 'kind', whose key is 'key', held until
** mt_code_cache_release; from memory, from disk, or made. Not 'measured': it
** may be quick code (mt_CodeFacts.quick), and then the optimised is on its way.
*/
mt_Status mt_tier_hold(mt_HostKernel *k, const mt_Variant *kind,
                       const mt_Key *key, bool measured, mt_LoadedCode **out,
                       mt_Error *err);

/* What has happened so far, for tests. */
typedef struct mt_TierCounts {
  unsigned quick;   /* pieces of quick code that were made */
  unsigned begun;   /* background compiles, */
  unsigned arrived; /* those that gave code, */
  unsigned lost;    /* and those that LLVM did not survive */
} mt_TierCounts;
const mt_TierCounts *mt_tier_counts(void);

#endif
