/*
** parts.h - shared by the files of require "mettle.record": record.c
** (running, tables), record/value.c (values as text), record/query.c (what the
** index knows).
*/
#ifndef MT_LUA_RECORD_PARTS_H
#define MT_LUA_RECORD_PARTS_H

#include <lauxlib.h>
#include <lua.h>

#include "base/str.h"
#include "devices/record.h"
#include "devices/recording/index.h"

#define MT_RECORDING_NAME "mettle.recording"

typedef struct mt_LuaRecording {
  mt_Recording r; /* its kernel is the userdata's value */
  mt_Steps steps;
  bool has_steps;
  mt_RecordIndex *index;
  uint32_t *threads; /* of the options; NULL when it has run */
} mt_LuaRecording;

mt_LuaRecording *mt_lua_check_recording(lua_State *L, int at);
/* Argument 'at', from 1 to 'count', as a number from 0 on. */
size_t mt_lua_check_number(lua_State *L, int at, size_t count,
                           const char *what);

/* record/value.c: "1.5", "{1, 2, 3}", "{id = 7}", "&y[3]". 'known' has a byte
** for each that is known, NULL: all. 'most': elements that are shown of an
** array. */
void mt_record_write_value(mt_Str *out, const mt_Recording *r,
                           const mt_Type *type, const char *bytes,
                           const char *known, size_t most);
/* The value of an event; for an atomic "2 → 3". */
void mt_record_write_event(mt_Str *out, const mt_Recording *r,
                           const mt_Event *e);
/* Where an access is: "x[3]", "tile[2][5]", "h[5].id", a texel "t(3, 1)". */
void mt_record_write_where(mt_Str *out, const mt_Recording *r,
                           const mt_Event *e);
/* An element of an object. */
void mt_record_write_element(mt_Str *out, const mt_Recording *r,
                             const mt_RecordObject *o, const char *bytes,
                             const char *known, uint64_t index);
/* A variable's value, by its type where that is known. */
void mt_record_write_variable(mt_Str *out, const mt_Recording *r,
                              unsigned variable, const char *bytes,
                              const char *known, const mt_Event *last);
/* The name of what an event gives a variable: "own.s[1]", "a[3]", "v". */
void mt_record_write_name(mt_Str *out, const mt_Recording *r,
                          const mt_Event *e);

/* record/query.c */
extern const luaL_Reg mt_lua_record_queries[];

#endif
