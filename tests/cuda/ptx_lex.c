/*
** ptx_lex.c - the tokens of PTX (ptx_lex.h).
*/
#include "tests/cuda/ptx_lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool name_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip(Lex *x) {
  for (;;) {
    if (*x->at == '\n') {
      x->at++;
      x->line++;
      x->line_start = x->at;
    } else if (*x->at == ' ' || *x->at == '\t' || *x->at == '\r') {
      x->at++;
    } else if (x->at[0] == '/' && x->at[1] == '/') {
      while (*x->at != '\0' && *x->at != '\n') x->at++;
    } else if (x->at[0] == '/' && x->at[1] == '*') {
      for (x->at += 2; *x->at != '\0' && (x->at[0] != '*' || x->at[1] != '/');
           x->at++)
        if (*x->at == '\n') x->line++, x->line_start = x->at + 1;
      if (*x->at != '\0') x->at += 2;
    } else {
      return;
    }
  }
}

void lex_start(Lex *x, const char *text) {
  *x = (Lex){.text = text, .at = text, .line_start = text, .line = 1};
}

bool lex_is(const Lex *x, const char *word) {
  return strlen(word) == x->length && strncmp(x->start, word, x->length) == 0;
}

static Token done(Lex *x, Token t) {
  x->token = t;
  x->length = (uint32_t)(x->at - x->start);
  return t;
}

/* A float by its bits: 0f and 8 digits, 0d and 16. */
static bool float_bits(Lex *x) {
  const char *s = x->at;
  if (s[0] != '0' || strchr("fFdD", s[1]) == NULL || s[1] == '\0') return false;
  unsigned digits = s[1] == 'f' || s[1] == 'F' ? 8 : 16;
  uint64_t bits = 0;
  for (unsigned i = 0; i < digits; i++) {
    char c = s[2 + i];
    if (!isxdigit((unsigned char)c)) return false;
    bits = bits << 4 | (uint64_t)(isdigit((unsigned char)c)
                                      ? c - '0'
                                      : tolower((unsigned char)c) - 'a' + 10);
  }
  x->at += 2 + digits;
  x->value = bits;
  return true;
}

static Token number(Lex *x) {
  const char *s = x->at;
  x->decimal = false;
  if (float_bits(x))
    return done(x, s[1] == 'f' || s[1] == 'F' ? TK_F32 : TK_F64);
  const char *e = s;
  if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    x->value = strtoull(s, (char **)&e, 16);
  } else if (s[0] == '0' && (s[1] == 'b' || s[1] == 'B')) {
    x->value = strtoull(s + 2, (char **)&e, 2);
  } else {
    while (isdigit((unsigned char)*e)) e++;
    if (*e == '.' || *e == 'e' || *e == 'E') {
      double v = strtod(s, (char **)&e);
      memcpy(&x->value, &v, 8);
      x->decimal = true;
      x->at = e;
      return done(x, TK_F64);
    }
    x->value = strtoull(s, (char **)&e, s[0] == '0' ? 8 : 10);
  }
  if (*e == 'U' || *e == 'u') e++;
  x->at = e;
  if (name_char(*e)) return done(x, TK_BAD);
  return done(x, TK_INT);
}

Token lex_next(Lex *x) {
  skip(x);
  x->start = x->at;
  char c = *x->at;
  if (c == '\0') return done(x, TK_END);
  if (isdigit((unsigned char)c)) return number(x);
  if (c == '"') {
    for (x->at++; *x->at != '\0' && *x->at != '"'; x->at++)
      if (*x->at == '\\' && x->at[1] != '\0') x->at++;
    if (*x->at == '"') x->at++;
    return done(x, TK_STRING);
  }
  if (c == '.') {
    do x->at++;
    while (name_char(*x->at));
    return done(x, TK_DIRECTIVE);
  }
  if (c == '%' || name_char(c)) {
    do x->at++;
    while (name_char(*x->at));
    /* %tid.x */
    if (c == '%' && *x->at == '.' && strchr("xyzw", x->at[1]) != NULL &&
        x->at[1] != '\0' && !name_char(x->at[2]))
      x->at += 2;
    return done(x, TK_WORD);
  }
  x->at++;
  return done(x, TK_PUNCT);
}

Token lex_opcode(Lex *x) {
  skip(x);
  x->start = x->at;
  while (name_char(*x->at) || *x->at == '.' ||
         (x->at[0] == ':' && x->at[1] == ':') ||
         (x->at[0] == ':' && x->at > x->start && x->at[-1] == ':'))
    x->at++;
  return done(x, TK_WORD);
}
