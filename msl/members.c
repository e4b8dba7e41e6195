/*
** members.c - a struct's alignment from where its members lie.
**
** The idea: lay the members out again, without packing, then by #pragma pack 8,
** 4, 2 and 1. The first layout that is the found one has the alignment. Else
** single members are packed: those that do not lie as their type would.
*/
#include "msl/members.h"

static size_t most(size_t a, size_t b) { return a > b ? a : b; }
static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static size_t up(size_t n, size_t align) {
  return (n + align - 1) / align * align;
}

/* 0: packed by 'pack' it would lie otherwise. */
static size_t align_if(const mt_Member *m, unsigned count, bool is_union,
                       size_t size, size_t said, size_t pack) {
  size_t end = 0, align = most(said, 1);
  for (unsigned i = 0; i < count; i++) {
    size_t own = most(least(m[i].align, pack), m[i].said);
    size_t at = is_union ? 0 : up(end, own);
    if (at != m[i].offset) return 0;
    end = most(end, at + m[i].size);
    align = most(align, own);
  }
  return up(end, align) == size ? align : 0;
}

static size_t by_member(const mt_Member *m, unsigned count, bool is_union,
                        size_t size, size_t said) {
  size_t end = 0, align = 1, floor = most(said, 1);
  for (unsigned i = 0; i < count; i++) {
    size_t own = most(m[i].align, m[i].said);
    size_t at = is_union ? 0 : up(end, own);
    if (at == m[i].offset) align = most(align, own);
    floor = most(floor, m[i].said);
    end = most(end, m[i].offset + m[i].size);
  }
  while (align > floor && up(end, align) != size) align /= 2;
  return most(align, floor);
}

size_t mt_members_align(const mt_Member *m, unsigned count, bool is_union,
                        size_t size, size_t said) {
  static const size_t packs[] = {(size_t)-1, 8, 4, 2, 1};
  for (unsigned i = 0; i < sizeof packs / sizeof packs[0]; i++) {
    size_t align = align_if(m, count, is_union, size, said, packs[i]);
    if (align) return align;
  }
  return by_member(m, count, is_union, size, said);
}
