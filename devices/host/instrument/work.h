/*
** work.h - what the files that instrument a kernel share.
*/
#ifndef MT_HOST_INSTRUMENT_WORK_H
#define MT_HOST_INSTRUMENT_WORK_H

#include "devices/host/instrument/probes.h"


typedef struct mt_Instrumenter {
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
} mt_Instrumenter;

/* texels.c: mark where the library looks for a texel, before it is inlined. */
void mt_instrument_mark_texels(LLVMModuleRef module);

/* sites.c: the kernel's parameters as roots, before all others. */
void mt_instrument_params(mt_Instrumenter *w);

LLVMValueRef mt_instrument_number(mt_Instrumenter *w, uint32_t n);
mt_SourcePlace mt_instrument_place(LLVMValueRef i);
LLVMValueRef mt_instrument_declare(mt_Instrumenter *w, const char *name,
                                   LLVMTypeRef type);
LLVMValueRef mt_instrument_call(mt_Instrumenter *w, LLVMValueRef f,
                                LLVMValueRef *args, unsigned n);

/* The source's name of a variable or parameter; "" if it has none. */
void mt_instrument_name(LLVMValueRef of, char *out, size_t size);

/* The member whose address 'gep' is, as the source has it; "" if not known. */
void mt_instrument_member(LLVMValueRef gep, char *out, size_t size);

/* What 'v' was derived from, and that itself in '*base'. Below 0: not known.
** 'depth' is 0. */
int mt_instrument_root(mt_Instrumenter *w, LLVMValueRef v, LLVMValueRef *base,
                       int depth);
/* Bytes from the root to 'p' as arithmetic on indices alone, which unrolling
** folds; NULL if it is not a chain of GEPs. */
LLVMValueRef mt_instrument_offset(mt_Instrumenter *w, LLVMValueRef p,
                                  LLVMValueRef base);

/* pointer_choices.c: the roots that a pointer may lead to, if it is chosen. */
#define MT_CHOICES 8
#define MT_CHOICE_ARGS 4
typedef struct mt_PointerChoices {
  int root[MT_CHOICES];
  LLVMValueRef base[MT_CHOICES];
  unsigned count;
  bool many;           /* there are more than can be told apart */
  bool rest;           /* or to what is not known */
  bool own;            /* they are all a thread's own */
  LLVMValueRef number; /* i32: the root; ~0: not known */
} mt_PointerChoices;
/* False: it leads to one, or nothing is known, or there are too many. */
bool mt_instrument_choices(mt_Instrumenter *w, LLVMValueRef p,
                           mt_PointerChoices *out);
/* Is it number 'k'? An i1, where the builder stands. */
LLVMValueRef mt_instrument_is_choice(mt_Instrumenter *w,
                                     const mt_PointerChoices *ways, unsigned k);
/* The pointer to use, before 'before': 'emit' makes it for each root, whose
** base it is given (NULL: not known) with what 'args' are there. */
typedef LLVMValueRef mt_ChoiceEmit(mt_Instrumenter *w, void *state, int root,
                                   LLVMValueRef base, LLVMValueRef *args);
LLVMValueRef mt_instrument_choose(mt_Instrumenter *w, LLVMValueRef before,
                                  const mt_PointerChoices *ways,
                                  LLVMValueRef *args, unsigned n,
                                  mt_ChoiceEmit *emit, void *state);

/* Calls, where the builder stands. 'value' NULL: a read. */
void mt_instrument_if(mt_Instrumenter *w, uint32_t site, LLVMValueRef bad,
                      LLVMValueRef value);
LLVMValueRef mt_instrument_access(mt_Instrumenter *w, uint32_t site,
                                  LLVMValueRef base, LLVMValueRef p,
                                  LLVMValueRef value);

/* uninitialised.c: private variables without a value, before registers. */
void mt_instrument_uninitialised(mt_Instrumenter *w, LLVMValueRef *all,
                                 size_t n);

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
size_t mt_instrument_variables(mt_Instrumenter *w, LLVMValueRef *all, size_t n,
                               LLVMValueRef *out, mt_Definite **known);
/* What 'p' was derived from by indices and members alone. */
LLVMValueRef mt_instrument_strip(LLVMValueRef p);
bool mt_instrument_is_copy(const char *callee); /* memcpy or memmove */
/* Parts of a value: elements of a vector; else 1. */
static inline unsigned mt_instrument_parts(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

/* subobject_bounds.c: an index past one dimension, before registers. */
void mt_instrument_subobjects(mt_Instrumenter *w, LLVMValueRef *all, size_t n);

/* private_variables.c: the pointer that an access of a thread's own variable
** is to use, or of one of several. */
LLVMValueRef mt_instrument_private(mt_Instrumenter *w, mt_Site site,
                                   LLVMValueRef base, LLVMValueRef p);
LLVMValueRef mt_instrument_private_choices(mt_Instrumenter *w, mt_Site site,
                                           const mt_PointerChoices *ways,
                                           LLVMValueRef p);

/* alignment.c: vectors in arrays of numbers, before registers. */
void mt_instrument_alignment(mt_Instrumenter *w, LLVMValueRef *all, size_t n);

/* check/texture_bounds.c: a mark becomes a watch call; false: 'call' is
** none. */
bool mt_instrument_texel(mt_Instrumenter *w, LLVMValueRef call,
                         const char *name);

/* lanes.c: what threads of a SIMD-group do together. */
void mt_instrument_lanes(mt_Instrumenter *w, LLVMValueRef call,
                         const char *name);
/* 'call' is for all lanes at once: 'name' of MSL. */
void mt_instrument_convergent(mt_Instrumenter *w, LLVMValueRef call,
                              const char *name);
/* check/matrix_access.c */
void mt_instrument_matrix(mt_Instrumenter *w, LLVMValueRef call,
                          const char *type, bool store);

#endif
