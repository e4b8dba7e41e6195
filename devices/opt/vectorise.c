/*
** vectorise.c - rows of mt_vectorise's table over a text of IR, and all of it;
** see unit.h.
**
** What a row has found out or chosen holds for the rows after it, until
** the text is changed in another way.
*/
#include <stdlib.h>

#include "devices/host/vectorise/vectorise.h"
#include "devices/opt/unit.h"

struct mt_OptVectors {
  mt_VectoriseUnit unit;
  mt_Geometry geometry;
  mt_VectorFacts facts;
};

static mt_Geometry geometry_of(const mt_OptUnit *u) {
  const unsigned *n = u->request->group;
  return (mt_Geometry){
      .size = {n[0] ? n[0] : 256, n[1] ? n[1] : 1, n[2] ? n[2] : 1},
      .many = true,
      .rows = u->request->long_rows ? MT_ROWS_LONG : MT_ROWS_SHORT};
}

static bool begin(mt_OptUnit *u) {
  mt_OptVectors *v = u->vectors = calloc(1, sizeof *v);
  if (!v) return false;
  v->geometry = geometry_of(u);
  v->unit = (mt_VectoriseUnit){.target = u->target, .module = u->module,
                               .kernel = &u->kernel, .geometry = &v->geometry,
                               .facts = &v->facts};
  return true;
}

void mt_opt_forget_vectors(mt_OptUnit *u) {
  if (u->vectors) mt_vectorise_analyse_free(u->vectors->unit.s);
  free(u->vectors);
  u->vectors = NULL;
}

/* A row that asks for facts gets them; what else it needs is taken to hold. */
mt_Status mt_opt_vectorise_row(mt_OptUnit *u, const mt_Pass *pass,
                               mt_Error *err) {
  const mt_Pass *analyse = mt_pass_find(&mt_vectorise_passes, "analyse");
  mt_Status status = MT_OK;
  if (!(pass->needs & MT_FORM_FACTS)) mt_opt_forget_vectors(u);
  if (!u->vectors && !begin(u)) return mt_error(err, MT_FAIL, "out of memory");
  if (pass->needs & MT_FORM_FACTS && !u->vectors->unit.s)
    status = analyse->run(&u->vectors->unit, err);
  return status == MT_OK ? pass->run(&u->vectors->unit, err) : status;
}

#define PASS(name) static mt_Status name(void *unit, mt_Error *err)

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
