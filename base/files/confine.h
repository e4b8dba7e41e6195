/*
** confine.h - the folders that this process may still read and write.
**
** For untrusted code (mettle lesson check, mettle jupyter --sandbox): functions
** of Mettle that read or write a file (base/files/file.h, Lua's io) ask
** confined_paths.h, and accept only paths that lie in these folders after links
** are resolved. It is set once and cannot be undone. Where there is Landlock
** (base/files/landlock.h) the kernel refuses all others too, to children as
** well: to Clang, whose includes are names that a stranger wrote, and to LLVM's
** process. Beside the folders it lets them read what programs need to run: the
** system's libraries, Clang, this program.
**
** Mettle's own folders, its cache above all, are written by Mettle alone: code
** that is kept there is run by others who are not confined.
*/
#ifndef MT_CONFINE_H
#define MT_CONFINE_H

/* The lists end with NULL; writable and own folders are readable too. */
void mt_confine(const char *const *readable, const char *const *writable,
                const char *const *own);

/* A program that will be started: the kernel is to let it, and the libraries
** beside it (../lib), be read and run. Before mt_confine; up to eight. */
void mt_confine_need(const char *program);

/* NULL where the kernel enforces it, or would; else one sentence, without a
** full stop, that says what is missing and what that means. */
const char *mt_confine_weakness(void);

#endif
