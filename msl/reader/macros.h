/*
** macros.h - a preprocessor for macros and conditions, without a compiler.
**
** Apple's compiler does not return the preprocessed text, but the reader needs
** it: a parameter list may be a macro. Values that only that compiler knows
** (__METAL_VERSION__, its headers) are not guessed: all branches of a condition
** that depends on one are kept, and MT_DOUBT is put into the text wherever a
** macro's expansion or a parenthesised list may differ from the compiler's.
*/
#ifndef MT_MACROS_H
#define MT_MACROS_H

#include "msl/msl.h"

#define MT_DOUBT "__mt_doubt__"

/*
** Append 'text' to 'out' with its macros expanded and its directives removed;
** tokens keep their order but not their positions. MT_FAIL: the expansion
** cannot be determined.
*/
mt_Status mt_macros_expand(const char *text, size_t length,
                           const mt_MslDefine *defines, size_t define_count,
                           mt_Str *out);

/* The value of a constant expression of numbers; false: it contains names, or
** is not an expression. */
bool mt_macros_number(const char *text, long *out);

#endif
