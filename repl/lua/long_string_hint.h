/*
** long_string_hint.h - a common mistake: a kernel between [[ and ]], which Lua
** ends at the first ]], that of [[buffer(0)]].
*/
#ifndef MT_LONG_STRING_HINT_H
#define MT_LONG_STRING_HINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/*
** Does a long string or comment of level 0 in 'text' end at the ]] of a
** [[name]] inside it? If so, append one sentence that says what to write.
** '*line' (NULL ok) receives the line where it ends.
*/
bool mt_long_string_hint(const char *text, size_t n, size_t *line, mt_Str *out);

#endif
