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

/* Something that a text uses and its version of MSL does not have. */
typedef struct mt_Later {
  const char *entry; /* the table's name of it */
  const char *name;  /* as the text has it, 'length' bytes */
  size_t length;
  uint32_t at;
  unsigned since;            /* the version that it came with */
  uint32_t token, directive; /* where to go on */
  bool library;              /* there the text is a header of the library */
} mt_Later;

/*
** The next thing that the preprocessed text uses and 'version' does not have,
** headers first. '*l' is all zeros before the first call. False: nothing more.
*/
bool mt_msl_later(const mt_Lex *lex, unsigned version, mt_Later *l);

#endif
