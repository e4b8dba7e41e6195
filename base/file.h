/*
** file.h - files, folders, and where Mettle keeps its own.
*/
#ifndef MT_FILE_H
#define MT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

/* Append the whole file to 'out'. At most 'limit' bytes (0: any size). */
mt_Status mt_file_read(const char *path, size_t limit, mt_Str *out,
                       mt_Error *err);

/* The same of a file that is open; 'path' is for messages. */
mt_Status mt_file_read_fd(int fd, const char *path, size_t limit, mt_Str *out,
                          mt_Error *err);

/*
** For Mettle's own files (save.h has those of a person): replace the file at
** 'path' at once: readers see the old bytes or the new,
** never a part, and a crash leaves one of the two. 'mode' as for chmod.
*/
mt_Status mt_file_write(const char *path, const void *bytes, size_t size,
                        unsigned mode, mt_Error *err);

bool mt_file_exists(const char *path);

/* Make 'path' and its parents, 0700 where they are new. */
mt_Status mt_dir_make(const char *path, mt_Error *err);

/*
** Mettle's folders, without a slash at the end; made if missing where the
** person's own. The answer lives as long as the program; NULL if it cannot be
** had (no home, not writable): whoever asks goes on without.
**   state: history and progress    $XDG_STATE_HOME/mettle, ~/.local/state/mettle
**   cache: what can be made anew   $XDG_CACHE_HOME/mettle, ~/.cache/mettle;
**          there is none where others could put something into it
**          (base/trust.h), and mt_dir_cache_refused says so
**   data:  what is installed beside the program: help/, lua/, msl/include/,
**          kernels/, lessons/      $METTLE_DATA, the source tree of a build
**                                  folder, PREFIX/share/mettle
**   lib:   modules loaded on demand: $METTLE_LIB, the folder of the program,
**          or PREFIX/lib/mettle
*/
const char *mt_dir_state(void);
const char *mt_dir_cache(void);
const char *mt_dir_cache_refused(void); /* a sentence; NULL: it was not */
const char *mt_dir_data(void);
const char *mt_dir_lib(void);

/* Absolute path of the running program, or NULL. */
const char *mt_program_path(void);

/* Is 'tail', of 'length' bytes, all of 'path' or what stands behind one of its
** slashes? */
bool mt_path_ends(const char *path, const char *tail, size_t length);

#endif
