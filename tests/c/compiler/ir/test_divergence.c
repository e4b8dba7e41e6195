/*
** test_divergence.c - compiler/ir/divergence.c on random graphs of blocks, by
** the definitions: what can be reached, where lanes have reconverged, which
** divergent branches decide whether a block runs.
**
** Guards: devices/compiler/ir/divergence.c: reachability, immediate
** postdominators and control dependence of random functions, whose branches
** depend on the thread or do not; no memory
*/
#define _GNU_SOURCE /* allocations.h */
#include "devices/compiler/ir/divergence.h"

#include "tests/c/allocations.h"
#include "tests/c/compiler/ir/random_graph.h"
#include "tests/c/ir_case.h"

#define ROUNDS 400

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
  bool on[MOST_BLOCKS] = {false};
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
  bool out[MOST_BLOCKS] = {false}, expected[MOST_BLOCKS] = {false}, any = false;
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
  LLVMModuleRef m = ir_parse(context, mt_str_text(&text));
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
    LLVMModuleRef m = ir_parse(context, mt_str_text(&text));
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

static bool open_and_close(void *with) {
  mt_Divergence d = {.function = with, .kernel = &kernel};
  bool good = mt_divergence_open(&d);
  mt_divergence_close(&d);
  return good;
}

/* Without memory lanes may diverge at every branch that can. */
static bool is_converged(void *with) {
  return mt_divergence_converged(with, 3);
}

static void test_memory(void **state) {
  (void)state;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = ir_parse(
      context, "define void @k(i1 %same, i1 %other) {\n"
      "b0: br i1 %other, label %b1, label %b2\nb1: br label %b3\n"
      "b2: br label %b3\nb3: ret void\n}\n");
  each_allocation_fails(open_and_close, ir_function(m));
  mt_Divergence d = {.function = ir_function(m), .kernel = &kernel};
  assert_true(mt_divergence_open(&d));
  each_allocation_fails(is_converged, &d);
  mt_divergence_close(&d);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions),
                                     cmocka_unit_test(test_large),
                                     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
