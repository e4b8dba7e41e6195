/*
** history.c - a list of strings and the file that stores it.
*/
#include "repl/line/history.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/files/user_file.h"
#include "base/str.h"

enum { ENTRY_LIMIT = 65536 }; /* bytes; a longer one is not kept in the file */

/* Of the process, as its file is of the user: each session adds to the same. */
static char *entries[MT_HISTORY_MAX];
static size_t count;

static bool history_path(char *path, size_t size) {
  const char *folder = mt_dir_state();
  if (folder == NULL) return false;
  int n = snprintf(path, size, "%s/history", folder);
  return n > 0 && (size_t)n < size;
}

/* Keep a copy of 'text'; the oldest is dropped when there are too many. */
static bool keep(const char *text) {
  if (text[strspn(text, " \t\n")] == '\0') return false;
  if (count > 0 && strcmp(entries[count - 1], text) == 0) return false;
  char *copy = strdup(text);
  if (copy == NULL) return false;
  if (count == MT_HISTORY_MAX) {
    free(entries[0]);
    memmove(entries, entries + 1, (count - 1) * sizeof *entries);
    count--;
  }
  entries[count++] = copy;
  return true;
}

/* -------------------------------------------------------------------- file */

static void escape(const char *text, mt_Str *out) {
  for (; *text; text++) {
    if (*text == '\n')
      mt_str_add(out, "\\n");
    else if (*text == '\\')
      mt_str_add(out, "\\\\");
    else
      mt_str_add_char(out, *text);
  }
  mt_str_add_char(out, '\n');
}

/* In place: the text only gets shorter. */
static void unescape(char *line) {
  char *to = line;
  for (char *from = line; *from; from++) {
    if (from[0] == '\\' && from[1] == 'n') {
      *to++ = '\n';
      from++;
    } else {
      if (from[0] == '\\' && from[1] == '\\') from++;
      *to++ = *from;
    }
  }
  *to = '\0';
}

/* A disk failure may leave zero bytes, which would end an entry: remove them to
** keep the text that follows. */
static void drop_zeros(char *text, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (text[i]) text[kept++] = text[i];
  text[kept] = '\0';
}

static size_t keep_lines(char *text, size_t n) {
  size_t lines = 0;
  char *rest = text;
  drop_zeros(text, n);
  for (char *line; (line = strsep(&rest, "\n")) != NULL; lines++) {
    unescape(line);
    keep(line);
  }
  return lines;
}

static void rewrite(const char *path) {
  mt_Str all = MT_STR_INIT;
  for (size_t i = 0; i < count; i++) escape(entries[i], &all);
  if (!all.failed)
    mt_user_file_save(path, mt_str_text(&all), all.length, 0600, false, NULL);
  mt_str_free(&all);
}

void mt_history_load(void) {
  char path[PATH_MAX];
  mt_Str all = MT_STR_INIT;
  if (!history_path(path, sizeof path)) return;
  if (mt_file_read(path, 0, &all, NULL) == MT_OK && all.length > 0) {
    chmod(path, 0600);
    if (keep_lines(all.text, all.length) > 2 * MT_HISTORY_MAX) rewrite(path);
  }
  mt_str_free(&all);
}

static void append(const char *text) {
  char path[PATH_MAX];
  mt_Str line = MT_STR_INIT;
  if (!history_path(path, sizeof path)) return;
  escape(text, &line);
  int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) {
    /* one write, so that lines of two consoles do not mix; errors are ignored:
    ** a full disk must not stop the console */
    if (!line.failed && write(fd, line.text, line.length) < 0) {
    }
    close(fd);
  }
  mt_str_free(&line);
}

/* ---------------------------------------------------------------- interface */

void mt_history_add(const char *text) {
  if (keep(text) && strlen(text) <= ENTRY_LIMIT) append(text);
}

size_t mt_history_count(void) { return count; }

const char *mt_history_at(size_t i) { return i < count ? entries[i] : NULL; }

void mt_history_free(void) {
  while (count > 0) free(entries[--count]);
}
