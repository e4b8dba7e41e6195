/*
** plain.c - whether a source can do without a preprocessor.
**
** The one idea: most sources have no directives but pragmas, includes of
** Metal's own headers and macros for numbers. The reader takes such a source as
** it is typed, and one Clang less has to run.
*/
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "msl/clang/clang.h"
#include "msl/module.h"
#include "msl/reader/versions.h"

static bool is_metal_include(const char *s, size_t n) {
  char line[256];
  if (n >= sizeof line) return false;
  memcpy(line, s, n);
  line[n] = '\0';
  char name[128], rest = '\0';
  if (sscanf(line, "# include <%127[^>]>%c", name, &rest) < 1 &&
      sscanf(line, "#include <%127[^>]>%c", name, &rest) < 1)
    return false;
  if (strcmp(name, "metal_stdlib") == 0 || strcmp(name, "simd/simd.h") == 0)
    return true;
  char path[PATH_MAX]; /* checked on disk: not all of Apple's headers exist */
  int k = snprintf(path, sizeof path, "%s/%s", mt_clang_headers(), name);
  return strncmp(name, "metal_", 6) == 0 && k > 0 && (size_t)k < sizeof path &&
         mt_file_exists(path);
}

static bool is_pragma(const char *s, size_t n) {
  size_t i = 1;
  while (i < n && (s[i] == ' ' || s[i] == '\t')) i++;
  return n - i > 6 && memcmp(s + i, "pragma", 6) == 0 &&
         memchr(s, '\n', n) == NULL;
}

/* "#define TILE 16", "#define HALF (0.5 * SIZE)": numbers, operators and names
** in capitals. The reader does not need the value of such a macro; only an
** unsuffixed floating literal in it is made a float. NULL: not such a macro. */
static const char *simple_define(mt_Lex *lex, const mt_Token *d,
                                 unsigned *names) {
  const char *s = lex->text + d->at, *end = s + d->length;
  mt_Lex body;
  mt_LexError bad;
  mt_Str out = MT_STR_INIT;
  const char *made = NULL;
  if (d->length < 9 || strncmp(s, "#define ", 8) != 0) return NULL;
  if (mt_lex_read(&body, s + 8, (size_t)(end - s - 8), &bad) != MT_OK)
    return NULL;
  bool call = body.count > 1 && mt_lex_is(&body, 1, "(") &&
              body.tokens[1].at == body.tokens[0].length;
  bool ok = body.count > 1 && !call && body.tokens[0].kind == MT_TOKEN_NAME;
  if (ok) ok = !mt_lex_is(&body, 0, "NDEBUG"); /* our headers test it */
  for (uint32_t i = 1; ok && i < body.count; i++) {
    const mt_Token *t = &body.tokens[i];
    const char *word = body.text + t->at;
    if (t->kind == MT_TOKEN_NUMBER) {
      char last = word[t->length - 1];
      bool fraction = memchr(word, '.', t->length) != NULL,
           hex = t->length > 1 && (word[1] == 'x' || word[1] == 'X');
      ok = last == 'f' || last == 'u' || hex || (last >= '0' && last <= '9') ||
           last == '.';
      if (!fraction && memchr(word, 'e', t->length) && !hex) ok = false;
      if (ok && fraction && last != 'f') mt_lex_behind(&body, i, "f");
    } else if (t->kind == MT_TOKEN_NAME && ++*names)
      for (uint32_t k = 0; k < t->length; k++)
        ok = ok && !(word[k] >= 'a' && word[k] <= 'z');
    else
      ok = ok && t->kind == MT_TOKEN_PUNCT && strchr("()+-*/%", word[0]) &&
           t->length == 1;
  }
  if (ok) mt_lex_write(&body, &out);
  if (ok) made = mt_lex_format(lex, "#define %s", mt_str_text(&out));
  mt_str_free(&out);
  mt_lex_free(&body);
  return made;
}

/* Names that the preprocessor would act on. */
static bool has_magic_word(const mt_Lex *lex) {
  static const char *const words[] = {"_Pragma",       "__LINE__",
                                      "__FILE__",      "__COUNTER__",
                                      "__has_include", "__constant"};
  for (uint32_t i = 0; i < lex->count; i++)
    for (size_t w = 0; lex->tokens[i].kind == MT_TOKEN_NAME &&
                       w < sizeof words / sizeof words[0];
         w++)
      if (mt_lex_is(lex, i, words[w])) return true;
  return false;
}

#define MOST_NAMES 32 /* in simple macros: expansion can grow exponentially */

bool mt_source_is_plain(mt_Lex *lex, const mt_MslOptions *o) {
  unsigned names = 0;
  if (o->define_count || has_magic_word(lex)) return false;
  /* the precompiled headers have the newest version's number */
  if (o->version && o->version != MT_MSL_NEWEST) return false;
  for (uint32_t i = 0; i < lex->directive_count; i++) {
    mt_Token *d = &lex->directives[i];
    const char *s = lex->text + d->at;
    if (is_metal_include(s, d->length))
      d->instead = "";
    else if (!is_pragma(s, d->length) &&
             (d->instead = simple_define(lex, d, &names)) == NULL)
      return false;
  }
  if (names > MOST_NAMES) return false;
  return memchr(lex->text, '\\', lex->length) == NULL;
}
