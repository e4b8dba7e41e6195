/*
** includes.c - the files that a source includes, before and after Clang.
**
** The one idea: only Clang knows which #include is active, so it lists the
** files it has read (-H), and a file that a source may not include
** (base/files/include_policy.h) is refused then, before any of its text is
** shown. But a pipe must be found before Clang blocks on it: every name in a
** directive is looked up beforehand (msl/clang/named_files.h). Nor does
** __has_include tell a source which other files exist.
*/
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/advice.h"
#include "base/files/file.h"
#include "base/files/include_policy.h"
#include "msl/clang/clang.h"
#include "msl/clang/named_files.h"
#include "msl/module.h"

static mt_IncludePolicy nearby(const mt_MslOptions *o) {
  return (mt_IncludePolicy){o->file, o->include_dirs, o->include_dir_count};
}

/* ------------------------------------------------------------------- before */

bool mt_includes_before(mt_MslModule *m, const mt_MslOptions *o) {
  mt_NamedFiles *named = mt_named_files_new(m->source, m->length, o);
  mt_Place place = {0};
  const char *why = "out of memory";
  bool refused = named == NULL ||
                 mt_named_files_refused(named, &place.file, &place.line,
                                        &place.column, &why);
  if (refused) {
    place.file = place.file ? mt_scrap_text(m, "%s", place.file) : m->name;
    mt_diagnose(m, MT_ERROR_SEVERITY, place, mt_scrap_text(m, "%s", why), NULL);
  }
  mt_named_files_free(named);
  return !refused;
}

/* ----------------------------------------------------- the source for Clang */

/* The flags of a line marker, # 3 "file" 1: "a file begins". They are removed
** from a source that is already preprocessed: Clang does not read these
** files. */
static size_t marker_flags(const char *s, size_t n, size_t *at) {
  size_t i = strspn(s, " \t");
  if (i >= n || s[i] != '#') return 0;
  i += 1 + strspn(s + i + 1, " \t");
  size_t digits = strspn(s + i, "0123456789");
  const char *open = digits ? memchr(s + i, '"', n - i) : NULL, *close = open;
  do close = close ? memchr(close + 1, '"', n - (size_t)(close + 1 - s)) : NULL;
  while (close && close[-1] == '\\');
  if (close == NULL) return 0;
  *at = (size_t)(close + 1 - s);
  return n - *at;
}

/* 1: the file that Clang would find by this name may be included; -1: it may
** not; 0: there is none. */
static int is_found(const mt_MslOptions *o, const char *folder,
                    const char *name) {
  mt_IncludePolicy near = nearby(o);
  char path[PATH_MAX];
  struct stat st;
  mt_Error why;
  int n = name[0] == '/' ? snprintf(path, sizeof path, "%s", name)
                         : snprintf(path, sizeof path, "%s/%s", folder, name);
  if (n < 0 || (size_t)n >= sizeof path || stat(path, &st) != 0) return 0;
  return mt_include_allows(&near, path, &why) ? 1 : -1;
}

static bool is_foreign(const mt_MslOptions *o, const char *name) {
  char folder[PATH_MAX];
  mt_include_folder(o->file, folder, sizeof folder);
  int best = is_found(o, folder, name);
  for (size_t i = 0; best <= 0 && i < o->include_dir_count; i++) {
    int other = is_found(o, o->include_dirs[i], name);
    if (other) best = other;
  }
  return best < 0;
}

/* __has_include("name") at s: its length, and the name; 0: no such call. */
static size_t asks_for(mt_MslModule *m, const char *s, const char *end,
                       const char **name) {
  static const char word[] = "__has_include";
  const char *p = s + strlen(word);
  if ((size_t)(end - s) <= strlen(word) || memcmp(s, word, strlen(word)) != 0)
    return 0;
  while (p < end && strchr(" \t(", *p)) p++;
  const char *stop =
      p < end && (*p == '"' || *p == '<')
          ? memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1))
          : NULL;
  if (stop == NULL) return 0;
  *name = mt_scrap_text(m, "%.*s", (int)(stop - p - 1), p + 1);
  for (p = stop + 1; p < end && strchr(" \t", *p);) p++;
  return p < end && *p == ')' ? (size_t)(p + 1 - s) : 0;
}

static void add_line(mt_MslModule *m, const mt_MslOptions *o, const char *s,
                     const char *end, mt_Str *to) {
  while (s < end) {
    const char *name;
    size_t n = *s == '_' ? asks_for(m, s, end, &name) : 0;
    if (n == 0 || !is_foreign(o, name)) {
      mt_str_add_char(to, *s++);
      continue;
    }
    mt_str_addf(to, "%-*s", (int)n, "0");
    s += n;
  }
}

void mt_includes_add_source(mt_MslModule *m, const mt_MslOptions *o,
                            mt_Str *to) {
  const char *end = m->source + m->length;
  for (const char *s = m->source; s < end;) {
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    size_t n = (size_t)((stop ? stop : end) - s), at = n,
           flags = marker_flags(s, n, &at);
    if (memchr(s, '#', n))
      add_line(m, o, s, s + n - flags, to);
    else
      mt_str_add_bytes(to, s, n - flags);
    mt_str_add_char(to, '\n');
    s += n + 1;
  }
}

/* ----------------------------------------------------------- names of files */

/* The name in # 1 "name"; NULL: not a line marker. */
static const char *name_in_marker(const char *s, const char *end) {
  if (end - s < 4 || memcmp(s, "# ", 2) != 0 || s[2] < '0' || s[2] > '9')
    return NULL;
  s = memchr(s, '"', (size_t)(end - s));
  return s ? s + 1 : NULL;
}

/* The name in ". name", "In file included from name:2:" and "name:3:1: error",
** in Clang's messages. */
static const char *name_in_words(const char *s, const char *end) {
  static const char from[] = "In file included from ";
  const char *p = s;
  if ((size_t)(end - s) > strlen(from) && memcmp(s, from, strlen(from)) == 0)
    return s + strlen(from);
  while (p < end && *p == '.') p++;
  return p > s && p < end && *p == ' ' ? p + 1 : s;
}

typedef struct Folders {
  char named[PATH_MAX]; /* the source's, as the user named it */
  char here[PATH_MAX];  /* the current one */
} Folders;

/* Of a name that Clang found relative to the source's folder, or in a relative
** include folder that it was given as an absolute path: the length of the
** prefix to remove, and its replacement; 0: unchanged. */
static size_t other_folder(const mt_MslOptions *o, const Folders *f,
                           const char *name, size_t n, const char **instead) {
  size_t here = strlen(f->here);
  *instead = "";
  if (n > 2 && memcmp(name, "./", 2) == 0) {
    *instead = f->named;
    return 1;
  }
  if (n <= here + 1 || memcmp(name, f->here, here) != 0 || name[here] != '/')
    return 0;
  for (size_t i = 0; i < o->include_dir_count; i++) {
    size_t length = strlen(o->include_dirs[i]);
    if (o->include_dirs[i][0] != '/' && n > here + 1 + length &&
        memcmp(name + here + 1, o->include_dirs[i], length) == 0)
      return here + 1;
  }
  return 0;
}

void mt_includes_restore(const mt_MslOptions *o, bool words, mt_Str *text) {
  Folders f;
  mt_Str out = MT_STR_INIT;
  if (!mt_include_elsewhere(o->file, f.named, sizeof f.named) ||
      getcwd(f.here, sizeof f.here) == NULL)
    return;
  mt_include_folder(o->file, f.named, sizeof f.named);
  const char *end = mt_str_text(text) + text->length;
  for (const char *s = mt_str_text(text); s < end;) {
    const char *stop = memchr(s, '\n', (size_t)(end - s)), *instead = "";
    if (stop == NULL) stop = end;
    const char *name = words ? name_in_words(s, stop) : name_in_marker(s, stop);
    size_t gone =
        name ? other_folder(o, &f, name, (size_t)(stop - name), &instead) : 0;
    if (gone) {
      mt_str_add_bytes(&out, s, (size_t)(name - s));
      mt_str_add(&out, instead);
      s = name + gone;
    }
    mt_str_add_bytes(&out, s, (size_t)(stop - s) + (stop < end));
    s = stop + 1;
  }
  out.failed = out.failed || text->failed;
  mt_str_free(text);
  *text = out;
}

/* -------------------------------------------------------------------- after */

/* The line that included 'path', found by its line marker in the preprocessed
** text. */
static mt_Place place_of(mt_MslModule *m, const char *path) {
  mt_Place place = {m->name, 0, 0};
  const char *text = mt_str_text(&m->preprocessed),
             *end = text + m->preprocessed.length;
  const char *file = m->name;
  unsigned line = 1, next;
  for (const char *s = text; s < end;) {
    const char *stop = memchr(s, '\n', (size_t)(end - s)), *entered = file;
    if (stop == NULL) stop = end;
    if (mt_map_marker(m, s, stop, &next, &entered)) {
      if (next == 1 && strcmp(entered, path) == 0)
        return (mt_Place){file, line, 1};
      file = entered, line = next;
    } else
      line++;
    s = stop + 1;
  }
  return place;
}

/* Admits a file that was read, so that diagnostics may show it, or refuses
** it. */
static bool admit(mt_MslModule *m, const mt_MslOptions *o, const char *path) {
  mt_IncludePolicy near = nearby(o);
  mt_Error why;
  if (mt_clang_is_header(path)) return true;
  if (mt_include_allows(&near, path, &why)) {
    mt_map_admit(m, path);
    return true;
  }
  mt_diagnose(m, MT_ERROR_SEVERITY, place_of(m, path), why.text, NULL);
  return false;
}

/* A file that __has_include found in a header or by a macro, where it could not
** be replaced by 0: an error if the source may not include it. */
static bool may_be_asked_for(mt_MslModule *m, const mt_MslOptions *o,
                             const char *path) {
  char folder[PATH_MAX];
  mt_include_folder(o->file, folder, sizeof folder);
  if (mt_clang_is_header(path) || is_found(o, folder, path) >= 0) return true;
  mt_diagnose(m, MT_ERROR_SEVERITY, (mt_Place){m->name, 0, 0},
              mt_scrap_text(m,
                            "'%s' is not looked for: it is not in the source's "
                            "folder, nor in one that was given "
                            "(%s), nor a header beside them",
                            path, mt_advice()->include),
              NULL);
  return false;
}

/* "mettle-found: a.h more/a\ b.h \": each line but the last ends with a
** backslash. */
static bool check_found(mt_MslModule *m, const mt_MslOptions *o,
                        const char *s) {
  mt_Str name = MT_STR_INIT;
  bool good = true;
  for (s += strlen(MT_CLANG_FOUND) + 1; good; s++) {
    bool escaped = (*s == '\\' && (s[1] == ' ' || s[1] == '#')) ||
                   (*s == '$' && s[1] == '$');
    bool goes_on = *s == '\\' && s[1] == '\n';
    if (escaped)
      mt_str_add_char(&name, *++s);
    else if (*s && *s != ' ' && *s != '\n' && !goes_on)
      mt_str_add_char(&name, *s);
    else {
      if (name.length) good = may_be_asked_for(m, o, mt_str_text(&name));
      mt_str_clear(&name);
      if (*s == '\0' || *s == '\n') break;
      s += goes_on;
    }
  }
  mt_str_free(&name);
  return good;
}

/* Removes the list at the end of the text and returns it; "": there is none. */
static const char *take_found(mt_MslModule *m) {
  static const char mark[] = "\n" MT_CLANG_FOUND ":";
  mt_Str *text = &m->preprocessed;
  size_t n = strlen(mark);
  for (size_t at = text->length; at-- > 0;) {
    if (text->text[at] != '\n' || text->length - at < n ||
        memcmp(text->text + at, mark, n) != 0)
      continue;
    const char *list = mt_scrap_text(m, "%s", text->text + at + 1);
    text->length = at + 1;
    text->text[text->length] = '\0';
    return list;
  }
  return "";
}

bool mt_includes_found(mt_MslModule *m, const mt_MslOptions *o) {
  const char *found = take_found(m);
  return found[0] == '\0' || check_found(m, o, found);
}

/* -H prints ". path", with one more dot for each level of nesting. */
bool mt_includes_after(mt_MslModule *m, const mt_MslOptions *o,
                       const char *said) {
  bool good = true;
  for (const char *s = said; *s && good;) {
    size_t n = strcspn(s, "\n"), dots = strspn(s, ".");
    if (dots && dots < n && s[dots] == ' ')
      good = admit(m, o,
                   mt_scrap_text(m, "%.*s", (int)(n - dots - 1), s + dots + 1));
    s += n + (s[n] == '\n');
  }
  return good;
}
