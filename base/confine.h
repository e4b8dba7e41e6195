/*
** confine.h - the folders that this process may still read and write.
**
** For untrusted code (mettle lesson check, mettle jupyter --sandbox): functions
** of Mettle that read or write a file (base/file.h, Lua's io) accept only paths
** that lie in these folders after links are resolved. It is set once and cannot
** be undone. On Linux the kernel also restricts writes where it has Landlock,
** for children too.
**
** Mettle's own folders, its cache above all, are written by Mettle alone: code
** that is kept there is run by others who are not confined.
*/
#ifndef MT_CONFINE_H
#define MT_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/* The lists end with NULL; writable and own folders are readable too. */
void mt_confine(const char *const *readable, const char *const *writable,
                const char *const *own);

/* May 'path' be opened? Always true before mt_confine. */
bool mt_confine_allows(const char *path, bool to_write);

/* May Mettle write it for itself? */
bool mt_confine_allows_own(const char *path);

#endif
