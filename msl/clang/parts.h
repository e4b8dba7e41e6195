/*
** parts.h - shared by the files that run Clang: its command line
** (command.c), our precompiled headers (header.c, pch_checksum.c), and
** the steps themselves (clang.c). All are part of the program and not of
** host.so, so that Clang can load while host.so is being loaded.
*/
#ifndef MT_CLANG_PARTS_H
#define MT_CLANG_PARTS_H

#include <stdbool.h>

#include "base/str.h"
#include "msl/clang/clang.h"

#define MT_CLANG_MEMORY ((size_t)6 << 30)   /* limits of a child */
#define MT_CLANG_OUTPUT ((size_t)256 << 20)
#define MT_CLANG_SECONDS 60.0

#define MT_COMMAND_ARGS 512

typedef struct mt_ClangCommand {
  const char *args[MT_COMMAND_ARGS];
  size_t count;
  mt_Str kept; /* the text of arguments that were composed */
  size_t made[MT_COMMAND_ARGS]; /* offsets into 'kept'; SIZE_MAX: args[i] */
} mt_ClangCommand;

/* 'arg' is not copied and must outlive 'c'; mt_command_made copies a b d. */
void mt_command_add(mt_ClangCommand *c, const char *arg);
void mt_command_made(mt_ClangCommand *c, const char *a, const char *b,
                     const char *d);

/* The flags that all steps and the precompiled header share. */
void mt_command_common(mt_ClangCommand *c, bool safe);

/* Ends with NULL; valid until more is added. */
const char *const *mt_command_args(mt_ClangCommand *c);

/* The path of the precompiled headers for safe or fast math, whether they exist
** or not; "" without a cache folder. */
mt_Status mt_header_name(bool safe, const char **path, mt_Error *err);

/* The same; builds them if they are missing. */
mt_Status mt_header_need(bool safe, const char **path, mt_Error *err);

/* To be called after Clang failed unexpectedly. If the headers are damaged, or
** 'said' (Clang's diagnostics) names them, they are rebuilt in a new file,
** since other processes may be reading the old one, and renamed into place.
** True: they were replaced. */
bool mt_header_doubt(bool safe, const char *said);

/* pch_checksum.c: does the header exist with the bytes it was written with? The
** bytes are read only if the file's metadata changed, or 'thoroughly'. */
bool mt_header_is_whole(const char *path, bool thoroughly);
void mt_header_sign(const char *path); /* records the checksum of a new one */

#endif
