/*
** cache_limit.c - one limit for what the cache folder holds, see
** cache_limit.h.
**
** The one idea: looking through the folder costs more than writing a file, so
** it is done once for every LOOKS-th part of the limit that is written.
*/
#include "base/files/cache_limit.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/folders.h"


#define DEFAULT_MB 64
#define LOOKS 32

long long mt_cache_limit(void) {
  const char *asked = getenv("METTLE_CACHE_MB");
  long long megabytes = asked ? strtoll(asked, NULL, 10) : 0;
  return (megabytes > 0 && megabytes < 1 << 20 ? megabytes : DEFAULT_MB) << 20;
}

typedef struct Entry {
  char *path;
  long long time, size;
} Entry;

typedef struct List {
  Entry *entry;
  size_t count, room;
  long long bytes;
} List;

static void add(List *l, const char *path, const struct stat *st) {
  if (l->count == l->room) {
    size_t room = l->room * 2 + 64;
    Entry *more = realloc(l->entry, room * sizeof *more);
    if (!more) return;
    l->entry = more;
    l->room = room;
  }
  char *copy = strdup(path);
  if (!copy) return;
  l->entry[l->count++] =
      (Entry){copy, (long long)st->st_mtime, (long long)st->st_size};
  l->bytes += (long long)st->st_size;
}

static bool ends_in(const char *name, const char *with) {
  size_t n = strlen(name), k = strlen(with);
  return n > k && strcmp(name + n - k, with) == 0;
}

/* The files of the cache in 'in', and those of its folders. */
static void list(List *l, const char *in, bool inner) {
  DIR *d = opendir(in);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    char path[4400];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s/%s", in, e->d_name);
    if (e->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof path) continue;
    if (lstat(path, &st) != 0) continue;
    bool ours = inner ? ends_in(e->d_name, MT_CACHE_CODE)
                      : strncmp(e->d_name, MT_CACHE_CLANG,
                                strlen(MT_CACHE_CLANG)) == 0;
    if (S_ISREG(st.st_mode) && ours) add(l, path, &st);
    if (S_ISDIR(st.st_mode) && !inner) list(l, path, true);
  }
  if (d) closedir(d);
}

static int oldest_first(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

static void cut_down(const char *folder) {
  List l = {0};
  list(&l, folder, false);
  if (l.bytes > mt_cache_limit()) {
    qsort(l.entry, l.count, sizeof *l.entry, oldest_first);
    for (size_t i = 0; i < l.count && l.bytes > mt_cache_limit() / 2; i++)
      if (unlink(l.entry[i].path) == 0) l.bytes -= l.entry[i].size;
  }
  for (size_t i = 0; i < l.count; i++) free(l.entry[i].path);
  free(l.entry);
}

void mt_cache_written(size_t bytes) {
  /* Since the last look; starts at a different value in each process, as many
  ** write only once. */
  static long long written = -1;
  const char *folder = mt_dir_cache();
  if (written < 0)
    written = getpid() % LOOKS * (mt_cache_limit() / LOOKS / LOOKS);
  written += (long long)bytes;
  if (!folder || written < mt_cache_limit() / LOOKS) return;
  written = 0;
  cut_down(folder);
}
