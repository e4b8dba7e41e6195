/*
** prepare.c - rows of mt_prepare's table over a text of IR, see unit.h. What a
** row has found out about the kernel (mt_Prepared) holds for the rows after it.
*/
#include "devices/host/instrument/instrument.h"
#include "devices/opt/unit.h"

/* Of arrays that a row alone puts into registers. */
#define ARRAY_BYTES 512
#define ARRAY_INSTRUCTIONS 1000

typedef struct Preparation {
  mt_PrepareInput in;
  mt_Prepared out;
  mt_PrepareUnit unit;
  mt_SiteTable sites;
  mt_CountTable counts;
  mt_Instrumentation by;
} Preparation;

/* Rows for code that is checked or counted get the probes of either. */
static void begin(Preparation *p, mt_OptUnit *u, unsigned modes) {
  u->facts.overlap = !u->request->no_overlap;
  *p = (Preparation){.in = {.target = u->target,
                            .kernel = &u->kernel,
                            .file = u->request->file,
                            .unrolling = MT_UNROLL_LITTLE,
                            .formats = &u->facts},
                     .out = u->prepared};
  p->out.target = u->target, p->out.context = u->context;
  p->out.module = u->module, p->out.function = u->function;
  p->out.has_calls |= (modes & MT_PREPARE_CALLS) != 0;
  p->by = modes & MT_PREPARE_COUNTED ? mt_profile_instrumentation(&p->counts)
                                     : mt_check_instrumentation(&p->sites);
  if (modes & (MT_PREPARE_COUNTED | MT_PREPARE_CHECKED))
    p->in.instrument = &p->by;
  mt_prepare_unit(&p->unit, &p->in, &p->out);
  p->unit.state.modes |= modes;
  p->unit.nested = u->nested;
}

static void end(Preparation *p, mt_OptUnit *u) {
  u->prepared = p->out, u->nested = p->unit.nested;
  mt_sites_free(&p->sites);
  mt_counts_free(&p->counts);
}

mt_Status mt_opt_prepare_row(mt_OptUnit *u, const mt_Pass *pass,
                             mt_Error *err) {
  Preparation p;
  begin(&p, u, pass->only);
  p.in.arrays = (mt_ArrayLimits){ARRAY_BYTES, ARRAY_INSTRUCTIONS};
  mt_Status status = pass->run(&p.unit, err);
  end(&p, u);
  return status;
}

mt_Status mt_opt_prepare_all(mt_OptUnit *u, mt_Error *err) {
  Preparation p;
  begin(&p, u, 0);
  mt_Status status = mt_passes_run(&mt_prepare_passes, &p.unit, err);
  end(&p, u);
  return status;
}
