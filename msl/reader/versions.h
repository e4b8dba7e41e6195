/*
** versions.h - versions of the Metal Shading Language: their names, and what
** came with which.
**
** A version is the number that __METAL_VERSION__ has: 310 for Metal 3.1.
*/
#ifndef MT_MSL_VERSIONS_H
#define MT_MSL_VERSIONS_H

#include "base/status.h"
#include "msl/reader/lex.h"

/* The newest, which sources are compiled as if nothing else is said. */
#define MT_MSL_NEWEST 400

/*
** The version that 'std' names, as Apple's compiler takes it after -std=:
** "metal3.1", "macos-metal2.4"; NULL: the newest. MT_BADARG and a sentence for
** anything else.
*/
mt_Status mt_msl_version(const char *std, unsigned *out, mt_Error *err);

/*
** What the text uses and 'version' does not have, from the token with the
** number '*token' on: the table's name of it, where it stands and the version
** that it came with; '*token' is then the one to go on with. NULL: nothing.
*/
const char *mt_msl_too_new(const mt_Lex *lex, unsigned version,
                           uint32_t *token, uint32_t *at, unsigned *since);

#endif
