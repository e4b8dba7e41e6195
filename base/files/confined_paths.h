/*
** confined_paths.h - may a path still be read or written? For those who open
** files; confine.h says for whom paths are confined, and when.
*/
#ifndef MT_CONFINED_PATHS_H
#define MT_CONFINED_PATHS_H

#include <stdbool.h>

/* May 'path' be opened? Always true before mt_confine. */
bool mt_confine_allows(const char *path, bool to_write);

/* May Mettle write it for itself? */
bool mt_confine_allows_own(const char *path);

/* ------------------------------------------------------------ for confine.c */

#define MT_CONFINED_PATHS_MOST 8

/* Each list is resolved, and ends with NULL. */
typedef struct mt_ConfinedPaths {
  const char *readable[MT_CONFINED_PATHS_MOST];
  const char *writable[MT_CONFINED_PATHS_MOST];
  const char *own[MT_CONFINED_PATHS_MOST];
} mt_ConfinedPaths;

/* Once, for good; false: they are confined already. */
bool mt_confined_paths_set(const char *const *readable,
                           const char *const *writable,
                           const char *const *own);
const mt_ConfinedPaths *mt_confined_paths(void); /* NULL: not confined */

#endif
