/*
** named_files.c - the files that a source may include, see named_files.h.
*/
#include "msl/clang/named_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/include_policy.h"

#define MOST_FILES 2000
#define MAX_FILE (16u << 20)

typedef struct Named { /* a file that is to be scanned, or was */
  char *path;
  dev_t disk;
  ino_t file;
} Named;

typedef struct Place { /* of a name; 'file' NULL: the source */
  const char *file;
  unsigned line, column;
} Place;

struct mt_NamedFiles {
  const mt_MslOptions *o;
  Named named[MOST_FILES];
  size_t count;
  bool refused;
  Place place; /* of the name that is refused */
  mt_Error why;
  bool unknown; /* Clang may read other files, or a clock */
  mt_Key seen;
};

/* ---------------------------------------------------------------- the files */

/* a/../b.h is b.h */
static void add_file(mt_NamedFiles *f, const char *path,
                     const struct stat *st) {
  for (size_t i = 0; i < f->count; i++)
    if (f->named[i].disk == st->st_dev && f->named[i].file == st->st_ino)
      return;
  char *copy = f->count < MOST_FILES ? strdup(path) : NULL;
  if (copy) f->named[f->count++] = (Named){copy, st->st_dev, st->st_ino};
  else f->unknown = true;
}

/* One folder that Clang would search. */
static void look(mt_NamedFiles *f, Place place, const char *folder,
                 const char *name) {
  char path[PATH_MAX];
  struct stat st;
  mt_Error why;
  int n = name[0] == '/' ? snprintf(path, sizeof path, "%s", name)
                         : snprintf(path, sizeof path, "%s/%s", folder, name);
  if (n < 0 || (size_t)n >= sizeof path) return;
  bool there = stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
  mt_key_add_text(&f->seen, path);
  mt_key_add(&f->seen, &there, sizeof there);
  if (!there) return;
  if (!mt_include_is_file(path, &why)) {
    f->refused = true;
    f->place = place;
    f->why = why;
  } else
    add_file(f, path, &st);
}

static void look_everywhere(mt_NamedFiles *f, Place place, const char *name) {
  char folder[PATH_MAX];
  const mt_MslOptions *o = f->o;
  mt_include_folder(place.file ? place.file : o->file, folder, sizeof folder);
  look(f, place, folder, name);
  mt_include_folder(o->file, folder, sizeof folder);
  look(f, place, folder, name);
  for (size_t i = 0; i < o->include_dir_count && !f->refused; i++)
    look(f, place, o->include_dirs[i], name);
}

/* ---------------------------------------------------------------- the names */

/* All "…" and <…> names of a directive. */
static void scan_names(mt_NamedFiles *f, Place place, const char *text,
                       const char *end) {
  char name[PATH_MAX];
  for (const char *p = text; p < end && !f->refused; p++) {
    if (*p != '"' && *p != '<') continue;
    const char *stop =
        memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1));
    if (stop == NULL || stop == p + 1) continue;
    place.column = (unsigned)(p - text) + 1;
    snprintf(name, sizeof name, "%.*s", (int)(stop - p - 1), p + 1);
    look_everywhere(f, place, name);
    p = stop;
  }
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

static const char *find(const char *s, const char *end, const char *word) {
  size_t n = strlen(word);
  for (; (s = s < end ? memchr(s, word[0], (size_t)(end - s)) : NULL); s++)
    if ((size_t)(end - s) >= n && memcmp(s, word, n) == 0) return s;
  return NULL;
}

/* What follows an 'include' at 's' of a directive: is it a name as it stands,
** or nothing at all, as in #ifdef __has_include? */
static bool is_plain_name(const char *s, const char *end) {
  static const char next[] = "_next";
  if ((size_t)(end - s) > strlen(next) && memcmp(s, next, strlen(next)) == 0)
    s += strlen(next);
  if (s < end && is_word(*s)) return true; /* another word */
  while (s < end && strchr(" \t(", *s)) s++;
  return s == end || strchr("\"<)\r", *s);
}

/* A name that a macro makes is not seen here. */
static void look_for_macros(mt_NamedFiles *f, const char *s, const char *end) {
  static const char *const words[] = {"include", "import"};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    for (const char *p = s; (p = find(p, end, words[w])) != NULL;) {
      p += strlen(words[w]);
      if (!is_plain_name(p, end)) f->unknown = true;
    }
  if (end > s && end[-1] == '\\' && find(s, end, "include")) f->unknown = true;
}

static void scan_text(mt_NamedFiles *f, const char *file, const char *text,
                      size_t length) {
  unsigned line = 0;
  bool goes_on = false; /* the previous line ended with a backslash */
  for (const char *p = text, *end = text + length; p < end && !f->refused;) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (stop == NULL) stop = end;
    const char *word = p;
    line++;
    while (word < stop && strchr(" \t\v\f", *word)) word++;
    bool directive =
        goes_on ||
        (word < stop &&
         (*word == '#' || (word + 1 < stop && memcmp(word, "%:", 2) == 0)));
    const char *mark = find(word, stop, "#");
    if (directive || mark) scan_names(f, (Place){file, line, 1}, p, stop);
    /* a comment may stand before a directive */
    if (directive || (mark && find(p, mark, "*/"))) look_for_macros(f, p, stop);
    goes_on = directive && stop > p &&
              (stop[-1] == '\\' || (stop - p > 1 && stop[-2] == '\\'));
    p = stop + 1;
  }
  /* __DATE__, __TIME__, __TIMESTAMP__ */
  if (find(text, text + length, "__DATE__") ||
      find(text, text + length, "__TIME"))
    f->unknown = true;
}

static void scan_file(mt_NamedFiles *f, const char *path) {
  mt_Str text = MT_STR_INIT;
  if (mt_file_read(path, MAX_FILE, &text, NULL) == MT_OK) {
    mt_key_add(&f->seen, mt_str_text(&text), text.length);
    scan_text(f, path, mt_str_text(&text), text.length);
  } else
    f->unknown = true;
  mt_str_free(&text);
}

static void scan_defines(mt_NamedFiles *f) {
  for (size_t i = 0; i < f->o->define_count; i++) {
    const char *value = f->o->defines[i].value;
    if (value == NULL) continue;
    scan_names(f, (Place){NULL, 0, 0}, value, value + strlen(value));
    if (strstr(value, "__DATE__") || strstr(value, "__TIME") ||
        strstr(value, "_include"))
      f->unknown = true;
  }
}

/* ---------------------------------------------------------------- interface */

mt_NamedFiles *mt_named_files_new(const char *source, size_t length,
                                  const mt_MslOptions *o) {
  mt_NamedFiles *f = calloc(1, sizeof *f); /* too large for a stack */
  if (f == NULL) return NULL;
  f->o = o;
  f->seen = (mt_Key)MT_KEY_INIT;
  scan_text(f, NULL, source, length);
  scan_defines(f);
  for (size_t i = 0; i < f->count && !f->refused; i++)
    scan_file(f, f->named[i].path);
  return f;
}

void mt_named_files_free(mt_NamedFiles *f) {
  for (size_t i = 0; f && i < f->count; i++) free(f->named[i].path);
  free(f);
}

bool mt_named_files_refused(const mt_NamedFiles *f, const char **file,
                            unsigned *line, unsigned *column,
                            const char **why) {
  *file = f->place.file;
  *line = f->place.line;
  *column = f->place.column;
  *why = f->why.text;
  return f->refused;
}

bool mt_named_files_add(const mt_NamedFiles *f, mt_Key *key) {
  mt_key_add(key, &f->seen, sizeof f->seen);
  return !f->unknown && !f->refused;
}

bool mt_named_files_has(const mt_NamedFiles *f, const char *path) {
  struct stat st;
  if (stat(path, &st) != 0) return false;
  for (size_t i = 0; i < f->count; i++)
    if (f->named[i].disk == st.st_dev && f->named[i].file == st.st_ino)
      return true;
  return false;
}
