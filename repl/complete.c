/*
** complete.c - what could stand where the cursor is.
*/
#include "repl/complete.h"

#include <dirent.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "repl/luatext.h"
#include "repl/names.h"

static const char *const keywords[] = {
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

/* ---------------------------------------------------------------- in names */

typedef struct Wanted {
  const char *typed;
  mt_Choices *out;
} Wanted;

static void offer(void *context, const char *name) {
  const Wanted *w = context;
  if (strncmp(name, w->typed, w->out->typed) != 0) return;
  if (name[0] == '_' && w->typed[0] != '_') return; /* private unless asked */
  mt_choices_add(w->out, name, strlen(name));
}

/* Fields that only a function knows (gpu.device) have a topic in the help: the
** topics that start with 'owner' and a dot. */
static void offer_topics(lua_State *L, const char *owner, Wanted *w) {
  int top = lua_gettop(L);
  size_t n = strlen(owner);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.help");
  if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1) &&
      lua_getfield(L, -1, "topics") == LUA_TFUNCTION &&
      lua_pcall(L, 0, 1, 0) == LUA_OK && lua_istable(L, -1))
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
      const char *topic = lua_tostring(L, -1);
      if (strncmp(topic, owner, n) == 0 && topic[n] == '.' &&
          !strchr(topic + n + 1, '.'))
        offer(w, topic + n + 1);
      lua_pop(L, 1);
    }
  lua_settop(L, top);
}

static void complete_name(lua_State *L, const char *before, mt_Choices *out) {
  size_t end = strlen(before), start = mt_name_start(before, end);
  size_t word = end;
  while (word > start && before[word - 1] != '.' && before[word - 1] != ':' &&
         before[word - 1] != ']')
    word--;
  Wanted w = {before + word, out};
  out->typed = end - word;
  if (word == start) {
    lua_pushglobaltable(L);
    mt_name_list(L, '.', offer, &w);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
      if (out->typed > 0) offer(&w, keywords[i]);
  } else {
    if (!mt_name_push(L, before + start, word - 1 - start)) return;
    mt_name_list(L, before[word - 1], offer, &w);
    if (before[word - 1] == '.') {
      lua_pushlstring(L, before + start, word - 1 - start);
      offer_topics(L, lua_tostring(L, -1), &w);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* -------------------------------------------------------------- in strings */

static bool is_folder(const char *folder, const char *name) {
  char path[4096];
  struct stat info;
  int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  return n > 0 && (size_t)n < sizeof path && stat(path, &info) == 0 &&
         S_ISDIR(info.st_mode);
}

static void offer_file(mt_Choices *out, const char *folder, const char *name) {
  char shown[512];
  int n = snprintf(shown, sizeof shown, "%s%s", name,
                   is_folder(folder, name) ? "/" : "");
  if (n > 0 && (size_t)n < sizeof shown) mt_choices_add(out, shown, (size_t)n);
}

static void complete_file(const char *path, mt_Choices *out) {
  char folder[4096] = ".";
  const char *slash = strrchr(path, '/');
  const char *typed = slash ? slash + 1 : path;
  if (slash) {
    size_t n = slash == path ? 1 : (size_t)(slash - path);
    if (n >= sizeof folder) return;
    memcpy(folder, path, n);
    folder[n] = '\0';
  }
  out->typed = strlen(typed);
  DIR *open = opendir(folder);
  if (open == NULL) return;
  for (struct dirent *e; (e = readdir(open)) != NULL;) {
    if (strncmp(e->d_name, typed, out->typed) != 0) continue;
    if (e->d_name[0] == '.' && typed[0] != '.') continue;
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    offer_file(out, folder, e->d_name);
  }
  closedir(open);
}

/* ---------------------------------------------------------------- interface */

/* The token that the end of the text is in; CODE if it is between tokens. */
static mt_LuaToken last_token(const mt_Str *text) {
  mt_LuaToken t = {MT_LUA_CODE, 0, 0, 0, -1, 1};
  for (size_t at = 0; at < text->length; at = t.end)
    t = mt_lua_token(text->text, text->length, at);
  return t;
}

static void complete_in(mt_Typing *typing, const mt_Str *text,
                        const char *before, mt_Choices *out) {
  mt_LuaToken t = last_token(text);
  bool blank = before[strspn(before, " \t")] == '\0';
  bool open = t.part != MT_LUA_CODE && t.part != MT_LUA_NAME && !t.closed;
  if (open && t.part == MT_LUA_STRING)
    complete_file(text->text + t.inner, out);
  else if (open || (blank && text->length > 0))
    out->indent = true;
  else
    complete_name(typing->L, before, out);
}

void mt_complete(void *context, const char *before, mt_Choices *out) {
  mt_Typing *typing = context;
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, mt_str_text(typing->above));
  mt_str_add(&text, before);
  if (!text.failed) complete_in(typing, &text, before, out);
  mt_choices_sort(out);
  mt_str_free(&text);
}
