/*
** clang_parts.h - between the files that run Clang: its command line
** (clang_command.c), our headers precompiled (clang_header.c), and the steps
** themselves (clang.c). All three are part of the program and not of host.so,
** so that Clang can load while host.so is being loaded.
*/
#ifndef MT_CLANG_PARTS_H
#define MT_CLANG_PARTS_H

#include <stdbool.h>

#include "base/str.h"
#include "msl/clang.h"

#define MT_CLANG_MEMORY ((size_t)6 << 30)   /* limits of a child */
#define MT_CLANG_OUTPUT ((size_t)256 << 20)
#define MT_CLANG_SECONDS 60.0

#define MT_COMMAND_ARGS 512

typedef struct mt_ClangCommand {
  const char *args[MT_COMMAND_ARGS];
  size_t count;
  mt_Str kept; /* offsets into it are in 'made' until the end */
  size_t made[MT_COMMAND_ARGS];
} mt_ClangCommand;

/* which lives longer */
void mt_command_add(mt_ClangCommand *c, const char *arg);
void mt_command_made(mt_ClangCommand *c, const char *a, const char *b,
                     const char *d);

/* What all steps and the precompiled header have in common. */
void mt_command_common(mt_ClangCommand *c, bool safe);

/* Ends with NULL; valid until more is added. */
const char *const *mt_command_args(mt_ClangCommand *c);

/* The precompiled headers for safe math or fast: where they are or are to be;
** "" where there is no place to keep them. */
mt_Status mt_header_name(bool safe, const char **path, mt_Error *err);

/* The same, and they are made where they are missing. */
mt_Status mt_header_need(bool safe, const char **path, mt_Error *err);

/* Clang ended as it never should. If they are damaged, or 'said' (what Clang
** wrote) speaks of them, they are made again beside the old ones, which others
** may be reading, and take their place. True: they are others now. */
bool mt_header_doubt(bool safe, const char *said);

/* clang_sum.c: is the header there, with the bytes that it was made with?
** Those are read where the system says that it was written to, or
** 'thoroughly'. */
bool mt_header_is_whole(const char *path, bool thoroughly);
void mt_header_sign(const char *path); /* it was made just now */

#endif
