/*
** include.c - puts the person's headers into a source, as text.
**
** The walk goes line by line and knows just enough of C to tell a directive
** from a comment that looks like one. 'conditions' counts the #if around the
** place: a header with a guard that stood outside all of them need not be
** put in place a second time, which keeps headers that include each other
** from growing without bound.
*/
#include "devices/metal/include.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/files/include_policy.h"

#define MAX_DEPTH 64
#define MAX_TEXT (64u << 20)
#define MAX_PATH 4096

/* A header that was met; they stay until the end. */
typedef struct Header {
  struct Header *next;
  char path[MAX_PATH]; /* as it was first found */
  dev_t disk;          /* and which file that is: a/../b.h is b.h */
  ino_t file;
  mt_Str text;
  unsigned number; /* names its guard */
  bool once;       /* #pragma once */
  bool guarded;    /* #ifndef X, #define X, … #endif around everything */
  bool placed;     /* is in the text, outside all conditions */
  unsigned open;   /* how often it is being read just now */
} Header;

typedef struct Include {
  const mt_CompileOptions *options;
  mt_Str *out;
  mt_Error *err;
  Header *headers;
  unsigned depth;
} Include;

/* A line of text, and what follows it. */
typedef struct Lines {
  const char *at, *end; /* what is still to be read */
  const char *line;     /* the line just read, */
  size_t length;        /* continuations and newline included */
  unsigned number;      /* of its first row, from 1 */
  unsigned rows;        /* it spans */
  bool in_comment;      /* at its start */
  bool comment_open;    /* at its end */
} Lines;

/* ------------------------------------------------------------------ lines */

static bool continues(const char *start, const char *newline) {
  while (newline > start && newline[-1] == '\r') newline--;
  return newline > start && newline[-1] == '\\';
}

/* Does a comment that starts in 'line' stay open after it? */
static bool comment_after(const char *line, const char *end, bool open) {
  const char *p = line;
  while (p < end) {
    if (open) {
      open = !(p[0] == '*' && p + 1 < end && p[1] == '/');
      p += open ? 1 : 2;
    } else if (*p == '\'' && p > line && isalnum((unsigned char)p[-1])) {
      p++; /* 1'000 */
    } else if (*p == '"' || *p == '\'') {
      char quote = *p++;
      while (p < end && *p != quote && *p != '\n') p += *p == '\\' ? 2 : 1;
      p++;
    } else if (*p == '/' && p + 1 < end && p[1] == '/') {
      return false;
    } else if (*p == '/' && p + 1 < end && p[1] == '*') {
      open = true;
      p += 2;
    } else {
      p++;
    }
  }
  return open;
}

static bool next_line(Lines *l) {
  l->number += l->rows;
  l->rows = 0;
  l->line = l->at;
  while (l->at < l->end) {
    const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
    l->at = newline ? newline + 1 : l->end;
    l->rows++;
    if (newline == NULL || !continues(l->line, newline)) break;
  }
  l->length = (size_t)(l->at - l->line);
  l->in_comment = l->comment_open;
  l->comment_open = comment_after(l->line, l->at, l->in_comment);
  return l->length > 0;
}

/* -------------------------------------------------------------- directives */

static const char *skip_space(const char *p, const char *end) {
  for (;;) {
    if (p < end && (*p == ' ' || *p == '\t')) p++;
    else if (p + 1 < end && *p == '\\' && (p[1] == '\n' || p[1] == '\r'))
      p += 2;
    else if (p + 1 < end && p[0] == '/' && p[1] == '*') {
      for (p += 2; p + 1 < end && !(p[0] == '*' && p[1] == '/');) p++;
      p = p + 1 < end ? p + 2 : end;
    } else return p;
  }
}

static const char *skip_word(const char *p, const char *end) {
  while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
  return p;
}

/* The directive's word, and where its rest starts; false if it is none. */
static bool directive(const Lines *l, char word[16], const char **rest) {
  const char *end = l->line + l->length, *p = skip_space(l->line, end);
  if (l->in_comment || p == end || *p != '#') return false;
  p = skip_space(p + 1, end);
  const char *stop = skip_word(p, end);
  snprintf(word, 16, "%.*s", (int)(stop - p < 16 ? stop - p : 15), p);
  *rest = skip_space(stop, end);
  return true;
}

/* The word at 'p' is 'text'? */
static bool word_is(const char *p, const char *end, const char *text) {
  size_t n = (size_t)(skip_word(p, end) - p);
  return n == strlen(text) && memcmp(p, text, n) == 0;
}

static bool is_once(const char *word, const char *rest, const char *end) {
  return strcmp(word, "pragma") == 0 && word_is(rest, end, "once");
}

/* How a directive changes the number of open #if. */
static int nesting(const char *word) {
  if (strncmp(word, "if", 2) == 0) return 1;
  return strcmp(word, "endif") == 0 ? -1 : 0;
}

/* ----------------------------------------------------------------- headers */

/* Read #pragma once and the #ifndef that spans the whole header. */
static void find_guard(Header *h) {
  Lines l = {
      .at = h->text.text, .end = h->text.text + h->text.length, .number = 1};
  char word[16], name[256] = "";
  const char *rest;
  int open = 0, seen = 0;
  bool spans = true;
  while (h->text.length && next_line(&l)) {
    const char *end = l.line + l.length;
    if (!directive(&l, word, &rest)) {
      const char *p = skip_space(l.line, end);
      bool empty = l.in_comment || p == end || *p == '\n' || *p == '\r' ||
                   (p + 1 < end && p[0] == '/' && p[1] == '/');
      if (!empty && open == 0) spans = false; /* code outside the guard */
      continue;
    }
    if (is_once(word, rest, end)) {
      h->once = true;
      continue;
    }
    if (open == 0 && seen > 0) spans = false; /* a second #if */
    open += nesting(word);
    if (seen == 0) {
      spans = spans && strcmp(word, "ifndef") == 0;
      snprintf(name, sizeof name, "%.*s", (int)(skip_word(rest, end) - rest),
               rest);
    }
    if (seen == 1)
      spans = spans && strcmp(word, "define") == 0 && word_is(rest, end, name);
    seen++;
  }
  h->guarded = spans && seen >= 3 && open == 0;
}

static Header *known_header(Include *in, const struct stat *s) {
  for (Header *h = in->headers; h; h = h->next)
    if (h->disk == s->st_dev && h->file == s->st_ino) return h;
  return NULL;
}

static mt_Status read_header(Include *in, const char *path, Header **out) {
  struct stat file = {0};
  stat(path, &file);
  *out = known_header(in, &file);
  if (*out) return MT_OK;
  Header *h = calloc(1, sizeof *h);
  if (h == NULL) return mt_error(in->err, MT_FAIL, "not enough memory");
  snprintf(h->path, sizeof h->path, "%s", path);
  h->disk = file.st_dev;
  h->file = file.st_ino;
  h->number = in->headers ? in->headers->number + 1 : 1;
  h->next = in->headers;
  in->headers = h;
  mt_Status status = mt_file_read(path, MAX_TEXT, &h->text, in->err);
  if (status == MT_OK && memchr(mt_str_text(&h->text), '\0', h->text.length))
    status = mt_error(in->err, MT_BADARG,
                      "%s holds a NUL byte: it is not a header", path);
  if (status == MT_OK) find_guard(h);
  *out = h;
  return status;
}

static bool there(char path[MAX_PATH], const char *folder, size_t length,
                  const char *name) {
  int n = length
              ? snprintf(path, MAX_PATH, "%.*s/%s", (int)length, folder, name)
              : snprintf(path, MAX_PATH, "%s", name);
  return n < MAX_PATH && mt_file_exists(path);
}

/* Is 'name' in the folder of the file 'beside' (NULL: typed)? */
static bool there_beside(char path[MAX_PATH], const char *beside,
                         const char *name) {
  const char *slash = beside ? strrchr(beside, '/') : NULL;
  size_t folder = slash == NULL     ? 0
                  : slash == beside ? 1
                                    : (size_t)(slash - beside);
  return there(path, beside, folder, name);
}

/* Where the header 'name' is, as seen from the file 'from' (NULL: typed):
** beside it, beside the source, or in a folder that was given; as Clang looks
** on the host device. */
static bool locate(const Include *in, const char *from, const char *name,
                   bool quoted, char path[MAX_PATH]) {
  if (name[0] == '/') return there(path, "", 0, name);
  if (quoted && (there_beside(path, from, name) ||
                 there_beside(path, in->options->file, name)))
    return true;
  for (size_t i = 0; i < in->options->include_dir_count; i++) {
    const char *dir = in->options->include_dirs[i];
    if (there(path, dir, strlen(dir), name)) return true;
  }
  return false;
}

/* The name in "…" or <…> at 'p'; false if it is a macro, or too long. */
static bool header_name(const char *p, const char *end, char name[MAX_PATH],
                        bool *quoted) {
  if (p == end || (*p != '"' && *p != '<')) return false;
  *quoted = *p == '"';
  const char *stop = memchr(p + 1, *quoted ? '"' : '>', (size_t)(end - p - 1));
  if (stop == NULL || stop == p + 1 || stop - p >= MAX_PATH) return false;
  snprintf(name, MAX_PATH, "%.*s", (int)(stop - p - 1), p + 1);
  return strchr(name, '\n') == NULL;
}

/* ---------------------------------------------------------------- the text */

static mt_Status add_text(Include *in, const char *file, const char *text,
                          size_t length, unsigned conditions);

/* In the form of a preprocessor's own output, which says more than #line: that
** a header begins or is over. So the compiler treats it as a header. */
static void add_marker(Include *in, unsigned line, const char *file,
                       const char *flag) {
  mt_str_addf(in->out, "# %u \"", line);
  for (const char *p = file ? file : "program_source"; *p; p++) {
    if (*p == '"' || *p == '\\') mt_str_add_char(in->out, '\\');
    mt_str_add_char(in->out, *p);
  }
  mt_str_addf(in->out, "\"%s\n", flag);
}

static mt_Status add_header(Include *in, Header *h, const char *from,
                            unsigned conditions) {
  bool sole = h->once || h->guarded;
  /* its guard would leave nothing */
  if (sole && (h->placed || h->open)) return MT_OK;
  if (in->depth == MAX_DEPTH || h->open > 16)
    return mt_error(
        in->err, MT_BADARG,
        "%s includes itself without end: begin it with #pragma once", h->path);
  if (h->once)
    mt_str_addf(in->out, "#ifndef mettle_once_%u\n#define mettle_once_%u\n",
                h->number, h->number);
  add_marker(in, 1, h->path, " 1");
  in->depth++;
  h->open++;
  /* its own guard is not a condition that could leave it out */
  mt_Status status =
      add_text(in, h->path, mt_str_text(&h->text), h->text.length,
               conditions - (h->guarded ? 1 : 0));
  h->open--;
  in->depth--;
  add_marker(in, 1, from, " 2");
  if (h->once) mt_str_add(in->out, "#endif\n");
  if (sole && conditions == 0) h->placed = true;
  return status;
}

/* The header asked for in a line, or the line itself if it is not ours. */
static mt_Status include_line(Include *in, const char *file, const Lines *l,
                              const char *rest, unsigned conditions) {
  char name[MAX_PATH], path[MAX_PATH];
  bool quoted;
  Header *h;
  mt_IncludePolicy near = {in->options->file, in->options->include_dirs,
                    in->options->include_dir_count};
  mt_Error why;
  bool found = header_name(rest, l->line + l->length, name, &quoted) &&
               locate(in, file, name, quoted, path);
  bool allowed = !found || mt_include_allows(&near, path, &why);
  if (!allowed && conditions == 0)
    return mt_error(in->err, MT_BADARG, "%s:%u:1: error: %s",
                    file ? file : "program_source", l->number, why.text);
  if (!found || !allowed) { /* perhaps no condition asks for it */
    mt_str_add_bytes(in->out, l->line, l->length);
    return MT_OK;
  }
  mt_Status status = read_header(in, path, &h);
  if (status == MT_OK) status = add_header(in, h, file, conditions);
  add_marker(in, l->number + l->rows - l->comment_open, file, "");
  if (l->comment_open) mt_str_add(in->out, "/*\n"); /* it began in this line */
  return status;
}

static mt_Status add_text(Include *in, const char *file, const char *text,
                          size_t length, unsigned conditions) {
  Lines l = {.at = text, .end = text + length, .number = 1};
  char word[16];
  const char *rest;
  while (next_line(&l)) {
    mt_Status status = MT_OK;
    bool is_directive = directive(&l, word, &rest);
    if (is_directive) conditions += (unsigned)nesting(word);
    if (is_directive &&
        (strcmp(word, "include") == 0 || strcmp(word, "import") == 0))
      status = include_line(in, file, &l, rest, conditions);
    else if (is_directive && is_once(word, rest, l.line + l.length))
      /* there is one file now, and a guard instead */
      mt_str_add(in->out, "\n");
    else
      mt_str_add_bytes(in->out, l.line, l.length);
    if (status != MT_OK) return status;
    if (in->out->length > MAX_TEXT)
      return mt_error(in->err, MT_BADARG,
                      "with its headers the source is longer than %u MB",
                      MAX_TEXT >> 20);
  }
  if (length && text[length - 1] != '\n') mt_str_add_char(in->out, '\n');
  return MT_OK;
}

mt_Status mt_metal_include(const char *source, size_t length,
                           const mt_CompileOptions *options, mt_Str *out,
                           mt_Error *err) {
  Include in = {.options = options, .out = out, .err = err};
  if (options->file) add_marker(&in, 1, options->file, "");
  mt_Status status = add_text(&in, options->file, source, length, 0);
  for (Header *h = in.headers, *next; h; h = next) {
    next = h->next;
    mt_str_free(&h->text);
    free(h);
  }
  if (status == MT_OK && out->failed)
    status = mt_error(err, MT_FAIL, "not enough memory for the source");
  return status;
}
