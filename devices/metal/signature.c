/*
** signature.c - finds a kernel's parameter list by walking the source's words.
**
** The walk skips comments, strings and preprocessor lines, which is all that is
** needed to match brackets. A kernel is its name followed by '(' somewhere after
** the word 'kernel' with nothing but a type in between.
*/
#include "devices/metal/signature.h"

#include <ctype.h>
#include <string.h>

typedef struct Word {
  const char *text;
  size_t length;
} Word;

typedef struct Walk {
  const char *at, *end;
} Walk;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool same(Word w, const char *text) {
  return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

static const char *find(const char *at, const char *end, const char *what) {
  size_t n = strlen(what);
  for (; (size_t)(end - at) >= n; at++)
    if (memcmp(at, what, n) == 0) return at + n;
  return end;
}

static const char *skip_quoted(const char *at, const char *end) {
  char quote = *at++;
  while (at < end && *at != quote && *at != '\n') at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end ? at + 1 : end;
}

static const char *skip_directive(const char *at, const char *end) {
  while (at < end && *at != '\n') at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at;
}

/* The next word or single character; length 0 at the end. */
static Word next(Walk *w) {
  while (w->at < w->end) {
    const char *p = w->at, *more = p + 1 < w->end ? p + 1 : p;
    if (isspace((unsigned char)*p)) w->at++;
    else if (*p == '/' && *more == '/') w->at = find(p, w->end, "\n");
    else if (*p == '/' && *more == '*') w->at = find(p + 2, w->end, "*/");
    else if (*p == '"' || *p == '\'') w->at = skip_quoted(p, w->end);
    else if (*p == '#') w->at = skip_directive(p, w->end);
    else break;
  }
  Word word = {w->at, 0};
  if (w->at == w->end) return word;
  while (w->at < w->end && is_word(*w->at)) w->at++;
  if (w->at == word.text) w->at++;
  word.length = (size_t)(w->at - word.text);
  return word;
}

/* Move behind the '(' of the kernel's parameter list. */
static bool enter_kernel(Walk *w, const char *name) {
  bool after_kernel = false;
  for (Word word = next(w); word.length; word = next(w)) {
    if (same(word, "kernel")) after_kernel = true;
    else if (same(word, ";") || same(word, "{") || same(word, "}")) after_kernel = false;
    else if (after_kernel && same(word, name)) {
      Walk ahead = *w;
      if (same(next(&ahead), "(")) {
        *w = ahead;
        return true;
      }
    }
  }
  return false;
}

/* One parameter: its words up to ',' or ')' outside all brackets. */
typedef struct Parameter {
  Word name; /* the last word before an attribute or array bound */
  bool reference, constant, last;
} Parameter;

static bool read_parameter(Walk *w, Parameter *p) {
  int depth = 0;
  *p = (Parameter){{NULL, 0}, false, false, false};
  for (Word word = next(w); word.length; word = next(w)) {
    char c = *word.text;
    if (depth == 0 && (c == ',' || c == ')')) {
      p->last = c == ')';
      return p->name.length != 0 || !p->last;
    }
    if (c == '(' || c == '[' || c == '<' || c == '{') depth++;
    else if (c == ')' || c == ']' || c == '>' || c == '}') depth--;
    else if (depth == 0 && c == '&') p->reference = true;
    else if (depth == 0 && same(word, "constant")) p->constant = true;
    else if (depth == 0 && is_word(c)) p->name = word;
  }
  return false;
}

bool mt_signature_find(const char *source, size_t length, const char *name,
                       const char *param, mt_SignatureParam *out) {
  Walk w = {source, source + length};
  Parameter p;
  if (!enter_kernel(&w, name)) return false;
  for (unsigned place = 0; read_parameter(&w, &p); place++) {
    if (same(p.name, param)) {
      *out = (mt_SignatureParam){place, p.reference, p.constant};
      return true;
    }
    if (p.last) break;
  }
  return false;
}

size_t mt_signature_place(const char *source, size_t length, const char *name) {
  Walk w = {source, source + length};
  return enter_kernel(&w, name) ? (size_t)(w.at - source) : length;
}
