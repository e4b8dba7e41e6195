/*
** clang.h - Clang as a child process, with our headers precompiled.
*/
#ifndef MT_CLANG_H
#define MT_CLANG_H

#include "base/process/child.h"
#include "msl/msl.h"

typedef enum mt_ClangStep {
  MT_CLANG_PREPROCESS,
  MT_CLANG_GENERATE,
  MT_CLANG_CHECK
} mt_ClangStep;

/* The target of the dependency list (as for make) that preprocessing appends
** to its output: the files that it has found. */
#define MT_CLANG_FOUND "mettle-found"

/*
** Start a step. Clang reads the text from its standard input; preprocessing
** writes text, generating writes bitcode, checking writes only diagnostics.
** Missing precompiled headers are built first; without a cache folder the
** headers are read as text. 'length', of the text to be read, limits the size
** of preprocessing's output.
*/
mt_Status mt_clang_start(mt_ClangStep step, const mt_MslOptions *options,
                         size_t length, mt_Child **out, mt_Error *err);

/* The name of a text in Clang's diagnostics. */
#define MT_CLANG_TEXT "/dev/fd/0"
bool mt_clang_is_text(const char *file);

/* And of what Clang reads after it, where a text ends too early. */
#define MT_CLANG_AFTER_TEXT "/dev/null"

/* To be called after Clang failed unexpectedly, with its diagnostics 'said':
** checks the precompiled headers. True: they were damaged and have been rebuilt
** for the next start. */
bool mt_clang_doubt(bool safe_math, const char *said);

/* Start the next MT_CLANG_GENERATE now, with default options: it loads before
** there is a text, and then waits for its input. Does nothing if one is waiting
** already or if headers would have to be precompiled first. */
void mt_clang_ahead(void);

/* Has the front end kept what it made of this source (msl/module_cache.c)? Then
** there is no need for a Clang. */
bool mt_source_is_kept(const char *source, size_t length,
                       const mt_MslOptions *options);

/* Keep a loaded Clang from which later ones are forked; pays off where more
** than one source is compiled. It loads in the background and is used once it
** is ready. Does nothing as long as no Clang was needed: everything that is
** asked for may be in a cache. */
void mt_clang_stay(void);
bool mt_clang_stays(void); /* is that Clang there, and loaded? */

/* To be called before mt_confine: no Clang that was started earlier is used
** afterwards, and the kernel will let this one be started. */
void mt_clang_confining(void);

/* METTLE_CLANG, a bundle's own, or the one that the build found. Lives as long
** as the program, or its environment. */
const char *mt_clang_path(void);

/* The folder of our headers, to tell them from the user's files. */
const char *mt_clang_headers(void);
bool mt_clang_is_header(const char *path); /* is this file one of them? */

#endif
