/*
** trust.h - is that file, or that folder, the person's alone?
**
** Machine code is read from the cache folder and run, so nobody else may be able
** to put a file there: not by a folder on the way that others own or can write
** to, nor by a link of theirs. Modes and owners are looked at, as ssh does for its
** keys; access lists are not.
*/
#ifndef MT_TRUST_H
#define MT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

/*
** Could nobody but this user (and root) change what 'path', absolute, leads to?
** What of it is not there yet is as if it were ours. Folders that all may write to
** are fine on the way where they are sticky, as /tmp is. False: 'why' names the
** part that is not, and the way out.
*/
bool mt_trust_path(const char *path, mt_Error *why);

/* The same of a folder that is there, and which must be this user's own. */
bool mt_trust_folder(const char *path, mt_Error *why);

/* Is it a plain file, this user's own, that no other may write to? */
struct stat;
bool mt_trust_file(const struct stat *file);

/* mt_file_read of such a file, which is not the target of a link. */
mt_Status mt_trust_read(const char *path, size_t limit, mt_Str *out, mt_Error *err);

#endif
