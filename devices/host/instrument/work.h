/*
** work.h - what the files that instrument a kernel share.
*/
#ifndef MT_HOST_INSTRUMENT_WORK_H
#define MT_HOST_INSTRUMENT_WORK_H

#include "devices/compiler/ir/call.h"
#include "devices/host/check/check.h"

typedef struct Work {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef b;
  LLVMTargetDataRef layout;
  LLVMValueRef function;
  const mt_MslKernel *kernel;
  bool pixels;       /* of textures that are only read are watched, too */
  mt_SiteTable *table;
  LLVMTypeRef i1, i8, i32, i64, ptr, none;
  LLVMValueRef away; /* private memory for private accesses that are wrong */
  size_t away_size;
  struct {           /* pointer_choices.c: which root a choice of pointers is */
    LLVMValueRef of, number;
  } *number;
  size_t numbers, number_room;
  bool choosers;     /* there are functions to inline */
} Work;

/* sites.c: the kernel's parameters as roots, before all others. */
void mt_work_params(Work *w);

LLVMValueRef mt_work_number(Work *w, uint32_t n);
mt_Place mt_work_place(LLVMValueRef i);
LLVMValueRef mt_work_declare(Work *w, const char *name, LLVMTypeRef type);
LLVMValueRef mt_work_call(Work *w, LLVMValueRef f, LLVMValueRef *args,
                          unsigned n);

/* The source's name of a variable or parameter; "" if it has none. */
void mt_work_name(LLVMValueRef of, char *out, size_t size);

/* The member whose address 'gep' is, as the source has it; "" if not known. */
void mt_work_member(LLVMValueRef gep, char *out, size_t size);

/* What 'v' was derived from, and that itself in '*base'. Below 0: not known.
** 'depth' is 0. */
int mt_work_root(Work *w, LLVMValueRef v, LLVMValueRef *base, int depth);
/* Bytes from the root to 'p' as arithmetic on indices alone, which unrolling
** folds; NULL if it is not a chain of GEPs. */
LLVMValueRef mt_work_offset(Work *w, LLVMValueRef p, LLVMValueRef base);

/* pointer_choices.c: the roots that a pointer may lead to, if it is chosen. */
#define MT_WAYS 8
#define MT_WAY_ARGS 4
typedef struct mt_Ways {
  int root[MT_WAYS];
  LLVMValueRef base[MT_WAYS];
  unsigned count;
  bool many;           /* there are more than can be told apart */
  bool rest;           /* or to what is not known */
  bool own;            /* they are all a thread's own */
  LLVMValueRef number; /* i32: the root; ~0: not known */
} mt_Ways;
/* False: it leads to one, or nothing is known, or there are too many. */
bool mt_work_ways(Work *w, LLVMValueRef p, mt_Ways *out);
/* Is it number 'k'? An i1, where the builder stands. */
LLVMValueRef mt_work_is_way(Work *w, const mt_Ways *ways, unsigned k);
/* The pointer to use, before 'before': 'emit' makes it for each root, whose
** base it is given (NULL: not known) with what 'args' are there. */
typedef LLVMValueRef mt_WayEmit(Work *w, void *state, int root,
                                LLVMValueRef base, LLVMValueRef *args);
LLVMValueRef mt_work_choose(Work *w, LLVMValueRef before, const mt_Ways *ways,
                            LLVMValueRef *args, unsigned n, mt_WayEmit *emit,
                            void *state);

/* Calls, where the builder stands. 'value' NULL: a read. */
void mt_work_if(Work *w, uint32_t site, LLVMValueRef bad, LLVMValueRef value);
LLVMValueRef mt_work_access(Work *w, uint32_t site, LLVMValueRef base,
                            LLVMValueRef p, LLVMValueRef value);

/* uninitialised.c: private variables without a value, before registers. */
void mt_work_flags(Work *w, LLVMValueRef *all, size_t n);

/* definite_assignment.c: what is known of reads of 'variables', allocas
** whose uses are all loads, stores and copies. 'all' are the function's 'n'
** instructions. NULL: nothing is known. */
typedef struct mt_Definite mt_Definite;
mt_Definite *mt_definite_new(LLVMTargetDataRef layout, LLVMValueRef function,
                             LLVMValueRef *all, size_t n,
                             LLVMValueRef *variables, size_t count);
/* Does nothing that is used come from a byte of variable number 'variable' that
** may have no value? */
bool mt_definite_needless(const mt_Definite *d, size_t variable);
/* Does all of the instruction's value come from bytes that have one? */
bool mt_definite_value(const mt_Definite *d, LLVMValueRef instruction);
void mt_definite_free(mt_Definite *d); /* NULL ok */

/* variables.c: the local variables that need flags, into 'out', which has
** room for 'n'; gives how many. '*known' is to be freed. */
size_t mt_work_variables(Work *w, LLVMValueRef *all, size_t n,
                         LLVMValueRef *out, mt_Definite **known);
/* What 'p' was derived from by indices and members alone. */
LLVMValueRef mt_work_strip(LLVMValueRef p);
bool mt_work_is_copy(const char *callee); /* memcpy or memmove */
/* Parts of a value: elements of a vector; else 1. */
static inline unsigned mt_work_parts(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

/* subobject_bounds.c: an index past one dimension, before registers. */
void mt_work_inner(Work *w, LLVMValueRef *all, size_t n);

/* private_variables.c: the pointer that an access of a thread's own variable
** is to use, or of one of several. */
LLVMValueRef mt_work_private(Work *w, mt_Site site, LLVMValueRef base,
                             LLVMValueRef p);
LLVMValueRef mt_work_private_ways(Work *w, mt_Site site, const mt_Ways *ways,
                                  LLVMValueRef p);

/* alignment.c: vectors in arrays of numbers, before registers. */
void mt_work_align(Work *w, LLVMValueRef *all, size_t n);

/* check/texture_bounds.c: a mark becomes a watch call; false: 'call' is
** none. */
bool mt_work_texel(Work *w, LLVMValueRef call, const char *name);

/* lanes.c: what threads of a SIMD-group do together. */
void mt_work_lanes(Work *w, LLVMValueRef call, const char *name);
/* 'call' is for all lanes at once: 'name' of MSL. */
void mt_work_together(Work *w, LLVMValueRef call, const char *name);
/* check/matrix_access.c */
void mt_work_matrix(Work *w, LLVMValueRef call, const char *type, bool store);

#endif
