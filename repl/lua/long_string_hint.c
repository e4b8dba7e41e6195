/*
** long_string_hint.c - finds [[ … [[buffer(0)]] in Lua text.
**
** It searches the tokens of the text, not Lua's message, since Lua's error, if
** there is one, depends on the text that follows.
*/
#include "repl/lua/long_string_hint.h"

#include <ctype.h>
#include <string.h>

#include "repl/lua/lua_lexer.h"

/* Do 'n' bytes look like the inside of an attribute: name, name(…)? The last
** may have been cut at its own brackets, so text inside () is not checked. */
static bool is_attribute(const char *s, size_t n) {
  size_t i = 0;
  while (i < n && isspace((unsigned char)s[i])) i++;
  if (i == n || !(isalpha((unsigned char)s[i]) || s[i] == '_')) return false;
  int depth = 0;
  for (; i < n; i++) {
    if (s[i] == '(') depth++;
    if (s[i] == ')') depth--;
    if (depth < 0) return false;
    if (depth == 0 && !isalnum((unsigned char)s[i]) &&
        !strchr("_:,) \t\n", s[i]))
      return false;
  }
  return depth == 0;
}

/* The last [[ between 'from' and 'end', or 'end'. */
static size_t last_opening(const char *text, size_t from, size_t end) {
  for (size_t i = end; i >= from + 2; i--)
    if (text[i - 1] == '[' && text[i - 2] == '[') return i - 2;
  return end;
}

static size_t line_of(const char *text, size_t at) {
  size_t line = 1;
  for (size_t i = 0; i < at; i++) line += text[i] == '\n';
  return line;
}

static void explain(const char *text, const mt_LuaToken *t, size_t attribute,
                    mt_Str *out) {
  bool comment = t->part == MT_LUA_BLOCK;
  const char *dashes = comment ? "--" : "";
  size_t n = t->end - attribute;
  mt_str_addf(out,
              "the %s that starts with %s[[ ends at the ]] of %.*s%s: write "
              "%s[=[ ... ]=] around a kernel",
              comment ? "comment" : "string", dashes, (int)(n < 48 ? n : 48),
              text + attribute, n < 48 ? "" : "...", dashes);
}

bool mt_long_string_hint(const char *text, size_t n, size_t *line,
                         mt_Str *out) {
  mt_LuaToken t;
  for (size_t at = 0; at < n; at = t.end) {
    t = mt_lua_token(text, n, at);
    if (t.level != 0 || !t.closed) continue;
    size_t end = t.end - 2;
    size_t attribute = last_opening(text, t.inner, end);
    if (attribute == end ||
        !is_attribute(text + attribute + 2, end - attribute - 2))
      continue;
    if (line) *line = line_of(text, attribute);
    explain(text, &t, attribute, out);
    return true;
  }
  return false;
}
