/*
** nearby.h - which files a source may include.
**
** A source may come from anybody, and a mistake in an included file is shown
** with its line. So a source reaches what belongs to it: files in its folder and
** below, files in the folders that the person gives, and by a relative path
** headers beside those (../common.h). Nothing but plain files: a pipe or a device
** would be waited for.
*/
#ifndef MT_NEARBY_H
#define MT_NEARBY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct mt_Nearby {
  const char *file;        /* the source's; NULL: it was typed, here */
  const char *const *dirs; /* that were given */
  size_t dir_count;
} mt_Nearby;

/* The folder of 'file', "." where it has none. */
void mt_nearby_folder(const char *file, char *out, size_t size);

/* Is the source's folder another than the current one? Its whole path then. */
bool mt_nearby_elsewhere(const char *file, char *whole, size_t size);

/* May the file at 'path', as it was found, be included? What is not there may.
** False: 'why' is one sentence. */
bool mt_nearby_allows(const mt_Nearby *near, const char *path, mt_Error *why);

/* The same for what it is alone: a file, not a pipe. */
bool mt_nearby_is_file(const char *path, mt_Error *why);

#endif
