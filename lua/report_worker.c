/*
** report_worker.c - reports become words in a process of their own, see
** report_worker.h.
*/
#include "lua/report_worker.h"

#include <lauxlib.h>
#include <stdio.h>

#include "base/process/worker_process.h"
#include "devices/report.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/core/late.h"
#include "lua/bind/tools/check.h"
#include "lua/bind/tools/launch_copies.h"
#include "lua/mettle.h"

/* One question, and the answer to it. */
typedef struct Job {
  mt_ReportOf of;
  mt_CheckReport check;
  mt_Profile profile;
  mt_Str *out;
} Job;

/* ---------------------------------------------------------------- in Lua */

static void pack_field(lua_State *L, const char *name, mt_Str *out) {
  lua_getfield(L, -1, name);
  mt_pack_text(out, lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* The row on top of the stack. */
static void pack_finding(lua_State *L, mt_Str *out) {
  static const char *const names[] = {"number", "line", "column", "other_line",
                                      "other_column"};
  for (int i = 0; i < 5; i++) {
    uint64_t v = (uint64_t)mt_lua_integer_field(L, -1, names[i]);
    mt_pack_bytes(out, &v, sizeof v);
  }
  pack_field(L, "message", out);
  pack_field(L, "advice", out);
  pack_field(L, "text", out);
}

static void pack_number(lua_State *L, mt_Str *out) {
  double v = mt_lua_number_field(L, -1, "value");
  pack_field(L, "name", out);
  mt_pack_bytes(out, &v, sizeof v);
}

static void push_found(lua_State *L, const Job *j) {
  if (j->of.profile) mt_lua_push_counts(L, &j->profile);
  else mt_lua_push_findings(L, &j->check);
  mt_lua_set_extent(L, j->of.kernel, &j->of.extent);
  mt_lua_set_string(L, "stopped", j->of.stopped);
}

/* (job) */
static int render(lua_State *L) {
  Job *j = lua_touserdata(L, 1);
  lua_settop(L, 0);
  push_found(L, j);
  lua_pushstring(L, j->of.source);
  lua_pushstring(L, j->of.file);
  lua_pushstring(L, j->of.outputs);
  mt_lua_call_late(L, j->of.profile ? "profile_words" : "check_words");
  luaL_checktype(L, 3, LUA_TTABLE);
  int status = 0;
  uint64_t rows = (uint64_t)lua_rawlen(L, 3);
  mt_pack_bytes(j->out, &status, sizeof status);
  mt_pack_text(j->out, luaL_checkstring(L, 1));
  mt_pack_text(j->out, luaL_checkstring(L, 2));
  mt_pack_bytes(j->out, &rows, sizeof rows);
  for (uint64_t i = 1; i <= rows; i++) {
    lua_rawgeti(L, 3, (lua_Integer)i);
    if (j->of.profile) pack_number(L, j->out);
    else pack_finding(L, j->out);
    lua_pop(L, 1);
  }
  return 0;
}

/* --------------------------------------------------------------- outside */

static void fail(mt_Str *out, const char *why) {
  int status = 1;
  mt_str_clear(out);
  mt_pack_bytes(out, &status, sizeof status);
  mt_pack_text(out, why);
}

static void answer(void *context, const void *question, size_t size,
                   mt_Str *out) {
  lua_State *L = context;
  mt_Unpacker in = {question, (const char *)question + size, false};
  Job j = {.out = out};
  mt_report_unpack_head(&in, &j.of);
  if (j.of.profile) mt_report_unpack_profile(&in, &j.profile);
  else mt_report_unpack_check(&in, &j.check);
  lua_settop(L, 0);
  lua_pushcfunction(L, render);
  lua_pushlightuserdata(L, &j);
  if (in.failed) fail(out, "the report was not complete");
  else if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    fail(out, lua_tostring(L, -1));
  mt_report_free_check(&j.check);
  mt_report_free_profile(&j.profile);
}

int mt_report_serve(void) {
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    fprintf(stderr, "not enough memory\n"); /* the asker reports it */
    return 1;
  }
  mt_lua_open(L);
  int status = mt_worker_process_serve(NULL, answer, L);
  lua_close(L);
  return status;
}
