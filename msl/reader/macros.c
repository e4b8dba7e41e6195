/*
** macros.c - a preprocessor for macros and conditions, without a compiler.
**
** The text is tokenised once (lex.h); the text between two directives is
** expanded as a whole. Expansion reads from a stack of token lists, the source
** at the bottom and macro bodies above it; a macro's own name is not expanded
** as long as its body is on the stack, the part of C's rule that matters here.
*/
#include "msl/reader/macros.h"

#include <stdlib.h>
#include <string.h>

#include "msl/reader/macros_parts.h"

#define BUCKETS 256
#define MOST_PIECES (2u << 20) /* expansion can grow exponentially */
#define MOST_DEPTH 200
#define MOST_ARGUMENTS 128

typedef struct Macro {
  struct Macro *next;
  const char *name;
  uint32_t length;
  bool function, variadic;
  bool gone;   /* #undef */
  bool doubt;  /* its definition, or whether it has one, is uncertain */
  bool active; /* its body is on the stack */
  unsigned params;
  mt_MacroPieces body;
} Macro;

typedef struct Frame {
  const mt_MacroPiece *items;
  size_t count, at;
  Macro *macro; /* or NULL */
} Frame;

typedef enum State { OFF, MAYBE, ON } State;

typedef struct Condition {
  State around, now;
  bool taken, maybe; /* an earlier branch was, may have been taken */
  long brackets, braces; /* open at the start of the branch */
} Condition;

typedef struct Kept {
  struct Kept *next;
  char bytes[];
} Kept;

typedef struct Expander {
  Macro *table[BUCKETS];
  Frame frames[MOST_DEPTH];
  unsigned depth, calls;
  Condition conditions[MOST_DEPTH];
  unsigned nested;
  size_t made;   /* pieces so far */
  long brackets, braces; /* open in the text so far */
  Kept *kept;
  bool failed;
} Expander;

/* ------------------------------------------------------------------- pieces */

static void *keep(Expander *e, size_t size) {
  Kept *k = malloc(sizeof *k + size + 1);
  if (k == NULL) {
    e->failed = true;
    return NULL;
  }
  k->next = e->kept;
  e->kept = k;
  k->bytes[size] = '\0';
  return k->bytes;
}

static void add(Expander *e, mt_MacroPieces *list, mt_MacroPiece p) {
  if (e->failed || ++e->made > MOST_PIECES) {
    e->failed = true;
    return;
  }
  if (list->count == list->room) {
    size_t room = list->room ? list->room * 2 : 16;
    mt_MacroPiece *grown = realloc(list->items, room * sizeof *grown);
    if (grown == NULL) {
      e->failed = true;
      return;
    }
    list->items = grown;
    list->room = room;
  }
  list->items[list->count++] = p;
}

static void add_all(Expander *e, mt_MacroPieces *list,
                    const mt_MacroPieces *more, size_t from, bool space) {
  for (size_t i = from; i < more->count; i++) {
    add(e, list, more->items[i]);
    if (i == 0 && !e->failed) list->items[list->count - 1].space = space;
  }
}

static void add_doubt(Expander *e, mt_MacroPieces *list) {
  add(e, list,
      (mt_MacroPiece){MT_DOUBT, (uint32_t)strlen(MT_DOUBT), MT_TOKEN_NAME, true,
                      true, -1});
}

/* Appends tokens a to b of a lex, whose text must outlive the list. */
static void add_tokens(Expander *e, mt_MacroPieces *list, const mt_Lex *lex,
                       uint32_t a, uint32_t b) {
  for (uint32_t i = a; i < b; i++) {
    const mt_Token *t = &lex->tokens[i];
    bool space =
        i > 0 && lex->tokens[i - 1].at + lex->tokens[i - 1].length != t->at;
    add(e, list,
        (mt_MacroPiece){lex->text + t->at, t->length, t->kind, space, false,
                        -1});
  }
}

/* ------------------------------------------------------------------- macros */

static unsigned bucket(const char *name, uint32_t n) {
  return mt_lex_hash(name, n) % BUCKETS;
}

static Macro *find(Expander *e, const char *name, uint32_t n) {
  for (Macro *m = e->table[bucket(name, n)]; m; m = m->next)
    if (m->length == n && memcmp(m->name, name, n) == 0) return m;
  return NULL;
}

/* The macro of that name, emptied; it is in doubt if the definition is in a
** branch that may not be taken. */
static Macro *fresh(Expander *e, const char *name, uint32_t n, bool doubt) {
  Macro *m = find(e, name, n);
  if (m == NULL) {
    m = calloc(1, sizeof *m);
    char *copy = keep(e, n);
    if (m == NULL || copy == NULL) return free(m), e->failed = true, NULL;
    memcpy(copy, name, n);
    m->name = copy;
    m->length = n;
    m->next = e->table[bucket(name, n)];
    e->table[bucket(name, n)] = m;
  }
  m->function = m->variadic = m->gone = false;
  m->params = 0;
  m->body.count = 0;
  m->doubt = doubt;
  return m;
}

/* The parameters of #define NAME(a, b, ...), from token 'i' on. Returns the
** token after ')'. */
static uint32_t read_parameters(Macro *m, const mt_Lex *lex, uint32_t i,
                                uint32_t *names) {
  uint32_t close = lex->tokens[i].match;
  m->function = true;
  for (i++; i < close; i++) {
    if (mt_lex_is(lex, i, ",")) continue;
    if (mt_lex_is(lex, i, "...")) m->variadic = true;
    else if (lex->tokens[i].kind == MT_TOKEN_NAME && m->params < MOST_ARGUMENTS)
      names[m->params++] = i;
    else m->doubt = true;
    if (m->variadic && i + 1 != close) m->doubt = true;
    /* args... */
    if (mt_lex_is(lex, i, "...") && i > 0 &&
        lex->tokens[i - 1].kind == MT_TOKEN_NAME)
      m->doubt = true;
  }
  return close + 1;
}

static int parameter_of(const Macro *m, const mt_Lex *lex, uint32_t i,
                        const uint32_t *names) {
  if (m->variadic && mt_lex_is(lex, i, "__VA_ARGS__")) return (int)m->params;
  for (unsigned k = 0; k < m->params; k++)
    if (lex->tokens[names[k]].length == lex->tokens[i].length &&
        memcmp(lex->text + lex->tokens[names[k]].at,
               lex->text + lex->tokens[i].at, lex->tokens[i].length) == 0)
      return (int)k;
  return -1;
}

/* A #define; 'lex' holds the directive alone, and its text is copied. */
static void define(Expander *e, const mt_Lex *lex, uint32_t name, bool doubt) {
  uint32_t names[MOST_ARGUMENTS], i = name + 1;
  const mt_Token *t = &lex->tokens[name];
  if (t->kind != MT_TOKEN_NAME) return;
  Macro *m = fresh(e, lex->text + t->at, t->length, doubt);
  if (m == NULL) return;
  if (mt_lex_is(lex, i, "(") && lex->tokens[i].at == t->at + t->length &&
      lex->tokens[i].match)
    i = read_parameters(m, lex, i, names);
  /* a # in the first place of a line */
  if (lex->directive_count) m->doubt = true;
  size_t from = i;
  add_tokens(e, &m->body, lex, i, lex->count);
  for (size_t k = 0; k < m->body.count; k++) {
    if (m->body.items[k].kind == MT_TOKEN_NAME)
      m->body.items[k].parameter =
          parameter_of(m, lex, (uint32_t)(from + k), names);
    if (mt_piece_is(&m->body.items[k], "__VA_OPT__")) m->doubt = true;
  }
}

static void define_text(Expander *e, const char *name, const char *value,
                        bool doubt) {
  size_t n = strlen(name), v = strlen(value);
  char *text = keep(e, n + v + 1);
  mt_LexError bad;
  mt_Lex lex;
  if (text == NULL) return;
  memcpy(text, name, n);
  text[n] = ' ';
  memcpy(text + n + 1, value, v);
  if (mt_lex_read(&lex, text, n + v + 1, &bad) == MT_OK)
    define(e, &lex, 0, doubt);
  else e->failed = true;
  mt_lex_free(&lex);
}

/* ---------------------------------------------------------------- expansion */

static bool push(Expander *e, const mt_MacroPieces *list, Macro *m) {
  if (e->depth == MOST_DEPTH) return !(e->failed = true);
  e->frames[e->depth++] = (Frame){list->items, list->count, 0, m};
  if (m) m->active = true;
  return true;
}

static const mt_MacroPiece *next(Expander *e, unsigned base) {
  while (e->depth > base) {
    Frame *f = &e->frames[e->depth - 1];
    if (f->at < f->count) return &f->items[f->at++];
    if (f->macro) f->macro->active = false;
    e->depth--;
  }
  return NULL;
}

static const mt_MacroPiece *peek(const Expander *e, unsigned base) {
  for (unsigned d = e->depth; d > base; d--)
    if (e->frames[d - 1].at < e->frames[d - 1].count)
      return &e->frames[d - 1].items[e->frames[d - 1].at];
  return NULL;
}

static void expand(Expander *e, const mt_MacroPieces *in, mt_MacroPieces *out);

/* The arguments of a call, whose '(' is next. Returns how many; -1: not
** closed, or too many. */
static int arguments(Expander *e, const Macro *m, unsigned base,
                     mt_MacroPieces *args) {
  unsigned open = 1;
  int count = 0;
  next(e, base);
  for (const mt_MacroPiece *p; (p = next(e, base)) != NULL && !e->failed;) {
    if (mt_piece_is(p, "(")) open++;
    if (mt_piece_is(p, ")") && --open == 0)
      return count == 0 && args[0].count == 0 && m->params == 0 && !m->variadic
                 ? 0
                 : count + 1;
    if (mt_piece_is(p, ",") && open == 1 &&
        !(m->variadic && count == (int)m->params)) {
      if (++count >= MOST_ARGUMENTS) return -1;
      continue;
    }
    add(e, &args[count], *p);
  }
  return -1;
}

static mt_MacroPiece quote(Expander *e, const mt_MacroPieces *arg, bool space) {
  mt_Str s = MT_STR_INIT;
  mt_str_add_char(&s, '"');
  for (size_t i = 0; i < arg->count; i++) {
    const mt_MacroPiece *p = &arg->items[i];
    if (i && p->space) mt_str_add_char(&s, ' ');
    for (uint32_t k = 0; k < p->length; k++) {
      if (p->kind == MT_TOKEN_STRING &&
          (p->text[k] == '"' || p->text[k] == '\\'))
        mt_str_add_char(&s, '\\');
      mt_str_add_char(&s, p->text[k]);
    }
  }
  mt_str_add_char(&s, '"');
  char *text = keep(e, s.length);
  if (text) memcpy(text, mt_str_text(&s), s.length);
  mt_MacroPiece made = {text ? text : "",
                        (uint32_t)(text ? s.length : 0),
                        MT_TOKEN_STRING,
                        space,
                        false,
                        -1};
  mt_str_free(&s);
  return made;
}

static mt_MacroPiece paste(Expander *e, mt_MacroPiece a, mt_MacroPiece b) {
  char *text = keep(e, (size_t)a.length + b.length);
  if (text == NULL) return a;
  memcpy(text, a.text, a.length);
  memcpy(text + a.length, b.text, b.length);
  a.text = text;
  a.length += b.length;
  a.painted = false;
  return a; /* the first token determines the kind */
}

typedef struct Call {
  Macro *m;
  mt_MacroPieces args[MOST_ARGUMENTS];     /* as written */
  mt_MacroPieces expanded[MOST_ARGUMENTS];
} Call;

/* The replacement for piece 'i' of a body; '*used': the number of pieces that
** it replaces. */
static void operand(Expander *e, Call *c, size_t i, bool raw,
                    mt_MacroPieces *out, size_t *used) {
  const mt_MacroPieces *body = &c->m->body;
  const mt_MacroPiece *p = &body->items[i];
  *used = 1;
  if (c->m->function && mt_piece_is(p, "#") && i + 1 < body->count &&
      body->items[i + 1].parameter >= 0) {
    add(e, out, quote(e, &c->args[body->items[i + 1].parameter], p->space));
    *used = 2;
  } else if (p->parameter >= 0)
    add_all(e, out, raw ? &c->args[p->parameter] : &c->expanded[p->parameter],
            0, p->space);
  else
    add(e, out, *p);
}

/* The body with the arguments in place. */
static void substitute(Expander *e, Call *c, mt_MacroPieces *out) {
  const mt_MacroPieces *body = &c->m->body;
  bool glue = false, left = false; /* after '##'; its left side is not empty */
  for (size_t i = 0, used; i < body->count && !e->failed; i += used) {
    const mt_MacroPiece *p = &body->items[i];
    used = 1;
    if (mt_piece_is(p, "##") && i > 0) {
      glue = true;
      continue;
    }
    mt_MacroPieces now = {0};
    operand(
        e, c, i,
        glue || (i + 1 < body->count && mt_piece_is(&body->items[i + 1], "##")),
        &now, &used);
    bool rest = glue && c->m->variadic && p->parameter == (int)c->m->params &&
                out->count &&
                /* , ## __VA_ARGS__ */
                mt_piece_is(&out->items[out->count - 1], ",");
    if (rest && now.count == 0) out->count--;
    bool join = glue && left && now.count && !rest && out->count;
    if (join)
      out->items[out->count - 1] =
          paste(e, out->items[out->count - 1], now.items[0]);
    add_all(e, out, &now, join, now.count ? now.items[0].space : false);
    left = now.count > 0 || (glue && left);
    glue = false;
    free(now.items);
  }
}

/* Pushes the macro's body. False: its name is not followed by arguments. */
static bool enter(Expander *e, Macro *m, unsigned base, mt_MacroPieces *out) {
  Call *c = calloc(1, sizeof *c);
  mt_MacroPieces body = {0};
  int count = 0, wanted = (int)m->params + m->variadic;
  if (c == NULL) return e->failed = true;
  c->m = m;
  if (m->function) count = arguments(e, m, base, c->args);
  /* f(x) for f(x, ...) */
  if (m->function && m->variadic && count == (int)m->params) count++;
  if (m->function && count != wanted && !(wanted == 1 && count == 0))
    e->failed = true;
  for (int i = 0; i < count && !e->failed; i++)
    expand(e, &c->args[i], &c->expanded[i]);
  if (!e->failed) substitute(e, c, &body);
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    free(c->args[i].items), free(c->expanded[i].items);
  free(c);
  if (m->doubt) add_doubt(e, out);
  mt_MacroPiece *kept = body.count ? keep(e, body.count * sizeof *kept) : NULL;
  if (kept) memcpy(kept, body.items, body.count * sizeof *kept);
  free(body.items);
  body.items = kept;
  return e->failed || body.count == 0 || push(e, &body, m);
}

static void expand(Expander *e, const mt_MacroPieces *in, mt_MacroPieces *out) {
  unsigned base = e->depth;
  if (++e->calls > MOST_DEPTH || !push(e, in, NULL)) {
    e->failed = true;
    return;
  }
  for (const mt_MacroPiece *p; (p = next(e, base)) != NULL && !e->failed;) {
    Macro *m = p->kind == MT_TOKEN_NAME && !p->painted
                   ? find(e, p->text, p->length)
                   : NULL;
    const mt_MacroPiece *after = m && m->function ? peek(e, base) : NULL;
    bool call = m && !m->gone && !m->active &&
                (!m->function || (after && mt_piece_is(after, "(")));
    if (call) {
      enter(e, m, base, out);
      continue;
    }
    mt_MacroPiece copy = *p;
    if (m && m->active) copy.painted = true;
    add(e, out, copy);
    /* its '(' may follow after the directive */
    if (m && m->function && !m->gone && after == NULL && e->calls == 1)
      add_doubt(e, out);
  }
  e->calls--;
}

/* --------------------------------------------------------------- conditions */

static State state(const Expander *e) {
  return e->nested ? e->conditions[e->nested - 1].now : ON;
}

static bool is_defined(Expander *e, const mt_MacroPiece *p, bool *known) {
  Macro *m = find(e, p->text, p->length);
  mt_MacroPieces one = {(mt_MacroPiece *)p, 1, 1};
  *known = true;
  if (m == NULL) mt_macros_value(&one, true, known); /* predefined? */
  else if (m->doubt && !mt_piece_is(p, "__METAL_VERSION__")) *known = false;
  return m && !m->gone;
}

/* Replaces defined X, defined(X) by 0 or 1, or by MT_DOUBT if unknown. */
static void read_defined(Expander *e, const mt_MacroPieces *in,
                         mt_MacroPieces *out) {
  for (size_t i = 0; i < in->count; i++) {
    if (!mt_piece_is(&in->items[i], "defined") || i + 1 >= in->count) {
      add(e, out, in->items[i]);
      continue;
    }
    bool paren = mt_piece_is(&in->items[i + 1], "(") && i + 3 < in->count,
         known;
    i += paren ? 2 : 1;
    bool yes = is_defined(e, &in->items[i], &known);
    if (known)
      add(e, out,
          (mt_MacroPiece){yes ? "1" : "0", 1, MT_TOKEN_NUMBER, true, false,
                          -1});
    else add_doubt(e, out);
    if (paren) i++;
  }
}

static State condition(Expander *e, const mt_Lex *lex, uint32_t from) {
  mt_MacroPieces raw = {0}, plain = {0}, ready = {0};
  bool known = false;
  add_tokens(e, &raw, lex, from, lex->count);
  read_defined(e, &raw, &plain);
  e->calls++; /* a name at the end of a condition is not in doubt */
  expand(e, &plain, &ready);
  e->calls--;
  long v = mt_macros_value(&ready, true, &known);
  free(raw.items), free(plain.items), free(ready.items);
  return !known ? MAYBE : v ? ON : OFF;
}

static State is_there(Expander *e, const mt_Lex *lex, bool wanted) {
  bool known = false, there = false;
  mt_MacroPieces name = {0};
  add_tokens(e, &name, lex, 1, lex->count < 2 ? 1 : 2);
  if (name.count) there = is_defined(e, name.items, &known);
  free(name.items);
  return !known ? MAYBE : there == wanted ? ON : OFF;
}

static void enter_condition(Expander *e, State now) {
  State around = state(e);
  if (e->nested == MOST_DEPTH) {
    e->failed = true;
    return;
  }
  if (around == OFF) now = OFF;
  e->conditions[e->nested++] =
      (Condition){around,      now == ON && around == MAYBE ? MAYBE : now,
                  now == ON,   now == MAYBE,
                  e->brackets, e->braces};
}

/* A branch ends. If more than one is kept, each must have balanced brackets. */
static void end_branch(Expander *e) {
  const Condition *c = &e->conditions[e->nested - 1];
  if (c->now == MAYBE && (e->brackets != c->brackets || e->braces != c->braces))
    e->failed = true;
}

static void next_branch(Expander *e, State now) {
  if (e->nested == 0) return;
  Condition *c = &e->conditions[e->nested - 1];
  end_branch(e);
  if (c->taken || c->around == OFF) now = OFF;
  bool sure = now == ON && !c->maybe;
  c->taken = c->taken || sure;
  c->maybe = c->maybe || now == MAYBE;
  c->now = now == OFF ? OFF : sure && c->around == ON ? ON : MAYBE;
}

/* --------------------------------------------------------------- directives */

/* #ifndef X, then #define X: an include guard, not defined even if its name
** looks like one of the compiler's. */
static bool is_guard(const mt_Lex *lex, const mt_Lex *all, uint32_t directive) {
  if (directive + 1 >= all->directive_count || lex->count != 2) return false;
  const mt_Token *d = &all->directives[directive + 1], *name = &lex->tokens[1];
  const char *s = all->text + d->at + 1, *end = all->text + d->at + d->length;
  while (s < end && (*s == ' ' || *s == '\t')) s++;
  if (end - s < 8 || memcmp(s, "define", 6) != 0) return false;
  for (s += 6; s < end && (*s == ' ' || *s == '\t');) s++;
  return (uint32_t)(end - s) >= name->length &&
         memcmp(s, lex->text + name->at, name->length) == 0;
}

static void act(Expander *e, const mt_Lex *lex, const mt_Lex *all,
                uint32_t number) {
  State now = state(e);
  if (mt_lex_is(lex, 0, "if"))
    enter_condition(e, now == OFF ? OFF : condition(e, lex, 1));
  else if (mt_lex_is(lex, 0, "ifdef"))
    enter_condition(e, now == OFF ? OFF : is_there(e, lex, true));
  else if (mt_lex_is(lex, 0, "ifndef")) {
    State there = now == OFF ? OFF : is_there(e, lex, false);
    enter_condition(e,
                    there == MAYBE && is_guard(lex, all, number) ? ON : there);
  } else if (mt_lex_is(lex, 0, "elif")) next_branch(e, condition(e, lex, 1));
  else if (mt_lex_is(lex, 0, "else")) next_branch(e, ON);
  else if (mt_lex_is(lex, 0, "endif") && e->nested) end_branch(e), e->nested--;
  else if (now != OFF && mt_lex_is(lex, 0, "define") && lex->count > 1)
    define(e, lex, 1, now == MAYBE);
  else if (now != OFF && mt_lex_is(lex, 0, "undef") && lex->count > 1) {
    const mt_Token *t = &lex->tokens[1];
    Macro *m = find(e, lex->text + t->at, t->length);
    if (m && now == ON) m->gone = true, m->doubt = false;
    if (m && now == MAYBE) m->doubt = true;
  }
}

static void directive(Expander *e, const mt_Lex *all, uint32_t number,
                      mt_MacroPieces *out) {
  const mt_Token *d = &all->directives[number];
  State before = state(e);
  mt_LexError bad;
  mt_Lex lex;
  /* the text of #error or #pragma need not be tokens; any other directive that
  ** cannot be tokenised fails the expansion */
  if (mt_lex_read(&lex, all->text + d->at + 1, d->length - 1, &bad) == MT_OK)
    act(e, &lex, all, number);
  else if (lex.count && !mt_lex_is(&lex, 0, "error") &&
           !mt_lex_is(&lex, 0, "pragma") && !mt_lex_is(&lex, 0, "warning"))
    e->failed = true;
  mt_lex_free(&lex);
  if (e->brackets > 0 && (before == MAYBE || state(e) == MAYBE))
    add_doubt(e, out);
}

static void write_out(Expander *e, const mt_MacroPieces *list, size_t from,
                      mt_Str *out) {
  for (size_t i = from; i < list->count; i++) {
    const mt_MacroPiece *p = &list->items[i];
    if (p->length == 1 && strchr("([", p->text[0])) e->brackets++;
    if (p->length == 1 && strchr(")]", p->text[0])) e->brackets--;
    e->braces += mt_piece_is(p, "{") - mt_piece_is(p, "}");
    mt_str_add_bytes(out, p->text, p->length);
    mt_str_add_char(out, ' ');
  }
}

static void walk(Expander *e, const mt_Lex *lex, mt_Str *out) {
  uint32_t token = 0;
  for (uint32_t d = 0; d <= lex->directive_count && !e->failed; d++) {
    uint32_t first = token, end = d < lex->directive_count
                                      ? lex->directives[d].at
                                      : lex->length;
    while (token < lex->count && lex->tokens[token].at < end) token++;
    mt_MacroPieces in = {0}, done = {0};
    if (state(e) != OFF) {
      add_tokens(e, &in, lex, first, token);
      expand(e, &in, &done);
    }
    write_out(e, &done, 0, out);
    size_t written = done.count;
    if (d < lex->directive_count) directive(e, lex, d, &done);
    write_out(e, &done, written, out);
    mt_str_add_char(out, '\n');
    free(in.items), free(done.items);
  }
}

static void free_all(Expander *e) {
  for (int b = 0; b < BUCKETS; b++)
    for (Macro *m = e->table[b], *after; m; m = after)
      after = m->next, free(m->body.items), free(m);
  for (Kept *k = e->kept, *after; k; k = after) after = k->next, free(k);
}

mt_Status mt_macros_expand(const char *text, size_t length,
                           const mt_MslDefine *defines, size_t define_count,
                           mt_Str *out) {
  static const char *const compilers[] = {"__METAL_VERSION__", "__LINE__",
                                          "__FILE__", "__COUNTER__", "_Pragma"};
  Expander *e = calloc(1, sizeof *e);
  mt_LexError bad;
  mt_Lex lex;
  if (e == NULL) return MT_FAIL;
  for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
    define_text(e, compilers[i], "", true);
  define_text(e, "__METAL__", "1", false);
  define_text(e, "__METAL_MACOS__", "1", false);
  for (size_t i = 0; i < define_count; i++)
    define_text(e, defines[i].name, defines[i].value, false);
  if (mt_lex_read(&lex, text, length, &bad) == MT_OK) walk(e, &lex, out);
  else e->failed = true;
  mt_lex_free(&lex);
  bool failed = e->failed || out->failed;
  free_all(e);
  free(e);
  return failed ? MT_FAIL : MT_OK;
}

bool mt_macros_number(const char *text, long *out) {
  Expander e = {.failed = false};
  mt_MacroPieces list = {0};
  mt_LexError bad;
  mt_Lex lex;
  bool known = false;
  if (mt_lex_read(&lex, text, strlen(text), &bad) == MT_OK) {
    add_tokens(&e, &list, &lex, 0, lex.count);
    *out = mt_macros_value(&list, false, &known);
  }
  free(list.items);
  mt_lex_free(&lex);
  return known && !e.failed;
}
