/*
** pointer_map.c - a hash map from pointers to numbers, see pointer_map.h.
*/
#include "base/pointer_map.h"

#include <stdlib.h>
#include <string.h>

#define FIRST 256 /* slots; every size is a power of two */

static struct mt_PointerMapSlot *find(const mt_PointerMap *n, const void *key) {
  uint64_t mixed = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ull;
  for (size_t at = (size_t)(mixed >> 32);; at++) {
    struct mt_PointerMapSlot *s = &n->slot[at & (n->slots - 1)];
    if (!s->key || s->key == key) return s;
  }
}

static bool grow(mt_PointerMap *n) {
  mt_PointerMap more = {.slots = n->slots ? 2 * n->slots : FIRST,
                        .used = n->used};
  more.slot = calloc(more.slots, sizeof *more.slot);
  if (!more.slot) return false;
  for (size_t i = 0; i < n->slots; i++)
    if (n->slot[i].key) *find(&more, n->slot[i].key) = n->slot[i];
  free(n->slot);
  *n = more;
  return true;
}

bool mt_pointer_map_set(mt_PointerMap *n, const void *key, uint32_t number) {
  if (2 * (n->used + 1) > n->slots && !grow(n)) return false;
  struct mt_PointerMapSlot *s = find(n, key);
  if (!s->key) n->used++;
  *s = (struct mt_PointerMapSlot){key, number};
  return true;
}

uint32_t mt_pointer_map_get(const mt_PointerMap *n, const void *key) {
  if (!n->slots) return MT_POINTER_MAP_NONE;
  const struct mt_PointerMapSlot *s = find(n, key);
  return s->key ? s->number : MT_POINTER_MAP_NONE;
}

void mt_pointer_map_free(mt_PointerMap *n) {
  free(n->slot);
  memset(n, 0, sizeof *n);
}
