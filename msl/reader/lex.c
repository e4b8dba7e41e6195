/*
** lex.c - MSL text as tokens, edits on them, and the source map of the result.
**
** The tokeniser follows C++ with one difference: '>' is always a token of its
** own, so that '>>' need not be split where it closes template argument lists.
** Comments are gaps between tokens; directives (# lines with their
** continuations) are in a list of their own.
*/
#include "msl/reader/lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT (64u << 20)
#define MAX_NESTING 256 /* as Clang */

typedef struct mt_Block {
  struct mt_Block *next;
  char bytes[];
} mt_Block;

static char *arena_new(mt_Lex *lex, size_t size) {
  mt_Block *b = malloc(sizeof *b + size + 1);
  if (b == NULL) return NULL;
  b->next = lex->arena;
  lex->arena = b;
  b->bytes[size] = '\0';
  return b->bytes;
}

/* -------------------------------------------------------------- characters */

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' ||
         c == '\n';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || (unsigned char)c >= 0x80;
}
static bool is_word(char c) { return is_start(c) || is_digit(c); }

/* ------------------------------------------------------------- the scanner */

typedef struct Scan {
  mt_Lex *lex;
  const char *s;
  uint32_t at, end;
  bool fresh; /* only white space on this line so far */
  mt_LexError *bad;
} Scan;

static char peek(const Scan *k, uint32_t ahead) {
  return k->at + ahead < k->end ? k->s[k->at + ahead] : '\0';
}

static bool fail(Scan *k, uint32_t at, const char *message) {
  k->bad->at = at;
  k->bad->message = message;
  return false;
}

static bool skip_comment(Scan *k) {
  uint32_t start = k->at;
  for (k->at += 2; k->at < k->end; k->at++)
    if (k->s[k->at] == '*' && peek(k, 1) == '/') {
      k->at += 2;
      return true;
    }
  return fail(k, start, "unterminated /* comment");
}

static void skip_line_comment(Scan *k) {
  while (k->at < k->end && k->s[k->at] != '\n') {
    if (k->s[k->at] == '\\' && peek(k, 1) == '\n') k->at++;
    k->at++;
  }
}

/* A # line up to its end, continuations and comments included. */
static bool scan_directive(Scan *k) {
  while (k->at < k->end && k->s[k->at] != '\n') {
    char c = k->s[k->at];
    if (c == '\\' && peek(k, 1) == '\n')
      k->at += 2;
    else if (c == '\\' && peek(k, 1) == '\r' && peek(k, 2) == '\n')
      k->at += 3;
    else if (c == '/' && peek(k, 1) == '/')
      skip_line_comment(k);
    else if (c == '/' && peek(k, 1) == '*') {
      if (!skip_comment(k)) return false;
    } else
      k->at++;
  }
  return true;
}

static bool scan_quoted(Scan *k, uint32_t start, char quote) {
  for (k->at++; k->at < k->end && k->s[k->at] != quote; k->at++) {
    if (k->s[k->at] == '\n') break;
    if (k->s[k->at] == '\\' && k->at + 1 < k->end) k->at++;
  }
  if (peek(k, 0) != quote)
    return fail(k, start, quote == '"' ? "missing terminating '\"' character"
                                       : "missing terminating ' character");
  k->at++;
  return true;
}

static bool scan_raw_string(Scan *k, uint32_t start) {
  uint32_t open = ++k->at; /* after the quote */
  while (k->at < k->end && k->s[k->at] != '(' && k->at - open <= 16) k->at++;
  uint32_t n = k->at - open;
  if (peek(k, 0) != '(') return fail(k, start, "raw string needs R\"( … )\"");
  for (; k->at < k->end; k->at++)
    if (k->s[k->at] == ')' && k->end - k->at > n + 1 &&
        memcmp(k->s + k->at + 1, k->s + open, n) == 0 &&
        k->s[k->at + 1 + n] == '"') {
      k->at += n + 2;
      return true;
    }
  return fail(k, start, "unterminated raw string");
}

static void scan_number(Scan *k) {
  for (k->at++; k->at < k->end; k->at++) {
    char c = k->s[k->at], last = k->s[k->at - 1];
    bool sign = (c == '+' || c == '-') &&
                (last == 'e' || last == 'E' || last == 'p' || last == 'P');
    bool hex = k->at >= 2 && sign && (last == 'e' || last == 'E');
    if (hex) { /* 0x1e+3 is a sum */
      uint32_t b = k->at - 1;
      while (b > 0 && (is_word(k->s[b - 1]) || k->s[b - 1] == '.')) b--;
      if (k->s[b] == '0' && (k->s[b + 1] == 'x' || k->s[b + 1] == 'X'))
        sign = false;
    }
    bool tick = c == '\'' && k->at + 1 < k->end && is_word(k->s[k->at + 1]);
    if (!is_word(c) && c != '.' && !sign && !tick) break;
  }
}

static const char *const puncts[] = {
    "->*", "<<=", "...", "::", "->", "<=", "==", "!=", "&&", "||", "++", "--",
    "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "<<", ".*", "##"};

static void scan_punct(Scan *k) {
  for (size_t i = 0; i < sizeof puncts / sizeof puncts[0]; i++) {
    uint32_t n = (uint32_t)strlen(puncts[i]);
    if (k->end - k->at >= n && memcmp(k->s + k->at, puncts[i], n) == 0) {
      k->at += n;
      return;
    }
  }
  k->at++;
}

static bool is_prefix(const char *s, uint32_t n, bool *raw) {
  *raw = n > 0 && s[n - 1] == 'R';
  return (n == 1 && strchr("RuUL", s[0])) ||
         (n == 2 && memcmp(s, "u8", 2) == 0) ||
         (n == 2 && *raw && strchr("uUL", s[0])) ||
         (n == 3 && memcmp(s, "u8R", 3) == 0);
}

/* One token; false at an error. */
static bool scan_token(Scan *k, mt_TokenKind *kind) {
  uint32_t start = k->at;
  char c = k->s[k->at];
  if (is_start(c)) {
    bool raw;
    while (k->at < k->end && is_word(k->s[k->at])) k->at++;
    *kind = MT_TOKEN_NAME;
    char q = peek(k, 0);
    if ((q != '"' && q != '\'') ||
        !is_prefix(k->s + start, k->at - start, &raw))
      return true;
    *kind = MT_TOKEN_STRING;
    return raw && q == '"' ? scan_raw_string(k, start)
                           : scan_quoted(k, start, q);
  }
  if (is_digit(c) || (c == '.' && is_digit(peek(k, 1)))) {
    *kind = MT_TOKEN_NUMBER;
    scan_number(k);
    return true;
  }
  if (c == '"' || c == '\'') {
    *kind = MT_TOKEN_STRING;
    return scan_quoted(k, start, c);
  }
  *kind = MT_TOKEN_PUNCT;
  if (c == '\0') return fail(k, start, "the source has a NUL byte");
  scan_punct(k);
  return true;
}

static bool push(mt_Token **list, uint32_t *count, uint32_t *room, mt_Token t) {
  if (*count + 1 >= *room) {
    uint32_t more = *room ? *room * 2 : 256;
    mt_Token *grown = realloc(*list, more * sizeof *grown);
    if (grown == NULL) return false;
    *list = grown;
    *room = more;
  }
  (*list)[(*count)++] = t;
  return true;
}

static bool scan_all(Scan *k) {
  mt_Lex *lex = k->lex;
  uint32_t room = 0, directive_room = 0;
  while (k->at < k->end) {
    char c = k->s[k->at];
    uint32_t start = k->at;
    mt_TokenKind kind = MT_TOKEN_DIRECTIVE;
    if (is_space(c)) {
      if (c == '\n') k->fresh = true;
      k->at++;
      continue;
    }
    if (c == '\\' && (peek(k, 1) == '\n' || peek(k, 1) == '\r')) {
      k->at += 2;
      continue;
    }
    if (c == '/' && peek(k, 1) == '/') {
      skip_line_comment(k);
      continue;
    }
    if (c == '/' && peek(k, 1) == '*') {
      if (!skip_comment(k)) return false;
      continue;
    }
    bool directive = c == '#' && k->fresh;
    k->fresh = false;
    if (!(directive ? scan_directive(k) : scan_token(k, &kind))) return false;
    mt_Token t = {start, k->at - start, 0, kind, NULL, NULL, NULL};
    if (!(directive ? push(&lex->directives, &lex->directive_count,
                           &directive_room, t)
                    : push(&lex->tokens, &lex->count, &room, t)))
      return fail(k, start, "out of memory");
  }
  mt_Token end = {k->end, 0, 0, MT_TOKEN_END, NULL, NULL, NULL};
  if (!push(&lex->tokens, &lex->count, &room, end))
    return fail(k, k->end, "out of memory");
  lex->count--;
  return true;
}

/* Matches brackets; Clang diagnoses the unbalanced ones. */
static bool match_brackets(mt_Lex *lex, mt_LexError *bad) {
  uint32_t stack[MAX_NESTING], depth = 0;
  for (uint32_t i = 0; i < lex->count; i++) {
    if (lex->tokens[i].kind != MT_TOKEN_PUNCT || lex->tokens[i].length != 1)
      continue;
    char c = lex->text[lex->tokens[i].at];
    if (c == '(' || c == '[' || c == '{') {
      if (depth == MAX_NESTING) {
        bad->at = lex->tokens[i].at;
        bad->message = "brackets are nested too deeply";
        return false;
      }
      stack[depth++] = i;
    } else if (c == ')' || c == ']' || c == '}') {
      char open = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (depth == 0 || lex->text[lex->tokens[stack[depth - 1]].at] != open)
        continue;
      lex->tokens[i].match = stack[--depth];
      lex->tokens[stack[depth]].match = i;
    }
  }
  return true;
}

mt_Status mt_lex_read(mt_Lex *lex, const char *text, size_t length,
                      mt_LexError *bad) {
  memset(lex, 0, sizeof *lex);
  bad->message = NULL;
  bad->at = 0;
  if (length > MAX_TEXT) {
    bad->message = "the source is longer than 64 MB";
    return MT_FAIL;
  }
  lex->text = text;
  lex->length = (uint32_t)length;
  Scan k = {lex, text, 0, (uint32_t)length, true, bad};
  if (scan_all(&k) && match_brackets(lex, bad)) return MT_OK;
  return MT_FAIL;
}

void mt_lex_free(mt_Lex *lex) {
  for (mt_Block *b = lex->arena, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  free(lex->tokens);
  free(lex->directives);
  free(lex->segments);
  memset(lex, 0, sizeof *lex);
}

/* ------------------------------------------------------------------ reading */

bool mt_lex_is(const mt_Lex *lex, uint32_t i, const char *word) {
  if (i >= lex->count) return false;
  const mt_Token *t = &lex->tokens[i];
  if (t->length == 0) return *word == '\0';
  /* mostly decided by the first letter: the reader asks this most of all */
  return lex->text[t->at] == *word && strlen(word) == t->length &&
         memcmp(lex->text + t->at, word, t->length) == 0;
}

bool mt_lex_is_star(const mt_Lex *lex, uint32_t i) {
  return mt_lex_is(lex, i, "*") || mt_lex_is(lex, i, "&") ||
         mt_lex_is(lex, i, "&&");
}

uint32_t mt_lex_hash(const char *name, size_t length) { /* FNV-1a */
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)name[i]) * 16777619u;
  return h;
}

bool mt_lex_begins(const mt_Lex *lex, uint32_t i, const char *start) {
  const mt_Token *t = &lex->tokens[i];
  return strlen(start) <= t->length &&
         memcmp(lex->text + t->at, start, strlen(start)) == 0;
}

bool mt_lex_only(const mt_Lex *lex, uint32_t i, const char *letters) {
  const mt_Token *t = &lex->tokens[i];
  for (uint32_t k = 0; k < t->length; k++)
    if (memchr(letters, lex->text[t->at + k], strlen(letters)) == NULL)
      return false;
  return true;
}

const char *mt_lex_text(mt_Lex *lex, uint32_t a, uint32_t b) {
  if (a >= b || b > lex->count) return "";
  uint32_t from = lex->tokens[a].at;
  uint32_t n = lex->tokens[b - 1].at + lex->tokens[b - 1].length - from;
  char *s = arena_new(lex, n);
  if (s == NULL) return "";
  memcpy(s, lex->text + from, n);
  for (uint32_t i = 0; i < n; i++)
    if (s[i] == '\n' || s[i] == '\r') s[i] = ' ';
  return s;
}

const char *mt_lex_format(mt_Lex *lex, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  char *s = n >= 0 ? arena_new(lex, (size_t)n) : NULL;
  if (s) vsnprintf(s, (size_t)n + 1, fmt, again);
  va_end(again);
  va_end(args);
  return s ? s : "";
}

/* -------------------------------------------------------------------- edits */

void mt_lex_before(mt_Lex *lex, uint32_t i, const char *text) {
  mt_Token *t = &lex->tokens[i];
  t->before = t->before ? mt_lex_format(lex, "%s%s", t->before, text) : text;
}

void mt_lex_behind(mt_Lex *lex, uint32_t i, const char *text) {
  mt_Token *t = &lex->tokens[i];
  t->after = t->after ? mt_lex_format(lex, "%s%s", text, t->after) : text;
}

void mt_lex_replace(mt_Lex *lex, uint32_t i, const char *text) {
  lex->tokens[i].instead = text;
}

void mt_lex_blank(mt_Lex *lex, uint32_t i) {
  mt_lex_replace(lex, i,
                 mt_lex_format(lex, "%*s", (int)lex->tokens[i].length, ""));
}

void mt_lex_blank_run(mt_Lex *lex, uint32_t a, uint32_t b) {
  for (uint32_t i = a; i < b; i++) {
    lex->tokens[i].before = lex->tokens[i].after = NULL;
    mt_lex_blank(lex, i);
  }
}

/* ------------------------------------------------------------------ writing */

typedef struct Writer {
  mt_Lex *lex;
  mt_Str *out;
  uint32_t room;
} Writer;

static void note(Writer *w, uint32_t from, bool copied) {
  mt_Lex *lex = w->lex;
  if (lex->segment_count == w->room) {
    uint32_t more = w->room ? w->room * 2 : 256;
    mt_Segment *grown = realloc(lex->segments, more * sizeof *grown);
    if (grown == NULL) {
      w->out->failed = true;
      return;
    }
    lex->segments = grown;
    w->room = more;
  }
  lex->segments[lex->segment_count++] =
      (mt_Segment){(uint32_t)w->out->length, from, copied};
}

static void copy(Writer *w, uint32_t from, uint32_t to) {
  if (from >= to) return;
  note(w, from, true);
  mt_str_add_bytes(w->out, w->lex->text + from, to - from);
}

static void insert(Writer *w, const char *text, uint32_t from) {
  if (text == NULL || text[0] == '\0') return;
  note(w, from, false);
  mt_str_add(w->out, text);
}

static void write_token(Writer *w, const mt_Token *t) {
  insert(w, t->before, t->at);
  if (t->instead == NULL)
    copy(w, t->at, t->at + t->length);
  else {
    insert(w, t->instead, t->at);
    for (uint32_t i = 0; i < t->length; i++)
      if (w->lex->text[t->at + i] == '\n') mt_str_add_char(w->out, '\n');
  }
  insert(w, t->after, t->length ? t->at + t->length - 1 : t->at);
}

void mt_lex_write(mt_Lex *lex, mt_Str *out) {
  Writer w = {lex, out, 0};
  uint32_t at = 0, d = 0;
  free(lex->segments);
  lex->segments = NULL;
  lex->segment_count = 0;
  for (uint32_t i = 0; i <= lex->count; i++) {
    const mt_Token *t = &lex->tokens[i];
    for (; d < lex->directive_count && lex->directives[d].at < t->at; d++) {
      copy(&w, at, lex->directives[d].at);
      write_token(&w, &lex->directives[d]);
      at = lex->directives[d].at + lex->directives[d].length;
    }
    copy(&w, at, t->at);
    write_token(&w, t);
    at = t->at + t->length;
  }
}

uint32_t mt_lex_origin(const mt_Lex *lex, uint32_t offset) {
  uint32_t low = 0, high = lex->segment_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (lex->segments[middle].to <= offset)
      low = middle;
    else
      high = middle;
  }
  if (lex->segment_count == 0) return offset;
  const mt_Segment *s = &lex->segments[low];
  return s->copied && offset > s->to ? s->from + (offset - s->to) : s->from;
}
