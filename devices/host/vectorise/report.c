/*
** report.c - the plan of loads and stores, branches and loops, for a reader.
**
** The one idea: each access has notes (mt_access_note), one for the code in
** which all lanes are active and one for the code under a mask. Equal notes of
** one line are shown as one.
*/
#include <stdio.h>
#include <stdlib.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/plan/plan.h"
#include "devices/host/vectorise/steps.h"

static const char *const reason[MT_REASONS] = {
    "", "its index is loaded", "its index follows no known pattern",
    "its lanes are not contiguous", "this CPU has no masked access for it"};

typedef struct Note {
  unsigned line, count;
  LLVMOpcode op;
  mt_AccessStrategy full, masked;
  mt_PlanReason why[2]; /* under a mask, and without */
} Note;

static int by_line(const void *a, const void *b) {
  const Note *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->op != y->op) return x->op < y->op ? -1 : 1;
  if (x->full != y->full) return x->full < y->full ? -1 : 1;
  if (x->masked != y->masked) return x->masked < y->masked ? -1 : 1;
  for (int i = 0; i < 2; i++)
    if (x->why[i] != y->why[i]) return x->why[i] < y->why[i] ? -1 : 1;
  return 0;
}

/* Chosen for a whole loop, and only where all lanes are active. */
static bool is_in_inner_loop(mt_Spmd *s, const mt_Value *v) {
  int loop = s->block[v->block].loop;
  return (LLVMIsALoadInst(v->of) || LLVMIsAStoreInst(v->of)) && loop >= 0 &&
         s->needs_full && mt_is_inner_loop(s, loop);
}

/* A call that loads or stores a simdgroup matrix counts as a load or store. */
static LLVMOpcode opcode_of(LLVMValueRef instr) {
  const char *called = mt_callee(instr);
  if (mt_starts(called, "__mt_matrix_load_")) return LLVMLoad;
  if (mt_starts(called, "__mt_matrix_store_")) return LLVMStore;
  return LLVMGetInstructionOpcode(instr);
}

static bool note_of(mt_Spmd *s, const mt_Value *v, Note *out) {
  if (v->block < 0) return false;
  const mt_AccessNote *n = &mt_strategy_state(s)->note[v - s->value];
  *out = (Note){.count = 1, .full = n->how[1], .masked = n->how[0],
                .why = {n->why[0], n->why[1]}};
  if (is_in_inner_loop(s, v))
    out->full = MT_ACCESS_INNER_LOOP, out->why[1] = MT_REASON_NONE;
  if (!out->full && !out->masked) return false;
  /* code in one version alone reads like code that is the same in both */
  if (!out->full) out->full = out->masked, out->why[1] = out->why[0];
  if (!out->masked) out->masked = out->full, out->why[0] = out->why[1];
  out->line = LLVMGetDebugLocLine(v->of);
  out->op = opcode_of(v->of);
  return true;
}

static const char *noun(const Note *n) {
  bool one = n->count == 1;
  if (n->op == LLVMLoad) return one ? "load" : "loads";
  if (n->op == LLVMStore) return one ? "store" : "stores";
  return one ? "operation" : "operations";
}

static void add_reason(mt_PlanReason why, mt_Str *out) {
  if (why) mt_str_addf(out, ": %s", reason[why]);
}

/* "; line 4: load, contiguous; under a mask gather: its index is loaded" */
static void add_note(const Note *n, mt_Str *out) {
  bool store = n->op == LLVMStore;
  mt_AccessStrategy how = n->full ? n->full : n->masked;
  mt_str_add(out, "; ");
  if (n->line) mt_str_addf(out, "line %u: ", n->line);
  if (n->count > 1) mt_str_addf(out, "%u ", n->count);
  mt_str_addf(out, "%s, %s", noun(n), mt_access_strategy_name(how, store));
  add_reason(n->why[n->full != 0], out);
  if (n->masked && n->masked != how) {
    mt_str_addf(out, "; under a mask %s",
                mt_access_strategy_name(n->masked, store));
    if (n->why[0] != n->why[1]) add_reason(n->why[0], out);
  }
  mt_str_add(out, "\n");
}

static size_t merge(Note *note, size_t count) {
  size_t kept = 0;
  qsort(note, count, sizeof *note, by_line);
  for (size_t i = 0; i < count; i++) {
    if (kept && by_line(&note[kept - 1], &note[i]) == 0)
      note[kept - 1].count++;
    else
      note[kept++] = note[i];
  }
  return kept;
}

static unsigned line_of(const mt_CfgBlock *k) {
  return LLVMGetDebugLocLine(LLVMGetBasicBlockTerminator(k->of));
}

static void add_place(unsigned line, const char *what, mt_Str *out) {
  mt_str_add(out, "; ");
  if (line) mt_str_addf(out, "line %u: ", line);
  mt_str_add(out, what);
}

static bool leaves_loop(const mt_Spmd *s, const mt_CfgBlock *k) {
  return k->loop >= 0 && (!mt_cfg_in_loop(s, k->succ[0], k->loop) ||
                          !mt_cfg_in_loop(s, k->succ[1], k->loop));
}

/* "; line 7: branch, divergent, tested on scalars first" */
static void add_branch(const mt_Spmd *s, const mt_CfgBlock *k, mt_Str *out) {
  if (!k->divergent || leaves_loop(s, k)) return;
  add_place(line_of(k), "branch, divergent", out);
  if (s->needs_full && (k->tested[0] || k->tested[1]))
    mt_str_addf(out, ", %stested on scalars first",
                k->tested[0] && k->tested[1] ? "" : "one side ");
  mt_str_add(out, "\n");
}

/* "; line 7: loop, divergent, the last 5 lanes one at a time" */
static void add_loop(mt_Spmd *s, int loop, mt_Str *out) {
  const mt_CfgLoop *l = &s->loop[loop];
  bool inner = mt_is_inner_loop(s, loop);
  if (!l->divergent && !inner) return;
  add_place(line_of(&s->block[l->header]), "loop", out);
  if (l->divergent) mt_str_add(out, ", divergent");
  if (inner) mt_str_add(out, ", one lane after the other along its row");
  if (l->tail)
    mt_str_addf(out, ", the last %d lanes one at a time", l->tail);
  mt_str_add(out, "\n");
}

/* "; line 9: store, at whose cache lines the vectors of a row start" */
static void add_alignment(mt_Spmd *s, mt_Str *out) {
  LLVMValueRef store = s->geometry->shifted ? mt_row_alignment(s) : NULL;
  if (!store) return;
  add_place(LLVMGetDebugLocLine(store), "store, at whose cache lines the "
            "vectors of a row start\n", out);
}

/* "; line 4: load, prefetched after the barrier for the next iteration" */
static void add_prefetches(const mt_Spmd *s, mt_Str *out) {
  for (int i = 0; i < s->values; i++)
    if (mt_load_ahead(s, &s->value[i])->runs)
      add_place(LLVMGetDebugLocLine(s->value[i].of), "load, prefetched after "
                "the barrier for the next iteration\n", out);
}

/* "; line 4: store, to a tile that is kept for threadgroups with the same x" */
static void add_tiles(const mt_TransformFacts *facts, mt_Str *out) {
  for (int i = 0; i < facts->kept; i++) {
    const mt_KeptTile *t = &facts->tile[i];
    char text[100] = "store, to a tile that is kept for all threadgroups\n";
    bool x = t->key & 1, y = t->key & 2, z = t->key & 4;
    if (t->key)
      snprintf(text, sizeof text, "store, to a tile that is kept for "
               "threadgroups with the same %s%s%s\n", x ? "x" : y ? "y" : "",
               (x || y) && z ? " and " : "", z ? "z" : "");
    add_place(t->line, text, out);
  }
}

/* "; line 4: products, in 2 loops one after the other" */
static void add_sums(const mt_TransformFacts *facts, mt_Str *out) {
  char text[100];
  if (!facts->split) return;
  snprintf(text, sizeof text, "products, in %d loops one after the other: "
           "there are no registers for all sums\n", facts->split);
  add_place(facts->split_line, text, out);
}

void mt_access_report(mt_Spmd *s, mt_VectorFacts *out) {
  size_t count = 0;
  Note *note = mt_new(s, (size_t)s->values + 1, sizeof *note);
  for (int i = 0; i < s->values; i++)
    if (note_of(s, &s->value[i], &note[count])) count++;
  for (size_t i = 0; i < count; i++) {
    const Note *n = &note[i];
    mt_AccessStrategy how = n->full ? n->full : n->masked;
    out->accesses[how][n->op == LLVMStore]++;
  }
  count = merge(note, count);
  for (size_t i = 0; i < count; i++) add_note(&note[i], out->list);
  for (int i = 0; i < s->blocks; i++)
    add_branch(s, &s->block[s->order[i]], out->list);
  for (int l = 0; l < s->loops; l++) add_loop(s, l, out->list);
  add_alignment(s, out->list);
  add_prefetches(s, out->list);
  add_tiles(&out->loops, out->list);
  add_sums(&out->loops, out->list);
  mt_drop(s, note);
}
