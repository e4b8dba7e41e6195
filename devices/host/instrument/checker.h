/*
** checker.h - what check.c calls for the operations that are a file of their
** own; for this folder.
*/
#ifndef MT_HOST_INSTRUMENT_CHECKER_H
#define MT_HOST_INSTRUMENT_CHECKER_H

#include "devices/host/instrument/instrument.h"
#include "devices/host/probe/probe.h"

/* texels.c: mark the library's bounds tests of texels, before inlining. */
void mt_instrument_mark_texels(LLVMModuleRef module);

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

/* matrix.c */
void mt_instrument_matrix(mt_Instrumenter *w, LLVMValueRef call,
                          const char *type, bool store);

#endif
