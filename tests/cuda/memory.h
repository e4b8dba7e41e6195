/*
** memory.h - the memory of the stand-in's GPU. Addresses are no pointers of
** this process: a pointer that was meant for the other side is found out.
*/
#ifndef MT_CUDA_MEMORY_H
#define MT_CUDA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum AllocationKind {
  MEM_DEVICE,
  MEM_MODULE,     /* data of a module */
  MEM_HOST,       /* cuMemHostAlloc: the address is the pointer */
  MEM_REGISTERED, /* cuMemHostRegister: likewise */
  MEM_MANAGED     /* both sides', at one address */
} AllocationKind;

typedef struct Allocation {
  uint64_t start, size;
  uint8_t *host;
  AllocationKind kind;
  void *owner; /* context */
  uint64_t serial;
} Allocation;

/* NULL: no memory. 'start' 0: anywhere. Bytes are not zero. */
const Allocation *memory_new(AllocationKind kind, uint64_t size, void *host,
                             uint64_t start, void *owner);
uint64_t memory_next(void); /* where a module's data will lie */
void memory_free(uint64_t start);
const Allocation *memory_find(uint64_t address); /* that holds it, or NULL */
const Allocation *memory_any(void *owner);       /* one of its, or NULL */
uint64_t memory_used(void *owner);               /* bytes of device memory */

/* A pointer to 'size' bytes at the address; NULL: not in one allocation. */
void *memory_at(uint64_t address, uint64_t size);

#endif
