/*
** advice.h - mistakes in Lua that those make who come from MSL and C.
*/
#ifndef MT_ADVICE_H
#define MT_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

/* If the text is MSL, not Lua, the sentence that says where it belongs. */
const char *mt_advice_msl(const char *text, size_t n);

/* What line 'number' of a text with a syntax error has that Lua writes in
** another way ("Lua writes ~= for !="), or NULL. */
const char *mt_advice_line(const char *text, size_t n, int number);

#endif
