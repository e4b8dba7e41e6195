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
#include <stddef.h>

typedef struct mt_Edge {
  int from, to;
} mt_Edge;

/* How many ints of memory mt_dominators needs. */
size_t mt_dominators_work(int nodes, int edges);

/*
** The immediate dominator of each node, seen from 'root', in up[]: that of the
** root is the root, -1: not reachable. 'backwards': along the edges reversed,
** so these are postdominators. Returns how many nodes are reachable; order[]
** has them in reverse postorder. 'work': see above.
*/
int mt_dominators(int nodes, const mt_Edge *edge, int edges, bool backwards,
                  int root, int *work, int *order, int *up);

#endif
