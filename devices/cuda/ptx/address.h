/*
** address.h - addresses in threadgroup memory as sums.
*/
#ifndef MT_CUDA_PTX_ADDRESS_H
#define MT_CUDA_PTX_ADDRESS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#define MT_ADDRESS_TERMS 16

/* Modulo 2^32: threadgroup memory is smaller. So casts between integers of 32
** and of 64 bits change nothing. */
typedef struct mt_Address {
  struct {
    LLVMValueRef of; /* an integer; a pointer, where it is no variable */
    uint32_t times;
  } term[MT_ADDRESS_TERMS];
  unsigned terms, steps;
  uint32_t constant;
  bool failed; /* it has too many terms */
} mt_Address;

/* From the variable that 'p' leads into. */
mt_Address mt_address_of(LLVMTargetDataRef layout, LLVMValueRef p);
void mt_address_add(mt_Address *s, LLVMValueRef v, uint32_t times);

/* The bits of 'v' that may be one. */
uint64_t mt_may_be_one(LLVMValueRef v);

#endif
