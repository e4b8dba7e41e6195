/*
** storage.c - the variables that an address space applies to.
**
** The one idea: the reader does not decide what it cannot see. A declaration
** with only names and array bounds is rewritten here; any other with a variable
** that may be in the address space gets an annotation, which Clang attaches to
** every variable of the declaration, whatever the declarators look like. In the
** generated module msl/passes/storage.c moves each annotated variable into its
** storage, or diagnoses it.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/parts.h"

#define FARTHEST 200 /* tokens back to the head of a for */

static bool is_qualifier(const mt_Lex *lex, uint32_t i) {
  return mt_lex_is(lex, i, "const") || mt_lex_is(lex, i, "volatile") ||
         mt_lex_is(lex, i, "__restrict") || mt_read_is_space(lex, i);
}

bool mt_read_is_specifier(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {"const", "volatile", "static",
                                      "constexpr", "inline"};
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (mt_lex_is(lex, i, words[k])) return true;
  return mt_read_is_space(lex, i);
}

uint32_t mt_read_group_end(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {
      "alignas",    "_Alignas", "__attribute__", "__attribute", "decltype",
      "__declspec", "typeof",   "__typeof__",    "__typeof"};
  uint32_t close;
  if (mt_read_attribute_at(lex, i, &close)) return close;
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (mt_lex_is(lex, i, words[k]) && mt_lex_is(lex, i + 1, "("))
      return lex->tokens[i + 1].match;
  return 0;
}

/* ------------------------------------------------------------- declarators */

typedef struct Scan {
  mt_Declarators *d;
  bool star, paren, value; /* of this declarator so far: *, (…), = … */
  bool body;               /* after struct: braces are a class body */
  bool functions;          /* a body may follow */
  uint32_t name, questions;
} Scan;

static void end_declarator(Scan *s) {
  mt_Declarators *d = s->d;
  if (d->count < MT_DECLARED_NAMES) d->names[d->count] = s->name;
  d->count++;
  if (!s->star && d->bare++ == 0) d->name = s->name;
  s->star = s->paren = s->value = false;
  s->questions = 0;
}

/* A '(' outside initialisers: (name), (*name)[4], (value) or a function's
** parameters. */
static void scan_parenthesis(const mt_Lex *lex, uint32_t open, Scan *s) {
  mt_Declarators *d = s->d;
  s->paren = true;
  d->simple = false;
  uint32_t after = lex->tokens[open].match + 1, inner = open + 1;
  while (mt_lex_is(lex, inner, "(") || mt_lex_is_star(lex, inner)) inner++;
  if (mt_lex_is(lex, inner + 1, ")")) s->name = inner; /* ((name)) */
  /* (name)[4] */
  bool grouped = mt_lex_is(lex, after, "[") || mt_lex_is(lex, after, "=");
  if (!s->star && !d->call && !grouped &&
      lex->tokens[open - 1].kind == MT_TOKEN_NAME)
    d->call = open;
  for (uint32_t k = open + 1; k < lex->tokens[open].match; k++)
    d->doubt = d->doubt || (!s->star && mt_lex_is_star(lex, k));
}

/* In an initialiser only its end matters, and whether a ',' may be part of
** f<a, b>(c). */
static void scan_value(const mt_Lex *lex, uint32_t k, Scan *s) {
  if (mt_lex_is(lex, k, "?")) s->questions++;
  else if (mt_lex_is(lex, k, ":")) s->questions--;
  else if (mt_lex_is(lex, k, "<")) s->d->doubt = true;
}

static void scan_name(const mt_Lex *lex, uint32_t k, Scan *s) {
  static const char *const classes[] = {"struct", "class", "union", "enum"};
  for (size_t c = 0; c < 4; c++)
    s->body = s->body || mt_lex_is(lex, k, classes[c]);
  s->name = k;
}

static void scan_token(const mt_Lex *lex, uint32_t k, Scan *s) {
  if (mt_lex_is(lex, k, ",")) end_declarator(s);
  else if (s->value) scan_value(lex, k, s);
  else if (mt_lex_is(lex, k, "(")) scan_parenthesis(lex, k, s);
  else if (mt_lex_is_star(lex, k)) s->star = true;
  else if (lex->tokens[k].kind == MT_TOKEN_NAME &&
           !mt_read_is_specifier(lex, k))
    scan_name(lex, k, s);
  else if (mt_lex_is(lex, k, "=") || mt_lex_is(lex, k, "{")) {
    s->value = mt_lex_is(lex, k, "=") || !s->body;
    s->body = s->d->simple = false;
  } else if (!mt_lex_is(lex, k, "::") && !mt_lex_is(lex, k, "[") &&
             !mt_lex_is(lex, k, "<"))
    s->d->simple = false;
}

static bool ends_declaration(const mt_Lex *lex, uint32_t k, const Scan *s) {
  /* of a range-based for, a bit-field, a constructor's initialisers */
  if (mt_lex_is(lex, k, ":")) return s->questions == 0;
  /* a function body */
  if (mt_lex_is(lex, k, "{"))
    return s->functions && s->paren && !s->value && !s->body;
  return mt_lex_is(lex, k, ";") || mt_lex_is(lex, k, ")") ||
         mt_lex_is(lex, k, "]") || mt_lex_is(lex, k, "}");
}

mt_Declarators mt_read_declared(const mt_Reader *r, uint32_t first) {
  const mt_Lex *lex = r->lex;
  mt_Declarators d = {.simple = true};
  Scan s = {.d = &d, .functions = !mt_read_in_function(r)};
  for (uint32_t k = first; k < lex->count && !ends_declaration(lex, k, &s);
       k++) {
    uint32_t end = mt_read_group_end(lex, k);
    if (end == 0) {
      scan_token(lex, k, &s);
      bool list = mt_lex_is(lex, k, "<") && !s.value;
      end = list ? mt_read_angle(lex, k) : lex->tokens[k].match;
    }
    if (end > k) k = end;
  }
  end_declarator(&s);
  return d;
}

/* --------------------------------------------------- place of the specifier */

/* The token before 'i' and the qualifiers next to it; lex->count: none. */
static uint32_t before_qualifiers(const mt_Lex *lex, uint32_t i) {
  while (i > 0 && is_qualifier(lex, i - 1)) i--;
  return i > 0 ? i - 1 : lex->count;
}

/* Does 'i' begin the declaration in the head of a for, if, while or switch? */
static bool in_head(const mt_Lex *lex, uint32_t i) {
  uint32_t limit = i > FARTHEST ? i - FARTHEST : 0;
  for (uint32_t k = i; k > limit + 1; k--) {
    uint32_t p = k - 1;
    if (mt_lex_is(lex, p, "("))
      return mt_lex_is(lex, p - 1, "for") || mt_lex_is(lex, p - 1, "if") ||
             mt_lex_is(lex, p - 1, "while") ||
             mt_lex_is(lex, p - 1, "switch") ||
             mt_lex_is(lex, p - 1, "constexpr");
    if (lex->tokens[p].match && lex->tokens[p].match < p)
      k = lex->tokens[p].match + 1;
    else if (lex->tokens[p].kind == MT_TOKEN_PUNCT &&
             !mt_lex_is(lex, p, "::") && !mt_lex_is(lex, p, "<") &&
             !mt_lex_is(lex, p, ">"))
      return false;
  }
  return false;
}

/* Is the type at 'i' part of a typedef or using declaration? */
static bool in_alias(const mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t a = mt_read_skip_template(lex, r->start);
  if (mt_lex_is(lex, a, "using")) return true;
  for (uint32_t k = a; k < i; k++)
    if (mt_lex_is(lex, k, "typedef")) return true;
  /* float typedef T; */
  for (uint32_t k = i + 1; lex->tokens[k].kind == MT_TOKEN_NAME; k++)
    if (mt_lex_is(lex, k, "typedef")) return true;
  return false;
}

/* Is the token after 'p' part of an expression or a list? */
static bool is_inside(const mt_Lex *lex, uint32_t p) {
  static const char *const words[] = {"operator", "return", "typename",
                                      "class",    "sizeof", "case"};
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (mt_lex_is(lex, p, words[k])) return true;
  if (p >= lex->count || lex->tokens[p].kind != MT_TOKEN_PUNCT) return false;
  return lex->tokens[p].length > 1 ||
         strchr(";{})]:>", lex->text[lex->tokens[p].at]) == NULL;
}

mt_TypePlace mt_read_place(const mt_Reader *r, uint32_t first, uint32_t last) {
  const mt_Lex *lex = r->lex;
  uint32_t p = before_qualifiers(lex, first);
  if (p < lex->count && mt_lex_is_star(lex, p)) return MT_PLACE_POINTER;
  if (is_inside(lex, p) && !(mt_lex_is(lex, p, "=") && in_alias(r, first)) &&
      !mt_lex_is(lex, p, "("))
    return MT_PLACE_TYPE;
  if (mt_lex_is(lex, last + 1, ">") || mt_lex_is(lex, last + 1, ","))
    return MT_PLACE_TYPE;
  if (r->parens)
    return r->functions && in_head(lex, first) ? MT_PLACE_LOCAL : MT_PLACE_TYPE;
  if (in_alias(r, first)) return MT_PLACE_ALIAS;
  if (r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS)
    return MT_PLACE_MEMBER;
  return r->functions ? MT_PLACE_LOCAL : MT_PLACE_PROGRAM;
}

/* ----------------------------------------------------------- names of types */

/* typedef threadgroup float T, *P; where every use of T implies threadgroup. */
static void add_alias(mt_Reader *r, uint32_t name, const char *space) {
  mt_Lex *lex = r->lex;
  const char *had = mt_read_alias(r, name);
  if (had && strcmp(had, space) != 0) {
    mt_read_problem(r, name, "Give the two types different names.",
                    "'%s' is a type in the %s address space and elsewhere one "
                    "in the %s address space",
                    mt_lex_text(lex, name, name + 1), had, space);
    return;
  }
  mt_SpaceAlias *a = malloc(sizeof *a);
  if (a == NULL) {
    r->failed = true;
    return;
  }
  *a = (mt_SpaceAlias){r->aliases, mt_lex_text(lex, name, name + 1), space,
                       name};
  r->aliases = a;
}

const char *mt_read_alias(const mt_Reader *r, uint32_t i) {
  for (const mt_SpaceAlias *a = r->aliases; a; a = a->next)
    if (mt_lex_is(r->lex, i, a->name)) return a->space;
  return NULL;
}

bool mt_read_is_alias_declared(const mt_Reader *r, uint32_t i) {
  for (const mt_SpaceAlias *a = r->aliases; a; a = a->next)
    if (a->at == i) return true;
  return false;
}

void mt_read_name_space(mt_Reader *r, uint32_t i, const char *space) {
  mt_Lex *lex = r->lex;
  uint32_t a = mt_read_skip_template(lex, r->start);
  mt_Declarators d = mt_read_declared(r, i + 1);
  uint32_t name = mt_lex_is(lex, a, "using") ? a + 1 : d.name;
  if (d.bare == 0 || strcmp(space, "thread") == 0) return;
  if (d.bare > 1 || d.doubt || lex->tokens[name].kind != MT_TOKEN_NAME ||
      name == 0)
    mt_read_problem(
        r, i,
        "Write the address space where a variable or a pointer is declared.",
        "the %s address space in this name of a type is not understood here",
        space);
  else
    add_alias(r, name, space);
}

/* ------------------------------------------------------------------ storage */

#define SHARED "__attribute__((section(\".msl.threadgroup\"))) "

static bool is_word(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* The last token of the alignas(…) and [[…]] that follow token 'last': in C++
** they must precede all specifiers. */
static uint32_t behind_attributes(const mt_Lex *lex, uint32_t last) {
  uint32_t end;
  while (
      (mt_lex_is(lex, last + 1, "alignas") || mt_lex_is(lex, last + 1, "[")) &&
      (end = mt_read_group_end(lex, last + 1)) != 0)
    last = end;
  return last;
}

static void add_specifier(mt_Reader *r, uint32_t last, const char *text) {
  mt_lex_behind(r->lex, behind_attributes(r->lex, last), text);
}

/* The first token of the declaration that token 'i' is in, even across a class
** body: struct { … } threadgroup x; */
static uint32_t declaration_start(const mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  for (; i > r->start && i > 0; i--) {
    uint32_t match = lex->tokens[i - 1].match;
    if ((mt_lex_is(lex, i - 1, ")") || mt_lex_is(lex, i - 1, "]")) && match &&
        match < i)
      i = match + 1;
  }
  return i == r->body_end ? r->body_start : r->start;
}

/* The annotation for passes/storage.c: 'bare' declarators are in the address
** space; 0: unknown. After a class body an attribute would apply to the type,
** so it goes before the declaration. */
static void mark(mt_Reader *r, uint32_t last, const char *space, bool own,
                 uint32_t bare) {
  mt_Lex *lex = r->lex;
  uint32_t start = declaration_start(r, last);
  const char *which = own ? "own" : mt_lex_format(lex, "%u", bare);
  const char *text =
      mt_lex_format(lex, " __attribute__((annotate(\"space|%s|%s|%u\"))) ",
                    space, which, lex->tokens[last].at);
  if (start < r->start) mt_lex_before(lex, start, text);
  else add_specifier(r, last, text);
}

/* Other threads may store into them, so warnings about uninitialised use of
** these names are dropped (diagnostics/diagnose.c). */
static void note_shared(mt_Reader *r, uint32_t name) {
  mt_Reading *out = r->out;
  if (out->shared_count == MT_MOST_SHARED ||
      r->lex->tokens[name].kind != MT_TOKEN_NAME)
    return;
  out->shared[out->shared_count++] = mt_lex_text(r->lex, name, name + 1);
}

static void blank_static(mt_Lex *lex, uint32_t a, uint32_t b) {
  for (uint32_t k = a; k < b; k++) {
    if (mt_lex_is(lex, k, "static")) mt_lex_blank(lex, k);
    if (lex->tokens[k].match > k) k = lex->tokens[k].match;
  }
}

/* Removes the 'static' of the declaration around a type: another specifier sets
** the storage. */
static void take_static(mt_Reader *r, uint32_t first, uint32_t last) {
  mt_Lex *lex = r->lex;
  uint32_t k = last + 1;
  blank_static(lex, declaration_start(r, first), first);
  /* to the end of the specifiers, and possibly the first name */
  for (; k < lex->count; k++) {
    uint32_t end = mt_read_group_end(lex, k);
    if (mt_lex_is(lex, k, "<")) end = mt_read_angle(lex, k);
    /* struct { … } */
    if (mt_lex_is(lex, k, "{") && lex->tokens[k - 1].kind == MT_TOKEN_NAME)
      end = lex->tokens[k].match;
    if (end == 0 && lex->tokens[k].kind != MT_TOKEN_NAME &&
        !mt_lex_is(lex, k, "::"))
      break;
    if (end) k = end;
  }
  blank_static(lex, last + 1, k);
}

static void store_local(mt_Reader *r, uint32_t first, uint32_t last,
                        const char *space) {
  mt_Declarators d = mt_read_declared(r, last + 1);
  bool own = d.bare == d.count && !d.doubt,
       constant = is_word(space, "constant"),
       shared = is_word(space, "threadgroup");
  if (is_word(space, "thread") || (d.bare == 0 && !d.doubt)) return;
  if (r->spaces) { /* Clang allows no automatic variable in the space */
    if (r->parens && first == last && mt_read_is_space(r->lex, last))
      mt_lex_replace(r->lex, last, constant ? "const" : " ");
    if (is_word(space, "device") || r->parens) return;
    take_static(r, first, last);
    add_specifier(r, last, " static ");
  } else if (own && constant && !r->parens) {
    take_static(r, first, last);
    add_specifier(r, last, " static ");
  } else if (own && shared && d.simple && !r->parens) {
    take_static(r, first, last);
    add_specifier(r, last, " static " SHARED);
  } else if (own && !shared && !constant)
    mt_read_problem(
        r, first,
        "Leave the word out for a thread's own variable; device memory comes "
        "in as a parameter.",
        "a variable in a function cannot be in the %s address space", space);
  else {
    if (shared && own) take_static(r, first, last);
    mark(r, last, space, own, d.doubt ? 0 : d.bare);
    for (uint32_t k = 0; shared && k < d.count && k < MT_DECLARED_NAMES; k++)
      note_shared(r, d.names[k]);
  }
}

static void store_member(mt_Reader *r, uint32_t first, uint32_t last,
                         const char *space) {
  mt_Declarators d = mt_read_declared(r, last + 1);
  bool fixed = false;
  for (uint32_t k = r->start; k < last + 2; k++)
    fixed = fixed || mt_lex_is(r->lex, k, "static") ||
            mt_lex_is(r->lex, k, "constexpr");
  if (is_word(space, "thread") || d.bare == 0 || d.doubt) return;
  if (is_word(space, "constant") && (fixed || d.call)) return;
  if (d.call)
    mt_read_problem(r, first,
                    "Leave the word out: the value is a copy. A pointer or a "
                    "reference may lead there.",
                    "a function cannot return a value in the %s address space",
                    space);
  else
    mt_read_problem(r, first,
                    "Leave the word out: a member lies where its struct does. "
                    "A pointer or a reference may lead elsewhere.",
                    "a member of a struct cannot be in the %s address space",
                    space);
}

/* device float * threadgroup p; where 'i' is the second word */
static void store_pointer(mt_Reader *r, uint32_t i, const char *space) {
  mt_Lex *lex = r->lex;
  uint32_t next = i + 1;
  while (is_qualifier(lex, next)) next++;
  bool named =
      lex->tokens[next].kind == MT_TOKEN_NAME || mt_lex_is(lex, next, "(");
  /* device float *device (&p)[4]: what is declared only leads there */
  if (mt_lex_is(lex, next, "(") &&
      (mt_lex_is(lex, next + 1, "&") || mt_lex_is(lex, next + 1, "*")))
    return;
  if (!named || is_word(space, "thread") || is_word(space, "constant")) return;
  if (r->spaces) {
    /* Clang allows no automatic variable in the address space */
    mt_lex_replace(lex, i, " ");
    return;
  }
  if (r->functions &&
      !(r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS)) {
    mark(r, i, space, true, 0);
    note_shared(r, next);
  } else if (r->parens || r->depth)
    mt_read_problem(
        r, i, "Leave the word out: it says where the pointer itself lies.",
        "a %s cannot be in the %s address space",
        r->parens ? "parameter" : "member of a struct", space);
}

/* [](threadgroup float x): the lambda's parameter that begins at 'first', if it
** is one. */
static void store_parameter(mt_Reader *r, uint32_t first, const char *space) {
  const mt_Lex *lex = r->lex;
  uint32_t open = first, limit = first > FARTHEST ? first - FARTHEST : 0;
  if (!r->functions || !r->parens || first == 0 || is_word(space, "thread"))
    return;
  for (open--; open > limit && !mt_lex_is(lex, open, "("); open--)
    if (lex->tokens[open].match && lex->tokens[open].match < open)
      open = lex->tokens[open].match;
  uint32_t close = lex->tokens[open].match;
  if (open <= limit || close < first || !mt_lex_is(lex, open - 1, "]")) return;
  mt_ReadParameter p =
      mt_read_parameter(lex, first, mt_read_parameter_end(lex, first, close));
  if (!p.star && !p.array && p.name)
    mt_read_problem(
        r, p.name,
        mt_lex_format(
            r->lex,
            "Leave the word out for a copy, or take a reference: %s T &x.",
            space),
        "parameter '%s' cannot be in the %s address space",
        mt_lex_text(r->lex, p.name, p.name + 1), space);
}

/* constant [[…]] float x: const is a specifier, and attributes must precede
** specifiers. */
void mt_read_store_constant(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  if (behind_attributes(lex, i) == i) mt_lex_replace(lex, i, "const   ");
  else {
    mt_lex_blank(lex, i);
    add_specifier(r, i, " const ");
  }
}

void mt_read_store(mt_Reader *r, uint32_t first, uint32_t last,
                   const char *space) {
  switch (mt_read_place(r, first, last)) {
    case MT_PLACE_LOCAL: store_local(r, first, last, space); break;
    case MT_PLACE_MEMBER: store_member(r, first, last, space); break;
    case MT_PLACE_POINTER: store_pointer(r, last, space); break;
    case MT_PLACE_ALIAS: mt_read_name_space(r, last, space); break;
    case MT_PLACE_PROGRAM: {
      mt_Declarators d = mt_read_declared(r, last + 1);
      if (d.call && d.bare && !d.doubt && !is_word(space, "constant") &&
          !is_word(space, "thread"))
        mt_read_problem(
            r, first,
            "Leave the word out: the value is a copy. A pointer or a reference "
            "may lead there.",
            "a function cannot return a value in the %s address space", space);
      break;
    }
    default: store_parameter(r, first, space); break;
  }
}
