/*
** complete.c - completions at the cursor.
*/
#include "repl/line/complete.h"

#include <ctype.h>
#include <dirent.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "devices/device.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/bind/memory/buffer.h"
#include "repl/lua/globals.h"
#include "repl/lua/lua_lexer.h"
#include "repl/lua/names.h"

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
  if (name[0] == '_' && w->typed[0] != '_') return; /* private names */
  mt_choices_add(w->out, name, strlen(name));
}

/* Offer the strings of the list on top of the stack, which is popped. */
static void offer_list(lua_State *L, Wanted *w) {
  for (lua_Integer i = 1; lua_istable(L, -1); i++) {
    bool more = lua_rawgeti(L, -1, i) == LUA_TSTRING;
    if (more) offer(w, lua_tostring(L, -1));
    lua_pop(L, 1);
    if (!more) break;
  }
  lua_pop(L, 1);
}

/* Push the list that 'function' of a Lua module returns for two arguments,
** which may be NULL; or nil. */
static void push_words_of(lua_State *L, const char *module,
                          const char *function, const char *first,
                          const char *second) {
  int top = lua_gettop(L);
  lua_getglobal(L, "require");
  lua_pushstring(L, module);
  bool ok = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1) &&
            lua_getfield(L, -1, function) == LUA_TFUNCTION;
  if (ok) {
    lua_pushstring(L, first);
    lua_pushstring(L, second);
    ok = lua_pcall(L, 2, 1, 0) == LUA_OK;
  }
  if (!ok) lua_pushnil(L);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

static void push_words(lua_State *L, const char *module, const char *function,
                       const char *argument) {
  push_words_of(L, module, function, argument, NULL);
}

static void push_topics(lua_State *L) {
  push_words(L, "lua.reference.help", "topics", NULL);
}

/* Fields that __index computes (gpu.device) are listed in the help: offer the
** topics that start with 'owner' and a dot. */
static void offer_topics(lua_State *L, const char *owner, Wanted *w) {
  size_t n = strlen(owner);
  push_topics(L);
  for (lua_Integer i = 1; lua_istable(L, -1); i++) {
    bool more = lua_rawgeti(L, -1, i) == LUA_TSTRING;
    const char *topic = more ? lua_tostring(L, -1) : "";
    if (strncmp(topic, owner, n) == 0 && topic[n] == '.' &&
        !strchr(topic + n + 1, '.'))
      offer(w, topic + n + 1);
    lua_pop(L, 1);
    if (!more) break;
  }
  lua_pop(L, 1);
}

/* ------------------------------------------------------------ after a call */

/* What calls return: methods of a Lua module, or of a type in C. */
static const struct {
  const char *call, *module, *type;
} results[] = {{"record", "lua.record.record", NULL},
               {"draw", "lua.draw.draw", NULL},
               {"compare", "lua.measure.compare", NULL},
               {"sweep", "lua.measure.sweep", NULL},
               {"profile", "lua.profile.profile", NULL},
               {"check", "lua.check.check", NULL},
               {"plot", "lua.plot.plot", NULL},
               {"gpu.commands", "lua.workload.commands", NULL},
               {"gpu.kernel", NULL, MT_LUA_KERNEL},
               {"gpu.library", NULL, "mettle.library"},
               {"gpu.texture", NULL, "mettle.texture"}};

/* The call that ends at 'end', after its bracket: the length of its name, which
** is at '*start'; 0: none is seen there. */
static size_t call_before(const char *text, size_t end, size_t *start) {
  mt_LuaOpen open;
  mt_lua_brackets(text, end - 1, &open);
  if (open.count == 0) return 0;
  size_t at = open.at[open.count - 1];
  while (at > 0 && text[at - 1] == ' ') at--;
  *start = mt_name_start(text, at);
  return at - *start;
}

/* Push the table of methods of what the call that ends at 'end' returns; most
** of those that are not listed return a buffer. */
static void push_result_methods(lua_State *L, const char *text, size_t end) {
  size_t start = 0, n = call_before(text, end, &start);
  const char *module = NULL, *type = MT_LUA_BUFFER;
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (strlen(results[i].call) == n &&
        strncmp(results[i].call, text + start, n) == 0)
      module = results[i].module, type = results[i].type;
  if (module == NULL) {
    luaL_getmetatable(L, type);
  } else {
    lua_getglobal(L, "require");
    lua_pushstring(L, module);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) lua_pushnil(L), lua_replace(L, -2);
  }
  if (!lua_istable(L, -1)) return;
  lua_getfield(L, -1, module ? "methods" : "__methods");
  lua_remove(L, -2);
}

static bool ends_call(const char *before, size_t start) {
  return start > 1 && before[start - 1] == ':' &&
         (before[start - 2] == ')' || before[start - 2] == '}');
}

static void complete_name(lua_State *L, const char *before, mt_Choices *out) {
  size_t end = strlen(before), start = mt_name_start(before, end);
  size_t word = end;
  while (word > start && before[word - 1] != '.' && before[word - 1] != ':' &&
         before[word - 1] != ']')
    word--;
  Wanted w = {before + word, out};
  out->typed = end - word;
  if (word == start && ends_call(before, start)) {
    push_result_methods(L, before, start - 1);
    mt_name_list(L, ':', offer, &w);
  } else if (word == start) {
    mt_globals_push(L);
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

/* -------------------------------------------------------- Metal's language */

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

void mt_complete_msl(lua_State *L, const char *before, const char *after,
                     mt_Choices *out) {
  size_t end = strlen(before), start = end;
  while (start > 0 && in_name(before[start - 1])) start--;
  bool member = start > 0 && strchr(".>", before[start - 1]) != NULL;
  bool attribute = start > 1 && strncmp(before + start - 2, "[[", 2) == 0;
  if (member || (start == end && !attribute)) {
    out->indent = start == end;
    return;
  }
  out->typed = end - start;
  push_words_of(L, "lua.reference.msl_words", "at", before, after);
  offer_list(L, &(Wanted){before + start, out});
}

/* --------------------------------------------------- words known by a call */

/* Topics; once a letter is typed all that help finds. */
static void help_words(lua_State *L, Wanted *w) {
  if (w->out->typed == 0) push_topics(L);
  else push_words(L, "lua.reference.help", "words", NULL);
  offer_list(L, w);
}

/* Live examples; then the files that can be played. */
static void play_words(lua_State *L, Wanted *w) {
  push_words(L, "lua.play.play", "names", NULL);
  offer_list(L, w);
  complete_file(w->typed, w->out);
}

static void device_words(lua_State *L, Wanted *w) {
  (void)L;
  const mt_DeviceEntry *entries;
  size_t n = mt_device_list(&entries);
  for (size_t i = 0; i < n; i++) offer(w, entries[i].name);
}

static void type_words(lua_State *L, Wanted *w) {
  static const char *const types[] = {
#define X(with, id, name, ...) #name,
      __MT_SCALARS(X, )
#undef X
      "float2", "float3", "float4", "int2", "int3",
      "int4",   "uint2",  "uint3",  "uint4"};
  (void)L;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) offer(w, types[i]);
}

static void kernel_words(lua_State *L, Wanted *w) {
  if (mt_name_push(L, "gpu.kernels", strlen("gpu.kernels"))) offer_list(L, w);
}

/* Functions whose first argument is one of a known set of strings: those that
** 'words' offers, or a list that a module of Lua has. */
typedef struct Call {
  const char *name;
  void (*words)(lua_State *L, Wanted *w);
  const char *module, *list, *of;
} Call;

static const Call calls[] = {
    {"help", help_words, NULL, NULL, NULL},
    {"gpu.use", device_words, NULL, NULL, NULL},
    {"gpu.buffer", type_words, NULL, NULL, NULL},
    {"gpu.kernel", kernel_words, NULL, NULL, NULL},
    {"compare", kernel_words, NULL, NULL, NULL},
    {"sweep", kernel_words, NULL, NULL, NULL},
    {"check", kernel_words, NULL, NULL, NULL},
    {"profile", kernel_words, NULL, NULL, NULL},
    {"draw", kernel_words, NULL, NULL, NULL},
    {"record", kernel_words, NULL, NULL, NULL},
    {"step", kernel_words, NULL, NULL, NULL},
    {"play", play_words, NULL, NULL, NULL},
    {"glossary", NULL, "lua.reference.glossary", "terms", NULL},
    {"cuda", NULL, "lua.reference.rosetta", "words", "cuda"},
    {"numpy", NULL, "lua.reference.rosetta", "words", "numpy"},
    {"torch", NULL, "lua.reference.rosetta", "words", "torch"},
    {"lesson", NULL, "lua.lesson.course", "words", NULL},
    {"puzzle", NULL, "lua.lesson.course", "words", "puzzle"},
    {"capstone", NULL, "lua.lesson.course", "words", "capstone"},
};

static void offer_words(lua_State *L, const Call *call, Wanted *w) {
  if (call->words) return call->words(L, w);
  push_words(L, call->module, call->list, call->of);
  offer_list(L, w);
}

/* Does 'call' precede the bracket or quote at 'at'? */
static bool is_call_of(const char *text, size_t at, const char *call) {
  while (at > 0 && strchr(" ({", text[at - 1])) at--;
  size_t start = mt_name_start(text, at);
  return strlen(call) == at - start &&
         strncmp(text + start, call, at - start) == 0;
}

static void complete_string(lua_State *L, const mt_Str *text,
                            const mt_LuaToken *t, mt_Choices *out) {
  const char *typed = text->text + t->inner;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (!is_call_of(text->text, t->start, calls[i].name)) continue;
    out->typed = strlen(typed);
    offer_words(L, &calls[i], &(Wanted){typed, out});
  }
  if (out->count == 0) complete_file(typed, out);
}

/* The settings of a launch, inside the braces of a call of a kernel. */
static void offer_settings(lua_State *L, const mt_Str *text,
                           const mt_LuaOpen *open, mt_Choices *out) {
  static const char *const settings[] = {"grid", "group", "groups",
                                         "threadgroup"};
  int top = lua_gettop(L);
  size_t at = open->count ? open->at[open->count - 1] : 0;
  if (open->count == 0 || text->text[at] != '{') return;
  size_t start = mt_name_start(text->text, at);
  if (!mt_name_push(L, text->text + start, at - start)) return;
  bool kernel = luaL_getmetafield(L, -1, "__name") == LUA_TSTRING &&
                strcmp(lua_tostring(L, -1), "kernel") == 0;
  lua_settop(L, top);
  const char *end = text->text + text->length;
  Wanted w = {end - out->typed, out};
  for (size_t i = 0; kernel && i < sizeof settings / sizeof *settings; i++)
    offer(&w, settings[i]);
}

/* ---------------------------------------------------------------- interface */

static void complete_in(lua_State *L, const mt_Str *text, const char *before,
                        mt_Choices *out) {
  mt_LuaOpen open;
  mt_lua_brackets(text->text, text->length, &open);
  const mt_LuaToken *t = &open.last;
  bool blank = before[strspn(before, " \t")] == '\0';
  if (!t->closed && t->part == MT_LUA_STRING) {
    complete_string(L, text, t, out);
  } else if (!t->closed && t->part == MT_LUA_LONG) { /* a kernel's source */
    mt_complete_msl(L, text->text + t->inner, "", out);
  } else if (!t->closed || (blank && text->length > 0)) {
    out->indent = true;
  } else {
    complete_name(L, text->text, out);
    bool bare =
        mt_name_start(before, strlen(before)) + out->typed == strlen(before);
    if (bare) offer_settings(L, text, &open, out);
  }
}

void mt_complete(void *context, const char *before, mt_Choices *out) {
  mt_Typing *typing = context;
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, mt_str_text(typing->above));
  mt_str_add(&text, before);
  if (!text.failed) complete_in(typing->L, &text, before, out);
  mt_choices_sort(out);
  mt_str_free(&text);
}
