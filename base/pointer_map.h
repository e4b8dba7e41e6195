/*
** numbers.h - a number for each of many pointers: instructions, blocks.
**
** llvm-c has no place in a value for what a pass knows of it. Found in constant
** time; a pointer that was never added has none.
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
} mt_PointerMap;        /* all zero at first; mt_pointer_map_free in any case */

/* Replaces the number of 'key', if it has one. False: out of memory. */
bool mt_pointer_map_set(mt_PointerMap *n, const void *key, uint32_t number);
uint32_t mt_pointer_map_get(const mt_PointerMap *n, const void *key);
void mt_pointer_map_free(mt_PointerMap *n);

#endif
