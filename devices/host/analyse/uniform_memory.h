/*
** uniform_memory.h - private arrays of which all lanes share one copy; a part
** of the uniformity analysis.
*/
#ifndef MT_HOST_ANALYSE_UNIFORM_MEMORY_H
#define MT_HOST_ANALYSE_UNIFORM_MEMORY_H

#include "devices/host/analyse/analyse.h"

typedef struct mt_SharedArray mt_SharedArray;

/* The kernel's private arrays; those whose uses can be followed are marked as
** shared (mt_Value.shared). Returns their number. */
int mt_shared_find(mt_Spmd *s, mt_SharedArray **out);
void mt_shared_free(mt_Spmd *s, mt_SharedArray *a, int n);

/* Unmark arrays in which something varying is stored, or at a varying place;
** true: some were. */
bool mt_shared_check_values(mt_Spmd *s, mt_SharedArray *a, int n);
/* Unmark arrays of which lanes that this branch splits would not see the
** same. */
void mt_shared_check_branch(mt_Spmd *s, mt_SharedArray *a, int n, int block);

#endif
