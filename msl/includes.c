/*
** includes.c - the files that a source includes, before and after Clang.
**
** The one idea: only Clang knows which #include counts, so it lists what it has
** read (-H), and a file that a source may not include (base/nearby.h) is
** refused then, before a word of it is shown. But a pipe must be found before
** Clang waits for it: every name in a directive is looked up beforehand, in the
** source and in the files that it names, whether the directive counts or not.
*/
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/nearby.h"
#include "msl/clang.h"
#include "msl/module.h"

#define MOST_FILES 2000
#define MAX_FILE (16u << 20)

static mt_Nearby nearby(const mt_MslOptions *o) {
  return (mt_Nearby){o->file, o->include_dirs, o->include_dir_count};
}

/* ------------------------------------------------------------------- before */

typedef struct Named { /* a file that is to be read, or was */
  const char *path;
  dev_t disk;
  ino_t file;
} Named;

typedef struct Scan {
  mt_MslModule *m;
  const mt_MslOptions *o;
  Named named[MOST_FILES];
  size_t count;
  bool refused;
} Scan;

/* a/../b.h is b.h */
static void add_file(Scan *s, const char *path, const struct stat *st) {
  if (s->count == MOST_FILES) return;
  for (size_t i = 0; i < s->count; i++)
    if (s->named[i].disk == st->st_dev && s->named[i].file == st->st_ino) return;
  s->named[s->count++] = (Named){mt_scrap_text(s->m, "%s", path), st->st_dev, st->st_ino};
}

/* One place where Clang would look. */
static void look(Scan *s, mt_Place place, const char *folder, const char *name) {
  char path[PATH_MAX];
  struct stat st;
  mt_Error why;
  int n = name[0] == '/' ? snprintf(path, sizeof path, "%s", name) : snprintf(path, sizeof path, "%s/%s", folder, name);
  if (n < 0 || (size_t)n >= sizeof path || stat(path, &st) != 0 || S_ISDIR(st.st_mode)) return;
  if (!mt_nearby_is_file(path, &why)) {
    mt_diagnose(s->m, MT_ERROR_SEVERITY, place, why.text, NULL);
    s->refused = true;
  } else
    add_file(s, path, &st);
}

static void look_everywhere(Scan *s, mt_Place place, const char *name) {
  char folder[PATH_MAX];
  mt_nearby_folder(place.file == s->m->name ? NULL : place.file, folder, sizeof folder);
  look(s, place, folder, name);
  mt_nearby_folder(s->o->file, folder, sizeof folder);
  look(s, place, folder, name);
  for (size_t i = 0; i < s->o->include_dir_count; i++) look(s, place, s->o->include_dirs[i], name);
}

/* All "names" and <names> of a directive. */
static void scan_names(Scan *s, mt_Place place, const char *text, const char *end) {
  for (const char *p = text; p < end && !s->refused; p++) {
    if (*p != '"' && *p != '<') continue;
    const char *stop = memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1));
    if (stop == NULL || stop == p + 1) continue;
    mt_Place at = place;
    at.column = (unsigned)(p - text) + 1;
    look_everywhere(s, at, mt_scrap_text(s->m, "%.*s", (int)(stop - p - 1), p + 1));
    p = stop;
  }
}

static void scan_text(Scan *s, const char *file, const char *text, size_t length) {
  unsigned line = 0;
  bool goes_on = false; /* the line before ended with a backslash */
  for (const char *p = text, *end = text + length; p < end && !s->refused;) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (stop == NULL) stop = end;
    const char *word = p;
    line++;
    while (word < stop && strchr(" \t\v\f", *word)) word++;
    bool directive = goes_on || (word < stop && (*word == '#' || (word + 1 < stop && memcmp(word, "%:", 2) == 0)));
    if (directive || memchr(word, '#', (size_t)(stop - word))) scan_names(s, (mt_Place){file, line, 1}, p, stop);
    goes_on = directive && stop > p && (stop[-1] == '\\' || (stop - p > 1 && stop[-2] == '\\'));
    p = stop + 1;
  }
}

static void scan_file(Scan *s, const char *path) {
  mt_Str text = MT_STR_INIT;
  if (mt_file_read(path, MAX_FILE, &text, NULL) == MT_OK) scan_text(s, path, mt_str_text(&text), text.length);
  mt_str_free(&text);
}

bool mt_includes_before(mt_MslModule *m, const mt_MslOptions *o) {
  static Scan s; /* console thread */
  s = (Scan){.m = m, .o = o};
  scan_text(&s, m->name, m->source, m->length);
  for (size_t i = 0; i < o->define_count; i++)
    if (o->defines[i].value)
      scan_names(&s, (mt_Place){m->name, 0, 0}, o->defines[i].value, o->defines[i].value + strlen(o->defines[i].value));
  for (size_t i = 0; i < s.count && !s.refused; i++) scan_file(&s, s.named[i].path);
  return !s.refused;
}

/* -------------------------------------------------------------------- after */

/* Where the preprocessed text says that 'path' was entered: the line before. */
static mt_Place place_of(mt_MslModule *m, const char *path) {
  mt_Place place = {m->name, 0, 0};
  const char *text = mt_str_text(&m->preprocessed), *end = text + m->preprocessed.length;
  const char *file = m->name;
  unsigned line = 1, next;
  for (const char *s = text; s < end;) {
    const char *stop = memchr(s, '\n', (size_t)(end - s)), *entered = file;
    if (stop == NULL) stop = end;
    if (mt_map_marker(m, s, stop, &next, &entered)) {
      if (next == 1 && strcmp(entered, path) == 0) return (mt_Place){file, line, 1};
      file = entered, line = next;
    } else
      line++;
    s = stop + 1;
  }
  return place;
}

static bool is_ours(const char *path) {
  const char *headers = mt_clang_headers();
  return headers[0] && strncmp(path, headers, strlen(headers)) == 0;
}

/* A file that was read: it may be shown from now on, or it is refused. */
static bool admit(mt_MslModule *m, const mt_MslOptions *o, const char *path) {
  mt_Nearby near = nearby(o);
  mt_Error why;
  if (is_ours(path)) return true;
  if (mt_nearby_allows(&near, path, &why)) {
    mt_map_admit(m, path);
    return true;
  }
  mt_diagnose(m, MT_ERROR_SEVERITY, place_of(m, path), why.text, NULL);
  return false;
}

/* ". path", one dot more for each that is nested. */
bool mt_includes_after(mt_MslModule *m, const mt_MslOptions *o, const char *said) {
  bool good = true;
  for (const char *s = said; *s && good;) {
    size_t n = strcspn(s, "\n"), dots = strspn(s, ".");
    if (dots && dots < n && s[dots] == ' ')
      good = admit(m, o, mt_scrap_text(m, "%.*s", (int)(n - dots - 1), s + dots + 1));
    s += n + (s[n] == '\n');
  }
  return good;
}
