/*
** confine.h - the folders that this process may still read and write.
**
** For code of strangers (mettle lesson check): whatever it hands to a function of
** Mettle that reads or writes a file (base/file.h, Lua's io), only paths in these
** folders are taken, wherever links lead. Once, and for good. On Linux the kernel
** sees to the writing, too, where it can (Landlock), for children as well.
*/
#ifndef MT_CONFINE_H
#define MT_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/* Lists end with NULL; what may be written may be read. */
void mt_confine(const char *const *readable, const char *const *writable);

/* May 'path' be opened? Always, where nothing is confined. */
bool mt_confine_allows(const char *path, bool to_write);

#endif
