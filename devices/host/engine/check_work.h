/*
** check_work.h - what the files that instrument a kernel share.
*/
#ifndef MT_HOST_CHECK_WORK_H
#define MT_HOST_CHECK_WORK_H

#include "devices/host/engine/callee.h"
#include "devices/host/engine/checker.h"

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
} Work;

/* check_sites.c: the kernel's parameters as roots, before all others. */
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

/* Calls, where the builder stands. 'value' NULL: a read. */
void mt_work_if(Work *w, uint32_t site, LLVMValueRef bad, LLVMValueRef value);
LLVMValueRef mt_work_access(Work *w, uint32_t site, LLVMValueRef base,
                            LLVMValueRef p, LLVMValueRef value);

/* check_flags.c: private variables without a value, before registers. */
void mt_work_flags(Work *w, LLVMValueRef *all, size_t n);

/* check_inner.c: an index past one dimension, before registers. */
void mt_work_inner(Work *w, LLVMValueRef *all, size_t n);

/* check_texel.c: a mark becomes a watch call; false: 'call' is none. */
bool mt_work_texel(Work *w, LLVMValueRef call, const char *name);

/* check_lanes.c: what threads of a SIMD-group do together. */
void mt_work_lanes(Work *w, LLVMValueRef call, const char *name);
/* 'call' is for all lanes at once: 'name' of MSL. */
void mt_work_together(Work *w, LLVMValueRef call, const char *name);
/* check_matrix.c */
void mt_work_matrix(Work *w, LLVMValueRef call, const char *type, bool store);

#endif
