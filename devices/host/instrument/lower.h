/*
** lower.h - what the files that lower a watched kernel's calls share:
** lower.c, lower_access.c, lower_threadgroup.c.
*/
#ifndef MT_HOST_INSTRUMENT_LOWER_H
#define MT_HOST_INSTRUMENT_LOWER_H

#include "devices/host/profile/profile.h"
#include "devices/host/vector/vector.h"

/* The lanes that are on, as an i32. */
LLVMValueRef mt_lower_mask(Spmd *s);
/* Call the C function 'name' (native/runtime_symbols.c). */
LLVMValueRef mt_lower_call(Spmd *s, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned n);
/* A vector in memory, for a helper to read. */
LLVMValueRef mt_lower_memory(Spmd *s, LLVMValueRef vector);
/* Are the lanes one row? Then by how many bytes a lane. */
bool mt_lower_row(const Spmd *s, const Shape *h, int64_t *step);

/* Numbers in memory, for a helper to read. */
LLVMValueRef mt_lower_list(Spmd *s, LLVMValueRef *n, unsigned count);

/* An access. */
typedef struct Place {
  Spmd *s;
  LLVMValueRef call, site, p;
  LLVMValueRef base;  /* of the memory that p was derived from; or NULL */
  LLVMValueRef limit; /* places in it */
  LLVMValueRef start; /* what they are counted from */
  uint64_t size;
  unsigned align;     /* as a shift */
  mt_SiteKind kind;
  bool tile;          /* threadgroup memory */
} Place;

#define MAX_RUNS 4 /* of lanes at equal distances */

typedef struct Run {
  int first, count;
  int64_t step;
} Run;

/* The lanes as runs; 0: too many. */
int mt_lower_runs(const Spmd *s, const Shape *h, Run *run);
/* Do two lanes differ by what is known now? */
bool mt_lower_same_class(const Shape *h, int a, int b);

/* A read that check/threadgroup_reads.c's list will have. */
typedef struct Tile {
  int runs;
  Run run[MAX_RUNS];
  LLVMValueRef at[MAX_RUNS]; /* of the run's lane 0, if it had one */
  LLVMValueRef listed;
} Tile;

/* lower_threadgroup.c: may everybody read there, and is there room on the list?
** NULL: ask the helper. 'inside': that it is in bounds. Then put it there. */
LLVMValueRef mt_lower_tile(const Place *a, Kind kind, LLVMValueRef inside,
                           Tile *t);
void mt_lower_tile_list(const Place *a, const Tile *t);

/* lower_access.c: the pointer that an access is to use. */
void mt_lower_access_shape(Spmd *s, LLVMValueRef call, Shape *out);
void mt_lower_access(Spmd *s, LLVMValueRef call);

#endif
