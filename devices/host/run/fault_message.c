/*
** fault_message.c - a kernel's fault as one sentence: what happened, in which
** kernel and threadgroup, near which buffer, and what to do about it.
*/
#include "devices/host/run/fault_message.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define FAR_FROM_NULL ((uintptr_t)1 << 30) /* no buffer lies below */

/* The buffer nearest to an address. */
typedef struct Near {
  const char *name;
  const mt_Type *type; /* of its elements */
  size_t size;     /* bytes bound */
  size_t distance; /* bytes from its end, or to its start if 'before' */
  bool before;
} Near;

static void look_at(Near *best, const char *name, const mt_Type *type,
                    const mt_Arg *a, uintptr_t address) {
  if (a->kind != MT_ARG_BUFFER) return;
  uintptr_t start = (uintptr_t)a->buffer->contents + a->offset;
  size_t size = a->buffer->size - a->offset;
  bool before = address < start;
  size_t d = before ? start - address
                    : address >= start + size ? address - (start + size) : 0;
  if (best->name && best->distance <= d) return;
  *best = (Near){name, type, size, d, before};
}

/* Of the parameters in 'params', a bit for each; 0: of all. */
static Near nearest(const mt_Launch *l, uintptr_t address, uint64_t params) {
  Near best = {0};
  const mt_KernelInfo *k = &l->kernel->info;
  for (unsigned i = 0; i < l->arg_count && i < k->param_count; i++) {
    const mt_Arg *a = &l->args[i];
    if (params && (i >= 64 || !(params >> i & 1))) continue;
    look_at(&best, k->params[i].name, k->params[i].type, a, address);
    for (unsigned n = 0; n < a->link_count; n++)
      look_at(&best, a->links[n].name, a->links[n].type->element,
              &a->links[n].arg, address);
  }
  return best;
}

/* The distance in bytes and elements, and the buffer's size. */
static void say_near(mt_Str *s, const Near *n) {
  const mt_Type *t = n->type;
  size_t each = t && t->size ? t->size : 1;
  const char *name = t && t->name ? t->name : "byte";
  size_t count = n->size / each;
  if (n->before)
    mt_str_addf(s, "%zu bytes (%zu %s) before the start of buffer '%s'",
                n->distance, (n->distance + each - 1) / each, name, n->name);
  else
    mt_str_addf(s, "%zu bytes (%zu %s) past the end of buffer '%s', which has "
                "%zu", n->distance, n->distance / each, name, n->name, count);
}

static mt_Status report_access(const mt_Launch *l, const mt_Fault *f,
                               const char *where, mt_Error *err) {
  const char *did = f->write == 1   ? "wrote"
                    : f->write == 0 ? "read"
                                    : "used";
  mt_Str s = MT_STR_INIT;
  Near n = nearest(l, f->address, f->params);
  if (f->address < MT_NEAR_NULL)
    mt_str_add(&s, "through a null pointer");
  else if (f->address < FAR_FROM_NULL)
    mt_str_addf(&s, "%zu bytes past a null pointer", (size_t)f->address);
  else if (n.name && n.distance < (size_t)16 << 30)
    say_near(&s, &n);
  else
    mt_str_addf(&s, "at address 0x%zx, far from every buffer",
                (size_t)f->address);
  mt_error(err, MT_FAIL, "%s %s memory that is not there: %s; check the index "
           "against the buffer's size", where, did, mt_str_text(&s));
  mt_str_free(&s);
  return MT_FAIL;
}

static mt_Status report_barrier(const mt_Fault *f, const char *where,
                                mt_Error *err) {
  return mt_error(err, MT_FAIL,
                  "%s never met at its threadgroup_barrier: %u of %u threads "
                  "reached it, the others %s; every thread of the group must "
                  "reach the same barrier", where, f->reached, f->expected,
                  f->elsewhere ? "wait at another one" : "have returned");
}

mt_Status mt_fault_report(const mt_Launch *l, const mt_Fault *f,
                          mt_Error *err) {
  char where[512], line[256] = "";
  const char *file = l->kernel->info.file;
  if (f->line)
    snprintf(line, sizeof line, ", line %u%s%.200s", f->line,
             file ? " of " : "", file ? file : "");
  snprintf(where, sizeof where,
           "kernel '%.100s'%s, %sthreadgroup (%u, %u, %u):",
           l->kernel->info.name, line, f->near ? "near " : "", f->position[0],
           f->position[1],
           f->position[2]);
  switch (f->kind) {
    case MT_FAULT_ACCESS:
      return report_access(l, f, where, err);
    case MT_FAULT_BARRIER:
      return report_barrier(f, where, err);
    case MT_FAULT_ASSERT:
      return mt_error(err, MT_FAIL, "%s thread (%u, %u, %u) failed "
                      "assert(%s)", where, f->at[0], f->at[1], f->at[2],
                      f->text);
    case MT_FAULT_ALIGN:
      return mt_error(err, MT_FAIL,
                      "%s used a misaligned or impossible "
                      "address: a float4 lies at a multiple of 16 bytes",
                      where);
    case MT_FAULT_DIVIDE:
      return mt_error(err, MT_FAIL, "%s divided an integer by zero (or the "
                      "smallest integer by -1)", where);
    case MT_FAULT_PRIVATE:
      return mt_error(err, MT_FAIL, "%s left its private memory: check the "
                      "indices of the arrays that each thread has", where);
    case MT_FAULT_THREADGROUP:
      return mt_error(err, MT_FAIL,
                      "%s %s outside threadgroup memory: "
                      "check the indices of the threadgroup arrays",
                      where,
                      f->write == 1   ? "wrote"
                      : f->write == 0 ? "read"
                                      : "used");
    case MT_FAULT_TRAP:
      return mt_error(err, MT_FAIL,
                      "%s stopped at a trap: __builtin_trap(), or "
                      "a place that C++ says is never reached",
                      where);
    case MT_FAULT_CODE:
      return mt_error(err, MT_FAIL, "%s ran an instruction that this CPU does "
                      "not have", where);
    default:
      return mt_error(err, MT_FAIL, "%s found no memory for its threads",
                      where);
  }
}
