/*
** reader_choose.c - removes kernels and kernel bodies from a text.
**
** The one idea: for a large library Clang spends most of its time on code of
** kernels that are not used. They are removed from the text before Clang sees
** it, and line numbers are kept.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader.h"

static bool is_pragma(const mt_Lex *lex, const mt_Token *directive) {
  const char *s = lex->text + directive->at, *end = s + directive->length;
  for (s++; s < end && (*s == ' ' || *s == '\t'); s++) continue;
  return end - s >= 6 && memcmp(s, "pragma", 6) == 0;
}

/* Drops pragmas in a removed body: Clang would require a loop after them. Line
** markers stay. '*next' is the first directive not yet visited. */
static void drop_pragmas(mt_Lex *lex, uint32_t from, uint32_t to,
                         uint32_t *next) {
  for (; *next < lex->directive_count; ++*next) {
    mt_Token *t = &lex->directives[*next];
    if (t->at > to) return;
    if (t->at > from && is_pragma(lex, t)) t->instead = "";
  }
}

static void drop_tokens(mt_Lex *lex, uint32_t a, uint32_t b) {
  for (uint32_t i = a; i < b; i++) {
    lex->tokens[i].before = lex->tokens[i].behind = NULL;
    mt_lex_replace(lex, i, "");
  }
}

void mt_reading_headers(mt_Lex *lex, const mt_Reading *r) {
  uint32_t directive = 0;
  for (uint32_t i = 0; i < r->kernel_count; i++) {
    const mt_ReadKernel *k = &r->kernels[i];
    uint32_t close = k->instance ? 0 : lex->tokens[k->end].match;
    if (close <= k->end) continue;
    drop_pragmas(lex, lex->tokens[k->end].at, lex->tokens[close].at,
                 &directive);
    drop_tokens(lex, k->end + 1, close);
  }
}

static bool is_called(const mt_ReadKernel *k, const char *name) {
  return strcmp(k->host ? k->host : k->name, name) == 0;
}

/* template kernel void f<float>(…), named "f<float>": only Clang knows how it
** spells the type. */
static bool may_be_called(const mt_ReadKernel *k, const char *name) {
  size_t n = strlen(k->name);
  return k->instance && !k->host && strncmp(k->name, name, n) == 0 &&
         name[n] == '<';
}

/* Marks in 'found' which of the names the kernel may have. */
static bool is_one_of(const mt_ReadKernel *k, const char *const *names,
                      size_t count, bool *found) {
  bool is = false;
  for (size_t i = 0; i < count; i++)
    if (is_called(k, names[i]) || may_be_called(k, names[i]))
      is = found[i] = true;
  return is;
}

bool mt_reading_only(mt_Lex *lex, const mt_Reading *r,
                     const char *const *names, size_t count) {
  bool *found = calloc(count, sizeof *found), all = found != NULL;
  for (uint32_t i = 0; all && i < r->kernel_count; i++) {
    const mt_ReadKernel *k = &r->kernels[i];
    if (is_one_of(k, names, count, found)) continue;
    if (k->instance)
      drop_tokens(lex, k->first, k->end + 1);
    else if (k->head[0] == '\0')
      mt_lex_before(lex, k->first, " inline ");
  }
  for (size_t i = 0; i < count; i++) all = all && found[i];
  free(found);
  return all;
}
