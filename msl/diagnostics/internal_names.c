/*
** internal_names.c - keeps internal names of our headers and of the compiler
** out of messages.
**
** A message may only contain names from the source. For a type with an internal
** name Clang often gives the type it stands for ("'__vector' (aka 'float3')"),
** which is used instead; any other internal name becomes "a part of Metal's
** library".
*/
#include <ctype.h>
#include <string.h>

#include "msl/module.h"

static const char *const ours[] = {"__mt", "__msl"};

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Does the user's text contain this name? */
static bool is_written(const mt_MslModule *m, const char *name) {
  return strstr(m->source, name) || strstr(mt_str_text(&m->preprocessed), name);
}

/* The first internal name in s .. end-1, its length in '*n'; NULL: none. */
static const char *inner_name(mt_MslModule *m, const char *s, const char *end,
                              size_t *n) {
  for (const char *begin = s; s < end; s++) {
    if (!is_name(*s) || (s > begin && is_name(s[-1]))) continue;
    *n = 0;
    while (s + *n < end && is_name(s[*n])) (*n)++;
    const char *name = mt_scrap_text(m, "%.*s", (int)*n, s);
    bool inner = strncmp(name, "__", 2) == 0 || strncmp(name, "_Z", 2) == 0;
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++)
      inner = inner || strstr(name, ours[k]);
    if (inner && !is_written(m, name)) return s;
  }
  return NULL;
}

bool mt_message_has_internals(mt_MslModule *m, const char *text) {
  size_t n;
  return inner_name(m, text, text + strlen(text), &n) != NULL;
}

const char *mt_message_known_as(mt_MslModule *m, const char *message) {
  static const char aka[] = "' (aka '";
  mt_Str out = MT_STR_INIT;
  for (const char *s = message, *mark; *s; s = mark) {
    mark = strstr(s, aka);
    if (mark == NULL) {
      mt_str_add(&out, s);
      break;
    }
    const char *open = mark, *type = mark + strlen(aka),
               *end = strstr(type, "')");
    while (open > s && open[-1] != '\'') open--;
    size_t n;
    bool better =
        end && inner_name(m, open, mark, &n) && !inner_name(m, type, end, &n);
    if (!better) end = mark + 1;
    mt_str_add_bytes(&out, s, (size_t)((better ? open : end) - s));
    if (better) mt_str_addf(&out, "%.*s'", (int)(end - type), type);
    mark = better ? end + 2 : end;
  }
  const char *kept = mt_scrap_text(m, "%s", mt_str_text(&out));
  mt_str_free(&out);
  return kept;
}

/* The user's text that the reader replaced by s .. end-1; NULL: none. */
static const char *as_written(mt_MslModule *m, const char *s, const char *end) {
  static const char list[] = "__msl_list_of<", defined[] = "__msl_defined_";
  size_t n = (size_t)(end - s);
  if (n > strlen(list) && strncmp(s, list, strlen(list)) == 0 && end[-1] == '>')
    return mt_scrap_text(m, "'{%.*s}'", (int)(n - strlen(list) - 1),
                         s + strlen(list));
  if (n > strlen(defined) && strncmp(s, defined, strlen(defined)) == 0)
    return mt_scrap_text(m, "'%.*s'", (int)(n - strlen(defined)),
                         s + strlen(defined));
  return NULL;
}

const char *mt_message_plain(mt_MslModule *m, const char *message) {
  mt_Str out = MT_STR_INIT;
  size_t n;
  if (!mt_message_has_internals(m, message)) return message;
  for (const char *s = message; *s;) {
    const char *end = *s == '\'' ? strchr(s + 1, '\'') : NULL;
    if (end) {
      bool inner = inner_name(m, s + 1, end, &n) != NULL;
      const char *written = inner ? as_written(m, s + 1, end) : NULL;
      if (inner)
        mt_str_add(&out, written ? written : "a part of Metal's library");
      else mt_str_add_bytes(&out, s, (size_t)(end + 1 - s));
      s = end + 1;
      continue;
    }
    size_t length = 0;
    while (is_name(s[length])) length++;
    bool inner = length && inner_name(m, s, s + length, &n) != NULL;
    if (inner) mt_str_add(&out, "…");
    else mt_str_add_bytes(&out, s, length ? length : 1);
    s += length ? length : 1;
  }
  const char *kept = mt_scrap_text(m, "%s", mt_str_text(&out));
  mt_str_free(&out);
  return kept;
}
