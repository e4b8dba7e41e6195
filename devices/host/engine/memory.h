/*
** memory.h - one access of 32 lanes to one part of a value; for memory.c,
** private.c and atomics.c.
*/
#ifndef MT_HOST_MEMORY_H
#define MT_HOST_MEMORY_H

#include "devices/host/engine/vector.h"

typedef struct Access {
  LLVMValueRef pointer; /* of the kernel */
  int64_t offset;       /* bytes from it */
  LLVMTypeRef type;     /* scalar */
  unsigned align;
  Space space;
  bool is_volatile;
} Access;

typedef struct Got {
  LLVMValueRef value; /* a scalar if 'uniform', else a vector */
  bool uniform;
} Got;

Got mt_access_read(Spmd *s, const Access *a);
void mt_access_write(Spmd *s, const Access *a, Got g);

LLVMValueRef mt_byte_offset(Spmd *s, LLVMValueRef p, int64_t offset);
LLVMValueRef mt_gather(Spmd *s, LLVMTypeRef t, LLVMValueRef at, unsigned align);
void mt_scatter(Spmd *s, LLVMValueRef x, LLVMValueRef at, unsigned align);
LLVMValueRef mt_vector_load(Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                            unsigned align);
void mt_vector_store(Spmd *s, LLVMValueRef x, LLVMValueRef at, unsigned align,
                     Space space);

/* private.c */
LLVMValueRef mt_private_address(Spmd *s, LLVMValueRef at, bool maybe);
LLVMValueRef mt_private_read(Spmd *s, const Access *a);
void mt_private_write(Spmd *s, const Access *a, LLVMValueRef x);

#endif
