/*
** arena.h - memory of one piece of work, given back all at once.
**
** A failed allocation does not return: it jumps to 'out', where the owner gives
** up its work and frees the arena. So code between a setjmp and its end need
** not test each allocation, and nothing leaks. One thread at a time.
*/
#ifndef MT_ARENA_H
#define MT_ARENA_H

#include <setjmp.h>
#include <stddef.h>

typedef struct mt_Arena {
  struct mt_ArenaBlock *first;
  jmp_buf out; /* set by the owner before the first allocation */
} mt_Arena;

/* 'n' zeroed elements of 'size' bytes, aligned for any type. */
void *mt_arena_new(mt_Arena *h, size_t n, size_t size);

/* As realloc; 'p' may be NULL. New bytes are not zeroed. */
void *mt_arena_grow(mt_Arena *h, void *p, size_t n, size_t size);

/* Give one block back early; NULL is fine. */
void mt_arena_drop(mt_Arena *h, void *p);

void mt_arena_free(mt_Arena *h);

#endif
