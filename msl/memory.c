/*
** memory.c - memory that lives as long as a module.
*/
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msl/module.h"
#include "msl/pack.h"
#include "msl/reader/reader.h"

typedef struct mt_Scrap {
  struct mt_Scrap *next;
  _Alignas(16) char bytes[];
} Scrap;

void *mt_scrap(mt_MslModule *m, size_t size) {
  Scrap *s = calloc(1, sizeof *s + size + 1);
  if (s == NULL) return NULL;
  s->next = m->scraps;
  m->scraps = s;
  return s->bytes;
}

const char *mt_scrap_text(mt_MslModule *m, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  char *s = n >= 0 ? mt_scrap(m, (size_t)n + 1) : NULL;
  if (s) vsnprintf(s, (size_t)n + 1, fmt, again);
  va_end(again);
  va_end(args);
  return s ? s : "";
}

bool mt_grow(void *list, size_t count, size_t *room, size_t item) {
  if (count < *room) return true;
  size_t more = *room ? *room * 2 : 8;
  void *grown = realloc(*(void **)list, more * item);
  if (grown == NULL) return false;
  *(void **)list = grown;
  *room = more;
  return true;
}

void mt_msl_free(mt_MslModule *m) {
  if (m == NULL) return;
  for (struct mt_Scrap *s = m->scraps, *next; s; s = next) {
    next = s->next;
    free(s);
  }
  free(m->bitcode);
  free(m->kernels);
  free(m->constants);
  free(m->diagnostics);
  free(m->line_starts);
  free(m->line_files);
  free(m->line_numbers);
  mt_str_free(&m->log);
  mt_str_free(&m->preprocessed);
  mt_str_free(&m->text);
  if (m->reading) mt_reading_free(m->reading);
  free(m->reading);
  mt_lex_free(&m->lex);
  if (m->unpacked) mt_msl_unpacked_free(m->unpacked);
  free(m->unpacked);
  mt_str_free(&m->kept);
  free(m);
}
