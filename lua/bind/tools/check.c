/*
** check.c - runs the checker from Lua: the C part of check{…}.
**
** Findings are returned as plain tables; lua/check/check.lua has the messages.
*/
#include "lua/bind/tools/check.h"

#include <lauxlib.h>
#include <string.h>

#include "base/cancel.h"
#include "devices/check.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/devices.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/core/system.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/bind/tools/launch_copies.h"

/* ---------------------------------------------------------------- findings */

enum { LINE, COLUMN, FILE_NAME, TEXT, PLACE_FIELDS };

static void set_place(lua_State *L, const char *const names[PLACE_FIELDS],
                      const mt_SourcePlace *p) {
  if (p->line) mt_lua_set_integer(L, names[LINE], p->line);
  if (p->column) mt_lua_set_integer(L, names[COLUMN], p->column);
  mt_lua_set_string(L, names[FILE_NAME], p->file);
  if (p->text == NULL) return;
  lua_pushlstring(L, p->text, p->text_length);
  lua_setfield(L, -2, names[TEXT]);
}

static void set_threads(lua_State *L, const mt_Finding *f) {
  lua_createtable(L, (int)f->thread_count, 0);
  for (unsigned i = 0; i < f->thread_count && i < MT_FINDING_THREADS; i++) {
    const mt_ThreadAt *t = &f->threads[i];
    lua_createtable(L, 0, 5);
    mt_lua_set_three(L, "grid", t->grid);
    mt_lua_set_three(L, "group", t->group);
    mt_lua_set_three(L, "position", t->local); /* 'local' is reserved in Lua */
    mt_lua_set_integer(L, "simdgroup", t->simdgroup);
    mt_lua_set_integer(L, "lane", t->lane);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "threads");
}

static void push_finding(lua_State *L, const mt_Finding *f) {
  static const char *const place[] = {"line", "column", "file", "source_line"};
  static const char *const other[] = {"other_line", "other_column",
                                      "other_file", "other_source_line"};
  lua_createtable(L, 0, 20);
  mt_lua_set_string(L, "kind", mt_finding_name(f->kind));
  set_place(L, place, &f->place);
  mt_lua_set_string(L, "how", mt_how_name(f->how));
  set_place(L, other, &f->other);
  mt_lua_set_string(L, "other_how", mt_how_name(f->other_how));
  mt_lua_set_string(L, "apart", mt_apart_name(f->apart));
  if (f->flags) mt_lua_set_boolean(L, "flags", true);
  if (f->other_only) mt_lua_set_boolean(L, "other_only", true);
  if (f->inner) mt_lua_set_boolean(L, "inner", true);
  mt_lua_set_string(L, "space", mt_space_name(f->space));
  mt_lua_set_string(L, "buffer", f->name);
  mt_lua_set_string(L, "type", f->type ? f->type->name : NULL);
  if (f->space != MT_SPACE_NONE && f->space != MT_SPACE_WILD) {
    lua_pushinteger(L, f->index);
    lua_setfield(L, -2, "index");
    mt_lua_set_integer(L, "length", f->length);
  }
  if (f->rows[0]) {
    lua_createtable(L, 2, 0);
    for (int i = 0; i < 2 && f->rows[i]; i++) {
      lua_pushinteger(L, f->rows[i]);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "rows");
  }
  if (f->level) mt_lua_set_boolean(L, "level", true);
  if (f->extent[0]) {
    mt_lua_set_three(L, "texel", f->texel);
    mt_lua_set_three(L, "extent", f->extent);
  }
  mt_lua_set_integer(L, "bytes", f->bytes);
  mt_lua_set_integer(L, "value", f->value);
  mt_lua_set_integer(L, "expected", f->expected);
  mt_lua_set_integer(L, "count", f->count);
  set_threads(L, f);
  if (f->detail[0]) mt_lua_set_string(L, "detail", f->detail);
}

static void set_sentences(lua_State *L, const char *name, char *const *list,
                          size_t count) {
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_pushstring(L, list[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, name);
}

void mt_lua_push_findings(lua_State *L, const mt_CheckReport *r) {
  lua_createtable(L, (int)r->count, 12);
  for (size_t i = 0; i < r->count; i++) {
    push_finding(L, &r->findings[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  mt_lua_set_integer(L, "dropped", r->dropped);
  mt_lua_set_integer(L, "schedules", r->schedules);
  mt_lua_set_integer(L, "seed", r->seed);
  if (r->unordered[0]) mt_lua_set_string(L, "unordered", r->unordered);
  set_sentences(L, "unchecked", r->unchecked, r->unchecked_count);
}

/* outputs: the names of the parameters whose bits are set. */
static void set_outputs(lua_State *L, const mt_KernelInfo *k, uint64_t bits) {
  lua_Integer n = 0;
  lua_newtable(L);
  for (unsigned i = 0; i < k->param_count && i < 64; i++) {
    if (!(bits >> i & 1)) continue;
    lua_pushstring(L, k->params[i].name);
    lua_rawseti(L, -2, ++n);
  }
  lua_setfield(L, -2, "outputs");
}

/* ----------------------------------------------------------------- running */

/* options[field] as a set of parameter names, into every second flag. */
static bool read_names(lua_State *L, int options, const char *field,
                       const mt_KernelInfo *k, bool *flags) {
  bool any = lua_getfield(L, options, field) == LUA_TTABLE;
  for (unsigned i = 0; any && i < k->param_count; i++) {
    lua_getfield(L, -1, k->params[i].name);
    flags[i] = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return any;
}

/* The names of members in options.undefined, such as "job.sums": a list that
** ends with NULL, owned by a value on the stack; NULL if there are none. */
static const char *const *read_members(lua_State *L, int options) {
  lua_Integer n = 0;
  if (lua_getfield(L, options, "undefined") != LUA_TTABLE) return NULL;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) n++;
  const char **list = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *list, 0);
  lua_Integer room = n;
  n = 0;
  for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
    const char *name =
        lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (n < room && strchr(name, '.') && lua_toboolean(L, -1)) list[n++] = name;
  }
  list[n] = NULL;
  return n ? list : NULL;
}

static mt_CheckOptions read_check(lua_State *L, int at, const mt_KernelInfo *k,
                                  mt_LaunchCopies *w) {
  mt_CheckOptions o = {0};
  o.seed = (uint64_t)mt_lua_integer_field(L, at, "seed");
  o.schedules = (unsigned)mt_lua_integer_field(L, at, "schedules");
  o.tolerance = mt_lua_number_field(L, at, "tolerance");
  o.limit = (unsigned)mt_lua_integer_field(L, at, "findings");
  bool *outputs = w->flags, *written = w->flags + w->count;
  if (read_names(L, at, "outputs", k, outputs)) o.outputs = outputs;
  else o.guess = true;
  if (read_names(L, at, "undefined", k, written)) {
    for (unsigned i = 0; i < k->param_count; i++) written[i] = !written[i];
    o.written = written;
  }
  o.unwritten = read_members(L, at);
  return o;
}

static int report_gc(lua_State *L) {
  mt_check_free(lua_touserdata(L, 1));
  return 0;
}

static mt_CheckReport *push_room(lua_State *L) {
  return mt_lua_new_owned(L, sizeof(mt_CheckReport), 0, "mettle.findings",
                          report_gc);
}

/* After Ctrl-C, report the findings so far, if there are any and the caller
** wants them (options.partial). */
static bool go_on(lua_State *L, const mt_CheckReport *report) {
  lua_getfield(L, 3, "partial");
  bool wanted = lua_toboolean(L, -1) && report->count > 0;
  lua_pop(L, 1);
  if (wanted) mt_lua_hold_interrupt(L);
  return wanted;
}

/* run(host kernel, launch, options) -> report */
static int check_run(lua_State *L) {
  mt_Launch launch;
  mt_Error err = {""};
  lua_settop(L, 3);
  mt_LaunchCopies *w = mt_launch_copies_read(L, &launch);
  mt_CheckOptions o = read_check(L, 3, mt_kernel_info(launch.kernel), w);
  o.kept = mt_launch_copies_initial(L, w, &o.kept_count);
  mt_CheckReport *report = push_room(L);
  mt_Status status = mt_check(&launch, &o, report, &err);
  mt_lua_show_messages(mt_kernel_device(launch.kernel));
  const char *why = mt_lua_launch_end(L, status, &err);
  bool held = status == MT_CANCELLED && go_on(L, report);
  lua_getfield(L, 3, "inplace");
  if (lua_toboolean(L, -1)) mt_launch_copies_give_back(L, w);
  mt_lua_push_findings(L, report);
  set_outputs(L, mt_kernel_info(launch.kernel), report->outputs);
  mt_lua_set_launch(L, &launch);
  mt_lua_set_string(L, "stopped", why);
  if (held) {
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "interrupted");
  }
  mt_launch_copies_keep(L, w);
  return 1;
}

/* compile(source [, name] [, options]) -> a kernel that can be checked */
static int check_compile(lua_State *L) {
  const char *device = mt_device_instrumenting();
  return mt_lua_new_kernel(L, mt_lua_device_named(L, device));
}

/* The table of finding kinds: a list of {name, upsets, found, clean}. */
static void push_kinds(lua_State *L) {
  lua_createtable(L, MT_FINDING_KINDS, 0);
  for (int k = 0; k < MT_FINDING_KINDS; k++) {
    const mt_FindingRow *r = mt_finding_row((mt_FindingKind)k);
    lua_createtable(L, 0, 4);
    mt_lua_set_string(L, "name", r->name);
    mt_lua_set_string(L, "found", r->found);
    mt_lua_set_string(L, "clean", r->clean);
    lua_pushboolean(L, r->upsets);
    lua_setfield(L, -2, "upsets");
    lua_rawseti(L, -2, k + 1);
  }
}

static int open_check(lua_State *L) {
  static const luaL_Reg functions[] = {{"run", check_run},
                                       {"compile", check_compile},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  push_kinds(L);
  lua_setfield(L, -2, "kinds");
  mt_lua_set_string(L, "device", mt_device_instrumenting());
  return 1;
}

void mt_lua_open_check(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_check);
  lua_setfield(L, -2, "mettle.check");
  lua_pop(L, 2);
}
