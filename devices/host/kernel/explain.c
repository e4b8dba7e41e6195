/*
** explain.c - what was made of a kernel, in a few sentences for a learner
** (k:why() of the Lua API).
*/
#include "devices/host/kernel/compile.h"

#define LANES_OF_SIMDGROUP 32

static void add_size(const uint32_t size[3], mt_Str *out) {
  mt_str_addf(out, "%u", size[0]);
  if (size[1] > 1 || size[2] > 1) mt_str_addf(out, " x %u", size[1]);
  if (size[2] > 1) mt_str_addf(out, " x %u", size[2]);
}

static void add_width(const mt_VectorFacts *v, mt_Str *out) {
  int lanes = v->lanes;
  mt_str_add(out, ", as vectors of 32 threads");
  if (lanes > LANES_OF_SIMDGROUP)
    mt_str_addf(out, ", %d SIMD-groups side by side",
                lanes / LANES_OF_SIMDGROUP);
  else if (lanes < LANES_OF_SIMDGROUP)
    mt_str_addf(out, ", %d at a time since it needs many registers", lanes);
  if (v->by_rows)
    mt_str_add(out, ", along the rows of the grid since no thread can tell "
                    "which threadgroup it is in");
}

/* " Loads: 1 uniform, 2 contiguous." */
static void add_kind(const char *kind, const mt_VectorFacts *v, bool store,
                     mt_Str *out) {
  bool any = false;
  for (mt_AccessStrategy how = 0; how < MT_ACCESS_ATOMIC; how++) {
    unsigned n = v->accesses[how][store];
    if (!n) continue;
    if (any)
      mt_str_add(out, ", ");
    else
      mt_str_addf(out, " %s: ", kind);
    mt_str_addf(out, "%u %s", n, mt_access_strategy_name(how, store));
    any = true;
  }
  if (any) mt_str_add(out, ".");
}

static void add_accesses(const mt_VectorFacts *v, mt_Str *out) {
  add_kind("Loads", v, false, out);
  add_kind("Stores", v, true, out);
  unsigned atomics = v->accesses[MT_ACCESS_ATOMIC][false] +
                     v->accesses[MT_ACCESS_ATOMIC][true];
  if (atomics) mt_str_addf(out, " Atomic operations: %u.", atomics);
}

static void add_tiles(const mt_TransformFacts *v, mt_Str *out) {
  if (v->kept == 1)
    mt_str_add(out, " Its tile is filled for all iterations at once, and kept "
                    "for the next threadgroups that need the same.");
  else if (v->kept > 1)
    mt_str_addf(out, " Its %d tiles are filled for all iterations at once, and "
                "kept for the next threadgroups that need the same.", v->kept);
}

static void add_sums(const mt_TransformFacts *v, mt_Str *out) {
  if (v->split)
    mt_str_addf(out, " Its loop over matrices became %d loops one after the "
                "other, since there are no registers for all sums.", v->split);
}

static void add_tier(const mt_CompileResult *built, mt_Str *out) {
  if (built->made.quick)
    mt_str_add(out, " Its code is quick code, made in little time.");
  else if (built->two_tiers)
    mt_str_add(out, " It is large: launches run quick code until its optimised "
                    "code is made.");
  else
    mt_str_add(out, " Its code is optimised.");
}

void mt_explain(const mt_CompileJob *job, const mt_CompileRequest *o,
                mt_CompileResult *built) {
  mt_Str *out = &built->bytes;
  mt_str_addf(out, "The host runs %s, in threadgroups of ", job->msl->name);
  add_size(o->kind.geometry.size, out);
  if (built->made.simd)
    add_width(&built->vectors, out);
  else
    mt_str_addf(out,
                ", thread by thread, which is slower than as vectors of 32 "
                "threads; the reason: %s", built->why.text);
  mt_str_add(out, ".");
  add_tier(built, out);
  if (!built->made.simd) return;
  add_accesses(&built->vectors, out);
  add_tiles(&built->vectors.loops, out);
  add_sums(&built->vectors.loops, out);
}
