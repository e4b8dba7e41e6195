/*
** advice.c - looks for C syntax in Lua code. It is called only after a syntax
** error, so it need not decide whether there is one, only which.
*/
#include "repl/advice.h"

#include <ctype.h>
#include <string.h>

#include "base/reflect.h"
#include "repl/luatext.h"

static bool starts(const char *text, size_t n, const char *word) {
  size_t m = strlen(word);
  return n >= m && memcmp(text, word, m) == 0;
}

/* 'word', then another word: in Lua only a keyword may stand before a name. */
static bool starts_two(const char *text, size_t n, const char *word) {
  size_t m = strlen(word);
  return starts(text, n, word) && n > m + 1 && text[m] == ' ' &&
         (isalpha((unsigned char)text[m + 1]) || text[m + 1] == '_');
}

/* A type of C or MSL at the start, then a name: "float4 v", "uint *p". */
static bool starts_declaration(const char *text, size_t n) {
  static const char *const types[] = {
#define X(with, id, name, ...) #name,
      __MT_SCALARS(X, )
#undef X
      "void", "double", "size_t", "auto", "const", "static", "unsigned",
      "threadgroup", "thread", "inline"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    size_t at = strlen(types[i]);
    if (!starts(text, n, types[i])) continue;
    if (at < n && text[at] >= '2' && text[at] <= '4') at++;
    size_t word = at;
    while (at < n && (text[at] == ' ' || text[at] == '*' || text[at] == '&'))
      at++;
    if (at > word && at < n &&
        (isalpha((unsigned char)text[at]) || text[at] == '_'))
      return true;
  }
  return false;
}

const char *mt_advice_msl(const char *text, size_t n) {
  static const char *const openings[] = {
      "#include",   "#define ",          "#pragma ",
      "[[kernel]]", "template<typename", "template <typename"};
  static const char *const words[] = {"kernel",    "using",  "device",
                                      "constant",  "struct", "constexpr",
                                      "namespace", "typedef"};
  bool msl = false;
  while (n > 0 && isspace((unsigned char)*text)) text++, n--;
  for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
    msl = msl || starts(text, n, openings[i]);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    msl = msl || starts_two(text, n, words[i]);
  if (msl) return "this is MSL, not Lua: put it in k = gpu.kernel [=[ ... ]=]";
  return starts_declaration(text, n)
             ? "this is C or MSL, and the prompt speaks Lua: a variable is "
               "just x "
               "= 3, and MSL goes inside gpu.kernel [=[ ... ]=]"
             : NULL;
}

static const struct {
  const char *written, *advice;
} habits[] = {
    {"!=", "Lua writes ~= for !="},
    {"&&", "Lua writes and for &&"},
    {"||", "Lua writes or for ||"},
    {"++", "Lua has no ++: write x = x + 1"},
    {"+=", "Lua has no +=: write x = x + y"},
    {"-=", "Lua has no -=: write x = x - y"},
    {"*=", "Lua has no *=: write x = x * y"},
    {"/=", "Lua has no /=: write x = x / y"},
    {"!", "Lua writes not for !"},
    {"//", "Lua's comments start with --"},
    {"/*", "Lua's comments are --[[ ... ]]"},
    {"for (", "Lua writes for i = 0, n - 1 do ... end"},
    {"else if", "Lua writes elseif, in one word"},
    {"?", "Lua writes a and b or c for a ? b : c"},
};

static const char *habit_at(const char *text, size_t n) {
  for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
    if (starts(text, n, habits[i].written)) return habits[i].advice;
  return NULL;
}

const char *mt_advice_line(const char *text, size_t n, int number) {
  int line = 1;
  mt_LuaToken t;
  for (size_t at = 0; at < n && line <= number; at = t.end) {
    t = mt_lua_token(text, n, at);
    const char *advice = NULL;
    if (line == number &&
        (t.part == MT_LUA_CODE || t.part == MT_LUA_NAME))
      advice = habit_at(text + at, n - at);
    if (advice) return advice;
    for (size_t i = t.start; i < t.end; i++) line += text[i] == '\n';
  }
  return NULL;
}
