/*
** nearest.c - existing names similar to a missing one.
*/
#include "repl/lua/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/distance.h"
#include "repl/lua/names.h"

typedef struct Search {
  const char *wanted;
  const char *owner; /* the table being listed; "" for the globals */
  size_t least;
  char best[64]; /* with its owner: "gpu.buffer" */
} Search;

static void consider(void *context, const char *name) {
  Search *s = context;
  size_t d = mt_distance(s->wanted, name);
  if (d >= s->least) return;
  s->least = d;
  snprintf(s->best, sizeof s->best, "%s%s%s", s->owner, s->owner[0] ? "." : "",
           name);
}

static void search_globals(lua_State *L, Search *s) {
  lua_pushglobaltable(L);
  mt_name_list(L, '.', consider, s);
  lua_pop(L, 1);
}

/* The fields of every table that is a global. */
static void search_fields(lua_State *L, Search *s) {
  lua_pushglobaltable(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    bool named = lua_type(L, -2) == LUA_TSTRING && lua_istable(L, -1);
    s->owner = named ? lua_tostring(L, -2) : "";
    if (named && s->owner[0] != '_') mt_name_list(L, '.', consider, s);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void mt_nearest_suggest(lua_State *L, const char *message, mt_Str *out) {
  char kind[16], name[32];
  const char *at = strstr(message, "a nil value (");
  if (at == NULL ||
      sscanf(at, "a nil value (%15s '%31[A-Za-z0-9_]')", kind, name) != 2)
    return;
  if (strlen(name) < 3) return; /* any other letter is one edit away */
  /* allow one edit in a short name, two in a longer one */
  Search s = {name, "", strlen(name) > 4 ? 3 : 2, ""};
  if (strcmp(kind, "global") == 0)
    search_globals(L, &s);
  else if (strcmp(kind, "field") == 0)
    search_fields(L, &s);
  if (s.best[0] && s.least > 0) mt_str_addf(out, "; did you mean %s?", s.best);
}
