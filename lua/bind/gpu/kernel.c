/*
** kernel.c - gpu.kernel and gpu.library: from source or file to a kernel.
**
** A string with a newline, a brace or a semicolon is source; anything else
** names a file, or a kernel of the library in kernels/. Errors in a source
** raise with all of the compiler's diagnostics, since later code cannot go on
** without the kernel; warnings go to standard error.
*/
#include "lua/bind/gpu/kernel.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/terminal/excerpt.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/devices.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/core/late.h"
#include "lua/bind/memory/value.h"

#define LIBRARY "mettle.library"
#define MAX_DEFINES 64
#define SOURCE_MAX ((size_t)256 << 20) /* bytes of a file; devices take less */

/* User value 1 of a library, and of its kernels, is the table "made": its
** source and options, so that check can compile it again for another device. */
typedef struct LuaLibrary {
  mt_Pin pin; /* of an mt_Library */
} LuaLibrary;

/* ----------------------------------------------------------------- source */

#define LONGEST_PATH 4096

static bool looks_like_source(const char *text, size_t length) {
  return length == 0 || length >= LONGEST_PATH ||
         strpbrk(text, "\n{;") != NULL || strlen(text) != length;
}

/* A Lua string [[ … ]] ends at its first ]]: a source that was cut off there
** has no ]], and its last [[ is open. The compiler reports all other errors. */
static bool cut_at_attribute(const char *text) {
  const char *open = NULL;
  if (strstr(text, "]]")) return false;
  for (const char *p = text; (p = strstr(p, "[[")) != NULL; p += 2)
    open = p + 2;
  return open && open[strcspn(open, "];{}")] == '\0';
}

/* Push the text of the file 'name', or of that kernel of the library. */
static const char *push_file(lua_State *L, const char *name, size_t *length) {
  char path[LONGEST_PATH];
  mt_Error err;
  mt_Str *text = mt_lua_new_str(L);
  const char *data = mt_dir_data();
  snprintf(path, sizeof path, "%s", name);
  if (!mt_file_exists(path) && !strchr(name, '/') && data) {
    bool whole = strstr(name, ".metal") != NULL;
    snprintf(path, sizeof path, "%s/kernels/%s%s", data, name,
             whole ? "" : ".metal");
    if (!mt_file_exists(path)) snprintf(path, sizeof path, "%s", name);
  }
  if (!mt_file_exists(path))
    luaL_error(L,
               "there is no file '%s' here, and Mettle brings no kernel of "
               "that name; to give source instead, write gpu.kernel [=[ … ]=]",
               name);
  if (mt_file_read(path, SOURCE_MAX, text, &err) != MT_OK)
    mt_lua_raise(L, &err);
  *length = text->length;
  lua_pushstring(L, path);
  return mt_str_text(text);
}

/* ---------------------------------------------------------------- options */

/* A table of options; its strings stay alive on the stack. */
typedef struct Options {
  mt_CompileOptions compile;
  mt_Define defines[MAX_DEFINES];
  const char *includes[MAX_DEFINES];
  const char *name; /* of the kernel, or NULL */
  int constants;    /* stack index of the table of constants, or 0 */
} Options;

/* Values are kept as strings in a table at the top of the stack. */
static void read_defines(lua_State *L, int table, Options *o) {
  lua_newtable(L);
  int keep = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, keep + 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "defines is a table of names: defines = {TILE = 16}");
    if (o->compile.define_count == MAX_DEFINES)
      luaL_error(L, "too many defines: at most %d", MAX_DEFINES);
    const char *name = mt_lua_check_text(L, -2);
    const char *value = lua_isboolean(L, -1)
                            ? (lua_toboolean(L, -1) ? "1" : "0")
                            : (luaL_tolstring(L, -1, NULL),
                               mt_lua_check_text(L, -1));
    lua_pushvalue(L, keep + 1);
    lua_pushstring(L, value);
    value = lua_tostring(L, -1);
    lua_settable(L, keep);
    o->defines[o->compile.define_count++] = (mt_Define){name, value};
  }
  o->compile.defines = o->defines;
}

static void read_includes(lua_State *L, int table, Options *o) {
  size_t n = lua_rawlen(L, table);
  if (n > MAX_DEFINES) luaL_error(L, "too many include folders");
  lua_createtable(L, (int)n, 0);
  int keep = lua_gettop(L);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, table, (lua_Integer)i + 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "include is a list of folders");
    o->includes[i] = mt_lua_check_text(L, -1);
    lua_rawseti(L, keep, (lua_Integer)i + 1); /* the list may change later */
  }
  o->compile.include_dirs = o->includes;
  o->compile.include_dir_count = n;
}

static void read_math(lua_State *L, Options *o) {
  const char *mode = mt_lua_check_text(L, -1);
  if (strcmp(mode, "safe") == 0) o->compile.math = MT_MATH_SAFE;
  else if (strcmp(mode, "fast") != 0)
    luaL_error(L, "math is \"fast\" (Metal's default) or \"safe\", not \"%s\"",
               mode);
}

static void read_std(lua_State *L, int value, Options *o) {
  if (lua_type(L, value) != LUA_TSTRING)
    luaL_error(L, "std names a version, as in std = \"metal3.1\"; got %s",
               luaL_typename(L, value));
  o->compile.std = mt_lua_check_text(L, value);
}

static const char *table_form(const char *key) {
  if (strcmp(key, "defines") == 0) return "defines = {TILE = 16}";
  if (strcmp(key, "include") == 0) return "include = {\"folder\"}";
  return "constants = {width = 640}";
}

/* One of the keys below; its value is on top of the stack. */
static void read_option(lua_State *L, const char *key, Options *o) {
  int value = lua_gettop(L);
  bool table = lua_istable(L, value);
  if (strcmp(key, "name") == 0)
    o->name = mt_lua_check_text(L, value);
  else if (strcmp(key, "math") == 0)
    read_math(L, o);
  else if (strcmp(key, "std") == 0)
    read_std(L, value, o);
  else if (strcmp(key, "file") == 0)
    o->compile.file = mt_lua_check_text(L, value);
  else if (!table)
    luaL_error(L, "%s must be a table, as in %s; got %s", key, table_form(key),
               luaL_typename(L, value));
  else if (strcmp(key, "defines") == 0)
    read_defines(L, value, o);
  else if (strcmp(key, "include") == 0)
    read_includes(L, value, o);
  else
    o->constants = value;
}

/* Leaves the values on the stack, which keeps the targets of 'o' alive. */
static void read_options(lua_State *L, int arg, Options *o) {
  static const char *const keys[] = {"name", "math", "std", "file",
                                     "defines", "include", "constants"};
  enum { KEYS = sizeof keys / sizeof keys[0] };
  luaL_checktype(L, arg, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING
                          ? mt_lua_check_text(L, -2) : "(a number)";
    size_t i = 0;
    while (i < KEYS && strcmp(keys[i], key) != 0) i++;
    if (i == KEYS)
      luaL_error(L,
                 "options are name, defines = {…}, constants = {…}, include = "
                 "{…}, math, std, file; not '%s'",
                 key);
  }
  for (size_t i = 0; i < KEYS; i++)
    if (lua_getfield(L, arg, keys[i]) != LUA_TNIL) read_option(L, keys[i], o);
}

/* -------------------------------------------------------------- libraries */

static void give_back_library(void *lib) { mt_library_free(lib); }

static int library_gc(lua_State *L) {
  LuaLibrary *box = luaL_checkudata(L, 1, LIBRARY);
  mt_pin_free(&box->pin);
  return 0;
}

static mt_Library *check_library(lua_State *L, int arg) {
  LuaLibrary *box = luaL_checkudata(L, arg, LIBRARY);
  if (box->pin.thing == NULL) luaL_error(L, "the library was freed");
  return box->pin.thing;
}

/* A line with the reason, if the source says what only newer compilers know;
** else "". */
static void push_too_new(lua_State *L, const mt_DeviceInfo *i,
                         const char *source, size_t length) {
  if (i->macos == NULL) {
    lua_pushliteral(L, "");
    return;
  }
  mt_lua_push_late(L, "too_new");
  lua_pushlstring(L, source, length);
  lua_pushstring(L, i->macos);
  lua_call(L, 2, 1);
  lua_pushfstring(L, lua_isstring(L, -1) ? "\n%s" : "", lua_tostring(L, -1));
}

/* Raise the compiler's diagnostics, without the last newline. */
static int raise_log(lua_State *L, const mt_Str *log, const mt_Error *err) {
  size_t n = log->length;
  while (n && log->text[n - 1] == '\n') n--;
  if (n == 0) return luaL_error(L, "%s%s", err->text, lua_tostring(L, -1));
  lua_pushlstring(L, log->text, n);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return lua_error(L);
}

/* Push the table "made": the source, and the options that compile it to the
** same library again. */
static void push_made(lua_State *L, const char *text, size_t length,
                      const mt_CompileOptions *c) {
  lua_createtable(L, 0, 6);
  lua_pushlstring(L, text, length);
  lua_setfield(L, -2, "source");
  mt_lua_set_string(L, "file", c->file);
  mt_lua_set_string(L, "std", c->std);
  mt_lua_set_string(L, "math", c->math == MT_MATH_SAFE ? "safe" : "fast");
  lua_createtable(L, 0, (int)c->define_count);
  for (size_t i = 0; i < c->define_count; i++)
    mt_lua_set_string(L, c->defines[i].name, c->defines[i].value);
  lua_setfield(L, -2, "defines");
  lua_createtable(L, (int)c->include_dir_count, 0);
  for (size_t i = 0; i < c->include_dir_count; i++) {
    lua_pushstring(L, c->include_dirs[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "include");
}

/* Compile the source or file at 1 on 'dev'; push the library. */
static void push_library(lua_State *L, mt_Device *dev, Options *o) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  if (cut_at_attribute(text))
    luaL_error(L,
               "the source ends inside an attribute, because a Lua string [[ … "
               "]] ends at its first ]]: write gpu.kernel [=[ … ]=] instead");
  if (!looks_like_source(text, length)) {
    text = push_file(L, text, &length);
    o->compile.file = lua_tostring(L, -1);
  }
  o->compile.colour = false;
  mt_Str *log = mt_lua_new_str(L);
  LuaLibrary *box = lua_newuserdatauv(L, sizeof *box, 1);
  mt_pin_init(&box->pin, give_back_library);
  luaL_setmetatable(L, LIBRARY);
  push_made(L, text, length, &o->compile);
  lua_setiuservalue(L, -2, 1);
  mt_Error err;
  mt_Library *lib = NULL;
  mt_Status status =
      mt_library_new(dev, text, length, &o->compile, &lib, log, &err);
  if (status != MT_OK) {
    push_too_new(L, mt_device_info(dev), text, length);
    raise_log(L, log, &err);
  }
  mt_pin_own(L, &box->pin, lib);
  mt_Str *shown = mt_lua_new_str(L);
  mt_excerpt_add(shown, mt_str_text(log), mt_excerpt_columns(STDERR_FILENO));
  fputs(mt_str_text(shown), stderr);
  lua_pop(L, 1);
}

/* ---------------------------------------------------------------- kernels */

static void give_back_kernel(void *k) { mt_kernel_free(k); }

static int kernel_gc(lua_State *L) {
  mt_LuaKernel *box = luaL_checkudata(L, 1, MT_LUA_KERNEL);
  mt_pin_free(&box->pin);
  return 0;
}

mt_Kernel *mt_lua_check_kernel(lua_State *L, int arg) {
  mt_LuaKernel *box = luaL_testudata(L, arg, MT_LUA_KERNEL);
  if (box == NULL) luaL_typeerror(L, arg, "kernel");
  if (box->pin.thing == NULL) luaL_error(L, "the kernel was freed");
  return box->pin.thing;
}

static const mt_Constant *find_constant(lua_State *L, const mt_Library *lib) {
  const mt_Constant *known;
  size_t n = mt_library_constants(lib, &known);
  for (size_t i = 0; i < n; i++) {
    if (lua_type(L, -2) == LUA_TSTRING
            ? strcmp(known[i].name, mt_lua_check_text(L, -2)) == 0
            : lua_tointeger(L, -2) == (lua_Integer)known[i].index)
      return &known[i];
  }
  mt_Str *names = mt_lua_new_str(L);
  for (size_t i = 0; i < n; i++)
    mt_str_addf(names, "%s%s (%u)", i ? ", " : "", known[i].name,
                known[i].index);
  luaL_error(
      L,
      n ? "there is no function constant '%s'; the source has: %s"
        : "the source has no function constants, so '%s' means nothing%s",
      luaL_tolstring(L, -3, NULL), mt_str_text(names));
  return NULL;
}

/* The table at 'arg' as values of function constants; a userdata that is pushed
** owns them. */
static mt_ConstantValue *push_constants(lua_State *L, const mt_Library *lib,
                                        int arg, size_t *count) {
  enum { ROOM = 64, MOST = 256 };
  typedef struct Values {
    mt_ConstantValue value[MOST];
    _Alignas(16) char bytes[MOST][ROOM];
  } Values;
  Values *v = lua_newuserdatauv(L, sizeof *v, 0);
  *count = 0;
  for (lua_pushnil(L); arg && lua_next(L, arg); lua_pop(L, 1)) {
    const mt_Constant *c = find_constant(L, lib);
    mt_Error err;
    size_t i = (*count)++;
    if (i == MOST || c->type->size > ROOM)
      luaL_error(L, "too many function constants");
    if (!mt_value_store(L, -1, c->type, v->bytes[i], &err))
      luaL_error(L, "function constant '%s': %s", c->name, err.text);
    v->value[i] = (mt_ConstantValue){c->index, v->bytes[i], c->type->size};
  }
  return v->value;
}

/* Push what 'late' stands for (late.h), and the source that the library at
** 'from' was compiled from. */
static void push_about_source(lua_State *L, int from, const char *late) {
  mt_lua_push_late(L, late);
  lua_getiuservalue(L, from, 1);
  lua_getfield(L, -1, "source");
  lua_remove(L, -2);
}

/* The GPU may lack a feature that the kernel uses: name it, since the driver's
** message does not. */
static void raise_refused(lua_State *L, int from, const mt_DeviceInfo *i,
                          const char *name, mt_Error *err) {
  if (i->is_gpu && i->families) {
    push_about_source(L, from, "why_refused");
    lua_pushstring(L, i->families);
    lua_pushstring(L, name);
    lua_pushstring(L, i->macos);
    lua_call(L, 4, 1);
    if (lua_isstring(L, -1))
      luaL_error(L, "%s; %s", err->text, lua_tostring(L, -1));
  }
  mt_lua_raise(L, err);
}

/* At a terminal, warn of features that the Mac the kernel is written for may
** lack; on a GPU, of SIMD-groups that are not of 32 threads. */
static void tell_lacks(lua_State *L, int from, const mt_Kernel *k,
                       const char *name) {
  bool is_gpu = mt_device_info(mt_kernel_device(k))->is_gpu;
  unsigned width = mt_kernel_info(k)->simd_width;
  if ((is_gpu && width == 32) ||
      lua_getfield(L, LUA_REGISTRYINDEX, MT_LUA_PERSON) == LUA_TNIL)
    return;
  push_about_source(L, from, is_gpu ? "taken_here" : "taken");
  lua_pushstring(L, name);
  lua_pushinteger(L, width);
  lua_call(L, 3, 0);
}

/* The kernel 'name' of the library at 'from'; 'constants' is the stack index of
** a table, or 0. */
static void push_kernel(lua_State *L, int from, const char *name,
                        int constants) {
  mt_Pins *pins = mt_pins_push(L);
  lua_pushvalue(L, from);
  mt_pins_add(L, pins, &((LuaLibrary *)luaL_checkudata(L, -1, LIBRARY))->pin);
  mt_Library *lib = check_library(L, from);
  const char *const *names;
  size_t n = mt_library_kernels(lib, &names), count;
  if (name == NULL && n > 1) {
    mt_Str *list = mt_lua_new_str(L);
    for (size_t i = 0; i < n && i < 20; i++)
      mt_str_addf(list, "%s%s", i ? ", " : "", names[i]);
    luaL_error(L,
               "the source has %d kernels (%s%s): say which, as in "
               "gpu.kernel(source, \"%s\"), or take gpu.library(source)",
               (int)n, mt_str_text(list), n > 20 ? ", …" : "", names[0]);
  }
  mt_ConstantValue *values = push_constants(L, lib, constants, &count);
  mt_LuaKernel *box = lua_newuserdatauv(L, sizeof *box, 2);
  mt_pin_init(&box->pin, give_back_kernel);
  luaL_setmetatable(L, MT_LUA_KERNEL);
  lua_getiuservalue(L, from, 1);
  lua_setiuservalue(L, -2, 1);
  if (constants) {
    lua_pushvalue(L, constants);
    lua_setiuservalue(L, -2, 2);
  }
  mt_Error err;
  mt_Kernel *k = NULL;
  if (name == NULL) name = n ? names[0] : "";
  int at = lua_gettop(L);
  if (mt_kernel_new(lib, name, values, count, &k, &err) != MT_OK)
    raise_refused(L, from, mt_device_info(mt_library_device(lib)), name, &err);
  mt_pin_own(L, &box->pin, k);
  tell_lacks(L, from, k, name);
  lua_settop(L, at);
}

int mt_lua_new_kernel(lua_State *L, mt_Device *dev) {
  Options o = {0};
  lua_settop(L, 3);
  if (lua_istable(L, 2)) read_options(L, 2, &o);
  else if (!lua_isnil(L, 2)) {
    o.name = mt_lua_check_text(L, 2);
    if (!lua_isnil(L, 3)) read_options(L, 3, &o);
  }
  push_library(L, dev, &o);
  push_kernel(L, lua_gettop(L), o.name, o.constants);
  return 1;
}

/* gpu.kernel(source or file [, name] [, options]) -> kernel */
static int gpu_kernel(lua_State *L) {
  return mt_lua_new_kernel(L, mt_lua_device(L));
}

/* gpu.library(source or file [, options]) -> library */
static int gpu_library(lua_State *L) {
  Options o = {0};
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) read_options(L, 2, &o);
  push_library(L, mt_lua_device(L), &o);
  return 1;
}

/* lib:kernel(name [, constants]), lib.name, lib:kernels() */
static int library_kernel(lua_State *L) {
  const char *name = mt_lua_check_text(L, 2);
  if (!lua_isnoneornil(L, 3)) luaL_checktype(L, 3, LUA_TTABLE);
  push_kernel(L, 1, name, lua_istable(L, 3) ? 3 : 0);
  return 1;
}

static int library_kernels(lua_State *L) {
  const char *const *names;
  size_t n = mt_library_kernels(check_library(L, 1), &names);
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    lua_pushstring(L, names[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

static int library_index(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  lua_settop(L, 2);
  return library_kernel(L);
}

static int library_tostring(lua_State *L) {
  const char *const *names;
  size_t n = mt_library_kernels(check_library(L, 1), &names);
  mt_Str *text = mt_lua_new_str(L);
  mt_str_addf(text, "library with %zu kernel%s:", n, n == 1 ? "" : "s");
  for (size_t i = 0; i < n; i++)
    mt_str_addf(text, "%s %s", i ? "," : "", names[i]);
  mt_lua_push_text(L, text);
  return 1;
}

/* ------------------------------------------------------ about one kernel */

void mt_param_describe(const mt_Param *p, mt_Str *out) {
  static const char *const attribute[] = {"buffer", "threadgroup", "texture",
                                          "sampler"};
  const char *type = p->type ? p->type->name : "?";
  if (p->kind == MT_PARAM_BUFFER)
    mt_str_add(out, p->constant            ? "constant "
                    : p->access == MT_READ ? "device const "
                                           : "device ");
  else if (p->kind == MT_PARAM_THREADGROUP)
    mt_str_add(out, "threadgroup ");
  mt_str_add(out, type);
  if (p->kind == MT_PARAM_BUFFER || p->kind == MT_PARAM_THREADGROUP)
    mt_str_add(out, p->reference ? " &" : " *");
  else
    mt_str_add(out, " ");
  mt_str_add(out, p->name);
  if (p->kind == MT_PARAM_BUILTIN)
    mt_str_addf(out, " [[%s]]", p->builtin ? p->builtin : "?");
  else
    mt_str_addf(out, " [[%s(%u)]]", attribute[p->kind], p->index);
}

static int kernel_tostring(lua_State *L) {
  const mt_Kernel *k = mt_lua_check_kernel(L, 1);
  const mt_KernelInfo *i = mt_kernel_info(k);
  mt_Str *text = mt_lua_new_str(L);
  mt_str_addf(text, "kernel %s(", i->name);
  for (unsigned p = 0; p < i->param_count; p++) {
    mt_str_add(text, p ? ",\n    " : "\n    ");
    mt_param_describe(&i->params[p], text);
  }
  mt_str_addf(
      text, ")\n  on %s: up to %u threads per threadgroup, SIMD-groups of %u",
      mt_device_info(mt_kernel_device(k))->name, i->max_threads, i->simd_width);
  if (i->threadgroup_static)
    mt_str_addf(text, ", %zu bytes of threadgroup memory",
                i->threadgroup_static);
  if (mt_kernel_fallback(k))
    mt_str_addf(text, "\n  runs thread by thread: %s", mt_kernel_fallback(k));
  mt_lua_push_text(L, text);
  return 1;
}

static const char *const access_names[] = {"none", "read", "write",
                                           "read_write"};
static const char *const kind_names[] = {"buffer", "threadgroup", "texture",
                                         "sampler", "builtin"};

enum { SCALARS_MAX = 4096 };

/* Adds {offset, type} for each scalar of 't', which lies at offset 'at', to the
** list on top of the stack. */
static void add_scalars(lua_State *L, const mt_Type *t, size_t at) {
  if (t->kind == MT_TYPE_STRUCT) {
    for (unsigned i = 0; i < t->field_count; i++)
      add_scalars(L, t->fields[i].type, at + t->fields[i].offset);
  } else if (t->kind == MT_TYPE_ARRAY) {
    for (size_t i = 0; i < t->count && lua_rawlen(L, -1) < SCALARS_MAX; i++)
      add_scalars(L, t->element, at + i * t->element->size);
  } else if (t->kind <= MT_TYPE_ATOMIC) {
    size_t columns = t->columns ? t->columns : 1, rows = t->rows ? t->rows : 1;
    for (size_t i = 0; i < columns * rows; i++) {
      lua_createtable(L, 0, 2);
      mt_lua_set_integer(L, "offset", at + i / rows * (t->size / columns) +
                                          i % rows * mt_scalar_size(t->scalar));
      mt_lua_set_string(L, "type", mt_scalar_name(t->scalar));
      lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
  }
}

static const char *link_access(const mt_KernelInfo *info, unsigned p,
                               const mt_Field *f) {
  unsigned access = mt_link_uses(info, p, f->offset);
  /* as mt_Access numbers them (msl/kernels.c); samplers are only read */
  if (f->type->kind == MT_TYPE_TEXTURE)
    access &= f->type->count ? (unsigned)f->type->count : MT_READ;
  if (f->type->kind == MT_TYPE_SAMPLER) access = MT_READ;
  return access_names[access & 3];
}

/* A list of {name, scalar}, for a struct; and of its scalars, with offsets.
** What a pointer or a texture in it leads to has its 'access'. */
static void set_fields(lua_State *L, const mt_KernelInfo *info, unsigned p) {
  const mt_Type *t = info->params[p].type;
  lua_newtable(L);
  add_scalars(L, t, 0);
  lua_setfield(L, -2, "scalars");
  lua_createtable(L, (int)t->field_count, 0);
  for (unsigned i = 0; i < t->field_count; i++) {
    lua_createtable(L, 0, 3);
    mt_lua_set_string(L, "name", t->fields[i].name);
    mt_lua_set_string(L, "type", t->fields[i].type->name);
    mt_lua_set_string(L, "scalar", mt_scalar_name(t->fields[i].type->scalar));
    if (mt_type_is_link(t->fields[i].type))
      mt_lua_set_string(L, "access", link_access(info, p, &t->fields[i]));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "fields");
}

static void push_params(lua_State *L, const mt_KernelInfo *i) {
  mt_Str *text = mt_lua_new_str(L);
  lua_createtable(L, (int)i->param_count, 0);
  for (unsigned p = 0; p < i->param_count; p++) {
    const mt_Param *param = &i->params[p];
    lua_createtable(L, 0, 10);
    text->length = 0;
    mt_param_describe(param, text);
    mt_lua_push_text(L, text);
    lua_setfield(L, -2, "text");
    if (param->kind != MT_PARAM_BUILTIN)
      mt_lua_set_boolean(L, "reference", param->reference);
    if (param->type) mt_lua_set_integer(L, "size", param->type->size);
    if (param->type && param->type->kind == MT_TYPE_STRUCT)
      set_fields(L, i, p);
    lua_pushstring(L, param->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, kind_names[param->kind]);
    lua_setfield(L, -2, "kind");
    lua_pushstring(L, param->type ? param->type->name : "?");
    lua_setfield(L, -2, "type");
    if (param->kind == MT_PARAM_BUILTIN) {
      lua_pushstring(L, param->builtin);
      lua_setfield(L, -2, "attribute");
    } else {
      lua_pushinteger(L, param->index);
      lua_setfield(L, -2, "index");
      bool memory = param->kind == MT_PARAM_BUFFER ||
                    param->kind == MT_PARAM_TEXTURE;
      unsigned access = memory ? mt_param_uses(i, p) : param->access & 3;
      lua_pushstring(L, access_names[access]);
      lua_setfield(L, -2, "access");
      if (memory) mt_lua_set_boolean(L, "const", param->access == MT_READ);
      if (memory) mt_lua_set_boolean(L, "declared", !i->uses.known);
    }
    lua_rawseti(L, -2, (lua_Integer)p + 1);
  }
}

/* k.options: gpu.kernel(k.source, k.options) makes the same kernel. */
static void push_made_options(lua_State *L, const mt_KernelInfo *i) {
  lua_createtable(L, 0, 6);
  lua_getiuservalue(L, 1, 1);
  for (lua_pushnil(L); lua_next(L, -2);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_settable(L, -5);
  }
  lua_pop(L, 1);
  lua_pushnil(L);
  lua_setfield(L, -2, "source");
  mt_lua_set_string(L, "name", i->name);
  lua_getiuservalue(L, 1, 2);
  lua_setfield(L, -2, "constants");
}

static int kernel_property(lua_State *L, const mt_Kernel *k, const char *key) {
  const mt_KernelInfo *i = mt_kernel_info(k);
  if (strcmp(key, "name") == 0) lua_pushstring(L, i->name);
  else if (strcmp(key, "options") == 0) push_made_options(L, i);
  else if (strcmp(key, "source") == 0) {
    lua_getiuservalue(L, 1, 1);
    lua_getfield(L, -1, "source");
  }
  else if (strcmp(key, "params") == 0) push_params(L, i);
  else if (strcmp(key, "max_threads") == 0) lua_pushinteger(L, i->max_threads);
  else if (strcmp(key, "simd_width") == 0) lua_pushinteger(L, i->simd_width);
  else if (strcmp(key, "threadgroup_memory") == 0)
    lua_pushinteger(L, (lua_Integer)i->threadgroup_static);
  else if (strcmp(key, "device") == 0)
    lua_pushstring(L, mt_device_info(mt_kernel_device(k))->name);
  else
    return luaL_error(
        L, "a kernel has no '%s'; help \"kernel\" lists what it has", key);
  return 1;
}

static int kernel_index(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  return kernel_property(L, mt_lua_check_kernel(L, 1), mt_lua_check_text(L, 2));
}

/* Lines of the source and names of files are in it, for a terminal. */
static int listing(lua_State *L, mt_Listing what) {
  mt_Kernel *k = mt_lua_check_kernel(L, 1);
  mt_Str *text = mt_lua_new_str(L), *shown = mt_lua_new_str(L);
  mt_Error err;
  if (mt_kernel_listing(k, what, text, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  mt_str_add_visible(shown, mt_str_text(text), text->length, "\n\t");
  mt_lua_push_text(L, shown);
  return 1;
}

static int kernel_ir(lua_State *L) { return listing(L, MT_LISTING_IR); }
static int kernel_asm(lua_State *L) { return listing(L, MT_LISTING_ASM); }
static int kernel_why(lua_State *L) { return listing(L, MT_LISTING_WHY); }

/* ----------------------------------------------------------- registration */

void mt_lua_open_kernel(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"kernel", gpu_kernel}, {"library", gpu_library}, {NULL, NULL}};
  static const luaL_Reg library_meta[] = {
      {"__gc", library_gc}, {"__tostring", library_tostring}, {NULL, NULL}};
  static const luaL_Reg library_methods[] = {
      {"kernel", library_kernel}, {"kernels", library_kernels}, {NULL, NULL}};
  static const luaL_Reg kernel_meta[] = {{"__gc", kernel_gc},
                                         {"__tostring", kernel_tostring},
                                         {"__call", mt_kernel_launch},
                                         {NULL, NULL}};
  static const luaL_Reg kernel_methods[] = {
      {"ir", kernel_ir}, {"asm", kernel_asm}, {"why", kernel_why},
      {NULL, NULL}};
  mt_lua_new_type(L, LIBRARY, "library", library_meta, library_methods,
                  library_index);
  mt_lua_new_type(L, MT_LUA_KERNEL, "kernel", kernel_meta, kernel_methods,
                  kernel_index);
  mt_lua_open_result(L);
  lua_getglobal(L, "gpu");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
