/*
** name_closure.c - the declarations of a source that mention a name.
**
** The one idea: the text is a sequence of declarations (those in namespaces
** included). If one contains a marked name, all names that it declares are
** marked as well, until a fixed point is reached. The declared names are
** overestimated: each name outside brackets before a ( = { and the like.
*/
#include "msl/reader/name_closure.h"

#include <stdlib.h>
#include <string.h>

#include "msl/reader/macros.h"

#define MOST_ROUNDS 64 /* iterations; after these everything is marked */

typedef struct Name {
  uint32_t token; /* the first with this text */
  bool marked;
} Name;

struct mt_NameClosure {
  const mt_Lex *lex;
  uint32_t *id;  /* of each token: index in 'names'; UINT32_MAX: not a name */
  Name *names;
  uint32_t *table; /* id + 1 by hash; 0: free */
  uint32_t count, mask;
  bool all;      /* everything is marked: an operator, or MOST_ROUNDS */
};

/* -------------------------------------------------------------------- names */

/* The slot of a text in the table, or the free slot for it. */
static uint32_t place_of(const mt_NameClosure *m, const char *text,
                         size_t length) {
  uint32_t at = mt_lex_hash(text, length) & m->mask;
  for (; m->table[at]; at = (at + 1) & m->mask) {
    const mt_Token *t = &m->lex->tokens[m->names[m->table[at] - 1].token];
    if (t->length == length && memcmp(m->lex->text + t->at, text, length) == 0)
      break;
  }
  return at;
}

static bool make_table(mt_NameClosure *m) {
  uint32_t size = 64;
  while (size < 2 * (m->lex->count + 1)) size *= 2;
  m->mask = size - 1;
  m->table = calloc(size, sizeof *m->table);
  m->names = calloc(m->lex->count + 1, sizeof *m->names);
  m->id = malloc((m->lex->count + 1) * sizeof *m->id);
  return m->table && m->names && m->id;
}

/* Enters each name once and marks the initial ones. False: none is marked. */
static bool read_names(mt_NameClosure *m, const char *start) {
  const mt_Lex *lex = m->lex;
  bool any = false;
  for (uint32_t i = 0; i <= lex->count; i++) {
    const mt_Token *t = &lex->tokens[i];
    m->id[i] = UINT32_MAX;
    if (t->kind != MT_TOKEN_NAME) continue;
    uint32_t at = place_of(m, lex->text + t->at, t->length);
    if (m->table[at] == 0) {
      bool marks = mt_lex_begins(lex, i, start) || mt_lex_is(lex, i, MT_DOUBT);
      any = any || marks;
      m->names[m->count] = (Name){i, marks};
      m->table[at] = ++m->count;
    }
    m->id[i] = m->table[at] - 1;
  }
  return any;
}

/* ------------------------------------------------------------- declarations */

static bool is_one_of(const mt_Lex *lex, uint32_t i, const char *const *words) {
  while (*words && !mt_lex_is(lex, i, *words)) words++;
  return *words != NULL;
}

/* Skips template<…>, whose names are local to the template. */
static uint32_t skip_template(const mt_Lex *lex, uint32_t i) {
  long depth = 0;
  if (!mt_lex_is(lex, i + 1, "<")) return i;
  for (i++; i < lex->count; i++) {
    const mt_Token *t = &lex->tokens[i];
    for (uint32_t k = 0; t->kind == MT_TOKEN_PUNCT && k < t->length; k++)
      depth += (lex->text[t->at + k] == '<') - (lex->text[t->at + k] == '>');
    if (depth <= 0) return i;
    if (t->match > i) i = t->match;
  }
  return i;
}

typedef struct Declaration {
  uint32_t first, end; /* one past the last token */
} Declaration;

/* A function ends with its body; the body of a namespace or of extern "C" is
** entered; after the braces of a type or an initialiser the declaration goes
** on. */
static Declaration next_declaration(const mt_Lex *lex, uint32_t first) {
  static const char *const types[] = {"struct",  "class", "union", "enum",
                                      "typedef", "=",     NULL};
  bool space = false, type = false;
  for (uint32_t i = first; i < lex->count; i++) {
    uint32_t close = lex->tokens[i].match;
    space = space || mt_lex_is(lex, i, "namespace");
    type = type || is_one_of(lex, i, types);
    if (mt_lex_is(lex, i, "{")) {
      bool c = i > first && lex->tokens[i - 1].kind == MT_TOKEN_STRING;
      if (space || c) return (Declaration){first, i + 1};
      if (close <= i) break; /* it is never closed */
      if (!type && !mt_lex_is(lex, close + 1, ";"))
        return (Declaration){first, close + 1};
    }
    if (mt_lex_is(lex, i, ";") || mt_lex_is(lex, i, "}"))
      return (Declaration){first, i + 1};
    if (mt_lex_is(lex, i, "template")) i = skip_template(lex, i);
    else if (close > i) i = close;
  }
  return (Declaration){first, lex->count};
}

static bool mentions(const mt_NameClosure *m, const Declaration *d) {
  for (uint32_t i = d->first; i < d->end && i < m->lex->count; i++)
    if (m->id[i] != UINT32_MAX && m->names[m->id[i]].marked) return true;
  return false;
}

/* True: a name was newly marked. */
static bool mark_declared(mt_NameClosure *m, const Declaration *d) {
  static const char *const followers[] = {"(", "=", "{", ";", ",",
                                          "[", "<", ":", NULL};
  const mt_Lex *lex = m->lex;
  bool new = false;
  for (uint32_t i = d->first; i < d->end && i < lex->count; i++) {
    if (mt_lex_is(lex, i, "template")) i = skip_template(lex, i);
    else if (mt_lex_is(lex, i, "operator")) m->all = true;
    else if (m->id[i] != UINT32_MAX && is_one_of(lex, i + 1, followers)) {
      new = new || !m->names[m->id[i]].marked;
      m->names[m->id[i]].marked = true;
    } else if (lex->tokens[i].match > i) i = lex->tokens[i].match;
  }
  return new;
}

static bool mark_round(mt_NameClosure *m) {
  bool new = false;
  for (uint32_t i = 0; i < m->lex->count;) {
    Declaration d = next_declaration(m->lex, i);
    if (mentions(m, &d)) new = mark_declared(m, &d) || new;
    i = d.end;
  }
  return new;
}

/* ------------------------------------------------------------------- public */

mt_NameClosure *mt_name_closure_read(const mt_Lex *lex, const char *start,
                                     bool *failed) {
  mt_NameClosure *m = calloc(1, sizeof *m);
  int rounds = 0;
  *failed = m == NULL;
  if (m == NULL) return NULL;
  m->lex = lex;
  *failed = !make_table(m);
  if (*failed || !read_names(m, start)) {
    mt_name_closure_free(m);
    return NULL;
  }
  while (!m->all && mark_round(m))
    if (++rounds == MOST_ROUNDS) m->all = true;
  return m;
}

void mt_name_closure_free(mt_NameClosure *m) {
  if (m == NULL) return;
  free(m->id);
  free(m->names);
  free(m->table);
  free(m);
}

bool mt_name_closure_has(const mt_NameClosure *m, const char *name) {
  if (m == NULL) return false;
  uint32_t at = place_of(m, name, strlen(name));
  return m->all || m->table[at] == 0 || m->names[m->table[at] - 1].marked;
}
