/*
** test_dominators.c - compiler/ir/dominators.c on random graphs, against the
** definition: a node dominates those that cannot be reached without it.
**
** Guards: devices/compiler/ir/dominators.c: dominators and postdominators of
** random graphs, by their definition; no memory
*/
#define _GNU_SOURCE /* allocations.h */
#include "devices/compiler/ir/dominators.h"

#include "tests/c/allocations.h"

#define MOST 24

typedef struct Graph {
  int nodes, edges;
  mt_Edge edge[3 * MOST];
} Graph;

static uint32_t drawn = 1;
static int draw(int below) {
  drawn = drawn * 1664525u + 1013904223u;
  return (int)((drawn >> 8) % (unsigned)below);
}

static Graph random_graph(void) {
  Graph g = {.nodes = 1 + draw(MOST)};
  g.edges = draw(3 * g.nodes);
  for (int i = 0; i < g.edges; i++)
    g.edge[i] = (mt_Edge){draw(g.nodes), draw(g.nodes)};
  return g;
}

/* The nodes that can be reached from 'root' without 'wall' (-1: none). */
static void reach(const Graph *g, bool back, int root, int wall, bool *out) {
  memset(out, 0, MOST * sizeof *out);
  out[root] = root != wall;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < g->edges; i++) {
      int from = back ? g->edge[i].to : g->edge[i].from;
      int to = back ? g->edge[i].from : g->edge[i].to;
      if (out[from] && !out[to] && to != wall) out[to] = more = true;
    }
  }
}

static void compare(const Graph *g, bool back, int root) {
  int order[MOST], up[MOST], alone[MOST];
  bool all[MOST], without[MOST];
  int n = mt_dominators(g->nodes, g->edge, g->edges, back, root, order, up);
  assert_int_equal(mt_dominators(g->nodes, g->edge, g->edges, back, root, NULL,
                                 alone), n);
  assert_memory_equal(up, alone, (size_t)g->nodes * sizeof *up);
  reach(g, back, root, -1, all);
  for (int i = 0; i < g->nodes; i++) {
    n -= all[i];
    assert_int_equal(up[i] >= 0, all[i]);
  }
  assert_int_equal(n, 0);
  for (int a = 0; a < g->nodes; a++) {
    reach(g, back, root, a, without);
    for (int b = 0; b < g->nodes; b++) {
      if (!all[a] || !all[b]) continue;
      int d = b;
      while (d != a && d != root) d = up[d];
      assert_int_equal(d == a, a == b || !without[b]);
    }
  }
}

static void test_definition(void **state) {
  (void)state;
  for (int i = 0; i < 2000; i++) {
    Graph g = random_graph();
    compare(&g, i % 2, draw(g.nodes));
  }
}

static bool find_all(void *with) {
  const Graph *g = with;
  int order[MOST], up[MOST];
  return mt_dominators(g->nodes, g->edge, g->edges, false, 0, order, up) >= 0;
}

static void test_memory(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    Graph g = random_graph();
    each_allocation_fails(find_all, &g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition),
                                     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests_name("dominators", tests, NULL, NULL);
}
