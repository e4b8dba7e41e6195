/*
** value.c - Lua values to bytes and back, by walking the type.
**
** Reading and writing recurse over the same few kinds of type; only scalars
** access memory. A struct's table is checked both ways: a field without a value
** and a value without a field are errors.
*/
#include "lua/bind/memory/value.h"

#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/kernel_types/half.h"
#include "base/kernel_types/scalar.h"

static bool bad(mt_Error *err, const char *fmt, ...) MT_PRINTF(2, 3);
static bool bad(mt_Error *err, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  mt_verror(err, MT_BADARG, fmt, args);
  va_end(args);
  return false;
}

#define WAY_OUT "give a buffer with the bytes of the whole argument"

/* ---------------------------------------------------------------- scalars */

static void push_scalar(lua_State *L, mt_Scalar s, const void *bytes) {
  if (s == MT_BOOL) {
    lua_pushboolean(L, *(const uint8_t *)bytes != 0);
  } else if (s == MT_LONG || s == MT_ULONG) {
    int64_t v;
    memcpy(&v, bytes, sizeof v);
    if (s == MT_ULONG && v < 0)
      lua_pushnumber(L, (lua_Number)(uint64_t)v); /* beyond Lua's integers */
    else
      lua_pushinteger(L, v);
  } else {
    double v;
    mt_scalars_unpack(s, bytes, 1, &v);
    if (mt_scalar_is_float(s))
      lua_pushnumber(L, v);
    else
      lua_pushinteger(L, (lua_Integer)v);
  }
}

static bool store_float(lua_Number v, mt_Scalar s, void *bytes, mt_Error *err) {
  if (isfinite(v) && fabs(v) > mt_scalar_highest(s))
    return bad(err, "%.14g does not fit in %s (largest: %g)", v,
               mt_scalar_name(s), mt_scalar_highest(s));
  mt_scalars_pack(s, &v, 1, bytes);
  return true;
}

/* 64-bit values must not be converted to double, which would round them. */
static bool store_long(lua_State *L, int index, mt_Scalar s, void *bytes,
                       mt_Error *err) {
  int exact;
  lua_Integer i = lua_tointegerx(L, index, &exact);
  lua_Number v = lua_tonumber(L, index);
  if (!exact && s == MT_ULONG && v >= 0x1p63 && v < 0x1p64) {
    uint64_t u = (uint64_t)v;
    memcpy(bytes, &u, sizeof u);
    return true;
  }
  if (!exact || (s == MT_ULONG && i < 0))
    return bad(err, "%.14g does not fit in %s", v, mt_scalar_name(s));
  memcpy(bytes, &i, sizeof i);
  return true;
}

static bool store_integer(lua_State *L, int index, mt_Scalar s, void *bytes,
                          mt_Error *err) {
  lua_Number v = lua_tonumber(L, index);
  if (v != floor(v)) /* infinity passes, and fails the range; NaN does not */
    return bad(err, "%.14g is not a whole number, and the type is %s", v,
               mt_scalar_name(s));
  if (s == MT_LONG || s == MT_ULONG) return store_long(L, index, s, bytes, err);
  if (v < mt_scalar_lowest(s) || v > mt_scalar_highest(s))
    return bad(err, "%.14g does not fit in %s (%.0f to %.0f)", v,
               mt_scalar_name(s), mt_scalar_lowest(s), mt_scalar_highest(s));
  mt_scalars_pack(s, &v, 1, bytes);
  return true;
}

static bool store_scalar(lua_State *L, int index, mt_Scalar s, void *bytes,
                         mt_Error *err) {
  if (s == MT_BOOL && lua_isboolean(L, index)) {
    *(uint8_t *)bytes = (uint8_t)lua_toboolean(L, index);
    return true;
  }
  if (lua_type(L, index) != LUA_TNUMBER)
    return bad(err, "expected a number for %s, got %s", mt_scalar_name(s),
               luaL_typename(L, index));
  if (mt_scalar_is_float(s))
    return store_float(lua_tonumber(L, index), s, bytes, err);
  return store_integer(L, index, s, bytes, err);
}

/* ----------------------------------------------------------- lists of parts */

/* The elements of a vector, matrix or array: their type, number and stride. */
typedef struct Parts {
  mt_Type type;
  size_t count, stride;
} Parts;

static mt_Type scalar_type(mt_Scalar s) {
  return (mt_Type){.kind = MT_TYPE_SCALAR, .name = mt_scalar_name(s),
                   .size = mt_scalar_size(s), .align = mt_scalar_size(s),
                   .scalar = s, .rows = 1, .columns = 1};
}

static bool parts_of(const mt_Type *t, Parts *out) {
  switch (t->kind) {
    case MT_TYPE_VECTOR:
    case MT_TYPE_PACKED:
      out->type = scalar_type(t->scalar);
      out->count = t->rows;
      break;
    case MT_TYPE_MATRIX:
      out->type = (mt_Type){.kind = MT_TYPE_VECTOR, .name = "column",
                            .size = t->size / t->columns, .scalar = t->scalar,
                            .rows = t->rows, .columns = 1};
      out->count = t->columns;
      break;
    case MT_TYPE_ARRAY:
      out->type = *t->element;
      out->count = t->count;
      break;
    default: return false;
  }
  out->stride = out->type.size;
  return true;
}

static void push_list(lua_State *L, const Parts *parts, const char *bytes) {
  lua_createtable(L, (int)parts->count, 0);
  for (size_t i = 0; i < parts->count; i++) {
    mt_value_push(L, &parts->type, bytes + i * parts->stride);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

static bool store_list(lua_State *L, int index, const mt_Type *t,
                       const Parts *parts, char *bytes, mt_Error *err) {
  if (lua_isnumber(L, index) && t->kind != MT_TYPE_ARRAY) {
    for (size_t i = 0; i < parts->count; i++)
      if (!mt_value_store(L, index, &parts->type, bytes + i * parts->stride,
                          err))
        return false;
    return true;
  }
  if (!lua_istable(L, index))
    return bad(err, "expected a table of %zu for %s, got %s", parts->count,
               t->name, luaL_typename(L, index));
  size_t given = lua_rawlen(L, index);
  if (given != parts->count)
    return bad(err, "%s has %zu parts, the table has %zu", t->name,
               parts->count, given);
  for (size_t i = 0; i < parts->count; i++) {
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    bool ok = mt_value_store(L, lua_gettop(L), &parts->type,
                             bytes + i * parts->stride, err);
    lua_pop(L, 1);
    if (!ok) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- structs */

static void push_struct(lua_State *L, const mt_Type *t, const char *bytes) {
  lua_createtable(L, 0, (int)t->field_count);
  for (unsigned i = 0; i < t->field_count; i++) {
    mt_value_push(L, t->fields[i].type, bytes + t->fields[i].offset);
    lua_setfield(L, -2, t->fields[i].name);
  }
}

/* (fields of an unnamed union are its struct's) */
static bool has_field(const mt_Type *t, const char *name) {
  for (unsigned i = 0; i < t->field_count; i++) {
    const mt_Field *f = &t->fields[i];
    if (f->name[0] ? strcmp(f->name, name) == 0 : has_field(f->type, name))
      return true;
  }
  return false;
}

/* "t, f, b" */
static void list_fields(const mt_Type *t, mt_Str *out) {
  for (unsigned i = 0; i < t->field_count; i++) {
    if (i) mt_str_add(out, ", ");
    if (t->fields[i].name[0]) mt_str_add(out, t->fields[i].name);
    else list_fields(t->fields[i].type, out);
  }
}

static bool unknown_field(lua_State *L, int index, const mt_Type *t,
                          mt_Error *err) {
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    const char *name =
        lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    bool whole = name && strlen(name) == lua_rawlen(L, -2);
    if (whole && has_field(t, name)) continue;
    mt_Str fields = MT_STR_INIT;
    list_fields(t, &fields);
    bad(err, "%s has no field '%s'; its fields are: %s", t->name,
        whole ? name : name ? "(a NUL byte)" : "(number)",
        mt_str_text(&fields));
    mt_str_free(&fields);
    lua_pop(L, 2);
    return true;
  }
  return false;
}

static bool store_field(lua_State *L, const mt_Field *f, char *bytes,
                        mt_Error *err) { /* the value on top, which is popped */
  mt_Error why;
  bool ok = mt_value_store(L, lua_gettop(L), f->type, bytes + f->offset, &why);
  lua_pop(L, 1);
  return ok || bad(err, "field '%s': %.900s", f->name, why.text);
}

/* Does a value have a pointer, texture or sampler in it? */
static bool refers(const mt_Type *t) {
  while (t->kind == MT_TYPE_ARRAY) t = t->element;
  if (mt_type_is_link(t)) return true;
  for (unsigned i = 0; i < t->field_count; i++)
    if (refers(t->fields[i].type)) return true;
  return false;
}

static bool overlap(const mt_Field *a, const mt_Field *b) {
  return a->offset < b->offset + b->type->size &&
         b->offset < a->offset + a->type->size;
}

/* A field of union 't' that the table at 'index' has and that shares bytes with
** 'f'; NULL: there is none. */
static const mt_Field *rival(lua_State *L, int index, const mt_Type *t,
                             const mt_Field *f) {
  for (const mt_Field *g = t->fields; g < f; g++) {
    bool given = lua_getfield(L, index, g->name) != LUA_TNIL;
    lua_pop(L, 1);
    if (given && overlap(g, f)) return g;
  }
  return NULL;
}

/* The bytes of those fields of union 't' that the table at 'index' has: one, or
** several (of a struct without a name) if none of them shares bytes with
** another. No bytes can be a pointer. */
static bool store_union(lua_State *L, int index, const mt_Type *t, char *bytes,
                        mt_Error *err) {
  unsigned given = 0;
  memset(bytes, 0, t->size);
  for (unsigned i = 0; i < t->field_count; i++) {
    const mt_Field *f = &t->fields[i];
    if (lua_getfield(L, index, f->name) == LUA_TNIL) {
      lua_pop(L, 1);
      continue;
    }
    const mt_Field *other = rival(L, index, t, f);
    bool link = refers(f->type);
    if (other || link) lua_pop(L, 1);
    if (other)
      return bad(err, "fields '%s' and '%s' of the union share their bytes: "
                 "give one of them", other->name, f->name);
    if (link)
      return bad(err, "field '%s' (%s) of the union refers to another object: "
                 "move it out of the union", f->name, f->type->name);
    if (!store_field(L, f, bytes, err)) return false;
    given++;
  }
  if (given) return true;
  mt_Str fields = MT_STR_INIT;
  list_fields(t, &fields);
  bad(err, "the table has none of the union's fields: give one of %s",
      mt_str_text(&fields));
  mt_str_free(&fields);
  return false;
}

/* A part without a name that is no union: Metal does not say what is in it. */
static bool has_gap(const mt_Type *t) {
  for (unsigned i = 0; i < t->field_count; i++)
    if (!t->fields[i].name[0] && t->fields[i].type->kind != MT_TYPE_UNION)
      return true;
  return false;
}

static bool store_struct(lua_State *L, int index, const mt_Type *t,
                         char *bytes, mt_Error *err) {
  if (!lua_istable(L, index))
    return bad(err, "expected a table with the fields of %s, got %s", t->name,
               luaL_typename(L, index));
  if (has_gap(t))
    return bad(err, "%s has a part that the device does not describe (a "
               "union?): " WAY_OUT, t->name);
  if (unknown_field(L, index, t, err)) return false;
  if (t->kind == MT_TYPE_UNION) return store_union(L, index, t, bytes, err);
  memset(bytes, 0, t->size);
  for (unsigned i = 0; i < t->field_count; i++) {
    const mt_Field *f = &t->fields[i];
    if (!f->name[0] && f->type->kind == MT_TYPE_UNION) {
      if (!store_union(L, index, f->type, bytes + f->offset, err)) return false;
      continue;
    }
    if (lua_getfield(L, index, f->name) == LUA_TNIL) {
      lua_pop(L, 1);
      return bad(err, "field '%s' (%s) of %s is missing", f->name,
                 f->type->name, t->name);
    }
    if (!store_field(L, f, bytes, err)) return false;
  }
  return true;
}

/* ------------------------------------------------------------------- text */

static void scalar_text(mt_Scalar s, const void *bytes, int digits,
                        mt_Str *out) {
  double v;
  int64_t wide = 0;
  if (s == MT_LONG || s == MT_ULONG) {
    memcpy(&wide, bytes, sizeof wide);
    mt_str_addf(out, s == MT_LONG ? "%lld" : "%llu", (long long)wide);
    return;
  }
  mt_scalars_unpack(s, bytes, 1, &v);
  if (s == MT_BOOL)
    mt_str_add(out, v != 0 ? "true" : "false");
  else if (v != v)
    mt_str_add(out, "nan");
  else if (mt_scalar_is_float(s))
    mt_str_addf(out, "%.*g", digits, v);
  else
    mt_str_addf(out, "%.0f", v);
}

void mt_value_digits(const mt_Type *type, const void *bytes, int digits,
                     mt_Str *out) {
  if (type->kind == MT_TYPE_SCALAR) {
    scalar_text(type->scalar, bytes, digits, out);
    return;
  }
  mt_str_add(out, "{");
  for (unsigned i = 0; i < type->rows; i++) {
    if (i) mt_str_add(out, ", ");
    scalar_text(type->scalar,
                (const char *)bytes + i * mt_scalar_size(type->scalar), digits,
                out);
  }
  mt_str_add(out, "}");
}

void mt_value_text(const mt_Type *type, const void *bytes, mt_Str *out) {
  mt_value_digits(type, bytes, 6, out);
}

/* ----------------------------------------------------------------- public */

void mt_value_push(lua_State *L, const mt_Type *type, const void *bytes) {
  Parts parts;
  luaL_checkstack(L, 4, "value nested too deep");
  if (type->kind == MT_TYPE_SCALAR || type->kind == MT_TYPE_ATOMIC)
    push_scalar(L, type->scalar, bytes);
  else if (type->kind == MT_TYPE_STRUCT || type->kind == MT_TYPE_UNION)
    push_struct(L, type, bytes);
  else if (parts_of(type, &parts))
    push_list(L, &parts, bytes);
  else
    lua_pushnil(L);
}

bool mt_value_store(lua_State *L, int index, const mt_Type *type, void *bytes,
                    mt_Error *err) {
  Parts parts;
  luaL_checkstack(L, 4, "value nested too deep");
  index = lua_absindex(L, index);
  if (type->kind == MT_TYPE_SCALAR || type->kind == MT_TYPE_ATOMIC)
    return store_scalar(L, index, type->scalar, bytes, err);
  if (type->kind == MT_TYPE_STRUCT || type->kind == MT_TYPE_UNION)
    return store_struct(L, index, type, bytes, err);
  if (parts_of(type, &parts))
    return store_list(L, index, type, &parts, bytes, err);
  if (mt_type_is_link(type)) { /* set at launch: see links.h */
    memset(bytes, 0, type->size);
    return true;
  }
  return bad(err, "a value of type %s cannot be written from Lua: " WAY_OUT,
             type->name);
}
