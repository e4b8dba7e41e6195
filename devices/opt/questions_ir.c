/*
** questions_ir.c - the answers of compiler/ir about a function, as text.
**
** A question goes through the kernel in order and writes a line for each thing
** that it has an answer for. Names in answers are those of the text.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/opt/unit.h"

#define MOST_ITERATIONS 100000 /* that are counted one by one */

#define QUESTION(name) static mt_Status name(void *unit, mt_Error *err)

/* "name: " */
static void add_name(mt_Str *out, LLVMValueRef v) {
  mt_opt_add_value(out, v);
  mt_str_add(out, ": ");
}

/* ------------------------------------------------------------------- calls */

static const char *kind_of_call(LLVMValueRef call) {
  const char *name = mt_callee(call);
  if (mt_is_probe(name)) return "probe";
  if (mt_is_log_call(name)) return "message";
  if (mt_is_copy(name)) return "copy";
  if (mt_is_pure_intrinsic(name)) return "pure";
  return *name ? "function" : "by address";
}

static void add_crosslane(mt_Str *out, const mt_Crosslane *x) {
  static const char *const scopes[] = {"simd", "quad", "matrix", "barrier"};
  static const char *const types[] = {"no type", "f32", "s32", "u32",
                                      "s64",     "u64", "f16", "bf16"};
  static const char *const results[] = {"varying", "uniform", "by lane"};
  mt_str_addf(out, "%s %s of %s, %u operands, result %s", scopes[x->scope],
              x->row->name, types[x->type], x->row->operands,
              results[x->row->result]);
  if (x->row->class == MT_LANES_MOVE)
    mt_str_addf(out, ", %u moved", mt_crosslane_moved(x->row));
  if (mt_crosslane_is_signed(x->type)) mt_str_add(out, ", signed");
  if (x->row->combines != MT_CROSSLANE_NONE)
    mt_str_addf(out, ", combines %s", mt_crosslane_row(x->row->combines)->name);
}

QUESTION(calls) {
  mt_OptUnit *u = unit;
  (void)err;
  MT_EACH_INSTRUCTION(i, u->function) {
    if (!LLVMIsACallInst(i)) continue;
    mt_Crosslane x;
    const char *name = mt_callee(i);
    mt_str_addf(u->out, "%s: ", *name ? name : "(pointer)");
    if (mt_crosslane_find(name, &x)) add_crosslane(u->out, &x);
    else mt_str_add(u->out, kind_of_call(i));
    if (mt_is_barrier(i)) mt_str_add(u->out, ", threads wait");
    mt_str_add(u->out, "\n");
  }
  return MT_OK;
}

/* ---------------------------------------------------------------- pointers */

static bool add_object(void *with, LLVMValueRef object) {
  mt_Str *out = with;
  mt_str_add(out, " ");
  mt_opt_add_value(out, object);
  return true;
}

static LLVMValueRef pointer_of(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return LLVMGetOperand(i, 0);
  return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

static void add_step(mt_Str *out, LLVMTargetDataRef layout, LLVMValueRef gep) {
  uint64_t bytes;
  if (mt_constant_step(layout, gep, &bytes))
    mt_str_addf(out, "%lld bytes on", (long long)bytes);
  else
    mt_str_add(out, "steps are not constant");
  if (mt_has_variable_index(gep)) mt_str_add(out, ", an index varies");
  mt_str_add(out, "\n");
}

QUESTION(objects) {
  mt_OptUnit *u = unit;
  (void)err;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(u->module);
  MT_EACH_INSTRUCTION(i, u->function) {
    LLVMValueRef p = pointer_of(i), one;
    if (LLVMIsAGetElementPtrInst(i)) {
      add_name(u->out, i);
      add_step(u->out, layout, i);
    }
    if (!p) continue;
    mt_str_addf(u->out, "%s ", LLVMIsALoadInst(i) ? "load" : "store");
    add_name(u->out, p);
    mt_str_add(u->out, "from ");
    mt_opt_add_value(u->out, mt_underlying_object(p));
    mt_str_add(u->out, ", objects");
    if (!mt_each_object(p, add_object, u->out)) mt_str_add(u->out, " …");
    if ((one = mt_single_object(p))) {
      mt_str_add(u->out, ", only ");
      mt_opt_add_value(u->out, one);
    }
    mt_str_add(u->out, "\n");
  }
  return MT_OK;
}

QUESTION(parameters) {
  static const char *const kinds[] = {"buffer", "threadgroup", "texture",
                                      "sampler", "builtin"};
  mt_OptUnit *u = unit;
  (void)err;
  for (unsigned i = 0; i < LLVMCountParams(u->function); i++) {
    LLVMValueRef v = LLVMGetParam(u->function, i);
    const mt_Param *p = mt_parameter(&u->kernel, u->function, v);
    add_name(u->out, v);
    if (p)
      mt_str_addf(u->out, "%s%s%s%s\n", p->constant ? "constant " : "",
                  kinds[p->kind], p->builtin ? " " : "",
                  p->builtin ? p->builtin : "");
    else mt_str_add(u->out, "none of the source's\n");
  }
  return MT_OK;
}

/* ------------------------------------------------------------------- loops */

static LLVMValueRef end_of(LLVMBasicBlockRef b) {
  return LLVMGetBasicBlockTerminator(b);
}

static void add_loop(mt_Str *out, const mt_LoopNest *nest, int loop) {
  mt_str_addf(out, "loop %d: header ", loop);
  mt_opt_add_block(out, nest->block[nest->loops[loop].header]);
  mt_str_addf(out, ", parent %d, blocks", nest->loops[loop].parent);
  for (int b = 0; b < nest->blocks; b++)
    if (nest->block[b] && mt_loop_nest_contains(nest, b, loop)) {
      mt_str_add(out, " ");
      mt_opt_add_block(out, nest->block[b]);
    }
  mt_str_add(out, "\n");
}

static void add_numbered(mt_Str *out, const mt_LoopNest *nest, int b) {
  mt_str_addf(out, "%d ", b);
  mt_opt_add_block(out, nest->block[b]);
  mt_str_addf(out, ": loop %d, dominator %d\n", nest->loop[b],
              mt_loop_nest_dominator(nest, b));
}

QUESTION(loop_nest) {
  mt_OptUnit *u = unit;
  mt_LoopNest nest;
  mt_Status status = mt_loop_nest_make(u->function, &nest, err);
  for (int b = 0; status == MT_OK && b < nest.blocks && nest.block[b]; b++)
    add_numbered(u->out, &nest, b);
  for (int l = 0; status == MT_OK && l < nest.loop_count; l++)
    add_loop(u->out, &nest, l);
  mt_loop_nest_free(&nest);
  return status;
}

QUESTION(induction) {
  mt_OptUnit *u = unit;
  (void)err;
  MT_EACH_INSTRUCTION(i, u->function) {
    mt_Induction v;
    if (!LLVMIsAPHINode(i)) continue;
    add_name(u->out, i);
    if (mt_induction_find(i, &v)) {
      mt_str_add(u->out, "from ");
      mt_opt_add_value(u->out, v.start);
      mt_str_add(u->out, " by ");
      mt_opt_add_value(u->out, v.by);
      mt_str_add(u->out, " to ");
      mt_opt_add_value(u->out, v.next);
      if (v.unit) mt_str_add(u->out, ", elements");
    } else mt_str_add(u->out, "no induction variable");
    mt_str_add(u->out, mt_is_free_sum(i) ? ", a free sum\n" : "\n");
  }
  return MT_OK;
}

/* Does the branch at the block's end leave the loop by one of its two ways? */
static bool parts(const mt_LoopNest *nest, int b, int loop) {
  LLVMValueRef end = end_of(nest->block[b]);
  if (LLVMGetNumSuccessors(end) != 2 || !LLVMIsABranchInst(end)) return false;
  return mt_loop_leaves(nest, loop, LLVMGetSuccessor(end, 0)) !=
         mt_loop_leaves(nest, loop, LLVMGetSuccessor(end, 1));
}

static void add_trip_counts(mt_Str *out, const mt_LoopNest *nest, int loop) {
  for (int b = 0; b < nest->blocks && nest->block[b]; b++) {
    if (!mt_loop_nest_contains(nest, b, loop) || !parts(nest, b, loop))
      continue;
    int64_t n = mt_loop_trips(nest, loop, end_of(nest->block[b]),
                              MOST_ITERATIONS);
    mt_str_add(out, "loop ");
    mt_opt_add_block(out, mt_loop_header(nest, loop));
    mt_str_add(out, " left from ");
    mt_opt_add_block(out, nest->block[b]);
    if (n) mt_str_addf(out, ": %lld iterations\n", (long long)n);
    else mt_str_add(out, ": not known\n");
  }
}

QUESTION(trip_counts) {
  mt_OptUnit *u = unit;
  mt_LoopNest nest;
  mt_Status status = mt_loop_nest_make(u->function, &nest, err);
  for (int l = 0; status == MT_OK && l < nest.loop_count; l++)
    add_trip_counts(u->out, &nest, l);
  mt_loop_nest_free(&nest);
  return status;
}

static void add_block_of(mt_Str *out, const char *before, LLVMValueRef end) {
  mt_str_add(out, before);
  if (end) mt_opt_add_block(out, LLVMGetInstructionParent(end));
  else mt_str_add(out, "none");
}

QUESTION(loop_ends) {
  mt_OptUnit *u = unit;
  mt_LoopEnds ends;
  bool made = mt_loop_ends_make(u->function, MOST_ITERATIONS, &ends);
  for (int l = 0; made && l < ends.nest.loop_count; l++) {
    const mt_LoopEnd *end = &ends.of[l];
    mt_str_add(u->out, "loop ");
    mt_opt_add_block(u->out, mt_loop_header(&ends.nest, l));
    add_block_of(u->out, " closed by ", end->branch);
    add_block_of(u->out, ", left last by ", end->exit);
    mt_str_addf(u->out, ", %d exits, ", end->exits);
    if (end->trips)
      mt_str_addf(u->out, "%lld iterations at most\n", (long long)end->trips);
    else mt_str_add(u->out, "iterations not known\n");
  }
  mt_loop_ends_free(&ends);
  return made ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

/* -------------------------------------------------------------- dominators */

typedef struct Graph {
  LLVMBasicBlockRef *block;
  mt_Edge *edge;
  int blocks, edges;
} Graph;

static int number_of(const Graph *g, LLVMBasicBlockRef b) {
  int i = 0;
  while (g->block[i] != b) i++;
  return i;
}

/* Blocks by number, and a node after them that all returns lead to. */
static bool make_graph(LLVMValueRef f, Graph *g) {
  g->blocks = (int)LLVMCountBasicBlocks(f);
  g->block = calloc((size_t)g->blocks, sizeof *g->block);
  if (!g->block) return false;
  LLVMGetBasicBlocks(f, g->block);
  size_t most = 0;
  for (int i = 0; i < g->blocks; i++)
    most += LLVMGetNumSuccessors(end_of(g->block[i])) + 1;
  if (!(g->edge = calloc(most, sizeof *g->edge))) return false;
  for (int i = 0; i < g->blocks; i++) {
    LLVMValueRef end = end_of(g->block[i]);
    unsigned n = LLVMGetNumSuccessors(end);
    if (!n) g->edge[g->edges++] = (mt_Edge){i, g->blocks};
    for (unsigned k = 0; k < n; k++)
      g->edge[g->edges++] =
          (mt_Edge){i, number_of(g, LLVMGetSuccessor(end, k))};
  }
  return true;
}

static void add_up(mt_Str *out, const Graph *g, const char *word, int up) {
  mt_str_addf(out, "%s ", word);
  if (up < 0) mt_str_add(out, "none");
  else if (up == g->blocks) mt_str_add(out, "the end");
  else mt_opt_add_block(out, g->block[up]);
}

QUESTION(dominators) {
  mt_OptUnit *u = unit;
  Graph g = {0};
  int *up[2] = {NULL, NULL};
  bool good = make_graph(u->function, &g);
  for (int back = 0; good && back < 2; back++) {
    up[back] = calloc((size_t)g.blocks + 1, sizeof **up);
    good = up[back] && mt_dominators(g.blocks + 1, g.edge, g.edges, back,
                                     back ? g.blocks : 0, NULL, up[back]) >= 0;
  }
  for (int i = 0; good && i < g.blocks; i++) {
    mt_opt_add_block(u->out, g.block[i]);
    add_up(u->out, &g, ": dominator", up[0][i]);
    add_up(u->out, &g, ", postdominator", up[1][i]);
    mt_str_add(u->out, "\n");
  }
  free(up[0]), free(up[1]), free(g.edge), free(g.block);
  return good ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

/* -------------------------------------------------------------- divergence */

static void add_block_divergence(mt_Str *out, const mt_Divergence *g,
                                 unsigned b) {
  mt_opt_add_block(out, g->block[b]);
  mt_str_add(out, mt_divergence_converged(g, b) ? ": converged" : ": apart");
  if (g->parts[b]) {
    mt_str_add(out, ", parts until ");
    if (g->join[b] == g->blocks) mt_str_add(out, "the end");
    else mt_opt_add_block(out, g->block[g->join[b]]);
  }
  mt_str_add(out, "\n");
}

QUESTION(divergence) {
  mt_OptUnit *u = unit;
  mt_Divergence g = {.function = u->function, .kernel = &u->kernel};
  bool good = mt_divergence_open(&g);
  for (unsigned i = 0; good && i < g.instructions; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(g.instruction[i])) != LLVMVoidTypeKind) {
      add_name(u->out, g.instruction[i]);
      mt_str_add(u->out, g.varies[i] ? "varies\n" : "same\n");
    }
  for (unsigned b = 0; good && b < g.blocks; b++)
    add_block_divergence(u->out, &g, b);
  mt_divergence_close(&g);
  return good ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

/* ------------------------------------------------------------------ memory */

QUESTION(threadgroup) {
  mt_OptUnit *u = unit;
  (void)err;
  for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g;
       g = LLVMGetNextGlobal(g)) {
    if (!mt_is_threadgroup(g)) continue;
    add_name(u->out, g);
    mt_str_addf(u->out, "at byte %zu\n", mt_threadgroup_place(u->module, g));
  }
  mt_str_addf(u->out, "%zu bytes\n", mt_threadgroup_size(u->module));
  return MT_OK;
}

static const char *access_name(unsigned access) {
  static const char *const names[] = {"neither", "read", "written",
                                      "read and written"};
  return names[access & 3];
}

QUESTION(uses) {
  mt_OptUnit *u = unit;
  mt_Uses uses;
  (void)err;
  mt_uses_find(&u->kernel, u->function, &uses);
  if (!uses.known) mt_str_add(u->out, "not known\n");
  for (unsigned i = 0; uses.known && i < u->kernel.param_count; i++)
    if (!u->params[i].builtin)
      mt_str_addf(u->out, "%%%s: %s, inside %s\n", u->params[i].name,
                  access_name(uses.of[i]), access_name(uses.inside[i]));
  for (unsigned i = 0; uses.known && i < uses.link_count; i++)
    mt_str_addf(u->out, "%%%s, pointer at byte %u: %s\n",
                u->params[uses.link[i].param].name, uses.link[i].offset,
                access_name(uses.link[i].access));
  return MT_OK;
}

/* --------------------------------------------------------------- the table */

#define ROW(name, what, run) {name, what, run, .needs = 0}

static const mt_Pass questions[] = {
    ROW("calls", "what each call is: cross-lane, probe, message, pure", calls),
    ROW("objects", "the variables that a pointer may lead to, and its steps",
        objects),
    ROW("parameters", "what the kernel's parameters are", parameters),
    ROW("loop-nest", "blocks in reverse postorder, and their loops", loop_nest),
    ROW("dominators", "each block's dominator and postdominator", dominators),
    ROW("induction", "induction variables: start, step, next value; free sums",
        induction),
    ROW("trip-counts", "how often a loop runs, where that is known",
        trip_counts),
    ROW("loop-ends", "where a loop closes and is left, how often it runs",
        loop_ends),
    ROW("divergence", "values that vary from lane to lane, blocks where lanes "
        "part", divergence),
    ROW("threadgroup", "places of threadgroup variables", threadgroup),
    ROW("uses", "what the kernel reads and writes, by parameter", uses),
};

static const char *const none[] = {NULL};

const mt_PassTable mt_opt_ir_questions = {
    "compiler/ir", questions, sizeof questions / sizeof *questions, none, none};
