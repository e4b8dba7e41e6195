/*
** include_policy.h - which files a source may include.
**
** A source may be untrusted, and an error in an included file shows that file's
** line. So a source may include only files in its folder and below, files in
** the folders that the user gives, and by a relative path headers beside those
** (../common.h). Only regular files: reading a pipe or a device could block.
** In a confined process (base/files/confine.h) only what lies in its folders.
*/
#ifndef MT_INCLUDE_POLICY_H
#define MT_INCLUDE_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct mt_IncludePolicy {
  const char *file;        /* of the source; NULL: typed at the console */
  const char *const *dirs; /* include folders that the user gave */
  size_t dir_count;
} mt_IncludePolicy;

/* The folder of 'file', "." where it has none. */
void mt_include_folder(const char *file, char *out, size_t size);

/* Is the source's folder not the current one? Then 'whole' is its full path. */
bool mt_include_elsewhere(const char *file, char *whole, size_t size);

/* May the file at 'path' be included? True for a file that does not exist.
** False: 'why' is one sentence. */
bool mt_include_allows(const mt_IncludePolicy *near, const char *path,
                       mt_Error *why);

/* Only the test for a regular file, not a pipe or device. */
bool mt_include_is_file(const char *path, mt_Error *why);

#endif
