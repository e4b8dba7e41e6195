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

#define MT_NO_NUMBER UINT32_MAX

typedef struct mt_Numbers {
  struct mt_Numbered {
    const void *key; /* NULL: free */
    uint32_t number;
  } *slot;           /* open addressing */
  size_t slots, used;
} mt_Numbers;        /* all zero at first; mt_numbers_free in any case */

/* Replaces the number of 'key', if it has one. False: out of memory. */
bool mt_numbers_set(mt_Numbers *n, const void *key, uint32_t number);
uint32_t mt_numbers_get(const mt_Numbers *n, const void *key);
void mt_numbers_free(mt_Numbers *n);

#endif
