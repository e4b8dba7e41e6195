/*
** own.c - names of the library that the source gives to something else.
**
** The reader treats a few names of the library apart: it takes no part of the
** arguments of select for a bool vector, and every vec<T, N> for a vector. The
** one idea: such a name is the library's only as long as the source declares
** nothing with it. Which names it declares is seen before all else is read;
** headers of the library that Clang has put into the text declare none.
*/
#include <string.h>

#include "msl/reader/parts.h"

/* In the order of mt_LibraryName. */
static const char *const names[MT_LIBRARY_NAMES] = {
    "any",      "all",      "select",  "assert",
    "coherent", "matmul2d", "vec",     "is_function_constant_defined"};

static bool is_one(const mt_Lex *lex, uint32_t i, const char *const *words) {
  for (; *words; words++)
    if (mt_lex_is(lex, i, *words)) return true;
  return false;
}

/* Does an expression go on, not a declaration, at the name after token 'i'? */
static bool is_keyword(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {
      "return", "else",     "case", "do",  "goto",  "sizeof", "and", "or",
      "not",    "co_yield", "new",  "xor", "throw", "delete", NULL};
  return is_one(lex, i, words);
}

/* volatile coherent(system) device uint *p: no function, but the library's word
** with the scope in which it holds. */
static bool has_scope(const mt_Lex *lex, uint32_t i) {
  static const char *const scopes[] = {"system",    "device", "threadgroup",
                                       "simdgroup", "thread", NULL};
  return lex->tokens[i + 1].match == i + 3 && is_one(lex, i + 2, scopes);
}

/* T name(…) {, T &name(…) const: a function; before a '*' or a '>' it may be a
** call in an expression, unless a body follows. */
static bool is_function(const mt_Lex *lex, uint32_t i) {
  static const char *const results[] = {"*", "&", ">", "]", NULL};
  static const char *const bodies[] = {"{", "const", "noexcept", "->", NULL};
  if (!mt_lex_is(lex, i + 1, "(") || lex->tokens[i + 1].match == 0 ||
      has_scope(lex, i))
    return false;
  if (lex->tokens[i - 1].kind == MT_TOKEN_NAME) return !is_keyword(lex, i - 1);
  return is_one(lex, i - 1, results) &&
         is_one(lex, lex->tokens[i + 1].match + 1, bodies);
}

static bool is_type(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {"struct", "class",    "union",
                                      "enum",   "typename", "using", NULL};
  if (is_one(lex, i - 1, words)) return true;
  if (!mt_lex_is(lex, i + 1, ";")) return false;
  for (uint32_t k = i; k > 0 && i - k < 64; k--) {
    if (mt_lex_is(lex, k - 1, "typedef")) return true;
    if (mt_lex_is(lex, k - 1, ";") || mt_lex_is(lex, k - 1, "{") ||
        mt_lex_is(lex, k - 1, "}"))
      return false;
  }
  return false;
}

/* float3 name, T name = …, (device float *name) */
static bool is_variable(const mt_Lex *lex, uint32_t i) {
  static const char *const ends[] = {";", ",", "=", ")", "[", "{", ":", NULL};
  static const char *const marks[] = {"*", "&", ">", NULL};
  bool typed = lex->tokens[i - 1].kind == MT_TOKEN_NAME
                   ? !is_keyword(lex, i - 1)
                   : is_one(lex, i - 1, marks);
  return typed && is_one(lex, i + 1, ends);
}

static int library_name(const mt_Lex *lex, uint32_t i) {
  for (int k = 0; k < MT_LIBRARY_NAMES; k++)
    if (mt_lex_is(lex, i, names[k])) return k;
  return -1;
}

/* # 12 "file" 1 3: from here on the text is a system's header; without the 3
** it is the source's own. */
bool mt_read_is_library_text(const mt_Lex *lex, const mt_Token *d,
                             bool before) {
  const char *s = lex->text + d->at, *end = s + d->length;
  s += 1 + strspn(s + 1, " ");
  if (s >= end || *s < '0' || *s > '9') return before; /* another directive */
  while (end > s && end[-1] != '"')
    if (*--end == '3') return true;
  return false;
}

void mt_read_collect_own(mt_Reader *r) {
  const mt_Lex *lex = r->lex;
  bool library = false;
  for (uint32_t i = 1, d = 0; i < lex->count; i++) {
    for (; d < lex->directive_count &&
           lex->directives[d].at < lex->tokens[i].at; d++)
      library = mt_read_is_library_text(lex, &lex->directives[d], library);
    int k = lex->tokens[i].kind == MT_TOKEN_NAME ? library_name(lex, i) : -1;
    if (k < 0 || library) continue;
    if (is_type(lex, i) || is_function(lex, i)) r->own[k] = true;
    else if (is_variable(lex, i)) r->own_variable[k] = true;
  }
}

/* vec<float, in a text with a variable that is called vec */
static bool is_before_type(const mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t k = i + 2;
  if (!mt_lex_is(lex, i + 1, "<") || lex->tokens[k].kind != MT_TOKEN_NAME)
    return false;
  while (mt_lex_is(lex, k + 1, "::")) k += 2;
  return mt_lex_is(lex, k, "typename") || mt_lex_is(lex, k, "decltype") ||
         mt_read_is_type(r, k) || mt_read_is_scalar(lex, k);
}

bool mt_read_is_library(const mt_Reader *r, uint32_t i, mt_LibraryName name) {
  const mt_Lex *lex = r->lex;
  if (!mt_lex_is(lex, i, names[name])) return false;
  if (i > 1 && mt_lex_is(lex, i - 1, "::") && mt_lex_is(lex, i - 2, "metal"))
    return true;
  if (i > 0 && (mt_lex_is(lex, i - 1, ".") || mt_lex_is(lex, i - 1, "->")))
    return false;
  return !r->own[name] && (!r->own_variable[name] || is_before_type(r, i));
}

/* ---------------------------------------------------------------- any name */

static bool same_name(const mt_Lex *lex, uint32_t a, uint32_t b) {
  const mt_Token *s = &lex->tokens[a], *t = &lex->tokens[b];
  return t->kind == MT_TOKEN_NAME && s->length == t->length &&
         memcmp(lex->text + s->at, lex->text + t->at, s->length) == 0;
}

/* const bfloat), device bfloat [: a type without a name, no variable */
static bool is_after_qualifier(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {
      "const",    "constexpr", "volatile",    "static",    "typename",
      "device",   "constant",  "threadgroup", "thread",    "inline",
      "unsigned", "signed",    "ray_data",    "object_data", NULL};
  return is_one(lex, i - 1, words);
}

static bool is_declared(const mt_Lex *lex, uint32_t i) {
  if (mt_lex_is(lex, i - 1, "namespace")) return mt_lex_is(lex, i + 1, "{");
  if (is_type(lex, i)) return true;
  return !is_after_qualifier(lex, i) &&
         (is_function(lex, i) || is_variable(lex, i));
}

bool mt_read_is_own(const mt_Lex *lex, uint32_t name) {
  bool library = false;
  if (mt_lex_is(lex, name - 1, "::") && mt_lex_is(lex, name - 2, "metal"))
    return false;
  for (uint32_t i = 1, d = 0; i < lex->count; i++) {
    for (; d < lex->directive_count &&
           lex->directives[d].at < lex->tokens[i].at; d++)
      library = mt_read_is_library_text(lex, &lex->directives[d], library);
    if (!library && same_name(lex, name, i) && is_declared(lex, i)) return true;
  }
  return false;
}
