/*
** passes_host.c - the steps of the host's vectoriser as rows for mettle opt:
** the rewrites of host/transform, and mt_vectorise as a whole.
*/
#include "devices/host/transform/transform.h"
#include "devices/host/vectorise/vectorise.h"
#include "devices/opt/unit.h"

static mt_Geometry geometry_of(const mt_OptUnit *u) {
  const unsigned *n = u->request->group;
  return (mt_Geometry){
      .size = {n[0] ? n[0] : 256, n[1] ? n[1] : 1, n[2] ? n[2] : 1},
      .many = true};
}

#define PASS(name) static mt_Status name(void *unit, mt_Error *err)

PASS(hoist_barriers) {
  mt_OptUnit *u = unit;
  return mt_hoist_barriers(u->function, &u->kernel)
             ? mt_canonicalise_loops(u->target, u->module, err)
             : MT_OK;
}

PASS(order_products) {
  mt_OptUnit *u = unit;
  (void)err;
  mt_order_products(u->function);
  return MT_OK;
}

PASS(sink_guards) {
  mt_OptUnit *u = unit;
  (void)err;
  mt_sink_guards(u->function);
  return MT_OK;
}

/* A rewrite that asks for the kernel's facts. */
static mt_Status with_facts(mt_OptUnit *u,
                            bool (*change)(mt_Spmd *, mt_TransformFacts *),
                            mt_Error *err) {
  mt_TransformFacts facts = {0};
  mt_Geometry g = geometry_of(u);
  mt_Spmd *s = mt_vectorise_analyse(u->target, u->module, &u->kernel, &g, err);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status = s->status;
  if (status == MT_OK) change(s, &facts);
  mt_vectorise_analyse_free(s);
  return status;
}

PASS(keep_tiles) { return with_facts(unit, mt_keep_tiles, err); }

PASS(split_sums) { return with_facts(unit, mt_split_all_sums, err); }

PASS(vectorise) {
  mt_OptUnit *u = unit;
  mt_VectorFacts facts = {0};
  mt_Geometry g = geometry_of(u);
  LLVMValueRef group;
  return mt_vectorise(u->target, u->module, &u->kernel, &g, NULL, &group,
                      &facts, err);
}

/* The list that k:ir() begins with. */
PASS(accesses) {
  mt_OptUnit *u = unit;
  mt_VectorFacts facts = {.list = u->out};
  mt_Geometry g = geometry_of(u);
  LLVMValueRef group;
  return mt_vectorise(u->target, u->module, &u->kernel, &g, NULL, &group,
                      &facts, err);
}

#define ROW(name, what, run) {name, what, run, .needs = 0}

static const mt_Pass passes[] = {
    ROW("hoist-barriers", "barriers leave divergent ifs", hoist_barriers),
    ROW("order-products", "products with the same sums, one after the other",
        order_products),
    ROW("sink-guards", "comparisons of positions are beside their branches",
        sink_guards),
    ROW("keep-tiles", "tiles of all iterations are filled at once", keep_tiles),
    ROW("split-sums", "a loop that adds up matrices becomes several",
        split_sums),
    ROW("vectorise", "the function that runs a threadgroup as vectors",
        vectorise),
};

static const mt_Pass decisions[] = {
    ROW("accesses", "what each load, store, branch and loop becomes", accesses),
};

static const char *const none[] = {NULL};

const mt_PassTable mt_opt_host_passes = {
    "host/vectorise", passes, sizeof passes / sizeof *passes, none, none};
const mt_PassTable mt_opt_host_questions = {
    "host/vectorise", decisions, sizeof decisions / sizeof *decisions, none,
    none};
