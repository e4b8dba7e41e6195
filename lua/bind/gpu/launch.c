/*
** launch.c - k{a, b, n, grid = …, group = …}: from a Lua table to a launch.
**
** Arguments are given by position (in the order of the source, without builtins
** and threadgroup memory) or by the parameter's name. Plain values are
** converted to the bytes of the declared type here; mt_launch_check checks the
** whole launch, the same for all devices.
*/
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/pin.h"
#include "lua/bind/gpu/argument_buffers.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/bind/gpu/migrate.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/texture.h"
#include "lua/bind/memory/value.h"

static const char *const launch_words[] = {
    "grid", "groups", "group", "threadgroup", "repeats", "limit"};
#define LAUNCH_WORDS (sizeof launch_words / sizeof launch_words[0])

/* -------------------------------------------------------------- the words */

static bool is_launch_word(const char *key) {
  return mt_is_among(key, launch_words, LAUNCH_WORDS);
}

static uint64_t check_side(lua_State *L, const char *what) {
  lua_Number v = lua_tonumber(L, -1);
  if (lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "%s is a number or a table of up to three, not %s", what,
               luaL_typename(L, -1));
  if (v != floor(v) || v < 1)
    luaL_error(L, "%s must be a whole number of at least 1, got %s", what,
               luaL_tolstring(L, -1, NULL));
  return v > 0x1p52 ? (uint64_t)1 << 52 : (uint64_t)v;
}

/* The field 'what' as a size; false if it is missing. */
static bool read_size(lua_State *L, int arg, const char *what, mt_Size *out) {
  uint64_t side[3] = {1, 1, 1};
  if (lua_getfield(L, arg, what) == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  if (lua_istable(L, -1)) {
    size_t n = lua_rawlen(L, -1);
    if (n < 1 || n > 3)
      luaL_error(L, "%s has one to three sides, as in %s = {64, 32}", what,
                 what);
    for (size_t i = 0; i < n; i++) {
      lua_rawgeti(L, -1, (lua_Integer)i + 1);
      side[i] = check_side(L, what);
      lua_pop(L, 1);
    }
  } else {
    side[0] = check_side(L, what);
  }
  lua_pop(L, 1);
  *out = (mt_Size){side[0], side[1], side[2]};
  return true;
}

static void read_sizes(lua_State *L, int arg, mt_Launch *l) {
  bool grid = read_size(L, arg, "grid", &l->grid);
  mt_Size groups;
  l->by_groups = read_size(L, arg, "groups", &groups);
  if (grid && l->by_groups)
    luaL_error(L, "give grid (threads) or groups (threadgroups), not both");
  if (!grid && !l->by_groups)
    luaL_error(L,
               "how many threads? give grid = threads, as in grid = 1000 or "
               "grid = {64, 32}, or groups = threadgroups");
  if (l->by_groups) l->grid = groups;
  if (!read_size(L, arg, "group", &l->group))
    l->group = mt_launch_default_group(l);
}

static bool measuring, was_quick;

bool mt_lua_measure(bool on) {
  measuring = on;
  return was_quick;
}

static void read_numbers(lua_State *L, int arg, mt_Launch *l) {
  l->repeats = 1;
  if (lua_getfield(L, arg, "repeats") != LUA_TNIL) {
    uint64_t n = check_side(L, "repeats");
    if (n > 1000000) luaL_error(L, "repeats is at most 1000000");
    l->repeats = (unsigned)n;
  }
  if (lua_getfield(L, arg, "limit") != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TNUMBER || !(lua_tonumber(L, -1) > 0))
      luaL_error(L, "limit is a time in seconds, more than 0");
    l->time_limit = lua_tonumber(L, -1);
  }
  l->measured = measuring || l->repeats > 1;
  lua_pop(L, 2);
}

/* -------------------------------------------------------------- arguments */

/* The arguments that are being read; the pins own the bytes of plain values. */
typedef struct Reader {
  lua_State *L;
  const mt_KernelInfo *info;
  mt_Arg *args;  /* one for each parameter */
  mt_Pins *pins; /* of all arguments */
} Reader;

static int raise_for(Reader *r, const mt_Param *p, const char *why) {
  mt_Str *text = mt_lua_new_str(r->L);
  mt_param_describe(p, text);
  return luaL_error(r->L, "%s: '%s' (%s): %s", r->info->name, p->name,
                    mt_str_text(text), why);
}

static void bind_buffer(Reader *r, const mt_Param *p, mt_Arg *a) {
  mt_LuaBuffer *b = mt_lua_test_buffer(r->L, -1);
  mt_Buffer *buffer = mt_lua_pin_buffer(r->L, lua_gettop(r->L), r->pins);
  if (buffer == NULL) raise_for(r, p, "the buffer was freed");
  if (p->type && !mt_lua_same_elements(b->type, p->type))
    raise_for(
        r, p,
        lua_pushfstring(
            r->L,
            "the buffer holds %s; make it with gpu.buffer(\"%s\", …), or give "
            "b:as(\"%s\"), the same bytes read as such",
            b->type->name,
            mt_scalar_name(p->type->scalar ? p->type->scalar : MT_FLOAT),
            mt_scalar_name(p->type->scalar ? p->type->scalar : MT_FLOAT)));
  a->kind = MT_ARG_BUFFER;
  a->buffer = buffer;
  a->offset = b->offset;
  a->size = b->count * b->type->size;
}

/* The value, below its name on the stack, is at offset 'at' of 'a'. */
static void bind_links(Reader *r, const mt_Param *p, size_t at,
                       const char *name, mt_Arg *a) {
  lua_pushvalue(r->L, -1);
  mt_pins_keep(r->L, r->pins);
  lua_insert(r->L, -2);
  const char *wrong = mt_lua_read_argument_buffer(
      r->L, lua_gettop(r->L), p->type, at, name, r->pins, a);
  if (wrong) raise_for(r, p, wrong);
  lua_remove(r->L, -2);
}

/* A list of values for a pointer that the kernel only reads. */
static void bind_list(Reader *r, const mt_Param *p, mt_Arg *a) {
  size_t n = lua_rawlen(r->L, -1), size = p->type->size;
  int list = lua_gettop(r->L);
  if (n == 0) raise_for(r, p, "the table is empty");
  if (n > 4096 / (size ? size : 1))
    raise_for(r, p,
              "a table given by value has at most 4096 bytes: use a buffer");
  char *bytes = mt_pins_room(r->L, r->pins, n * size);
  for (size_t i = 0; i < n; i++) {
    mt_Error err;
    lua_rawgeti(r->L, list, (lua_Integer)i + 1);
    if (!mt_value_store(r->L, -1, p->type, bytes + i * size, &err))
      raise_for(r, p,
                lua_pushfstring(r->L, "value %d: %s", (int)i + 1, err.text));
    bind_links(r, p, i * size, lua_pushfstring(r->L, "%s[%d]", p->name, (int)i),
               a);
    lua_pop(r->L, 1);
  }
  a->bytes = bytes;
  a->size = n * size;
}

/* {width = 3, …} for 'constant Params *p': one struct, as is usual in C. */
static bool is_one_struct(Reader *r, const mt_Param *p) {
  bool fielded =
      p->type->kind == MT_TYPE_STRUCT || p->type->kind == MT_TYPE_UNION;
  if (!fielded || !lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 0)
    return false;
  lua_pushnil(r->L);
  bool named = lua_next(r->L, -2) != 0;
  if (named) lua_pop(r->L, 2);
  return named;
}

static void bind_value(Reader *r, const mt_Param *p, mt_Arg *a) {
  mt_Error err;
  if (p->access != MT_READ)
    raise_for(r, p, "it is not const, so it needs a buffer, not a value");
  a->kind = MT_ARG_BYTES;
  if (!p->reference && !is_one_struct(r, p)) {
    if (lua_istable(r->L, -1)) {
      bind_list(r, p, a);
      return;
    }
    raise_for(
        r, p,
        lua_pushfstring(
            r->L,
            "it is a pointer: give a buffer, or a table of values, not a %s",
            luaL_typename(r->L, -1)));
  }
  int value = lua_gettop(r->L);
  void *bytes = mt_pins_room(r->L, r->pins, p->type->size);
  if (!mt_value_store(r->L, value, p->type, bytes, &err))
    raise_for(r, p, err.text);
  lua_settop(r->L, value);
  bind_links(r, p, 0, lua_pushstring(r->L, p->name), a);
  a->bytes = bytes;
  a->size = p->type->size;
}

static void bind_threadgroup(Reader *r, const mt_Param *p, mt_Arg *a) {
  lua_Number n = lua_tonumber(r->L, -1);
  if (lua_type(r->L, -1) != LUA_TNUMBER)
    raise_for(r, p, "it is threadgroup memory: give its size in bytes");
  if (n < 1 || n != floor(n) || n > 0x1p30)
    raise_for(
        r, p,
        lua_pushfstring(
            r->L,
            "its size in bytes must be a whole number of at least 1%s, got %s",
            n > 0x1p30 ? " and at most 2^30" : "",
            luaL_tolstring(r->L, -1, NULL)));
  a->kind = MT_ARG_THREADGROUP;
  a->size = ((size_t)n + 15) / 16 * 16; /* Metal wants multiples of 16 */
}

/* Bind the value on top of the stack to parameter 'i'. */
static void bind(Reader *r, unsigned i) {
  const mt_Param *p = &r->info->params[i];
  mt_Arg *a = &r->args[i];
  if (a->kind != MT_ARG_NONE) raise_for(r, p, "it is given twice");
  if (p->kind == MT_PARAM_THREADGROUP)
    bind_threadgroup(r, p, a);
  else if (p->kind == MT_PARAM_TEXTURE || p->kind == MT_PARAM_SAMPLER) {
    bool many = p->kind == MT_PARAM_TEXTURE && p->array_count > 1 &&
                lua_istable(r->L, -1);
    const char *why =
        many ? mt_lua_bind_textures(r->L, p->array_count, r->pins, a)
             : mt_lua_bind_texture(r->L, p, r->pins, a);
    if (why) raise_for(r, p, why);
  } else if (mt_lua_test_buffer(r->L, -1))
    bind_buffer(r, p, a);
  else if (lua_isuserdata(r->L, -1))
    raise_for(r, p, "it takes a buffer");
  else
    bind_value(r, p, a);
}

static bool by_position(const mt_Param *p) {
  return p->kind != MT_PARAM_BUILTIN && p->kind != MT_PARAM_THREADGROUP;
}

/* Positions mean nothing if the order of the parameters is unknown. */
static void need_names(Reader *r, mt_ParamKind kind) {
  unsigned i = 0;
  while (i + 1 < r->info->param_count && r->info->params[i].kind != kind) i++;
  const char *name = r->info->param_count ? r->info->params[i].name : "x";
  luaL_error(r->L,
             "%s: the order of its parameters cannot be told from the source "
             "(a macro or a condition hides it): "
             "give them by name: %s{%s = …}",
             r->info->name, r->info->name, name);
}

static void bind_positional(Reader *r, int arg) {
  size_t given = lua_rawlen(r->L, arg), number = 0;
  for (unsigned i = 0; i < r->info->param_count; i++) {
    if (!by_position(&r->info->params[i])) continue;
    bool there = lua_rawgeti(r->L, arg, (lua_Integer)++number) != LUA_TNIL;
    if (there && r->info->unordered) need_names(r, MT_PARAM_BUFFER);
    if (there) bind(r, i);
    lua_pop(r->L, 1);
  }
  if (given > number)
    luaL_error(r->L, "%s takes %d argument%s, got %d", r->info->name,
               (int)number, number == 1 ? "" : "s", (int)given);
}

static int unknown_name(Reader *r, const char *name) {
  mt_Str *names = mt_lua_new_str(r->L);
  for (unsigned i = 0; i < r->info->param_count; i++)
    if (r->info->params[i].kind != MT_PARAM_BUILTIN)
      mt_str_addf(names, "%s%s", names->length ? ", " : "",
                  r->info->params[i].name);
  return luaL_error(r->L,
                    "%s has no parameter '%s'; it has: %s; and a launch takes "
                    "grid or groups, group, threadgroup, repeats, limit",
                    r->info->name, name, mt_str_text(names));
}

static unsigned find_named(const Reader *r, const char *name) {
  unsigned i = 0;
  while (i < r->info->param_count &&
         (r->info->params[i].kind == MT_PARAM_BUILTIN ||
          strcmp(r->info->params[i].name, name) != 0))
    i++;
  return i;
}

static void bind_named(Reader *r, int arg) {
  for (lua_pushnil(r->L); lua_next(r->L, arg); lua_pop(r->L, 1)) {
    if (lua_type(r->L, -2) != LUA_TSTRING) continue;
    const char *name = mt_lua_check_text(r->L, -2);
    unsigned i = find_named(r, name);
    bool known = i < r->info->param_count;
    if (is_launch_word(name)) {
      if (known && by_position(&r->info->params[i]) &&
          r->args[i].kind == MT_ARG_NONE)
        raise_for(r, &r->info->params[i],
                  "a launch has a word of this name, too: give the parameter "
                  "by its position");
      continue;
    }
    if (!known) unknown_name(r, name);
    bind(r, i);
  }
}

/* threadgroup = bytes or {bytes, …}, in the order of the parameters. A
** reference needs none: its size is known. */
static void bind_shared(Reader *r, int arg) {
  size_t next = 1, given = 0;
  int type = lua_getfield(r->L, arg, "threadgroup"), list = lua_gettop(r->L);
  if (type == LUA_TTABLE) given = lua_rawlen(r->L, list);
  else if (type != LUA_TNIL) given = 1;
  unsigned open = 0;
  for (unsigned i = 0; i < r->info->param_count; i++) {
    const mt_Param *p = &r->info->params[i];
    if (p->kind != MT_PARAM_THREADGROUP || r->args[i].kind != MT_ARG_NONE)
      continue;
    if (given && r->info->unordered && ++open > 1)
      need_names(r, MT_PARAM_THREADGROUP);
    if (next <= given) {
      if (type == LUA_TTABLE) lua_rawgeti(r->L, list, (lua_Integer)next);
      else lua_pushvalue(r->L, list);
      bind(r, i);
      next++;
    } else if (p->reference) {
      lua_pushinteger(r->L, (lua_Integer)p->type->size);
      bind(r, i);
    }
    lua_settop(r->L, list);
  }
  if (next <= given)
    luaL_error(r->L, "%s has %d threadgroup parameter%s to size, got %d sizes",
               r->info->name, (int)next - 1, next == 2 ? "" : "s", (int)given);
  lua_pop(r->L, 1);
}

/* ----------------------------------------------------------------- public */

static mt_Kernel *pin_kernel(lua_State *L, int kernel, mt_Pins *pins) {
  mt_LuaKernel *box = luaL_checkudata(L, kernel, MT_LUA_KERNEL);
  lua_pushvalue(L, kernel);
  mt_pins_add(L, pins, &box->pin);
  lua_pop(L, 1);
  return mt_lua_check_kernel(L, kernel);
}

mt_Pins *mt_lua_read_launch(lua_State *L, int kernel, int arg,
                            mt_Launch *out) {
  luaL_checkstack(L, 16, NULL);
  mt_Pins *pins = mt_pins_push(L);
  mt_Kernel *k = pin_kernel(L, kernel, pins);
  const mt_KernelInfo *info = mt_kernel_info(k);
  if (!lua_istable(L, arg))
    luaL_error(L, "a launch is a table: %s{a, b, grid = 1000}", info->name);
  Reader r = {L, info, NULL, pins};
  r.args = mt_pins_room(L, pins, sizeof(mt_Arg) * (info->param_count + 1));
  *out =
      (mt_Launch){.kernel = k, .args = r.args, .arg_count = info->param_count};
  bind_positional(&r, arg);
  bind_named(&r, arg);
  bind_shared(&r, arg);
  read_sizes(L, arg, out);
  read_numbers(L, arg, out);
  return pins;
}

void mt_lua_show_messages(mt_Device *dev) {
  mt_Str text = MT_STR_INIT;
  mt_device_messages(dev, &text);
  if (text.length) fputs(text.text, stderr);
  mt_str_free(&text);
}

int mt_kernel_launch(lua_State *L) {
  mt_Launch launch;
  mt_Timing timing;
  mt_Error err;
  lua_settop(L, 2);
  mt_Pins *pins = mt_lua_read_launch(L, 1, 2, &launch);
  mt_lua_migrate(L, pins, &launch);
  if (mt_lua_noting(L)) {
    mt_lua_note(L, pins, &launch);
    return 1;
  }
  mt_Status status = mt_launch(&launch, &timing, &err);
  was_quick = timing.quick;
  mt_lua_show_messages(mt_kernel_device(launch.kernel));
  if (status != MT_OK) return mt_lua_raise(L, &err);
  mt_lua_push_result(L, &launch, &timing);
  return 1;
}
