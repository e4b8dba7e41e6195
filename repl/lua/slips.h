/*
** slips.h - sentences about likely slips in Lua code, from lua/slips/slips.lua.
**
** They are asked for only after Lua has refused the text, or its run has
** failed; the notes, after it has run.
*/
#ifndef MT_SLIPS_H
#define MT_SLIPS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

typedef struct mt_Slip {
  mt_Str *say;     /* the sentence; on Lua's stack, as the next */
  mt_Str *written; /* the line as it should be; empty: not known */
  bool msl;        /* the text is not Lua at all */
  bool guess;      /* a similar name may be suggested after it */
} mt_Slip;

/* Push the two strings of a slip; mt_lua_new_str keeps them. */
void mt_slip_open(lua_State *L, mt_Slip *out);

/* A text with a syntax error on line 'number', or one that is 'unfinished'.
** False: no slip that is known. */
bool mt_slip_syntax(lua_State *L, const char *text, size_t n, int number,
                    const char *message, bool unfinished, mt_Slip *out);

/* A line whose run ended with 'message'. */
bool mt_slip_failed(lua_State *L, const char *line, const char *message,
                    mt_Slip *out);

/* A text that was typed and ran: a sentence to add, or false. */
bool mt_slip_note(lua_State *L, const char *text, size_t n, mt_Str *out);

#endif
