/*
** pointer_map.h - a hash map from pointers (instructions, blocks) to numbers.
**
** llvm-c has no field in a value for a pass's own data. Lookup takes constant
** time; a pointer that was never added gives MT_POINTER_MAP_NONE.
*/
#ifndef MT_BASE_POINTER_MAP_H
#define MT_BASE_POINTER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MT_POINTER_MAP_NONE UINT32_MAX

typedef struct mt_PointerMap {
  struct mt_PointerMapSlot {
    const void *key; /* NULL: free */
    uint32_t number;
  } *slot;           /* open addressing */
  size_t slots, used;
} mt_PointerMap;     /* starts as all zeros; release with mt_pointer_map_free */

/* Replaces the number of 'key', if it has one. False: out of memory. */
bool mt_pointer_map_set(mt_PointerMap *n, const void *key, uint32_t number);
uint32_t mt_pointer_map_get(const mt_PointerMap *n, const void *key);
void mt_pointer_map_free(mt_PointerMap *n);

#endif
