/*
** run.c - runs a reference in one of its ways, and times it.
*/
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "cpu/inside.h"

/* -------------------------------------------------------------------- loops */

typedef struct Loop {
  size_t count, grain;
  mt_CpuBody body;
  void *context;
} Loop;

static void loop_piece(void *context, size_t index, unsigned worker) {
  const Loop *loop = context;
  if (mt_cancelled()) return;
  size_t first = index * loop->grain, left = loop->count - first;
  size_t last = left < loop->grain ? loop->count : first + loop->grain;
  loop->body(loop->context, first, last, worker);
}

void mt_cpu_loop(const mt_CpuCall *call, size_t count, size_t grain,
                 mt_CpuBody body, void *context) {
  Loop loop = {count, grain, body, context};
  size_t pieces = count / grain + (count % grain != 0);
  if (call->way != MT_CPU_ONE_CORE)
    mt_pool_run(pieces, loop_piece, &loop);
  else
    for (size_t i = 0; i < pieces; i++) loop_piece(&loop, i, 0);
}

unsigned mt_cpu_workers(const mt_CpuCall *call) {
  return call->way == MT_CPU_ONE_CORE ? 1 : mt_pool_size();
}

void *mt_cpu_scratch(const mt_CpuCall *call, size_t count, size_t size,
                     mt_Error *err) {
  void *memory = calloc(count ? count : 1, size);
  if (memory == NULL)
    mt_cpu_error(call, err, MT_FAIL, "not enough memory for %zu elements",
                 count);
  return memory;
}

/* --------------------------------------------------------------------- ways */

static const char *const way_names[MT_CPU_WAYS] = {"one core", "all cores",
                                                   "vendor"};

const char *mt_cpu_way_name(mt_CpuWay way) { return way_names[way]; }

bool mt_cpu_way_find(const char *name, mt_CpuWay *out) {
  for (int i = 0; i < MT_CPU_WAYS; i++)
    if (strcmp(name, way_names[i]) == 0) {
      *out = (mt_CpuWay)i;
      return true;
    }
  return false;
}

/* Has the library what 'ref' stands on? Members of the table are pointers to
** functions, so one that is missing is all zeros. */
static bool vendor_has(const mt_CpuVendor *v, const mt_CpuRef *ref) {
  void (*primitive)(void);
  if (ref->vendor == NULL) return false;
  memcpy(&primitive, (const char *)v + ref->needs, sizeof primitive);
  return primitive != NULL;
}

mt_Status mt_cpu_can(const mt_CpuRef *ref, mt_CpuWay way, mt_Error *err) {
  if (way != MT_CPU_VENDOR) return MT_OK;
  if (ref->vendor == NULL)
    return mt_error(err, MT_BADARG,
                    "cpu.%s has no vendor way: no vendor's library has it; "
                    "its ways are \"one core\" and \"all cores\"",
                    ref->name);
  mt_Error why;
  const mt_CpuVendor *v = mt_cpu_vendor_load(&why);
  if (v == NULL)
    return mt_error(err, MT_FAIL, "cpu.%s: %.900s", ref->name, why.text);
  if (vendor_has(v, ref)) return MT_OK;
  return mt_error(err, MT_BADARG,
                  "cpu.%s has no vendor way here: %s does not have it; "
                  "its ways are \"one core\" and \"all cores\"",
                  ref->name, v->name);
}

const char *mt_cpu_vendor_name(mt_Error *err) {
  const mt_CpuVendor *v = mt_cpu_vendor_load(err);
  return v ? v->name : NULL;
}

/* --------------------------------------------------------------------- runs */

static mt_Status run_vendor(mt_CpuCall *call, mt_Error *err) {
  const mt_CpuVendor *v = mt_cpu_vendor_load(err);
  if (v == NULL) return MT_FAIL;
  return call->ref->vendor(call, v, err);
}

mt_Status mt_cpu_run(mt_CpuCall *call, double *seconds, mt_Error *err) {
  mt_Status status = mt_cpu_can(call->ref, call->way, err);
  if (status != MT_OK) return status;
  uint64_t start = mt_now_ns();
  status = call->way == MT_CPU_VENDOR ? run_vendor(call, err)
                                      : call->ref->run(call, err);
  *seconds = (double)(mt_now_ns() - start) * 1e-9;
  if (status == MT_OK && mt_cancelled())
    status = mt_cpu_error(call, err, MT_CANCELLED, "interrupted");
  return status;
}
