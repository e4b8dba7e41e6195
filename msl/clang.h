/*
** clang.h - Clang as a child process, with our headers precompiled.
*/
#ifndef MT_CLANG_H
#define MT_CLANG_H

#include "base/child.h"
#include "msl/msl.h"

typedef enum mt_ClangStep { MT_CLANG_PREPROCESS, MT_CLANG_GENERATE, MT_CLANG_CHECK } mt_ClangStep;

/* Behind the text, this word and ':' preprocessing lists the files that it has
** found, as for make. */
#define MT_CLANG_FOUND "mettle-found"

/*
** Start a step. It reads the text from its standard input; preprocessing
** writes text, generating writes bitcode, checking writes only messages. The
** precompiled headers are made first where they are missing; without a cache
** folder they are read as text. What preprocessing may write is limited by
** 'length', of the text it will read.
*/
mt_Status mt_clang_start(mt_ClangStep step, const mt_MslOptions *options, size_t length,
                         mt_Child **out, mt_Error *err);

/* Clang ended as it never should, saying 'said': the precompiled headers may be
** damaged. If so they are made anew for the next start: true. */
bool mt_clang_doubt(bool safe_math, const char *said);

/* Start the next MT_CLANG_GENERATE now, for options as usual: it loads while
** there is no text yet, and waits for it. Nothing where one waits already or
** headers would have to be made first. */
void mt_clang_ahead(void);

/* Have a Clang stay loaded, for the next ones to be forked from; for whoever has
** compiled and will again. It loads in the background and is used once it is
** ready. Nothing where none was needed so far: all that is asked for may be in
** a cache. */
void mt_clang_stay(void);

const char *mt_clang_path(void); /* METTLE_CLANG, or the one of the build */

/* The folder of our headers, for telling them from the person's. */
const char *mt_clang_headers(void);

#endif
