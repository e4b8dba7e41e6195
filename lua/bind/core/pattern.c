/*
** pattern.c - find, match, gmatch and gsub, with a matcher that polls.
**
** The matcher is a recursive function of a place in the text and a place in the
** pattern: it succeeds at the end of the pattern, and on a mismatch backtracks
** to the last choice. Errors, limits and corner cases are exactly those of
** Lua's manual and library; tests/lua/bind/test_pattern.lua compares the two on
** random patterns.
*/
#include "lua/bind/core/pattern.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "base/cancel.h"

enum { MOST_CAPTURES = 32, DEEPEST = 200, OPEN = -1, PLACE = -2 };

typedef struct Capture {
  const char *start;
  ptrdiff_t length; /* or OPEN, or PLACE for () */
} Capture;

typedef struct Match {
  lua_State *L;
  const char *text, *text_end;
  const char *pattern_end;
  int depth;         /* nested calls of fit still allowed */
  unsigned polls;
  int count;         /* captures so far, open ones too */
  Capture capture[MOST_CAPTURES];
} Match;

static const char *fit(Match *m, const char *s, const char *p);

static void poll(Match *m) {
  if ((++m->polls & 1023) == 0 && mt_cancelled())
    luaL_error(m->L, "interrupted");
}

/* ---------------------------------------------------------- one character */

/* The end of the single-character class at 'p'. */
static const char *class_end(Match *m, const char *p) {
  char c = *p++;
  if (c == '%') {
    if (p == m->pattern_end)
      luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (c != '[') return p;
  if (*p == '^') p++;
  do { /* the first may be a ] */
    if (p == m->pattern_end)
      luaL_error(m->L, "malformed pattern (missing ']')");
    if (*p++ == '%' && p < m->pattern_end) p++;
  } while (*p != ']');
  return p + 1;
}

static bool in_class(int c, int class) {
  bool is;
  switch (tolower(class)) {
    case 'a': is = isalpha(c); break;
    case 'c': is = iscntrl(c); break;
    case 'd': is = isdigit(c); break;
    case 'g': is = isgraph(c); break;
    case 'l': is = islower(c); break;
    case 'p': is = ispunct(c); break;
    case 's': is = isspace(c); break;
    case 'u': is = isupper(c); break;
    case 'w': is = isalnum(c); break;
    case 'x': is = isxdigit(c); break;
    case 'z': is = c == 0; break; /* deprecated, still accepted */
    default: return class == c;
  }
  return isupper(class) ? !is : is;
}

/* 'p' is at the [, 'end' at its ]. */
static bool in_set(int c, const char *p, const char *end) {
  bool found = true;
  if (p[1] == '^') {
    found = false;
    p++;
  }
  while (++p < end) {
    unsigned char low = (unsigned char)*p;
    if (low == '%') {
      p++;
      if (in_class(c, (unsigned char)*p)) return found;
    } else if (p[1] == '-' && p + 2 < end) {
      p += 2;
      if (low <= c && c <= (unsigned char)*p) return found;
    } else if (low == c) {
      return found;
    }
  }
  return !found;
}

/* Does the character at 's' fit the class from 'p' to 'end'? */
static bool fits_one(Match *m, const char *s, const char *p, const char *end) {
  poll(m);
  if (s >= m->text_end) return false;
  int c = (unsigned char)*s;
  switch (*p) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)p[1]);
    case '[': return in_set(c, p, end - 1);
    default: return (unsigned char)*p == c;
  }
}

/* ------------------------------------------------------------- repetitions */

static const char *most_first(Match *m, const char *s, const char *p,
                              const char *end) {
  ptrdiff_t n = 0;
  while (fits_one(m, s + n, p, end)) n++;
  for (; n >= 0; n--) {
    const char *rest = fit(m, s + n, end + 1);
    if (rest) return rest;
  }
  return NULL;
}

static const char *least_first(Match *m, const char *s, const char *p,
                               const char *end) {
  for (;;) {
    const char *rest = fit(m, s, end + 1);
    if (rest) return rest;
    if (!fits_one(m, s, p, end)) return NULL;
    s++;
  }
}

/* ---------------------------------------------------------------- captures */

static const char *open_capture(Match *m, const char *s, const char *p,
                                ptrdiff_t length) {
  if (m->count >= MOST_CAPTURES) luaL_error(m->L, "too many captures");
  m->capture[m->count++] = (Capture){s, length};
  const char *rest = fit(m, s, p);
  if (rest == NULL) m->count--;
  return rest;
}

static const char *close_capture(Match *m, const char *s, const char *p) {
  int i = m->count - 1;
  while (i >= 0 && m->capture[i].length != OPEN) i--;
  if (i < 0) luaL_error(m->L, "invalid pattern capture");
  m->capture[i].length = s - m->capture[i].start;
  const char *rest = fit(m, s, p);
  if (rest == NULL) m->capture[i].length = OPEN;
  return rest;
}

/* %1: match the same text as that capture; NULL if it differs. */
static const char *same_again(Match *m, const char *s, int digit) {
  int i = digit - '1';
  if (i < 0 || i >= m->count || m->capture[i].length == OPEN)
    luaL_error(m->L, "invalid capture index %%%d", i + 1);
  size_t n = (size_t)m->capture[i].length;
  if ((size_t)(m->text_end - s) < n || memcmp(m->capture[i].start, s, n) != 0)
    return NULL;
  return s + n;
}

/* ------------------------------------------------------------ %b, %f, rest */

/* The end of the balanced text at 's', delimited by p[0] and p[1]; or NULL. */
static const char *balanced(Match *m, const char *s, const char *p) {
  if (p >= m->pattern_end - 1)
    luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->text_end || *s != p[0]) return NULL;
  for (int open = 1; ++s < m->text_end;) {
    poll(m);
    if (*s == p[1]) {
      if (--open == 0) return s + 1;
    } else if (*s == p[0]) {
      open++;
    }
  }
  return NULL;
}

/* Is 's' at a frontier of the set at 'p'? */
static bool at_edge(Match *m, const char *s, const char *p, const char *end) {
  int before = s == m->text ? '\0' : (unsigned char)s[-1];
  int here = s == m->text_end ? '\0' : (unsigned char)*s;
  return !in_set(before, p, end - 1) && in_set(here, p, end - 1);
}

/* %b, %f and %1 to %9: true if 'p' is at one of these. '*p' and '*s' then move
** past it; '*s' is NULL if it does not match. */
static bool special(Match *m, const char **s, const char **p) {
  const char *at = *p;
  int c = at + 1 < m->pattern_end ? (unsigned char)at[1] : 0;
  if (c == 'b') {
    *s = balanced(m, *s, at + 2);
    *p = at + 4;
  } else if (c == 'f') {
    if (at + 2 >= m->pattern_end || at[2] != '[')
      luaL_error(m->L, "missing '[' after '%%f' in pattern");
    *p = class_end(m, at + 2);
    if (!at_edge(m, *s, at + 2, *p)) *s = NULL;
  } else if (isdigit(c)) {
    *s = same_again(m, *s, c);
    *p = at + 2;
  } else {
    return false;
  }
  return true;
}

/* The class at 'p' with its repetition. True: go on at '*s' and '*p'; else '*s'
** is the result. */
static bool class_here(Match *m, const char **s, const char **p) {
  const char *from = *s, *class = *p, *end = class_end(m, class);
  char how = end < m->pattern_end ? *end : '\0';
  if (how == '*') *s = most_first(m, from, class, end);
  else if (how == '+')
    *s = fits_one(m, from, class, end) ? most_first(m, from + 1, class, end)
                                       : NULL;
  else if (how == '-') *s = least_first(m, from, class, end);
  else if (how == '?') {
    const char *rest =
        fits_one(m, from, class, end) ? fit(m, from + 1, end + 1) : NULL;
    *s = rest ? rest : from;
    *p = end + 1;
    return rest == NULL;
  } else {
    if (!fits_one(m, from, class, end)) *s = NULL;
    else *s = from + 1;
    *p = end;
    return *s != NULL;
  }
  return false;
}

/* The end of the match of the pattern from 'p' at 's'; NULL if none. */
static const char *fit(Match *m, const char *s, const char *p) {
  if (m->depth-- == 0) luaL_error(m->L, "pattern too complex");
  poll(m);
  while (s && p != m->pattern_end) {
    if (*p == '(') {
      s = p[1] == ')' ? open_capture(m, s, p + 2, PLACE)
                      : open_capture(m, s, p + 1, OPEN);
      break;
    }
    if (*p == ')') {
      s = close_capture(m, s, p + 1);
      break;
    }
    if (*p == '$' && p + 1 == m->pattern_end) {
      if (s != m->text_end) s = NULL;
      break;
    }
    if (*p == '%' && special(m, &s, &p)) continue;
    if (!class_here(m, &s, &p)) break;
  }
  m->depth++;
  return s;
}

/* A fresh try at 's'. */
static const char *try_at(Match *m, const char *s, const char *p) {
  m->count = 0;
  m->depth = DEEPEST;
  return fit(m, s, p);
}

static void start(Match *m, lua_State *L, const char *text, size_t n,
                  const char *p, size_t length) {
  m->L = L;
  m->text = text;
  m->text_end = text + n;
  m->pattern_end = p + length;
  m->polls = 0;
}

/* ---------------------------------------------------------------- results */

/* Capture i, or the whole match from 's' to 'e' if there are no captures. */
static void push_capture(Match *m, int i, const char *s, const char *e) {
  if (i >= m->count) {
    if (i != 0) luaL_error(m->L, "invalid capture index %%%d", i + 1);
    lua_pushlstring(m->L, s, (size_t)(e - s));
  } else if (m->capture[i].length == OPEN) {
    luaL_error(m->L, "unfinished capture");
  } else if (m->capture[i].length == PLACE) {
    lua_pushinteger(m->L, m->capture[i].start - m->text + 1);
  } else {
    lua_pushlstring(m->L, m->capture[i].start, (size_t)m->capture[i].length);
  }
}

static int push_captures(Match *m, const char *s, const char *e) {
  int n = m->count == 0 && s ? 1 : m->count;
  luaL_checkstack(m->L, n, "too many captures");
  for (int i = 0; i < n; i++) push_capture(m, i, s, e);
  return n;
}

/* From 1; negative ones count from the end. */
static size_t first_place(lua_State *L, int arg, size_t n) {
  lua_Integer at = luaL_optinteger(L, arg, 1);
  if (at > 0) return (size_t)at;
  if (at == 0 || at < -(lua_Integer)n) return 1;
  return n + (size_t)at + 1;
}

/* find compares a pattern without these literally: its ")" is no error. */
static bool is_plain(const char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (p[i] && strchr("^$*+?.([%-", p[i])) return false;
  return true;
}

static const char *fit_plain(Match *m, const char *s, const char *p) {
  size_t n = (size_t)(m->pattern_end - p);
  m->polls |= n > 4096 ? 1023 : 0; /* poll each time: long comparisons */
  poll(m);
  m->count = 0;
  return (size_t)(m->text_end - s) >= n && memcmp(s, p, n) == 0 ? s + n : NULL;
}

static int search(lua_State *L, bool find) {
  Match m;
  size_t n, length;
  const char *text = luaL_checklstring(L, 1, &n),
             *p = luaL_checklstring(L, 2, &length);
  size_t from = first_place(L, 3, n) - 1;
  if (from > n) return luaL_pushfail(L), 1;
  bool plain = find && (lua_toboolean(L, 4) || is_plain(p, length));
  bool anchored = !plain && length > 0 && *p == '^';
  start(&m, L, text, n, p, length);
  p += anchored;
  for (const char *s = text + from; s <= m.text_end; s++) {
    const char *e = plain ? fit_plain(&m, s, p) : try_at(&m, s, p);
    if (e && find) {
      lua_pushinteger(L, s - text + 1);
      lua_pushinteger(L, e - text);
      return push_captures(&m, NULL, NULL) + 2;
    }
    if (e) return push_captures(&m, s, e);
    if (anchored) break;
  }
  return luaL_pushfail(L), 1;
}

static int own_find(lua_State *L) { return search(L, true); }
static int own_match(lua_State *L) { return search(L, false); }

/* Upvalues: text, pattern, next position, end of the last match (-1: none). */
static int next_match(lua_State *L) {
  Match m;
  size_t n, length;
  const char *text = lua_tolstring(L, lua_upvalueindex(1), &n);
  const char *p = lua_tolstring(L, lua_upvalueindex(2), &length);
  lua_Integer from = lua_tointeger(L, lua_upvalueindex(3)),
              last = lua_tointeger(L, lua_upvalueindex(4));
  start(&m, L, text, n, p, length);
  for (const char *s = text + from; s <= m.text_end; s++) {
    const char *e = try_at(&m, s, p);
    if (e == NULL || e - text == last) continue;
    lua_pushinteger(L, e - text);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return push_captures(&m, s, e);
  }
  return 0;
}

static int own_gmatch(lua_State *L) {
  size_t n;
  luaL_checklstring(L, 1, &n);
  luaL_checkstring(L, 2);
  size_t from = first_place(L, 3, n) - 1;
  lua_settop(L, 2);
  lua_pushinteger(L, (lua_Integer)(from > n ? n + 1 : from));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

/* ------------------------------------------------------------------- gsub */

/* The text at 3 with its %0 to %9 filled in. */
static void add_template(Match *m, luaL_Buffer *b, const char *s,
                         const char *e) {
  size_t n;
  const char *t = lua_tolstring(m->L, 3, &n), *end = t + n;
  for (; t < end; t++) {
    if (*t != '%') {
      luaL_addchar(b, *t);
      continue;
    }
    int c = ++t < end ? (unsigned char)*t : 0;
    if (c == '%') luaL_addchar(b, '%');
    else if (c == '0') luaL_addlstring(b, s, (size_t)(e - s));
    else if (isdigit(c)) {
      push_capture(m, c - '1', s, e);
      luaL_tolstring(m->L, -1, NULL); /* a position capture is a number */
      lua_remove(m->L, -2);
      luaL_addvalue(b);
    } else {
      luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
  }
}

/* Add the replacement of the match; true if it differs from the original. */
static bool add_value(Match *m, luaL_Buffer *b, const char *s, const char *e,
                      int kind) {
  lua_State *L = m->L;
  if (kind == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, push_captures(m, s, e), 1);
  } else if (kind == LUA_TTABLE) {
    push_capture(m, 0, s, e);
    lua_gettable(L, 3);
  } else {
    add_template(m, b, s, e);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(b, s, (size_t)(e - s));
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(b);
  return true;
}

static int own_gsub(lua_State *L) {
  Match m;
  size_t n, length;
  const char *text = luaL_checklstring(L, 1, &n),
             *p = luaL_checklstring(L, 2, &length);
  int kind = lua_type(L, 3);
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)n + 1), done = 0;
  luaL_argexpected(L,
                   kind == LUA_TNUMBER || kind == LUA_TSTRING ||
                       kind == LUA_TFUNCTION || kind == LUA_TTABLE,
                   3, "string/function/table");
  bool anchored = length > 0 && *p == '^', changed = false;
  const char *s = text, *last = NULL;
  luaL_Buffer b;
  start(&m, L, text, n, p, length);
  p += anchored;
  luaL_buffinit(L, &b);
  while (done < most) {
    const char *e = try_at(&m, s, p);
    if (e && e != last) {
      done++;
      changed |= add_value(&m, &b, s, e, kind);
      s = last = e;
    } else if (s < m.text_end) {
      luaL_addchar(&b, *s++);
    } else {
      break;
    }
    if (anchored) break;
  }
  if (changed) {
    luaL_addlstring(&b, s, (size_t)(m.text_end - s));
    luaL_pushresult(&b);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, done);
  return 2;
}

/* ------------------------------------------------------------------ choice */

/* Could it take long? The number of places tried is at most the text's length
** to the power of the number of repetitions, plus one for the start. Plain
** searches compare bytes, which is fast. */
static bool may_be_long(lua_State *L, bool plain) {
  size_t n, length;
  const char *p = lua_tolstring(L, 2, &length);
  if (lua_type(L, 1) != LUA_TSTRING || lua_type(L, 2) != LUA_TSTRING)
    return false;
  lua_tolstring(L, 1, &n);
  if (plain || is_plain(p, length)) return (double)n * (double)length >= 1e9;
  double tries = 1;
  for (size_t i = 0; i < length; i++) {
    bool repeats = p[i] && strchr("*+-?", p[i]);
    if (repeats || (p[i] == '%' && i + 1 < length && p[i + 1] == 'b'))
      tries *= (double)n;
  }
  return tries > 1 && tries * (double)n >= 1e7;
}

/* string.find and the others; upvalues: Lua's own function, this matcher's. */
static int choose(lua_State *L) {
  bool plain = lua_toboolean(L, lua_upvalueindex(3)) && lua_toboolean(L, 4);
  int own = may_be_long(L, plain) ? 2 : 1;
  return lua_tocfunction(L, lua_upvalueindex(own))(L);
}

static const luaL_Reg functions[] = {{"find", own_find},
                                     {"match", own_match},
                                     {"gmatch", own_gmatch},
                                     {"gsub", own_gsub},
                                     {NULL, NULL}};

static int open_pattern(lua_State *L) {
  luaL_newlib(L, functions);
  lua_newtable(L);
  lua_getglobal(L, "string");
  for (const luaL_Reg *f = functions; f->name; f++) {
    lua_getfield(L, -1, f->name);
    if (lua_getupvalue(L, -1, 1)) lua_replace(L, -2);
    lua_setfield(L, -3, f->name);
  }
  lua_pop(L, 1);
  lua_setfield(L, -2, "lua");
  return 1;
}

void mt_lua_open_pattern(lua_State *L) {
  lua_getglobal(L, "string");
  for (const luaL_Reg *f = functions; f->name; f++) {
    lua_getfield(L, -1, f->name);
    lua_pushcfunction(L, f->func);
    lua_pushboolean(L, strcmp(f->name, "find") == 0);
    lua_pushcclosure(L, choose, 3);
    lua_setfield(L, -2, f->name);
  }
  lua_pop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, open_pattern);
  lua_setfield(L, -2, "mettle.pattern");
  lua_pop(L, 1);
}
