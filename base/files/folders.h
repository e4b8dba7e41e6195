/*
** folders.h - where Mettle keeps its own files.
*/
#ifndef MT_FOLDERS_H
#define MT_FOLDERS_H

/*
** Mettle's folders, without a slash at the end; state and cache are made if
** missing. The result lives as long as the program; NULL if there is none (no
** home, not writable): callers go on without.
**   state: history and progress   $XDG_STATE_HOME/mettle, ~/.local/state/mettle
**   cache: derived files           $XDG_CACHE_HOME/mettle, ~/.cache/mettle;
**          refused where other users could put files into it
**          (base/files/file_ownership.h): mt_dir_cache_refused gives the reason
**   data:  files installed beside the program: help/, lua/, msl/include/,
**          kernels/, lessons/      $METTLE_DATA, the source tree of a build
**                                  folder, PREFIX/share/mettle
**   lib:   modules loaded on demand: $METTLE_LIB, the folder of the program,
**          or PREFIX/lib/mettle
*/
const char *mt_dir_state(void);
const char *mt_dir_cache(void);
const char *mt_dir_cache_refused(void); /* a sentence; NULL: not refused */
const char *mt_dir_data(void);
const char *mt_dir_lib(void);

/* Absolute path of the program 'mettle', or NULL: the running program, unless
** a library inside another one has said where it is. */
const char *mt_program_path(void);
void mt_program_set(const char *path); /* before all others; it is copied */

#endif
