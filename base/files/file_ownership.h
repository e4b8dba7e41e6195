/*
** file_ownership.h - can only this user change a file or a folder?
**
** Machine code is read from the cache folder and run, so no other user may be
** able to put a file there: neither by a folder of the path that others own or
** can write to, nor by their links. Modes and owners are checked, as ssh does
** for its keys; access control lists are not.
*/
#ifndef MT_FILE_OWNERSHIP_H
#define MT_FILE_OWNERSHIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

/*
** Can only this user (and root) change what 'path', absolute, leads to? Parts
** that do not exist yet count as this user's. World-writable folders are
** accepted on the path if they are sticky, as /tmp is. False: 'why' names the
** unsafe part and the remedy.
*/
bool mt_path_is_owned(const char *path, mt_Error *why);

/* The same for an existing folder, which must belong to this user. */
bool mt_folder_is_owned(const char *path, mt_Error *why);

/* Is it a regular file of this user that no other user may write to? */
struct stat;
bool mt_file_is_owned(const struct stat *file);

/* mt_file_read for a trusted file; 'path' must not be a link. */
mt_Status mt_file_read_owned(const char *path, size_t limit, mt_Str *out,
                        mt_Error *err);

#endif
