/*
** answers.c - what a notebook asks beside running cells.
*/
#include "repl/notebook/answers.h"

#include <fnmatch.h>
#include <lauxlib.h>
#include <string.h>

#include "base/version.h"
#include "repl/console/console.h"
#include "repl/line/complete.h"
#include "repl/line/history.h"
#include "repl/lua/run.h"

/* Jupyter counts characters, Mettle bytes. */
static size_t bytes_of(const char *text, size_t characters) {
  size_t n = 0;
  while (text[n] && characters > 0) {
    n++;
    while (((unsigned char)text[n] & 0xc0) == 0x80) n++;
    characters--;
  }
  return n;
}

static size_t characters_of(const char *text, size_t bytes) {
  size_t n = 0;
  for (size_t i = 0; i < bytes && text[i]; i++)
    n += ((unsigned char)text[i] & 0xc0) != 0x80;
  return n;
}

static size_t cursor_in(const cJSON *asked, const char *code) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(asked, "cursor_pos");
  if (!cJSON_IsNumber(at) || at->valuedouble < 0) return strlen(code);
  return bytes_of(code, (size_t)at->valuedouble);
}

/* In Lua by the console's completion; in %%msl and %%task below their line. */
static void complete_in(mt_Notebook *nb, const char *code, size_t at,
                        mt_Choices *choices) {
  size_t line = at;
  while (line > 0 && code[line - 1] != '\n') line--;
  mt_Str above = MT_STR_INIT, before = MT_STR_INIT;
  mt_str_add_bytes(&above, code, line);
  mt_str_add_bytes(&before, code + line, at - line);
  bool lua = !mt_starts(code, "%%msl") && !mt_starts(code, "%%task");
  if (lua) {
    mt_Typing typing = {nb->L, &above};
    mt_complete(&typing, mt_str_text(&before), choices);
  } else if (line > 0) {
    size_t first = strcspn(code, "\n");
    mt_str_add(&above, mt_str_text(&before));
    mt_complete_msl(nb->L, mt_str_text(&above) + first, code + at, choices);
    mt_choices_sort(choices);
  }
  mt_str_free(&above);
  mt_str_free(&before);
}

void mt_notebook_complete(mt_Notebook *nb, const cJSON *asked) {
  const char *code = mt_json_text(asked, "code");
  size_t at = cursor_in(asked, code);
  mt_Choices choices = {0};
  complete_in(nb, code, at, &choices);
  cJSON *content = mt_notebook_reply("ok"), *matches = cJSON_CreateArray();
  for (size_t i = 0; i < choices.count; i++)
    cJSON_AddItemToArray(matches, cJSON_CreateString(choices.choices[i]));
  cJSON_AddItemToObject(content, "matches", matches);
  cJSON_AddNumberToObject(content, "cursor_start",
                          (double)characters_of(code, at - choices.typed));
  cJSON_AddNumberToObject(content, "cursor_end",
                          (double)characters_of(code, at));
  cJSON_AddObjectToObject(content, "metadata");
  mt_notebook_answer(nb, "complete_reply", content);
  mt_choices_free(&choices);
}

/* Help on what stands at the cursor, by lua/notebook/notebook.lua. */
void mt_notebook_inspect(mt_Notebook *nb, const cJSON *asked) {
  lua_State *L = nb->L;
  int top = lua_gettop(L);
  const char *code = mt_json_text(asked, "code");
  lua_pushstring(L, code);
  lua_pushinteger(L, (lua_Integer)cursor_in(asked, code));
  mt_notebook_clock(nb, true);
  bool found = mt_notebook_call(nb, "inspect", 2) && lua_isstring(L, -1);
  mt_notebook_clock(nb, false);
  cJSON *content = mt_notebook_reply("ok");
  cJSON_AddBoolToObject(content, "found", found);
  cJSON *data = cJSON_AddObjectToObject(content, "data");
  if (found) cJSON_AddStringToObject(data, "text/plain", lua_tostring(L, -1));
  cJSON_AddObjectToObject(content, "metadata");
  mt_notebook_answer(nb, "inspect_reply", content);
  lua_settop(L, top);
}

void mt_notebook_is_complete(mt_Notebook *nb, const cJSON *asked) {
  const char *code = mt_json_text(asked, "code");
  char call[32];
  bool magic = code[0] == '%';
  mt_Exit state = magic || mt_console_command(nb->L, code, call)
                      ? MT_EXIT_OK
                      : mt_run_cell_state(nb->L, code, strlen(code));
  cJSON *content = mt_notebook_reply(state == MT_EXIT_OK     ? "complete"
                                     : state == MT_EXIT_MORE ? "incomplete"
                                                             : "invalid");
  if (state == MT_EXIT_MORE) cJSON_AddStringToObject(content, "indent", "  ");
  mt_notebook_answer(nb, "is_complete_reply", content);
}

static size_t number_in(const cJSON *asked, const char *name,
                        size_t otherwise) {
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(asked, name);
  return cJSON_IsNumber(v) && v->valueint >= 0 ? (size_t)v->valueint
                                               : otherwise;
}

/* [session, line, text], or with [text, output]: outputs are not kept. */
static cJSON *history_entry(mt_Notebook *nb, size_t i, bool output) {
  cJSON *entry = cJSON_CreateArray();
  cJSON *text = cJSON_CreateString(mt_history_at(i));
  cJSON_AddItemToArray(entry, cJSON_CreateNumber(i >= nb->earlier));
  size_t line = i >= nb->earlier ? i - nb->earlier : i;
  cJSON_AddItemToArray(entry, cJSON_CreateNumber((double)line + 1));
  if (output) {
    cJSON *both = cJSON_CreateArray();
    cJSON_AddItemToArray(both, text);
    cJSON_AddItemToArray(both, cJSON_CreateNull());
    text = both;
  }
  cJSON_AddItemToArray(entry, text);
  return entry;
}

/* Is the entry typed once more, later? */
static bool comes_again(size_t i, size_t count) {
  for (size_t k = i + 1; k < count; k++)
    if (strcmp(mt_history_at(k), mt_history_at(i)) == 0) return true;
  return false;
}

/*
** The last n entries ("tail"), the last n that match ("search"), or lines of
** this session ("range"). Earlier sessions, and the console's, are one: 0.
*/
void mt_notebook_history(mt_Notebook *nb, const cJSON *asked) {
  const char *how = mt_json_text(asked, "hist_access_type");
  const char *pattern = mt_json_text(asked, "pattern");
  bool search = strcmp(how, "search") == 0, range = strcmp(how, "range") == 0;
  bool unique = mt_json_flag(asked, "unique", false);
  bool output = mt_json_flag(asked, "output", false);
  size_t count = mt_history_count(), most = number_in(asked, "n", count);
  size_t from = 0, to = count;
  if (range) {
    size_t first = number_in(asked, "start", 1);
    size_t stop = number_in(asked, "stop", count + 1);
    from = nb->earlier + (first ? first - 1 : 0);
    if (stop > 0 && nb->earlier + stop - 1 < to)
      to = nb->earlier + stop - 1;
    most = count;
  }
  cJSON *content = mt_notebook_reply("ok");
  cJSON *list = cJSON_AddArrayToObject(content, "history");
  for (size_t i = to; i > from && most > 0; i--) {
    if (search && fnmatch(pattern, mt_history_at(i - 1), 0) != 0) continue;
    if (unique && comes_again(i - 1, count)) continue;
    cJSON_InsertItemInArray(list, 0, history_entry(nb, i - 1, output));
    most--;
  }
  mt_notebook_answer(nb, "history_reply", content);
}

void mt_notebook_comm_info(mt_Notebook *nb, const cJSON *asked) {
  (void)asked;
  cJSON *content = mt_notebook_reply("ok");
  cJSON_AddObjectToObject(content, "comms");
  mt_notebook_answer(nb, "comm_info_reply", content);
}

/* There are no widgets here: a request to open one is told so. */
void mt_notebook_comm_open(mt_Notebook *nb, const cJSON *asked) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "comm_id", mt_json_text(asked, "comm_id"));
  cJSON_AddObjectToObject(content, "data");
  mt_jupyter_publish(nb->jupyter, nb->request.header, "comm_close", content);
}

cJSON *mt_notebook_kernel_info(void) {
  cJSON *content = mt_notebook_reply("ok");
  cJSON_AddStringToObject(content, "protocol_version", MT_JUPYTER_PROTOCOL);
  cJSON_AddStringToObject(content, "implementation", "mettle");
  cJSON_AddStringToObject(content, "implementation_version", MT_VERSION);
  cJSON_AddStringToObject(content, "banner",
                          "Mettle " MT_VERSION
                          ": Metal compute kernels, from "
                          "Lua. help() explains, Tab completes.");
  cJSON_AddFalseToObject(content, "debugger");
  cJSON_AddArrayToObject(content, "help_links");
  cJSON *language = cJSON_AddObjectToObject(content, "language_info");
  cJSON_AddStringToObject(language, "name", "lua");
  cJSON_AddStringToObject(language, "version",
                          LUA_VERSION_MAJOR "." LUA_VERSION_MINOR);
  cJSON_AddStringToObject(language, "mimetype", "text/x-lua");
  cJSON_AddStringToObject(language, "file_extension", ".lua");
  cJSON_AddStringToObject(language, "pygments_lexer", "lua");
  cJSON_AddStringToObject(language, "codemirror_mode", "lua");
  return content;
}
