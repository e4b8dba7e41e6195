/*
** members.h - a struct's alignment from where its members lie.
**
** Debug information has offsets and sizes, and alignments that alignas asked
** for; it does not say whether a struct is packed.
*/
#ifndef MT_MEMBERS_H
#define MT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mt_Member {
  size_t offset, size;
  size_t align; /* of its type */
  size_t said;  /* by alignas; 0: nothing */
} mt_Member;

/* The alignment of a struct (or union) of 'size' bytes, for which alignas said
** 'said' or 0. Where a packed one lies as if it were not, that of the other:
** never less than the true one. */
size_t mt_members_align(const mt_Member *m, unsigned count, bool is_union,
                        size_t size, size_t said);

#endif
