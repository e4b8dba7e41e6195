/*
** nearest.c - edit distances, and existing names similar to a missing one.
*/
#include "repl/nearest.h"

#include <stdio.h>
#include <string.h>

#include "repl/names.h"

size_t mt_distance(const char *a, const char *b) {
  enum { MOST = 24 };
  size_t d[MOST + 1][MOST + 1], n = strlen(a), m = strlen(b);
  if (n > MOST || m > MOST) return MOST;
  for (size_t i = 0; i <= n; i++) d[i][0] = i;
  for (size_t j = 0; j <= m; j++) d[0][j] = j;
  for (size_t i = 1; i <= n; i++)
    for (size_t j = 1; j <= m; j++) {
      size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < best)
        best = d[i - 2][j - 2] + 1;
      d[i][j] = best;
    }
  return d[n][m];
}

/* --------------------------------------------------------- names that exist */

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
