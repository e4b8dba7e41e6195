/*
** arena.c - a list of blocks from malloc, see arena.h.
*/
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct mt_ArenaBlock {
  struct mt_ArenaBlock *next, *before;
  max_align_t data[];
} Block;

static void link_in(mt_Arena *h, Block *b) {
  b->before = NULL, b->next = h->first;
  if (b->next) b->next->before = b;
  h->first = b;
}

static void take_out(mt_Arena *h, Block *b) {
  if (b->next) b->next->before = b->before;
  if (b->before)
    b->before->next = b->next;
  else
    h->first = b->next;
}

static Block *block_of(void *p) {
  return (Block *)(void *)((char *)p - offsetof(Block, data));
}

void *mt_arena_grow(mt_Arena *h, void *p, size_t n, size_t size) {
  Block *old = p ? block_of(p) : NULL;
  bool fits = size == 0 || n <= (SIZE_MAX - sizeof(Block)) / size;
  if (old) take_out(h, old);
  Block *b = fits ? realloc(old, sizeof *b + n * size) : NULL;
  if (b || old) link_in(h, b ? b : old);
  if (!b) longjmp(h->out, 1);
  return b->data;
}

void *mt_arena_new(mt_Arena *h, size_t n, size_t size) {
  void *p = mt_arena_grow(h, NULL, n, size);
  return memset(p, 0, n * size);
}

void mt_arena_drop(mt_Arena *h, void *p) {
  if (!p) return;
  take_out(h, block_of(p));
  free(block_of(p));
}

void mt_arena_free(mt_Arena *h) {
  for (Block *b = h->first, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  h->first = NULL;
}
