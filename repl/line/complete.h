/*
** complete.h - completion by Tab and the grey hint: from live tables, methods,
** keywords, file names in strings, the help texts, and words of MSL in kernels.
*/
#ifndef MT_COMPLETE_H
#define MT_COMPLETE_H

#include <lua.h>

#include "repl/line/edit.h"

typedef struct mt_Typing {
  lua_State *L;
  const mt_Str *above; /* the lines of an unfinished chunk, or empty */
} mt_Typing;

/* For mt_EditHooks; 'context' is an mt_Typing. */
void mt_complete(void *context, const char *before, mt_Choices *out);
void mt_hint(void *context, const char *text, mt_Str *out);

/* The same in Metal's language, between the two parts of a source. */
void mt_complete_msl(lua_State *L, const char *before, const char *after,
                     mt_Choices *out);

#endif
