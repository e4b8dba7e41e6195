/*
** align.h - sizes as multiples of an alignment.
*/
#ifndef MT_ALIGN_H
#define MT_ALIGN_H

#include <stddef.h>

/* The smallest multiple of 'to' that is not below 'n'. */
static inline size_t mt_align_up(size_t n, size_t to) {
  return (n + to - 1) / to * to;
}

#endif
