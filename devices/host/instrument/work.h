/*
** work.h - shared by the files that instrument a kernel.
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
  bool pixels;       /* instrument pixels of textures that are only read, too */
  mt_SiteTable *table;
  LLVMTypeRef i1, i8, i32, i64, ptr, none;
  LLVMValueRef away; /* private memory that out-of-bounds private accesses are
                     ** redirected to */
  size_t away_size;
  struct {           /* pointer_choices.c: root number of a phi or select of
                     ** pointers */
    LLVMValueRef of, number;
  } *number;
  size_t numbers, number_room;
  bool choosers;     /* helper functions were made that must be inlined */
} mt_Instrumenter;

/* check.c: begin to instrument 'function'; the caller disposes of w->b. */
void mt_instrument_begin(mt_Instrumenter *w, LLVMModuleRef module,
                         LLVMValueRef function, const mt_MslKernel *kernel,
                         mt_SiteTable *table);
/* Its instructions, which the caller frees: probes that are added are not
** among them. */
mt_Status mt_instrument_list(LLVMValueRef function, LLVMValueRef **all,
                             size_t *n, mt_Error *err);
/* Is root number 'root' a texture or sampler handle? Only the library reads
** it; pixels are found by their address. */
bool mt_instrument_is_handle(const mt_Instrumenter *w, int root);

/* texels.c: mark the library's bounds tests of texels, before inlining. */
void mt_instrument_mark_texels(LLVMModuleRef module);

/* sites.c: the kernel's parameters as roots, before all other roots. */
void mt_instrument_params(mt_Instrumenter *w);

LLVMValueRef mt_instrument_number(mt_Instrumenter *w, uint32_t n);
mt_SourcePlace mt_instrument_place(LLVMValueRef i);
LLVMValueRef mt_instrument_declare(mt_Instrumenter *w, const char *name,
                                   LLVMTypeRef type);
LLVMValueRef mt_instrument_call(mt_Instrumenter *w, LLVMValueRef f,
                                LLVMValueRef *args, unsigned n);

/* The name of a variable or parameter in the source; "" if it has none. */
void mt_instrument_name(LLVMValueRef of, char *out, size_t size);

/* The member whose address 'gep' is, as in the source; "" if not known. */
void mt_instrument_member(LLVMValueRef gep, char *out, size_t size);

/* The root of pointer 'v', with its underlying object in '*base'. Below 0: not
** known. */
int mt_instrument_root(mt_Instrumenter *w, LLVMValueRef v, LLVMValueRef *base);
/* Bytes from 'base' to 'p' as arithmetic on indices alone, which folds after
** unrolling; NULL if 'p' is not a chain of GEPs. */
LLVMValueRef mt_instrument_offset(mt_Instrumenter *w, LLVMValueRef p,
                                  LLVMValueRef base);

/* pointer_choices.c: the roots of a pointer that comes from phis and
** selects. */
#define MT_CHOICES 8
#define MT_CHOICE_ARGS 4
typedef struct mt_PointerChoices {
  int root[MT_CHOICES];
  LLVMValueRef base[MT_CHOICES];
  unsigned count;
  bool many;           /* more than MT_CHOICES roots */
  bool rest;           /* or an unknown root */
  bool own;            /* all roots are private */
  LLVMValueRef number; /* i32: the root; ~0: not known */
} mt_PointerChoices;
/* False: one root, no known root, or too many. */
bool mt_instrument_choices(mt_Instrumenter *w, LLVMValueRef p,
                           mt_PointerChoices *out);
/* Is it root number 'k'? An i1, at the builder's position. */
LLVMValueRef mt_instrument_is_choice(mt_Instrumenter *w,
                                     const mt_PointerChoices *ways, unsigned k);
/* The pointer to use, before 'before': 'emit' makes it for each root from its
** base (NULL: not known) and 'args'. */
typedef LLVMValueRef mt_ChoiceEmit(mt_Instrumenter *w, void *state, int root,
                                   LLVMValueRef base, LLVMValueRef *args);
LLVMValueRef mt_instrument_choose(mt_Instrumenter *w, LLVMValueRef before,
                                  const mt_PointerChoices *ways,
                                  LLVMValueRef *args, unsigned n,
                                  mt_ChoiceEmit *emit, void *state);

/* Probes, at the builder's position. 'value' NULL: a read. */
void mt_instrument_if(mt_Instrumenter *w, uint32_t site, LLVMValueRef bad,
                      LLVMValueRef value);
LLVMValueRef mt_instrument_access(mt_Instrumenter *w, uint32_t site,
                                  LLVMValueRef base, LLVMValueRef p,
                                  LLVMValueRef value);

/* uninitialised.c: uses of uninitialised private variables, and of what
** inactive lanes gave, before SROA. */
void mt_instrument_uninitialised(mt_Instrumenter *w, LLVMValueRef *all,
                                 size_t n);
/* Is this the read of a byte into which a bit-field is about to be stored?
** Flags are for bytes: the store gives the byte a value, and the read is no
** use. */
bool mt_instrument_sets_bits(LLVMValueRef load);

/* definite_assignment.c: definite assignment of 'variables', allocas whose uses
** are all loads, stores and copies. 'all' are the function's 'n' instructions.
** NULL: nothing is proved. */
typedef struct mt_Definite mt_Definite;
mt_Definite *mt_definite_new(LLVMTargetDataRef layout, LLVMValueRef function,
                             LLVMValueRef *all, size_t n,
                             LLVMValueRef *variables, size_t count);
/* Is no byte of variable number 'variable' used that may be uninitialised? */
bool mt_definite_needless(const mt_Definite *d, size_t variable);
/* The same of an alloca; false: it is none of the variables. */
bool mt_definite_is_needless(const mt_Definite *d, LLVMValueRef alloca);
/* Does the instruction's value come from initialised bytes alone? */
bool mt_definite_value(const mt_Definite *d, LLVMValueRef instruction);
void mt_definite_free(mt_Definite *d); /* NULL ok */

/* variables.c: the local variables that need shadow flags, into 'out', which
** has room for 'n'; gives how many. The caller frees '*known'. */
size_t mt_instrument_variables(mt_Instrumenter *w, LLVMValueRef *all, size_t n,
                               LLVMValueRef *out, mt_Definite **known);
/* A struct or an array. */
static inline bool mt_instrument_is_aggregate(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMStructTypeKind ||
         LLVMGetTypeKind(t) == LLVMArrayTypeKind;
}
/* Elements of a vector; else 1. */
static inline unsigned mt_instrument_parts(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

/* subobject_bounds.c: an index past one dimension, before SROA. */
void mt_instrument_subobjects(mt_Instrumenter *w, LLVMValueRef *all, size_t n);

/* private_variables.c: the pointer to use for an access of a private variable,
** or of one of several. */
LLVMValueRef mt_instrument_private(mt_Instrumenter *w, mt_Site site,
                                   LLVMValueRef base, LLVMValueRef p);
LLVMValueRef mt_instrument_private_choices(mt_Instrumenter *w, mt_Site site,
                                           const mt_PointerChoices *ways,
                                           LLVMValueRef p);

/* float_bits.c: are the integers that the instruction 'write' writes the bits
** of floats? Sets 'floats' and 'integers' of its site. */
void mt_instrument_float_bits(LLVMValueRef write, LLVMValueRef value,
                              mt_Site *site);
/* Where 'p' points to in an element of 'size' bytes of an array at 'base', for
** all indices; MT_PLACE_UNKNOWN: it depends on them. */
uint32_t mt_instrument_member_place(mt_Instrumenter *w, LLVMValueRef p,
                                    LLVMValueRef base, uint64_t size);

/* drawn_places.c: mark what is computed from the old value of an atomic,
** before any probe. */
void mt_instrument_mark_drawn(mt_Instrumenter *w, LLVMValueRef *all, size_t n);
bool mt_instrument_is_drawn(mt_Instrumenter *w, LLVMValueRef p);

/* alignment.c: vectors in arrays of scalars, before SROA. */
void mt_instrument_alignment(mt_Instrumenter *w, LLVMValueRef *all, size_t n);

/* arithmetic.c: integer division and remainder; shifts. */
void mt_instrument_division(mt_Instrumenter *w, LLVMValueRef i);
void mt_instrument_shift(mt_Instrumenter *w, LLVMValueRef i);

/* texels.c: a mark becomes a probe; false: 'call' is no mark. */
bool mt_instrument_texel(mt_Instrumenter *w, LLVMValueRef call,
                         const char *name);

/* lanes.c: cross-lane operations. Does 'call' read its value from one other
** lane? */
bool mt_instrument_is_move(LLVMValueRef call);
/* The shadow flag of the value that such a call gives; 'flag' is that of the
** value that goes in. Constant 0: not checked. */
LLVMValueRef mt_instrument_lanes(mt_Instrumenter *w, LLVMValueRef call,
                                 LLVMValueRef flag);
/* The lane that a MOVE reads from, computed at the builder's position; NULL:
** not one lane. */
LLVMValueRef mt_instrument_lane_source(mt_Instrumenter *w, LLVMValueRef call,
                                       const mt_Crosslane *c);
/* 'call' needs all lanes active; 'name' is its MSL name. */
void mt_instrument_convergent(mt_Instrumenter *w, LLVMValueRef call,
                              const char *name);
/* matrix.c */
void mt_instrument_matrix(mt_Instrumenter *w, LLVMValueRef call,
                          const char *type, bool store);

#endif
