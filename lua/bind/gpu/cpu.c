/*
** cpu.c - calls of CPU references from Lua.
**
** One function serves them all: it reads its arguments by the reference's table
** entry, lets mt_cpu_check check them and describe omitted outputs, allocates
** those, and runs. Every failure raises, as in all of the Lua API: at a prompt
** a nil that is not looked at would be a silent failure.
*/
#include "lua/bind/gpu/cpu.h"

#include <lauxlib.h>
#include <string.h>

#include "base/str.h"
#include "cpu/cpu.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/memory/buffer.h"

#define REFERENCE "mettle.reference"

typedef struct Reference {
  const mt_CpuRef *ref;
} Reference;

static const mt_CpuRef *check_reference(lua_State *L) {
  return ((Reference *)luaL_checkudata(L, 1, REFERENCE))->ref;
}

/* The arguments of a call: their stack indices, 0 if not given */
typedef struct Given {
  int at[MT_CPU_ARGS];
  union { /* storage for a single number without an output buffer */
    float f;
    int32_t i;
    uint32_t u;
    int64_t wide;
  } single;
} Given;

/* ---------------------------------------------------------------- in words */

static void add_signature(const mt_CpuRef *ref, mt_Str *out) {
  const mt_CpuArg *a = mt_cpu_args(ref);
  mt_str_addf(out, "cpu.%s(", mt_cpu_name(ref));
  for (int i = 0; a[i].role; i++) {
    bool optional = a[i].role == MT_CPU_OUT;
    mt_str_addf(out, "%s%s%s%s", optional && i ? " [" : optional ? "[" : "",
                i ? ", " : "", a[i].name, optional ? "]" : "");
  }
  mt_str_add(out, mt_cpu_options(ref)[0].name ? " [, options])" : " [, way])");
}

/* "n k" as "n×k", "*" as "any shape", "* n" as "…×n" */
static void add_shape(const char *pattern, mt_Str *out) {
  if (strcmp(pattern, "*") == 0) {
    mt_str_add(out, "any shape");
    return;
  }
  for (; *pattern; pattern++)
    if (*pattern == '*') mt_str_add(out, "…");
    else if (*pattern == ' ') mt_str_add(out, "×");
    else mt_str_add_char(out, *pattern);
}

static void add_types(const mt_CpuRef *ref, const mt_CpuArg *arg, mt_Str *out) {
  unsigned set = arg->types;
  bool wide = set == MT_CPU_T_WIDE;
  if (wide || set == MT_CPU_T) set = mt_cpu_types(ref);
  if (wide && (set & MT_CPU_SET(MT_INT)))
    set |= MT_CPU_SET(MT_LONG) | MT_CPU_SET(MT_ULONG);
  static const mt_Scalar order[] = {MT_FLOAT, MT_INT,   MT_UINT,
                                    MT_LONG,  MT_ULONG, MT_UCHAR};
  const char *between = "";
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    if (!(set & MT_CPU_SET(order[i]))) continue;
    mt_str_addf(out, "%s%s", between, mt_scalar_name(order[i]));
    between = "/";
  }
}

static void add_argument(const mt_CpuRef *ref, const mt_CpuArg *arg,
                         mt_Str *out) {
  mt_str_addf(out, "\n  %s: ", arg->name);
  if (arg->role == MT_CPU_NUMBER) {
    mt_str_add(out, "a number");
    return;
  }
  add_types(ref, arg, out);
  mt_str_add(out, ", ");
  add_shape(arg->shape, out);
  if (arg->role == MT_CPU_OUT) mt_str_add(out, "; made if omitted");
}

static void add_option(const mt_CpuOption *o, mt_Str *out) {
  if (o->kind == MT_CPU_FLAG)
    mt_str_addf(out, "\n  %s = %s: %s", o->name,
                o->standard != 0 ? "true" : "false", o->about);
  else
    mt_str_addf(out, "\n  %s = %.14g: %s", o->name, o->standard, o->about);
}

static int reference_tostring(lua_State *L) {
  const mt_CpuRef *ref = check_reference(L);
  mt_Str *s = mt_lua_new_str(L);
  add_signature(ref, s);
  mt_str_addf(s, "\n  %s", mt_cpu_about(ref));
  for (const mt_CpuArg *a = mt_cpu_args(ref); a->role; a++)
    add_argument(ref, a, s);
  for (const mt_CpuOption *o = mt_cpu_options(ref); o->name; o++)
    add_option(o, s);
  mt_str_add(s, "\n  ways:");
  for (int w = 0; w < MT_CPU_WAYS; w++)
    if (mt_cpu_can(ref, (mt_CpuWay)w, NULL) == MT_OK)
      mt_str_addf(s, "%s \"%s\"", w ? "," : "", mt_cpu_way_name((mt_CpuWay)w));
  if (mt_cpu_can(ref, MT_CPU_VENDOR, NULL) == MT_OK)
    mt_str_addf(s, " (%s)", mt_cpu_vendor_name(NULL));
  mt_lua_push_text(L, s);
  return 1;
}

/* ------------------------------------------------------------------ fields */

static int push_name(lua_State *L, const mt_CpuRef *ref) {
  lua_pushstring(L, mt_cpu_name(ref));
  return 1;
}

static int push_about(lua_State *L, const mt_CpuRef *ref) {
  lua_pushstring(L, mt_cpu_about(ref));
  return 1;
}

static int push_signature(lua_State *L, const mt_CpuRef *ref) {
  mt_Str *s = mt_lua_new_str(L);
  add_signature(ref, s);
  mt_lua_push_text(L, s);
  return 1;
}

/* {{name = "a", role = "in", type = "float", shape = "n×k"}, …} */
static int push_args(lua_State *L, const mt_CpuRef *ref) {
  static const char *const roles[] = {
      [MT_CPU_IN] = "in", [MT_CPU_OUT] = "out", [MT_CPU_NUMBER] = "number"};
  lua_newtable(L);
  int list = lua_gettop(L), n = 0;
  mt_Str *s = mt_lua_new_str(L);
  for (const mt_CpuArg *a = mt_cpu_args(ref); a->role; a++) {
    lua_newtable(L);
    mt_lua_set_string(L, "name", a->name);
    mt_lua_set_string(L, "role", roles[a->role]);
    if (a->role != MT_CPU_NUMBER) {
      mt_str_clear(s);
      add_types(ref, a, s);
      mt_lua_set_string(L, "type", mt_str_text(s));
      mt_str_clear(s);
      add_shape(a->shape, s);
      mt_lua_set_string(L, "shape", mt_str_text(s));
    }
    lua_rawseti(L, list, ++n);
  }
  lua_settop(L, list);
  return 1;
}

/* {{name = "pad", standard = 0, about = "…"}, …} */
static int push_options(lua_State *L, const mt_CpuRef *ref) {
  int n = 0;
  lua_newtable(L);
  for (const mt_CpuOption *o = mt_cpu_options(ref); o->name; o++) {
    lua_newtable(L);
    mt_lua_set_string(L, "name", o->name);
    mt_lua_set_string(L, "about", o->about);
    if (o->kind == MT_CPU_FLAG) lua_pushboolean(L, o->standard != 0);
    else if (o->kind == MT_CPU_COUNT)
      lua_pushinteger(L, (lua_Integer)o->standard);
    else lua_pushnumber(L, o->standard);
    lua_setfield(L, -2, "standard");
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

static int push_ways(lua_State *L, const mt_CpuRef *ref) {
  int n = 0;
  lua_newtable(L);
  for (int w = 0; w < MT_CPU_WAYS; w++) {
    if (mt_cpu_can(ref, (mt_CpuWay)w, NULL) != MT_OK) continue;
    lua_pushstring(L, mt_cpu_way_name((mt_CpuWay)w));
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

static const struct {
  const char *name;
  int (*push)(lua_State *L, const mt_CpuRef *ref);
} fields[] = {{"ways", push_ways},       {"about", push_about},
              {"args", push_args},       {"options", push_options},
              {"name", push_name},       {"signature", push_signature}};
#define FIELDS (sizeof fields / sizeof fields[0])

static int reference_index(lua_State *L) {
  const mt_CpuRef *ref = check_reference(L);
  const char *key = luaL_tolstring(L, 2, NULL);
  for (size_t i = 0; i < FIELDS; i++)
    if (strcmp(key, fields[i].name) == 0) return fields[i].push(L, ref);
  return luaL_error(L, "cpu.%s has no '%s'; it has ways, about, args, options, "
                       "name and signature", mt_cpu_name(ref), key);
}

/* -------------------------------------------------------- reading arguments */

static int misuse(lua_State *L, const mt_CpuRef *ref, const char *what) {
  mt_Str *s = mt_lua_new_str(L);
  add_signature(ref, s);
  return luaL_error(L, "cpu.%s: %s; it is %s", mt_cpu_name(ref), what,
                    mt_str_text(s));
}

/* A buffer as the references see it: vectors add a dimension. */
static void read_buffer(lua_State *L, int at, const mt_CpuRef *ref,
                        const char *name, mt_CpuArray *out) {
  const mt_LuaBuffer *b = mt_lua_test_buffer(L, at);
  if (b == NULL)
    misuse(L, ref, lua_pushfstring(L, "%s must be a buffer, got %s", name,
                                   luaL_typename(L, at)));
  if (mt_lua_buffer_freed(b))
    luaL_error(L, "cpu.%s: %s was freed", mt_cpu_name(ref), name);
  const mt_Type *type = b->type;
  out->type = type->scalar;
  out->dims = b->dims;
  memcpy(out->shape, b->shape, b->dims * sizeof(size_t));
  if (type->kind == MT_TYPE_SCALAR) return;
  if (type->size != type->rows * mt_scalar_size(type->scalar))
    luaL_error(L, "cpu.%s: %s is a buffer of %s, whose elements have gaps "
                  "between them; expected %s", mt_cpu_name(ref), name,
               type->name, mt_scalar_name(type->scalar));
  out->shape[out->dims++] = type->rows;
}

static void read_way(lua_State *L, int at, mt_CpuCall *call) {
  const char *name = lua_isstring(L, at) ? mt_lua_check_text(L, at) : NULL;
  if (name == NULL || !mt_cpu_way_find(name, &call->way))
    luaL_error(L, "cpu.%s: there is no way '%s'; ways are \"one core\", "
                  "\"all cores\" and \"vendor\"", mt_cpu_name(call->ref),
               luaL_tolstring(L, at, NULL));
}

static int find_option(lua_State *L, const mt_CpuRef *ref, const char *key) {
  const mt_CpuOption *o = mt_cpu_options(ref);
  for (int i = 0; o[i].name; i++)
    if (strcmp(o[i].name, key) == 0) return i;
  mt_Str *s = mt_lua_new_str(L);
  mt_str_add(s, "way");
  for (; o->name; o++) mt_str_addf(s, ", %s", o->name);
  return luaL_error(L, "cpu.%s has no option '%s'; it takes %s",
                    mt_cpu_name(ref), key, mt_str_text(s));
}

/* Key and value are on top of the stack. */
static void read_option(lua_State *L, mt_CpuCall *call) {
  if (lua_type(L, -2) != LUA_TSTRING)
    luaL_error(L, "cpu.%s: options have names, such as {way = \"one core\"}",
               mt_cpu_name(call->ref));
  const char *key = mt_lua_check_text(L, -2);
  if (strcmp(key, "way") == 0) {
    read_way(L, -1, call);
    return;
  }
  int i = find_option(L, call->ref, key);
  bool flag = mt_cpu_options(call->ref)[i].kind == MT_CPU_FLAG;
  if (lua_type(L, -1) != (flag ? LUA_TBOOLEAN : LUA_TNUMBER))
    luaL_error(L, "cpu.%s: %s must be %s, got %s", mt_cpu_name(call->ref), key,
               flag ? "true or false" : "a number", luaL_typename(L, -1));
  call->option[i] = flag ? lua_toboolean(L, -1) : lua_tonumber(L, -1);
  call->chosen[i] = true;
}

/* Read a way or a table of options as the last argument; returns the number of
** arguments left. */
static int read_last(lua_State *L, mt_CpuCall *call) {
  int top = lua_gettop(L);
  if (top < 2) return top;
  if (lua_type(L, top) == LUA_TSTRING) {
    read_way(L, top, call);
    return top - 1;
  }
  if (lua_type(L, top) != LUA_TTABLE) return top;
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) read_option(L, call);
  return top - 1;
}

static void read_arguments(lua_State *L, mt_CpuCall *call, Given *given) {
  const mt_CpuArg *a = mt_cpu_args(call->ref);
  int top = read_last(L, call), i = 0;
  for (; a[i].role; i++) {
    int at = i + 2;
    bool none = at > top || lua_isnil(L, at);
    given->at[i] = none ? 0 : at;
    if (none && a[i].role == MT_CPU_OUT) continue;
    if (none)
      misuse(L, call->ref, lua_pushfstring(L, "%s is missing", a[i].name));
    if (a[i].role != MT_CPU_NUMBER)
      read_buffer(L, at, call->ref, a[i].name, &call->array[i]);
    else if (lua_type(L, at) == LUA_TNUMBER)
      call->number[i] = lua_tonumber(L, at);
    else
      misuse(L, call->ref, lua_pushfstring(L, "%s must be a number, got %s",
                                           a[i].name, luaL_typename(L, at)));
  }
  if (top > i + 1)
    misuse(L, call->ref, lua_pushfstring(L, "%d arguments are too many",
                                         lua_gettop(L) - 1));
}

/* -------------------------------------------------------------- the results */

static bool is_single(const mt_CpuArg *arg) {
  return arg->role == MT_CPU_OUT && strcmp(arg->shape, "1") == 0;
}

/* An input with the same scalars and shape, whose type the new buffer gets:
** float4 inputs give a float4 output. */
static const mt_LuaBuffer *like(lua_State *L, const mt_CpuCall *call,
                                const Given *given, int out) {
  const mt_CpuArg *a = mt_cpu_args(call->ref);
  const mt_CpuArray *o = &call->array[out];
  for (int i = 0; a[i].role; i++) {
    const mt_CpuArray *x = &call->array[i];
    if (a[i].role == MT_CPU_IN && x->type == o->type && x->dims == o->dims &&
        memcmp(x->shape, o->shape, o->dims * sizeof(size_t)) == 0)
      return mt_lua_test_buffer(L, given->at[i]);
  }
  return NULL;
}

/* Push a buffer for output 'i', which was omitted. */
static bool push_output(lua_State *L, mt_CpuCall *call, Given *given, int i,
                        mt_Error *err) {
  mt_CpuArray *o = &call->array[i];
  const mt_LuaBuffer *model = like(L, call, given, i), *b;
  if (model)
    b = mt_lua_push_buffer(L, model->type, model->dims, model->shape, err);
  else
    b = mt_lua_push_buffer(L, mt_type_named(mt_scalar_name(o->type)), o->dims,
                           o->shape, err);
  if (b == NULL) return false;
  given->at[i] = lua_gettop(L);
  return true;
}

static bool make_outputs(lua_State *L, mt_CpuCall *call, Given *given,
                         mt_Error *err) {
  const mt_CpuArg *a = mt_cpu_args(call->ref);
  for (int i = 0; a[i].role; i++) {
    if (a[i].role != MT_CPU_OUT || given->at[i]) continue;
    if (is_single(&a[i])) call->array[i].data = &given->single;
    else if (!push_output(L, call, given, i, err)) return false;
  }
  return true;
}

/* Only their addresses, for the check, which looks for overlaps. */
static void find_addresses(lua_State *L, mt_CpuCall *call, const Given *given) {
  const mt_CpuArg *a = mt_cpu_args(call->ref);
  for (int i = 0; a[i].role; i++)
    if (a[i].role != MT_CPU_NUMBER && given->at[i])
      call->array[i].data =
          mt_lua_buffer_address(L, mt_lua_check_buffer(L, given->at[i]));
}

/* Get the addresses of all buffers, last before the run: see
** mt_lua_buffer_data. */
static void find_data(lua_State *L, mt_CpuCall *call, const Given *given) {
  const mt_CpuArg *a = mt_cpu_args(call->ref);
  for (int i = 0; a[i].role; i++)
    if (a[i].role != MT_CPU_NUMBER && given->at[i])
      call->array[i].data = mt_lua_buffer_data(
          L, mt_lua_check_buffer(L, given->at[i]),
          a[i].role == MT_CPU_IN ? MT_READ : MT_READ_WRITE);
}

static void push_single(lua_State *L, mt_Scalar type, const Given *given) {
  switch (type) {
    case MT_FLOAT: lua_pushnumber(L, (lua_Number)given->single.f); break;
    case MT_INT: lua_pushinteger(L, given->single.i); break;
    case MT_UINT: lua_pushinteger(L, given->single.u); break;
    default: lua_pushinteger(L, given->single.wide); break;
  }
}

static int push_results(lua_State *L, const mt_CpuCall *call,
                        const Given *given, double seconds) {
  const mt_CpuArg *a = mt_cpu_args(call->ref);
  int n = 0;
  for (int i = 0; a[i].role; i++) {
    if (a[i].role != MT_CPU_OUT) continue;
    if (given->at[i]) lua_pushvalue(L, given->at[i]);
    else push_single(L, call->array[i].type, given);
    n++;
  }
  lua_pushnumber(L, seconds);
  return n + 1;
}

/* cpu.NAME(inputs… [, outputs…] [, way or options]) -> outputs…, seconds */
static int reference_call(lua_State *L) {
  mt_CpuCall call;
  Given given = {{0}, {0}};
  mt_Error err;
  double seconds;
  mt_cpu_call_init(&call, check_reference(L));
  read_arguments(L, &call, &given);
  find_addresses(L, &call, &given);
  mt_Status status = mt_cpu_can(call.ref, call.way, &err);
  if (status == MT_OK) status = mt_cpu_check(&call, &err);
  if (status == MT_OK && !make_outputs(L, &call, &given, &err))
    status = MT_FAIL;
  if (status == MT_OK) find_data(L, &call, &given);
  if (status == MT_OK) status = mt_cpu_run(&call, &seconds, &err);
  if (status != MT_OK) return mt_lua_raise(L, &err);
  return push_results(L, &call, &given, seconds);
}

/* cpu.vendor() -> name of the vendor's library; raises if there is none */
static int cpu_vendor(lua_State *L) {
  mt_Error err;
  const char *name = mt_cpu_vendor_name(&err);
  if (name == NULL) return mt_lua_raise(L, &err);
  lua_pushstring(L, name);
  return 1;
}

/* ------------------------------------------------------------ registration */

static void make_metatable(lua_State *L) {
  static const luaL_Reg meta[] = {{"__call", reference_call},
                                  {"__index", reference_index},
                                  {"__tostring", reference_tostring},
                                  {NULL, NULL}};
  mt_lua_new_meta(L, REFERENCE, "CPU reference", meta);
  luaL_getmetatable(L, REFERENCE);
  lua_newtable(L); /* for completion: __index is a function */
  for (size_t i = 0; i < FIELDS; i++) {
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, fields[i].name);
  }
  lua_setfield(L, -2, "__methods");
  lua_pop(L, 1);
}

void mt_lua_open_cpu(lua_State *L) {
  const mt_CpuRef *ref;
  make_metatable(L);
  lua_newtable(L);
  for (size_t i = 0; (ref = mt_cpu_at(i)) != NULL; i++) {
    Reference *r = lua_newuserdatauv(L, sizeof *r, 0);
    r->ref = ref;
    luaL_setmetatable(L, REFERENCE);
    lua_setfield(L, -2, mt_cpu_name(ref));
  }
  lua_pushcfunction(L, cpu_vendor);
  lua_setfield(L, -2, "vendor");
  lua_setglobal(L, "cpu");
}
