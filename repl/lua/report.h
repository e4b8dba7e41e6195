/*
** report.h - readable errors: the message, the line of the user's code, and its
** callers where they help. No C frames.
*/
#ifndef MT_REPL_REPORT_H
#define MT_REPL_REPORT_H

#include <lua.h>
#include <stdbool.h>

#include "base/status.h"
#include "base/str.h"
#include "repl/lua/slips.h"

/* Message handler for lua_pcall: turns any error value into a report. */
int mt_report_handler(lua_State *L);

/*
** Print and pop the report (or plain error value) on top of the stack to
** standard error, after 'prefix' ("mettle: ", or "").
*/
void mt_report_print(lua_State *L, const char *prefix);

/* The same without printing: appends the message, and the lines below it. */
void mt_report_take(lua_State *L, mt_Str *message, mt_Str *details);

/* Replace the message of a syntax error on top of the stack, in the chunk named
** 'source' ("@file.lua"), by a report. */
void mt_report_syntax(lua_State *L, const char *source);

/* Push a report of a slip on line 'line' of that chunk. */
void mt_report_slip(lua_State *L, const char *source, int line,
                    const mt_Slip *slip);

/* One line to standard error, after "mettle: ", for words of the command line
** and names of files: what a terminal would obey is made visible. */
void mt_complain(const char *fmt, ...) MT_PRINTF(1, 2);

/* The number in "NAME:LINE: …"; 0 if there is none. */
int mt_report_line(const char *message);

#endif
