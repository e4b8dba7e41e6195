/*
** check_lower.h - what the files that lower a watched kernel's calls share:
** check_lower.c, check_access.c.
*/
#ifndef MT_HOST_CHECK_LOWER_H
#define MT_HOST_CHECK_LOWER_H

#include "devices/host/engine/profiler.h"
#include "devices/host/engine/vector.h"

/* The lanes that are on, as an i32. */
LLVMValueRef mt_lower_mask(Spmd *s);
/* Call the C function 'name' (helpers.c). */
LLVMValueRef mt_lower_call(Spmd *s, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned n);
/* A vector in memory, for a helper to read. */
LLVMValueRef mt_lower_memory(Spmd *s, LLVMValueRef vector);
/* Are the lanes one row? Then by how many bytes a lane. */
bool mt_lower_row(const Spmd *s, const Shape *h, int64_t *step);

/* check_access.c: the pointer that an access is to use. */
void mt_lower_access_shape(Spmd *s, LLVMValueRef call, Shape *out);
void mt_lower_access(Spmd *s, LLVMValueRef call);

#endif
