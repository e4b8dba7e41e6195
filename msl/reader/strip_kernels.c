/*
** strip_kernels.c - removes kernels and kernel bodies from a text.
**
** The one idea: for a large library Clang spends most of its time on code of
** kernels that are not used. They are removed from the text before Clang sees
** it, and line numbers are kept.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/reader.h"

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
    lex->tokens[i].before = lex->tokens[i].after = NULL;
    mt_lex_replace(lex, i, "");
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

/* -------------------------------------------------- kernels named elsewhere */

static int by_name(const void *a, const void *b) {
  const mt_ReadKernel *x = *(const mt_ReadKernel *const *)a,
                      *y = *(const mt_ReadKernel *const *)b;
  return strcmp(x->name, y->name);
}

typedef struct Word {
  const char *text;
  size_t length;
} Word;

static int to_name(const void *key, const void *one) {
  const Word *w = key;
  const char *name = (*(const mt_ReadKernel *const *)one)->name;
  int order = strncmp(w->text, name, w->length);
  return order ? order : name[w->length] ? -1 : 0;
}

/* Mark in 'times' how often each of the names occurs in the text, by the place
** of a kernel with that name in 'sorted'. */
static void count_names(const mt_Lex *lex, const mt_ReadKernel **sorted,
                        size_t count, uint32_t *times) {
  for (uint32_t i = 0; i < lex->count; i++) {
    const mt_Token *t = &lex->tokens[i];
    if (t->kind != MT_TOKEN_NAME) continue;
    Word w = {lex->text + t->at, t->length};
    const mt_ReadKernel **at =
        bsearch(&w, sorted, count, sizeof *sorted, to_name);
    if (at) times[at - sorted]++;
  }
}

/* Which kernels does the text name once, where they are defined? No other
** function calls these. */
static void find_uncalled(const mt_Lex *lex, const mt_Reading *r,
                          bool *uncalled) {
  size_t n = r->kernel_count;
  const mt_ReadKernel **sorted = calloc(n + 1, sizeof *sorted);
  uint32_t *times = calloc(n + 1, sizeof *times);
  for (size_t i = 0; sorted && times && i < n; i++) sorted[i] = &r->kernels[i];
  if (sorted && times) {
    qsort(sorted, n, sizeof *sorted, by_name);
    count_names(lex, sorted, n, times);
    /* of several with one name, all occurrences are one's: none is once */
    for (size_t i = 0; i < n; i++)
      uncalled[sorted[i] - r->kernels] = times[i] == 1;
  }
  free(sorted);
  free(times);
}

/* ------------------------------------------------------------ some kernels */

/* Clang instantiates what the body of a function names, though it emits no
** code for it. */
static void drop_body(mt_Lex *lex, const mt_ReadKernel *k,
                      uint32_t *directive) {
  uint32_t close = lex->tokens[k->end].match;
  if (close <= k->end) return;
  drop_pragmas(lex, lex->tokens[k->end].at, lex->tokens[close].at, directive);
  drop_tokens(lex, k->end + 1, close);
}

void mt_reading_headers(mt_Lex *lex, const mt_Reading *r) {
  uint32_t directive = 0;
  for (uint32_t i = 0; i < r->kernel_count; i++)
    if (!r->kernels[i].instance) drop_body(lex, &r->kernels[i], &directive);
}

/* By name, the first of the text first. */
static int by_name_and_place(const void *a, const void *b) {
  const mt_ReadKernel *x = *(const mt_ReadKernel *const *)a,
                      *y = *(const mt_ReadKernel *const *)b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x > y) - (x < y);
}

bool mt_reading_first_instances(mt_Lex *lex, const mt_Reading *r) {
  size_t n = 0, dropped = 0;
  const mt_ReadKernel **sorted = calloc(r->kernel_count + 1, sizeof *sorted);
  for (uint32_t i = 0; sorted && i < r->kernel_count; i++)
    if (r->kernels[i].instance) sorted[n++] = &r->kernels[i];
  if (n) qsort(sorted, n, sizeof *sorted, by_name_and_place);
  for (size_t i = 1; i < n; i++)
    if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0) {
      drop_tokens(lex, sorted[i]->first, sorted[i]->end + 1);
      dropped++;
    }
  free(sorted);
  return dropped > 0;
}

static void drop_kernel(mt_Lex *lex, mt_ReadKernel *k, bool uncalled,
                        uint32_t *directive) {
  k->unwanted = !k->head[0];
  if (k->instance) {
    drop_tokens(lex, k->first, k->end + 1);
  } else if (k->head[0] == '\0') {
    mt_lex_before(lex, k->first, " inline ");
    if (uncalled) drop_body(lex, k, directive);
  }
}

/* ----------------------------------------------- code only where it is used */

static void put_first(mt_Lex *lex, uint32_t i, const char *text) {
  mt_Token *t = &lex->tokens[i];
  t->before = t->before ? mt_lex_format(lex, "%s%s", text, t->before) : text;
}

/* For Clang a function with internal linkage has no code unless it is used. */
static const char push[] = "_Pragma(\"clang attribute push (__attribute__(("
                           "internal_linkage)), apply_to = function)\") ";

static void make_internal(mt_Lex *lex) {
  put_first(lex, 0, push);
  lex->tokens[lex->count].after = " _Pragma(\"clang attribute pop\") ";
}

void mt_reading_not_lazy(mt_Lex *lex) {
  lex->tokens[0].before += sizeof push - 1;
  lex->tokens[lex->count].after = NULL;
}

void mt_reading_lazy(mt_Lex *lex, const mt_Reading *r) {
  for (uint32_t i = 0; i < r->kernel_count; i++)
    if (!r->kernels[i].instance && !r->kernels[i].unwanted)
      put_first(lex, r->kernels[i].first, " __attribute__((used)) ");
  make_internal(lex);
}

static void add_part(mt_Str *out, const char *text) {
  for (; text && *text; text++)
    mt_str_add_char(out, *text == '\n' || *text == '\r' ? ' ' : *text);
}

/* The tokens with their edits, on one line. */
static void add_tokens(mt_Lex *lex, uint32_t a, uint32_t b, uint32_t renamed,
                       mt_Str *out) {
  for (uint32_t i = a; i < b; i++) {
    const mt_Token *t = &lex->tokens[i];
    add_part(out, t->before);
    if (i == renamed) mt_str_add(out, MT_SIGNATURE_PREFIX);
    add_part(out, t->instead ? t->instead : mt_lex_text(lex, i, i + 1));
    add_part(out, t->after);
    mt_str_add_char(out, ' ');
  }
}

static void add_signature(mt_Lex *lex, const mt_ReadKernel *k, mt_Str *out) {
  mt_str_add(out, k->spaces);
  add_tokens(lex, k->start, k->end + 1, k->called, out);
  for (uint32_t d = 0; d <= k->depth; d++) mt_str_add(out, "}");
  mt_str_add_char(out, '\n');
}

bool mt_reading_signatures(mt_Lex *lex, const mt_Reading *r, mt_Str *out) {
  for (uint32_t i = 0; i < r->kernel_count; i++)
    if (r->kernels[i].instance || r->kernels[i].head[0] ||
        r->kernels[i].spaces == NULL)
      return false;
  for (uint32_t i = 0; i < r->kernel_count; i++)
    add_signature(lex, &r->kernels[i], out);
  make_internal(lex);
  return true;
}

/* ----------------------------------------------------------- chosen kernels */

bool mt_reading_only(mt_Lex *lex, mt_Reading *r,
                     const char *const *names, size_t count) {
  uint32_t directive = 0;
  bool *found = calloc(count, sizeof *found),
       *uncalled = calloc(r->kernel_count + 1, sizeof *uncalled),
       all = found && uncalled;
  if (all) find_uncalled(lex, r, uncalled);
  for (uint32_t i = 0; all && i < r->kernel_count; i++)
    if (!is_one_of(&r->kernels[i], names, count, found))
      drop_kernel(lex, &r->kernels[i], uncalled[i], &directive);
  for (size_t i = 0; i < count; i++) all = all && found[i];
  free(found);
  free(uncalled);
  return all;
}
