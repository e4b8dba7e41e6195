/*
** named_files.h - the files that a source may include, found without Clang.
**
** Only Clang knows which #include is active. Every name in a directive is
** looked up, in the source and in the files that it names, whether the
** directive is active or not, in all folders that Clang may search.
*/
#ifndef MT_NAMED_FILES_H
#define MT_NAMED_FILES_H

#include "base/files/cache_entry.h"
#include "msl/msl.h"

typedef struct mt_NamedFiles mt_NamedFiles;

/* NULL: out of memory. 'source' and 'o' must outlive it. */
mt_NamedFiles *mt_named_files_new(const char *source, size_t length,
                                  const mt_MslOptions *o);
void mt_named_files_free(mt_NamedFiles *f); /* NULL ok */

/* Is one of them a pipe or a device, which Clang would block on? Then '*file'
** is the one that names it, NULL the source; 'f' owns the texts. */
bool mt_named_files_refused(const mt_NamedFiles *f, const char **file,
                            unsigned *line, unsigned *column,
                            const char **why);

/* Adds which names there are and what the files have in them: all that Clang
** reads beside the source. False: that is not all, as a macro makes a name, or
** the text depends on the time. */
bool mt_named_files_add(const mt_NamedFiles *f, mt_Key *key);

/* Is this one of the files? */
bool mt_named_files_has(const mt_NamedFiles *f, const char *path);

#endif
