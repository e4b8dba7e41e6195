/*
** dominators.c - Cooper, Harvey and Kennedy's algorithm, see dominators.h.
**
** The one idea: a node's dominators are a path up a tree. Where several edges
** lead to a node, its immediate dominator is where their paths meet, found by
** climbing from the node that comes later in reverse postorder. This is
** repeated until nothing changes, which takes few rounds.
*/
#include "devices/compiler/ir/dominators.h"

#include <stdlib.h>
#include <string.h>

typedef struct Graph {
  int nodes; /* the arrays are one piece of memory, which begins at 'first' */
  int *first, *to; /* node n leads to to[first[n]] … to[first[n + 1] - 1] */
  int *number;     /* in reverse postorder; -1: not reachable */
  int *stack;      /* nodes on the way, and how many edges were followed */
  int *order;      /* nodes in reverse postorder */
} Graph;

static bool allocate(Graph *g, int nodes, int edges) {
  size_t n = (size_t)nodes;
  g->nodes = nodes;
  g->first = malloc((5 * n + 1 + (size_t)edges) * sizeof *g->first);
  if (!g->first) return false;
  g->number = g->first + n + 1;
  g->stack = g->number + n;
  g->order = g->stack + 2 * n;
  g->to = g->order + n;
  return true;
}

/* The edges by the node that they leave, in the order of the list. */
static void sort_edges(Graph *g, const mt_Edge *edge, int edges, bool back) {
  int *at = g->stack; /* where the next edge of a node goes */
  memset(g->first, 0, ((size_t)g->nodes + 1) * sizeof *g->first);
  for (int i = 0; i < edges; i++)
    g->first[(back ? edge[i].to : edge[i].from) + 1]++;
  for (int n = 0; n < g->nodes; n++) {
    at[n] = g->first[n];
    g->first[n + 1] += g->first[n];
  }
  for (int i = 0; i < edges; i++)
    g->to[at[back ? edge[i].to : edge[i].from]++] =
        back ? edge[i].from : edge[i].to;
}

/* Depth first; 'order' is filled from its end on, then moved. */
static int number_nodes(Graph *g, int root) {
  int *order = g->order, depth = 1, left = g->nodes;
  memset(g->number, -1, (size_t)g->nodes * sizeof *g->number);
  g->stack[0] = root, g->stack[1] = 0, g->number[root] = 0;
  while (depth) {
    int n = g->stack[2 * depth - 2], *i = &g->stack[2 * depth - 1];
    if (g->first[n] + *i == g->first[n + 1]) {
      order[--left] = n;
      depth--;
      continue;
    }
    int to = g->to[g->first[n] + (*i)++];
    if (g->number[to] >= 0) continue;
    g->number[to] = 0;
    g->stack[2 * depth] = to, g->stack[2 * depth + 1] = 0;
    depth++;
  }
  int count = g->nodes - left;
  memmove(order, order + left, (size_t)count * sizeof *order);
  for (int i = 0; i < count; i++) g->number[order[i]] = i;
  return count;
}

static int meet(const Graph *g, const int *up, int a, int b) {
  while (a != b)
    if (g->number[a] > g->number[b])
      a = up[a];
    else
      b = up[b];
  return a;
}

/* One round over all edges; has it changed anything? */
static bool improve(const Graph *g, int count, int root, int *up) {
  bool changed = false;
  for (int i = 0; i < count; i++) {
    int from = g->order[i];
    for (int e = g->first[from]; e < g->first[from + 1]; e++) {
      int to = g->to[e], was = up[to];
      if (to == root) continue;
      up[to] = was < 0 ? from : meet(g, up, was, from);
      changed |= up[to] != was;
    }
  }
  return changed;
}

int mt_dominators(int nodes, const mt_Edge *edge, int edges, bool backwards,
                  int root, int *order, int *up) {
  Graph g;
  if (!allocate(&g, nodes, edges)) return -1;
  sort_edges(&g, edge, edges, backwards);
  int count = number_nodes(&g, root);
  for (int n = 0; n < nodes; n++) up[n] = -1;
  up[root] = root;
  while (improve(&g, count, root, up)) continue;
  if (order) memcpy(order, g.order, (size_t)count * sizeof *order);
  free(g.first);
  return count;
}
