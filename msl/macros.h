/*
** macros.h - macros and conditions of a source, without a compiler.
**
** Where Apple's compiler compiles, nobody hands out the preprocessed text, but
** the reader wants one: a parameter list may be a macro. What depends on what
** only that compiler knows (__METAL_VERSION__, its headers) is not guessed:
** all branches of such a condition are kept, and MT_DOUBT stands in the text
** wherever a macro or a list in parentheses may be another one in truth.
*/
#ifndef MT_MACROS_H
#define MT_MACROS_H

#include "msl/msl.h"

#define MT_DOUBT "__mt_doubt__"

/*
** Append 'text' to 'out' with its macros expanded and its directives gone; its
** tokens keep their order, not their places. MT_FAIL: it cannot be told.
*/
mt_Status mt_macros_expand(const char *text, size_t length, const mt_MslDefine *defines, size_t define_count,
                           mt_Str *out);

/* The value of a constant expression of numbers; false: names are in it, or it is none. */
bool mt_macros_number(const char *text, long *out);

#endif
