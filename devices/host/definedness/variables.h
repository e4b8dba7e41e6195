/*
** variables.h - local variables and what is proved of them; for the files of
** this folder: uninitialised.c, over variables.c, over definite_assignment.c.
*/
#ifndef MT_HOST_DEFINEDNESS_VARIABLES_H
#define MT_HOST_DEFINEDNESS_VARIABLES_H

#include "devices/host/definedness/definedness.h"

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

/* definite_assignment.c: is this the read of a byte into which a bit-field is
** about to be stored? Flags are for bytes: the store gives the byte a value,
** and the read is no use. */
bool mt_instrument_sets_bits(LLVMValueRef load);

#endif
