/*
** probe.h - probes, and how calls of them are built.
**
** A probe is a call of __mt_probe... that is put into a kernel before an
** operation that can go wrong, or is to be counted or recorded. It has a site
** (sites/sites.h) and knows the root that its memory belongs to. Here are the
** names and operands of all probes, for those that insert them
** (instrument/instrument.h, definedness/definedness.h) and those that turn them
** into code (lower/lower.h), and what all that insert them need.
**
**   probe_calls.c      an instrumenter; calls of probes
**   roots.c            roots: the memory that a pointer leads to, and its name
**   pointer_choices.c  pointers to one of several variables
**   lanes.c            cross-lane operations
*/
#ifndef MT_HOST_PROBE_PROBE_H
#define MT_HOST_PROBE_PROBE_H

#include "devices/compiler/ir/ir.h"
#include "devices/host/abi/abi.h"
#include "devices/host/sites/sites.h"

/* ------------------------------------------------------ names and operands */

/* The checker's. */
#define MT_PROBE_ACCESS "__mt_probe_at" /* ptr (site, base, p, info[, value]) */
#define MT_PROBE_IF "__mt_probe_if"        /* void (site, i1 bad, i64 value) */
#define MT_PROBE_WAIT "__mt_probe_wait"    /* void (site), before a barrier */
#define MT_PROBE_GO "__mt_probe_go"        /* void (site), after it */
/* Around a value read from another lane: void (site, i32 from, i32 flag, i1
** named), before; the same after, which gives the value's shadow flag. */
#define MT_PROBE_LANE "__mt_probe_lane"
#define MT_PROBE_ASKED "__mt_probe_asked"
#define MT_PROBE_TOGETHER "__mt_probe_together" /* void (site) */
/* void (site, i1 bad, view, x, y, z, slices, level) */
#define MT_PROBE_TEXEL "__mt_probe_texel"
/* ptr (site, base, p, i64 stride, i1 transpose): the pointer to use */
#define MT_PROBE_MATRIX "__mt_probe_matrix"

/* Operands of an access. 'info' holds what lowering needs to know of the
** site. */
enum { MT_PROBE_INFO = 3, MT_PROBE_VALUE = 4 };
#define MT_INFO_SIZE(x) ((uint32_t)(x))               /* bytes */
#define MT_INFO_ALIGN(x) ((unsigned)((x) >> 32) & 255) /* log2 */
#define MT_INFO_KIND(x) ((mt_SiteKind)((x) >> 40 & 255))
#define MT_INFO_TILE(x) ((x) >> 48 & 1) /* threadgroup memory */

/* The recorder's: void (site, i32 instance, …). Thread by thread they become
** calls of mt_record_… with the thread's index in front. */
#define MT_RECORD MT_PROBE "_record_"
#define MT_RECORD_AT MT_RECORD "at"         /* …, p), after an access */
#define MT_RECORD_OLD MT_RECORD "old"       /* …, p), before an atomic */
#define MT_RECORD_WAIT MT_RECORD "wait"     /* …), before a barrier */
#define MT_RECORD_PASS MT_RECORD "pass"     /* …), after it */
#define MT_RECORD_LANES MT_RECORD "lanes"   /* …, i32 from, i64 value) */
#define MT_RECORD_MATRIX MT_RECORD "matrix" /* …, p, i64 stride, i32 turned) */
#define MT_RECORD_LINE MT_RECORD "line"     /* …) */
/* …, i32 offset, i64 a, b, c, d): a variable's new value, by words */
#define MT_RECORD_VALUE MT_RECORD "value"
/* …, i32 offset, p): the same, in memory, and a pointer's */
#define MT_RECORD_COPY MT_RECORD "copy"
#define MT_RECORD_POINTER MT_RECORD "pointer"
#define MT_RECORD_BASE MT_RECORD "base"     /* void (i32 root, p) */

/* The profiler's. */
#define MT_COUNT_BLOCK MT_PROBE "_count_block"   /* void (block) */
#define MT_COUNT_SPLIT MT_PROBE "_count_split"   /* void (site, i1) */
#define MT_COUNT_ACCESS MT_PROBE "_count_at"     /* void (site, p) */

/* ------------------------------------------------------------ instrumenter */

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

/* probe_calls.c: begin to instrument 'function'; the caller disposes of
** w->b. */
void mt_instrument_begin(mt_Instrumenter *w, LLVMModuleRef module,
                         LLVMValueRef function, const mt_MslKernel *kernel,
                         mt_SiteTable *table);
/* Its instructions, which the caller frees: probes that are added are not
** among them. */
mt_Status mt_instrument_list(LLVMValueRef function, LLVMValueRef **all,
                             size_t *n, mt_Error *err);

/* ------------------------------------------------------------------- calls */

/* probe_calls.c: a constant i32; the function 'name'; a call of it. */
LLVMValueRef mt_instrument_number(mt_Instrumenter *w, uint32_t n);
LLVMValueRef mt_instrument_declare(mt_Instrumenter *w, const char *name,
                                   LLVMTypeRef type);
LLVMValueRef mt_instrument_call(mt_Instrumenter *w, LLVMValueRef f,
                                LLVMValueRef *args, unsigned n);
/* Probes, at the builder's position. 'value' NULL: a read. */
void mt_instrument_if(mt_Instrumenter *w, uint32_t site, LLVMValueRef bad,
                      LLVMValueRef value);
LLVMValueRef mt_instrument_access(mt_Instrumenter *w, uint32_t site,
                                  LLVMValueRef base, LLVMValueRef p,
                                  LLVMValueRef value);
/* Bytes from 'base' to 'p' as arithmetic on indices alone, which folds after
** unrolling; NULL if 'p' is not a chain of GEPs. */
LLVMValueRef mt_instrument_offset(mt_Instrumenter *w, LLVMValueRef p,
                                  LLVMValueRef base);

/* ------------------------------------------------------------------- roots */

/* roots.c: the kernel's parameters as roots, before all other roots. */
void mt_instrument_params(mt_Instrumenter *w);
/* The place of an instruction in the source. */
mt_SourcePlace mt_instrument_place(LLVMValueRef i);

/* The name of a variable or parameter in the source; "" if it has none. */
void mt_instrument_name(LLVMValueRef of, char *out, size_t size);

/* The member whose address 'gep' is, as in the source; "" if not known. */
void mt_instrument_member(LLVMValueRef gep, char *out, size_t size);

/* The root of pointer 'v', with its underlying object in '*base'. Below 0: not
** known. */
int mt_instrument_root(mt_Instrumenter *w, LLVMValueRef v, LLVMValueRef *base);
/* Is root number 'root' a texture or sampler handle? Only the library reads
** it; pixels are found by their address. */
bool mt_instrument_is_handle(const mt_Instrumenter *w, int root);

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

#endif
