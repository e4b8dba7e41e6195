/*
** test_divergence.c - compiler/ir/divergence.c on random graphs of blocks, by
** the definitions: what can be reached, where lanes have reconverged, which
** divergent branches decide whether a block runs.
**
** Guards: devices/compiler/ir/divergence.c: reachability, immediate
** postdominators and control dependence of random functions, whose branches
** depend on the thread or do not
*/
#include "devices/compiler/ir/divergence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <llvm-c/IRReader.h>

#include "base/str.h"

#define MOST 12
#define ROUNDS 400

typedef struct Graph {
  int blocks;
  int ways[MOST], to[MOST][2];
  bool varies[MOST]; /* its branch */
} Graph;

static uint32_t drawn = 1;
static int draw(int below) {
  drawn = drawn * 1664525u + 1013904223u;
  return (int)((drawn >> 8) % (unsigned)below);
}

static Graph random_graph(void) {
  Graph g = {.blocks = 1 + draw(MOST)};
  for (int b = 0; b < g.blocks; b++) {
    g.ways[b] = g.blocks == 1 ? 0 : draw(8) == 0 ? 0 : 1 + draw(2);
    g.varies[b] = draw(2);
    for (int i = 0; i < 2 && g.blocks > 1; i++)
      g.to[b][i] = 1 + draw(g.blocks - 1); /* the first has no edge to it */
  }
  return g;
}

static void write_text(const Graph *g, mt_Str *out) {
  mt_str_add(out, "define void @k(i1 %same, i1 %other) {\n");
  for (int b = 0; b < g->blocks; b++) {
    mt_str_addf(out, "b%d:\n", b);
    if (g->ways[b] == 0) mt_str_add(out, "ret void\n");
    else if (g->ways[b] == 1) mt_str_addf(out, "br label %%b%d\n", g->to[b][0]);
    else
      mt_str_addf(out, "br i1 %%%s, label %%b%d, label %%b%d\n",
                  g->varies[b] ? "other" : "same", g->to[b][0], g->to[b][1]);
  }
  mt_str_add(out, "}\n");
}

/* Is there a path from 'b' to 'to' (g->blocks: the end) without 'wall'? */
static bool reaches(const Graph *g, int b, int wall, int to, bool *seen) {
  if (b == wall) return false;
  if (b == to || (to == g->blocks && g->ways[b] == 0)) return true;
  if (seen[b]) return false;
  seen[b] = true;
  for (int i = 0; i < g->ways[b]; i++)
    if (reaches(g, g->to[b][i], wall, to, seen)) return true;
  return false;
}

static bool can_reach(const Graph *g, int b, int wall, int to) {
  bool seen[MOST] = {false};
  return reaches(g, b, wall, to, seen);
}

/* Is 'p' on every way from 'b' to the end? */
static bool postdominates(const Graph *g, int p, int b) {
  return p == b || !can_reach(g, b, p, g->blocks);
}

static int join_of(const Graph *g, int b) {
  if (!can_reach(g, b, -1, g->blocks)) return g->blocks;
  for (int p = 0; p < g->blocks; p++) {
    if (p == b || !postdominates(g, p, b)) continue;
    bool nearest = true;
    for (int q = 0; q < g->blocks; q++)
      if (q != b && postdominates(g, q, b)) nearest &= postdominates(g, q, p);
    if (nearest) return p;
  }
  return g->blocks;
}

/* One way of 'k' leads to 'b' for certain, and another one may miss it. */
static bool decides(const Graph *g, int k, int b) {
  bool there = false, elsewhere = false;
  for (int i = 0; i < g->ways[k]; i++) {
    int to = g->to[k][i];
    bool misses = to != b && can_reach(g, to, b, g->blocks);
    if (misses) elsewhere = true;
    else there = true;
  }
  return there && elsewhere;
}

/* The branches that 'b' depends on, and those that these depend on. */
static void parting(const Graph *g, int b, bool *out) {
  bool on[MOST] = {false};
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < g->blocks; k++) {
      bool is = decides(g, k, b);
      for (int j = 0; j < g->blocks; j++) is |= on[j] && decides(g, k, j);
      if (is && !on[k]) on[k] = more = true;
    }
  }
  for (int k = 0; k < g->blocks; k++)
    out[k] = on[k] && g->ways[k] == 2 && g->varies[k];
}

static void compare_block(const Graph *g, const mt_Divergence *d, int b) {
  bool out[MOST] = {false}, expected[MOST] = {false}, any = false;
  unsigned n = (unsigned)b;
  assert_int_equal(mt_divergence_number(d, d->block[b]), b);
  assert_int_equal(mt_divergence_block(d, mt_divergence_end(d, n)), b);
  assert_int_equal(d->join[b], join_of(g, b));
  assert_int_equal(d->parts[b], g->ways[b] == 2 && g->varies[b]);
  parting(g, b, expected);
  mt_divergence_parting(d, n, out);
  assert_memory_equal(out, expected, sizeof out);
  for (int k = 0; k < g->blocks; k++) any |= expected[k];
  assert_int_equal(mt_divergence_converged(d, n), !any);
  for (int wall = 0; wall <= g->blocks; wall++) {
    memset(out, 0, sizeof out);
    mt_divergence_reach(d, n, (unsigned)wall, out);
    for (int k = 0; k < g->blocks; k++)
      assert_int_equal(out[k], can_reach(g, b, wall, k) && k != wall);
  }
}

static LLVMModuleRef parse(LLVMContextRef context, const mt_Str *text) {
  LLVMModuleRef m = NULL;
  char *why = NULL;
  LLVMMemoryBufferRef file = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      text->text, text->length, "test");
  if (LLVMParseIRInContext(context, file, &m, &why))
    fail_msg("%s\n%s", why, text->text);
  return m;
}

static mt_Param params[2] = {
    {.name = "same", .kind = MT_PARAM_BUILTIN,
     .builtin = "threadgroups_per_grid"},
    {.name = "other", .kind = MT_PARAM_BUILTIN,
     .builtin = "thread_position_in_grid"}};
static const mt_MslKernel kernel = {
    .name = "k", .params = params, .param_count = 2};

static void compare(const Graph *g, LLVMContextRef context) {
  mt_Str text = MT_STR_INIT;
  write_text(g, &text);
  LLVMModuleRef m = parse(context, &text);
  mt_Divergence d = {.function = LLVMGetFirstFunction(m), .kernel = &kernel};
  assert_true(mt_divergence_open(&d));
  assert_int_equal(d.blocks, g->blocks);
  for (int b = 0; b < g->blocks; b++) compare_block(g, &d, b);
  mt_divergence_close(&d);
  LLVMDisposeModule(m);
  mt_str_free(&text);
}

/* A function of more blocks than are looked at: nothing is known of it. */
static void test_large(void **state) {
  (void)state;
  LLVMContextRef context = LLVMContextCreate();
  for (unsigned n = MT_DIVERGENCE_BLOCKS; n <= MT_DIVERGENCE_BLOCKS + 1; n++) {
    mt_Str text = MT_STR_INIT;
    mt_str_add(&text, "define void @k(i1 %same, i1 %other) {\n");
    for (unsigned b = 0; b + 1 < n; b++)
      mt_str_addf(&text, "b%u: br label %%b%u\n", b, b + 1);
    mt_str_addf(&text, "b%u: ret void\n}\n", n - 1);
    LLVMModuleRef m = parse(context, &text);
    mt_Divergence d = {.function = LLVMGetFirstFunction(m), .kernel = &kernel};
    assert_true(mt_divergence_open(&d));
    assert_int_equal(d.blocks, n);
    assert_int_equal(mt_divergence_converged(&d, n - 1),
                     n <= MT_DIVERGENCE_BLOCKS);
    mt_divergence_close(&d);
    LLVMDisposeModule(m);
    mt_str_free(&text);
  }
  LLVMContextDispose(context);
}

static void test_definitions(void **state) {
  (void)state;
  LLVMContextRef context = LLVMContextCreate();
  for (int i = 0; i < ROUNDS; i++) {
    Graph g = random_graph();
    compare(&g, context);
  }
  LLVMContextDispose(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions),
                                     cmocka_unit_test(test_large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
