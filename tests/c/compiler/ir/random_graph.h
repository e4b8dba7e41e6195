/*
** random_graph.h - functions of random blocks, and which of them can be reached
** from which: what dominators, loops and control dependence are defined by.
*/
#ifndef RANDOM_GRAPH_H
#define RANDOM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define MOST_BLOCKS 12

typedef struct Graph {
  int blocks;
  int ways[MOST_BLOCKS], to[MOST_BLOCKS][2];
  bool varies[MOST_BLOCKS]; /* its branch depends on the thread */
} Graph;

static uint32_t drawn = 1;
static int draw(int below) {
  drawn = drawn * 1664525u + 1013904223u;
  return (int)((drawn >> 8) % (unsigned)below);
}

static Graph random_graph(void) {
  Graph g = {.blocks = 1 + draw(MOST_BLOCKS)};
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
  bool seen[MOST_BLOCKS] = {false};
  return reaches(g, b, wall, to, seen);
}

#endif
