/*
** map.c - the source map: from a location in Clang's input to the source as
** typed.
**
** Two steps back: the reader's edits (reader/lex.c has their source map), then
** preprocessing, for which the line markers give file and line. The column is
** found by aligning the tokens of the two lines (longest common subsequence): a
** token that is in both maps to itself, one from a macro to the macro's use.
*/
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "msl/module.h"

#define MAX_WORDS 160
#define MAX_FILE (16u << 20)

/* ------------------------------------------------------------- line markers */

bool mt_map_marker(mt_MslModule *m, const char *s, const char *end,
                   unsigned *line, const char **file) {
  if (s == end || *s != '#') return false;
  for (s++; s < end && *s == ' '; s++) continue;
  if (s == end || *s < '0' || *s > '9') return false;
  *line = (unsigned)strtoul(s, NULL, 10);
  const char *open = memchr(s, '"', (size_t)(end - s));
  if (open == NULL) return true;
  mt_Str name = MT_STR_INIT;
  for (s = open + 1; s < end && *s != '"'; s++) {
    if (*s == '\\' && s + 1 < end) s++;
    mt_str_add_char(&name, *s);
  }
  if (*file == NULL || strcmp(*file, mt_str_text(&name)) != 0)
    *file = mt_scrap_text(m, "%s", mt_str_text(&name));
  mt_str_free(&name);
  return true;
}

bool mt_map_lines(mt_MslModule *m) {
  const char *text = m->lex.text, *end = text + m->lex.length;
  size_t count = 1;
  for (const char *s = text; s < end; s++) count += *s == '\n';
  m->line_starts = calloc(count + 1, sizeof *m->line_starts);
  m->line_files = calloc(count + 1, sizeof *m->line_files);
  m->line_numbers = calloc(count + 1, sizeof *m->line_numbers);
  if (!m->line_starts || !m->line_files || !m->line_numbers) return false;
  const char *file = m->name;
  unsigned line = 1;
  for (const char *s = text; s <= end && m->line_count < count;) {
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    if (stop == NULL) stop = end;
    size_t i = m->line_count++;
    m->line_starts[i] = (uint32_t)(s - text);
    m->line_files[i] = file;
    m->line_numbers[i] = line;
    if (m->raw || !mt_map_marker(m, s, stop, &line, &file)) line++;
    s = stop + 1;
  }
  return true;
}

static size_t line_of(const mt_MslModule *m, uint32_t offset) {
  size_t low = 0, high = m->line_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (m->line_starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* -------------------------------------------------------------------- texts */

static mt_File *find_file(mt_MslModule *m, const char *name) {
  mt_File *f = m->files;
  while (f && strcmp(f->name, name) != 0) f = f->next;
  return f;
}

void mt_map_admit(mt_MslModule *m, const char *name) {
  mt_File *f = find_file(m, name) ? NULL : mt_scrap(m, sizeof *f);
  if (f == NULL) return;
  *f = (mt_File){
      .name = mt_scrap_text(m, "%s", name), .next = m->files, .unread = true};
  m->files = f;
}

const mt_File *mt_map_file(mt_MslModule *m, const char *name) {
  mt_File *f = find_file(m, name);
  if (f == NULL || !f->unread) return f;
  f->unread = false;
  mt_Str text = MT_STR_INIT;
  if (mt_file_read(name, MAX_FILE, &text, NULL) == MT_OK && text.length) {
    char *copy = mt_scrap(m, text.length);
    if (copy)
      memcpy(copy, text.text, text.length), f->text = copy,
                                            f->length = text.length;
  }
  mt_str_free(&text);
  return f;
}

const char *mt_text_line(const char *text, size_t length, unsigned line,
                         size_t *n) {
  const char *s = text, *end = text + length;
  for (; line > 1; line--) {
    s = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
    if (s == NULL) return NULL;
    s++;
  }
  const char *stop = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
  *n = (size_t)((stop ? stop : end) - s);
  if (*n && s[*n - 1] == '\r') (*n)--;
  return s;
}

/* ------------------------------------------------------------------ columns */

typedef struct Word {
  const char *s;
  unsigned n;
} Word;

static bool wordy(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

static size_t split(const char *s, size_t n, Word *out) {
  size_t count = 0;
  for (size_t i = 0; i < n && count < MAX_WORDS;) {
    if (s[i] == ' ' || s[i] == '\t') {
      i++;
      continue;
    }
    size_t k = i + 1;
    if (wordy(s[i]))
      while (k < n &&
             (wordy(s[k]) || (s[k] == '.' && s[i] >= '0' && s[i] <= '9')))
        k++;
    out[count++] = (Word){s + i, (unsigned)(k - i)};
    i = k;
  }
  return count;
}

static bool same(Word a, Word b) {
  return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

/* The column (from 0) in line 's' that corresponds to column 'at' of line
** 'p'. */
static size_t align(const char *p, size_t pn, const char *s, size_t sn,
                    size_t at) {
  static unsigned char longest[MAX_WORDS + 1][MAX_WORDS + 1];
  Word pw[MAX_WORDS], sw[MAX_WORDS];
  size_t np = split(p, pn, pw), ns = split(s, sn, sw);
  for (size_t i = np + 1; i-- > 0;)
    for (size_t j = ns + 1; j-- > 0;)
      if (i == np || j == ns)
        longest[i][j] = 0;
      else if (same(pw[i], sw[j]))
        longest[i][j] = (unsigned char)(longest[i + 1][j + 1] + 1);
      else
        longest[i][j] = longest[i + 1][j] > longest[i][j + 1]
                            ? longest[i + 1][j]
                            : longest[i][j + 1];
  size_t i = 0, j = 0, place = 0;
  while (i < np && (size_t)(pw[i].s - p) + pw[i].n <= at) {
    if (j < ns && same(pw[i], sw[j])) i++, j++;
    else if (j >= ns || longest[i + 1][j] >= longest[i][j + 1]) i++;
    else j++;
  }
  while (i < np && j < ns && !same(pw[i], sw[j]) &&
         longest[i][j + 1] > longest[i + 1][j])
    j++;
  if (i < np && j < ns && same(pw[i], sw[j])) {
    place = (size_t)(sw[j].s - s);
    size_t into = at > (size_t)(pw[i].s - p) ? at - (size_t)(pw[i].s - p) : 0;
    return place + (into < sw[j].n ? into : 0);
  }
  if (j >= ns) return ns ? (size_t)(sw[ns - 1].s - s) : 0;
  return (size_t)(sw[j].s - s);
}

/* ------------------------------------------------------------------- places */

mt_Place mt_map_offset(mt_MslModule *m, uint32_t offset) {
  if (offset > m->lex.length) offset = m->lex.length;
  size_t i = line_of(m, offset);
  mt_Place place = {m->line_files[i], m->line_numbers[i],
                    offset - m->line_starts[i] + 1};
  if (m->raw) return place;
  size_t n, sn;
  const char *line = m->lex.text + m->line_starts[i];
  const char *stop = memchr(line, '\n', m->lex.length - m->line_starts[i]);
  n = stop ? (size_t)(stop - line) : m->lex.length - m->line_starts[i];
  const mt_File *f = mt_map_file(m, place.file);
  const char *typed =
      f && f->text ? mt_text_line(f->text, f->length, place.line, &sn) : NULL;
  if (typed)
    place.column = (unsigned)align(line, n, typed, sn, place.column - 1) + 1;
  return place;
}

mt_Place mt_map_written(mt_MslModule *m, const mt_Lex *lex, const mt_Str *text,
                        unsigned line, unsigned column) {
  size_t n;
  const char *s = mt_text_line(mt_str_text(text), text->length, line, &n);
  if (s == NULL) return (mt_Place){m->name, 0, 0};
  size_t at = (size_t)(s - text->text) + (column ? column - 1 : 0);
  return mt_map_offset(m, mt_lex_origin(lex, (uint32_t)at));
}

mt_Place mt_map_generated(mt_MslModule *m, unsigned line, unsigned column) {
  return mt_map_written(m, &m->lex, &m->text, line, column);
}

/* Clang names a file as the line markers do, or without the name of its working
** directory. */
static const char *known_file(const mt_MslModule *m, const char *name) {
  for (size_t i = 0; i < m->line_count; i++) {
    const char *file = m->line_files[i];
    if ((i == 0 || file != m->line_files[i - 1]) &&
        mt_path_ends(file, name, strlen(name)))
      return file;
  }
  return m->name;
}

/* Debug information has lines as typed, because of the line markers, but
** columns of Clang's input: find the line of that text with this number. */
static unsigned typed_column(mt_MslModule *m, const char *of, unsigned line,
                             unsigned column) {
  const char *file = m->name, *text = mt_str_text(&m->text);
  const char *end = text + m->text.length;
  unsigned typed = 1, written = 1;
  for (const char *s = text; column && s < end; written++) {
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    if (stop == NULL) stop = end;
    if (!mt_map_marker(m, s, stop, &typed, &file)) {
      if (typed++ == line && column <= (size_t)(stop - s) + 1 &&
          strcmp(file, of) == 0) {
        mt_Place place = mt_map_generated(m, written, column);
        return place.line == line ? place.column : 0;
      }
    }
    s = stop + 1;
  }
  return 0;
}

const char *mt_msl_typed(mt_MslModule *m, const char **file, unsigned line,
                         unsigned *column, size_t *length) {
  mt_module_wake(m);
  const char *name = *file && line ? known_file(m, *file) : m->name;
  *column = typed_column(m, name, line, *column);
  *file = strcmp(name, m->name) == 0 ? NULL : name;
  const mt_File *f = *file ? mt_map_file(m, name) : NULL;
  *length = 0;
  return f && f->text ? mt_text_line(f->text, f->length, line, length) : NULL;
}

const char *mt_msl_main_of_many(const mt_MslModule *m) {
  if (m->asleep) return m->of_many ? m->name : NULL;
  for (size_t i = 0; i < m->line_count; i++)
    if (strcmp(m->line_files[i], m->name) != 0) return m->name;
  return NULL;
}

const char *mt_msl_text_of(mt_MslModule *m, const char *file, size_t *length) {
  const mt_File *f = mt_map_file(m, file);
  *length = f ? f->length : 0;
  return f ? f->text : NULL;
}
