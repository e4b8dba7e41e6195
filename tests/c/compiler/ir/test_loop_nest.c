/*
** test_loop_nest.c - compiler/ir/loop_nest.c on random graphs of blocks, by the
** definitions: reverse postorder, dominators, natural loops.
**
** Guards: devices/compiler/ir/loop_nest.c: reverse postorder, dominators and
** natural loops of random functions, by their definitions; no memory;
** devices/compiler/ir/loop_ends.c: no memory
*/
#define _GNU_SOURCE /* allocations.h */
#include "devices/compiler/ir/loop_nest.h"

#include "devices/compiler/ir/loop_ends.h"
#include "tests/c/allocations.h"
#include "tests/c/compiler/ir/random_graph.h"
#include "tests/c/ir_case.h"

#define ROUNDS 1500

/* What is compared, with the blocks in the order of the text. */
typedef struct Case {
  Graph g;
  mt_LoopNest nest;
  LLVMBasicBlockRef block[MOST_BLOCKS];
  int number[MOST_BLOCKS]; /* in the nest; -1: not reachable */
} Case;

/* Does every way from the entry to 'b' pass 'a'? */
static bool dominates(const Graph *g, int a, int b) {
  return a == b || !can_reach(g, 0, a, b);
}

static bool is_edge(const Graph *g, int from, int to) {
  for (int i = 0; i < g->ways[from]; i++)
    if (g->to[from][i] == to) return true;
  return false;
}

static bool is_latch(const Case *c, int b, int header) {
  return c->number[b] >= 0 && is_edge(&c->g, b, header) &&
         dominates(&c->g, header, b);
}

static bool is_header(const Case *c, int h) {
  for (int b = 0; b < c->g.blocks; b++)
    if (is_latch(c, b, h)) return true;
  return false;
}

/* Is 'b' in the natural loop of 'header'? */
static bool is_in(const Case *c, int b, int header) {
  if (c->number[b] < 0 || !dominates(&c->g, header, b)) return false;
  for (int latch = 0; latch < c->g.blocks; latch++)
    if (is_latch(c, latch, header) &&
        (b == header || can_reach(&c->g, b, header, latch)))
      return true;
  return false;
}

static int text_number(const Case *c, int number) {
  int b = 0;
  while (c->number[b] != number) b++;
  return b;
}

static void compare_order(const Case *c) {
  int live = 0;
  for (int b = 0; b < c->g.blocks; b++) {
    int n = mt_loop_nest_number(&c->nest, c->block[b]);
    assert_int_equal(n >= 0, can_reach(&c->g, 0, -1, b));
    if (n < 0) continue;
    assert_ptr_equal(c->nest.block[n], c->block[b]);
    live++;
    for (int i = 0; i < c->g.ways[b]; i++)
      if (c->number[c->g.to[b][i]] <= n) /* it goes back */
        assert_true(can_reach(&c->g, c->g.to[b][i], -1, b));
  }
  assert_int_equal(c->number[0], 0);
  for (int n = 0; n < c->g.blocks; n++)
    assert_int_equal(c->nest.block[n] != NULL, n < live);
}

static void compare_dominators(const Case *c) {
  for (int b = 1; b < c->g.blocks; b++) {
    if (c->number[b] < 0) continue;
    int up = text_number(c, mt_loop_nest_dominator(&c->nest, c->number[b]));
    assert_true(up != b && dominates(&c->g, up, b));
    for (int a = 0; a < c->g.blocks; a++)
      if (a != b && c->number[a] >= 0 && dominates(&c->g, a, b))
        assert_true(dominates(&c->g, a, up));
  }
  assert_int_equal(mt_loop_nest_dominator(&c->nest, 0), 0);
}

/* The innermost loop that 'b' is in, 'not' aside, by its header: it is in all
** others. -1: none. */
static int innermost(const Case *c, int b, int not) {
  int found = -1;
  for (int h = 0; h < c->g.blocks; h++)
    if (h != not && is_header(c, h) && is_in(c, b, h) &&
        (found < 0 || is_in(c, h, found)))
      found = h;
  return found;
}

static int header_of(const Case *c, int loop) {
  return loop < 0 ? -1 : text_number(c, c->nest.loops[loop].header);
}

static void compare_loops(const Case *c) {
  int headers = 0;
  for (int b = 0; b < c->g.blocks; b++) headers += is_header(c, b);
  assert_int_equal(c->nest.loop_count, headers);
  for (int l = 0; l < headers; l++) {
    int h = header_of(c, l);
    assert_true(is_header(c, h));
    assert_true(c->nest.loops[l].parent < l);
    assert_int_equal(header_of(c, c->nest.loops[l].parent),
                     innermost(c, h, h));
    for (int b = 0; b < c->g.blocks; b++)
      if (c->number[b] >= 0)
        assert_int_equal(mt_loop_nest_contains(&c->nest, c->number[b], l),
                         is_in(c, b, h));
  }
  for (int b = 0; b < c->g.blocks; b++)
    if (c->number[b] >= 0)
      assert_int_equal(header_of(c, c->nest.loop[c->number[b]]),
                       innermost(c, b, -1));
}

static void compare(const Graph *g, LLVMContextRef context) {
  Case c = {.g = *g};
  mt_Str text = MT_STR_INIT;
  mt_Error err;
  write_text(g, &text);
  LLVMModuleRef m = ir_parse(context, mt_str_text(&text));
  LLVMGetBasicBlocks(ir_function(m), c.block);
  assert_int_equal(mt_loop_nest_make(ir_function(m), &c.nest, &err), MT_OK);
  assert_int_equal(c.nest.blocks, g->blocks);
  for (int b = 0; b < g->blocks; b++)
    c.number[b] = mt_loop_nest_number(&c.nest, c.block[b]);
  compare_order(&c);
  compare_dominators(&c);
  compare_loops(&c);
  mt_loop_nest_free(&c.nest);
  LLVMDisposeModule(m);
  mt_str_free(&text);
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

/* A block of another function has no number; what is freed is empty. */
static void test_ends(void **state) {
  (void)state;
  mt_LoopNest nest;
  mt_Error err;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = ir_parse(context, "define void @f() {\nret void\n}\n"
                             "define void @g() {\nret void\n}\n");
  LLVMValueRef f = ir_function(m);
  assert_int_equal(mt_loop_nest_make(f, &nest, &err), MT_OK);
  assert_int_equal(mt_loop_nest_number(
                       &nest, LLVMGetEntryBasicBlock(LLVMGetNextFunction(f))),
                   -1);
  mt_loop_nest_free(&nest);
  assert_null(nest.block);
  assert_int_equal(nest.blocks, 0);
  mt_loop_nest_free(&nest);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
}

static bool make_and_free(void *with) {
  mt_LoopNest nest;
  mt_Error err = {""};
  bool good = mt_loop_nest_make(with, &nest, &err) == MT_OK;
  if (!good) assert_string_equal(err.text, "out of memory");
  mt_loop_nest_free(&nest);
  return good;
}

static bool ends_and_free(void *with) {
  mt_LoopEnds ends;
  bool good = mt_loop_ends_make(with, 100, &ends);
  mt_loop_ends_free(&ends);
  assert_null(ends.of);
  assert_null(ends.nest.block);
  return good;
}

static void test_memory(void **state) {
  (void)state;
  LLVMContextRef context = LLVMContextCreate();
  for (int i = 0; i < 20; i++) {
    mt_Str text = MT_STR_INIT;
    Graph g = random_graph();
    write_text(&g, &text);
    LLVMModuleRef m = ir_parse(context, mt_str_text(&text));
    each_allocation_fails(make_and_free, ir_function(m));
    each_allocation_fails(ends_and_free, ir_function(m));
    LLVMDisposeModule(m);
    mt_str_free(&text);
  }
  LLVMContextDispose(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions),
                                     cmocka_unit_test(test_ends),
                                     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
