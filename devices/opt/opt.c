/*
** opt.c - finds passes and questions by their names and runs them, see opt.h.
*/
#include "devices/opt/opt.h"

#include <string.h>

#include "devices/compiler_module.h"
#include "devices/host/vectorise/vectorise.h"
#include "devices/opt/unit.h"
#include "msl/passes/single.h"

/* --------------------------------------------------- rows of other rooms */

static mt_Status msl_row(mt_OptUnit *u, const mt_Pass *pass, mt_Error *err) {
  return mt_msl_pass_alone(pass, u->module, &u->kernel, 1, u->out, err);
}

/* A row whose unit is this one. */
static mt_Status own_row(mt_OptUnit *u, const mt_Pass *pass, mt_Error *err) {
  return pass->run(u, err);
}

/* MT_PASSES is X(cuda): devices that have passes of their own
** (devices/devices.mk). */
#define X(name) extern const mt_DevicePasses mt_##name##_passes;
MT_PASSES
#undef X

static const struct {
  const mt_PassTable *table;
  bool answers; /* its rows are questions */
  mt_Status (*run)(mt_OptUnit *u, const mt_Pass *pass, mt_Error *err);
  const mt_DevicePasses *device; /* in the place of 'table' and 'run' */
} tables[] = {{&mt_msl_passes, false, msl_row, NULL},
              {&mt_opt_ir_passes, false, own_row, NULL},
              {&mt_opt_ir_questions, true, own_row, NULL},
              {&mt_prepare_passes, false, mt_opt_prepare_row, NULL},
              {&mt_opt_analyse_questions, true, own_row, NULL},
              {&mt_opt_host_passes, false, own_row, NULL},
              {&mt_vectorise_passes, false, mt_opt_vectorise_row, NULL},
              {&mt_opt_host_questions, true, own_row, NULL},
#define X(name) {.device = &mt_##name##_passes},
              MT_PASSES
#undef X
};
#define TABLES (sizeof tables / sizeof *tables)

static const mt_PassTable *table_at(size_t i) {
  return tables[i].device ? tables[i].device->table : tables[i].table;
}

static mt_Status run_row(mt_OptUnit *u, size_t i, const mt_Pass *row,
                         mt_Error *err) {
  const mt_DevicePasses *device = tables[i].device;
  return device ? device->run(row, u->function, &u->kernel, err)
                : tables[i].run(u, row, err);
}

/* ------------------------------------------------------------- one by name */

/* The table of the row 'name', and the row; TABLES: there is none. */
static size_t find(const char *name, const mt_Pass **row) {
  size_t i = 0;
  while (i < TABLES && !(*row = mt_pass_find(table_at(i), name))) i++;
  return i;
}

static mt_Status run_one(mt_OptUnit *u, const char *name, bool *answered,
                         mt_Error *err) {
  const mt_Pass *row;
  size_t i = find(name, &row);
  if (i == TABLES)
    return mt_error(err, MT_BADARG, "there is no pass or question '%s': "
                    "mettle opt --list has them all", name);
  if (table_at(i) != &mt_vectorise_passes) mt_opt_forget_vectors(u);
  mt_Status status = run_row(u, i, row, err);
  *answered |= tables[i].answers;
  if (status == MT_OK) status = mt_verify(u->module, name, err);
  return status == MT_OK ? mt_opt_follow_kernel(u, err) : status;
}

static mt_Status run_all(mt_OptUnit *u, bool *answered, mt_Error *err) {
  mt_Status status = MT_OK;
  const char *at = u->request->passes;
  while (status == MT_OK && *at) {
    char name[64];
    size_t n = strcspn(at, ",");
    if (n >= sizeof name) n = sizeof name - 1;
    memcpy(name, at, n);
    name[n] = '\0';
    status = run_one(u, name, answered, err);
    at += strcspn(at, ",");
    at += *at == ',';
  }
  return status;
}

mt_Status mt_opt_run(const mt_OptRequest *request, mt_Str *out, mt_Error *err) {
  mt_OptUnit unit;
  bool answered = false;
  mt_Status status = mt_opt_unit_open(&unit, request, out, err);
  if (status == MT_OK) status = run_all(&unit, &answered, err);
  if (status == MT_OK && !answered) {
    char *text = LLVMPrintModuleToString(unit.module);
    mt_str_add(out, text);
    LLVMDisposeMessage(text);
  }
  mt_opt_unit_close(&unit);
  return status;
}

/* ---------------------------------------------------------------- the list */

static void add_words(mt_Str *out, const char *before, unsigned bits,
                      const char *const *words) {
  for (; bits && *words; bits >>= 1, words++)
    if (bits & 1) {
      mt_str_addf(out, "%s%s", before, *words);
      before = ", ";
    }
}

static void list_table(const mt_PassTable *t, bool answers, mt_Str *out) {
  mt_str_addf(out, "%s, %s:\n", t->room, answers ? "questions" : "passes");
  for (size_t i = 0; i < t->count; i++) {
    const mt_Pass *p = &t->pass[i];
    mt_str_addf(out, "  %-22s %s", p->name, p->what);
    add_words(out, " [only ", p->only, t->modes);
    if (p->only) mt_str_add(out, "]");
    add_words(out, " [not ", p->skip, t->modes);
    if (p->skip) mt_str_add(out, "]");
    mt_str_add(out, "\n");
  }
}

void mt_opt_list(mt_Str *out) {
  for (size_t i = 0; i < TABLES; i++)
    list_table(table_at(i), tables[i].answers, out);
}

/* A pass may run at several points, in other modes: it has a row for each. */
static bool is_first(const mt_PassTable *t, size_t i) {
  return mt_pass_find(t, t->pass[i].name) == &t->pass[i];
}

void mt_opt_each(void (*each)(void *with, const char *room, const char *name),
                 void *with) {
  for (size_t i = 0; i < TABLES; i++) {
    const mt_PassTable *t = table_at(i);
    for (size_t k = 0; k < t->count; k++)
      if (is_first(t, k)) each(with, t->room, t->pass[k].name);
  }
}

/* ------------------------------------------------------------ for host.so */

extern const mt_OptTool mt_opt_tool; /* looked up by name */

__attribute__((visibility("default")))
const mt_OptTool mt_opt_tool = {.run = mt_opt_run, .list = mt_opt_list};
