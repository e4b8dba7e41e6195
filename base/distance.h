/*
** distance.h - how far two words are apart: which of the known ones was meant.
*/
#ifndef MT_DISTANCE_H
#define MT_DISTANCE_H

#include <stddef.h>

enum { MT_DISTANCE_MOST = 40 }; /* letters of a word that may be a slip */

/* Edits that make 'b' of 'a': a letter more, less or another, or two
** neighbours swapped. Of a longer word it is MT_DISTANCE_MOST. */
size_t mt_distance(const char *a, const char *b);

#endif
