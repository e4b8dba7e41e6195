/*
** source_key.h - what the front end makes of a source is kept on disk under a
** hash of all that it depends on.
*/
#ifndef MT_SOURCE_KEY_H
#define MT_SOURCE_KEY_H

#include "base/files/cache_entry.h"
#include "msl/clang/named_files.h"

/* The key of 'source' with these options: text, options, the files that it
** names, our headers, Clang, its flags, and the build. False: nothing can be
** kept for it. 'named' may be NULL, and is found then. */
bool mt_source_key(const char *source, size_t length, const mt_MslOptions *o,
                   const mt_NamedFiles *named, mt_Key *key);

/* The path of the file for 'key'; false: there is no cache folder. */
bool mt_source_key_path(const mt_Key *key, char *out, size_t size);

#endif
