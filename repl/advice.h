/*
** advice.h - errors in Lua that are typical of users who know MSL and C.
*/
#ifndef MT_ADVICE_H
#define MT_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

/* If the text is MSL, not Lua, a sentence that says where it belongs; else
** NULL. */
const char *mt_advice_msl(const char *text, size_t n);

/* Advice on line 'number' of a text with a syntax error, where it has syntax of
** C ("Lua writes ~= for !="); or NULL. */
const char *mt_advice_line(const char *text, size_t n, int number);

#endif
