/*
** argument_buffers.c - argument buffers: pointers, textures and samplers inside
** structs.
*/
#include "lua/bind/gpu/argument_buffers.h"

#include <lauxlib.h>
#include <string.h>

#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/texture.h"

typedef struct Walk {
  lua_State *L;
  mt_Pins *pins;
  mt_Arg *arg;
  mt_Link *links; /* of 'arg' */
  const char *wrong;
} Walk;

bool mt_lua_same_elements(const mt_Type *have, const mt_Type *want) {
  switch (want->kind) {
    case MT_TYPE_SCALAR:
    case MT_TYPE_VECTOR:
    case MT_TYPE_PACKED:
    case MT_TYPE_MATRIX: return have->scalar == want->scalar;
    case MT_TYPE_ATOMIC: /* an int buffer can serve as atomic_uint */
      return mt_scalar_size(have->scalar) == mt_scalar_size(want->scalar);
    case MT_TYPE_ARRAY: return mt_lua_same_elements(have, want->element);
    default: return true;
  }
}

/* Maximum number of links in a value of this type. */
static size_t most_links(const mt_Type *t) {
  size_t n = 0;
  if (mt_type_is_link(t)) return 1;
  if (t->kind == MT_TYPE_ARRAY) return t->count * most_links(t->element);
  for (unsigned i = 0; t->kind == MT_TYPE_STRUCT && i < t->field_count; i++)
    n += most_links(t->fields[i].type);
  return n;
}

/* Make room for 'more' links after those of earlier elements of a list. */
static void make_room(Walk *w, size_t more) {
  mt_Link *links =
      mt_pins_room(w->L, w->pins, (w->arg->link_count + more) * sizeof *links);
  if (w->arg->link_count)
    memcpy(links, w->arg->links, w->arg->link_count * sizeof *links);
  w->arg->links = w->links = links;
}

/* -------------------------------------------------------------- one of them */

static const char *read_buffer(Walk *w, const mt_Type *t, mt_Arg *out) {
  mt_LuaBuffer *b = mt_lua_test_buffer(w->L, -1);
  if (b == NULL) return "it is a pointer: give a buffer, or false for none";
  mt_Buffer *buffer = mt_lua_pin_buffer(w->L, lua_gettop(w->L), w->pins);
  if (buffer == NULL) return "the buffer was freed";
  if (t->element && !mt_lua_same_elements(b->type, t->element))
    return lua_pushfstring(w->L, "it points at %s, the buffer holds %s",
                           t->element->name, b->type->name);
  *out = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = buffer,
                  .offset = b->offset, .size = b->count * b->type->size};
  return NULL;
}

static const char *read_texture(Walk *w, const mt_Type *t, mt_Arg *out) {
  mt_Param p = {
      .kind = t->kind == MT_TYPE_SAMPLER ? MT_PARAM_SAMPLER : MT_PARAM_TEXTURE,
      .type = t,
      .array_count = 1};
  return mt_lua_bind_texture(w->L, &p, w->pins, out);
}

/* Add a link for the value on top of the stack, at offset 'at'. */
static void read_one(Walk *w, const mt_Type *t, size_t at, const char *path) {
  mt_Link *link = &w->links[w->arg->link_count];
  if (lua_isboolean(w->L, -1) && !lua_toboolean(w->L, -1)) return; /* none */
  *link = (mt_Link){.at = at, .name = path, .type = t};
  const char *wrong = t->kind == MT_TYPE_POINTER
                          ? read_buffer(w, t, &link->arg)
                          : read_texture(w, t, &link->arg);
  if (wrong) w->wrong = lua_pushfstring(w->L, "'%s': %s", path, wrong);
  else w->arg->link_count++;
}

/* -------------------------------------------------------------- all of them */

static const char *name_part(Walk *w, const char *path, const char *field,
                             int number) {
  const char *name = field ? lua_pushfstring(w->L, "%s.%s", path, field)
                           : lua_pushfstring(w->L, "%s[%d]", path, number);
  mt_pins_keep(w->L, w->pins);
  return name;
}

static void walk(Walk *w, const mt_Type *t, size_t at, const char *path) {
  int value = lua_gettop(w->L);
  if (w->wrong || most_links(t) == 0) return;
  luaL_checkstack(w->L, 8, NULL);
  if (mt_type_is_link(t)) {
    read_one(w, t, at, path);
    return; /* the message stays on the stack */
  }
  bool list = t->kind == MT_TYPE_ARRAY;
  /* an __index may give another value each time */
  if (!lua_istable(w->L, value)) {
    w->wrong =
        lua_pushfstring(w->L, "'%s': it was a table before, and is %s now",
                        path, luaL_typename(w->L, value));
    return;
  }
  size_t parts = list ? t->count : t->field_count;
  for (size_t i = 0; i < parts && !w->wrong; i++) {
    const mt_Type *part = list ? t->element : t->fields[i].type;
    size_t offset = list ? i * part->size : t->fields[i].offset;
    if (list) lua_rawgeti(w->L, value, (lua_Integer)i + 1);
    else lua_getfield(w->L, value, t->fields[i].name);
    walk(w, part, at + offset,
         name_part(w, path, list ? NULL : t->fields[i].name, (int)i));
    if (!w->wrong) lua_settop(w->L, value);
  }
}

const char *mt_lua_read_argument_buffer(lua_State *L, int value,
                                        const mt_Type *type, size_t at,
                                        const char *path, mt_Pins *pins,
                                        mt_Arg *arg) {
  size_t most = most_links(type);
  if (most == 0) return NULL;
  Walk w = {.L = L, .pins = pins, .arg = arg};
  lua_pushvalue(L, value);
  make_room(&w, most);
  walk(&w, type, at, path);
  if (!w.wrong) lua_pop(L, 1);
  return w.wrong;
}
