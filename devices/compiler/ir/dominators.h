/*
** dominators.h - immediate dominators of a graph of numbered nodes.
**
** Nodes are blocks, or whatever the caller numbers; for postdominators of a
** function with several returns the caller adds a node that all of them lead
** to, and asks backwards from there.
*/
#ifndef MT_COMPILER_IR_DOMINATORS_H
#define MT_COMPILER_IR_DOMINATORS_H

#include <stdbool.h>

typedef struct mt_Edge {
  int from, to;
} mt_Edge;

/*
** The immediate dominator of each node, seen from 'root', in up[]: that of the
** root is the root, -1: not reachable. 'backwards': along the edges reversed,
** so these are postdominators. Returns how many nodes are reachable, -1: out of
** memory; order[] has them in reverse postorder, unless it is NULL.
*/
int mt_dominators(int nodes, const mt_Edge *edge, int edges, bool backwards,
                  int root, int *order, int *up);

#endif
