/*
** address_space_overloads.c - overloads that differ only in address spaces.
**
** For C++ these overloads are one function. Usually their bodies are the same,
** and the first is used for all. Where the bodies differ, each is renamed, and
** a function with the old name dispatches on the pointer's address space
** (__mt_space); passes/spaces.c resolves it at compile time from the kernel's
** arguments and variables.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/parts.h"

static void add_normal(mt_Lex *lex, const mt_ReadParameter *p, mt_Str *key) {
  bool decays = p->array && !p->star;
  if ((p->star || decays) && p->constant) mt_str_add(key, "const ");
  uint32_t end = p->end;
  for (uint32_t i = p->first; i < p->end; i++)
    if (mt_lex_is(lex, i, "=")) end = i;
  for (uint32_t i = p->first, close; i < end; i++) {
    if (mt_read_attribute_at(lex, i, &close)) {
      i = close;
      continue;
    }
    if (i == p->name || mt_read_is_space(lex, i) || mt_lex_is(lex, i, "const"))
      continue;
    /* T x[32] is T *x */
    if (decays && mt_lex_is(lex, i, "[") && lex->tokens[i].match) {
      mt_str_add(key, "* ");
      i = lex->tokens[i].match;
      decays = false;
      continue;
    }
    mt_str_add_bytes(key, lex->text + lex->tokens[i].at, lex->tokens[i].length);
    mt_str_add_char(key, ' ');
  }
  mt_str_add_char(key, ',');
}

static void add_spaces(mt_Lex *lex, uint32_t a, uint32_t b, mt_Str *to) {
  for (uint32_t i = a; i < b; i++)
    if (mt_read_is_space(lex, i))
      mt_str_addf(to, "%s,", mt_lex_text(lex, i, i + 1));
}

/* The first token of the qualified name: A::op<float> */
static uint32_t name_start(const mt_Lex *lex, const mt_FunctionHeader *h) {
  uint32_t i = h->name;
  if (mt_lex_is(lex, i, ">")) /* back to its '<' */
    for (uint32_t k = h->first; k < h->name; k++)
      if (mt_lex_is(lex, k, "<") && mt_read_angle(lex, k) == h->name)
        i = k > h->first ? k - 1 : k;
  while (i > h->first + 1 && mt_lex_is(lex, i - 1, "::")) i -= 2;
  return i;
}

/* enable_if<…> as the result type distinguishes templates. */
static void add_condition_type(const mt_Lex *lex, const mt_FunctionHeader *h,
                               mt_Str *key) {
  bool condition = false;
  uint32_t name = name_start(lex, h);
  for (uint32_t i = h->first; i < name; i++)
    condition = condition || mt_lex_is(lex, i, "enable_if") ||
                mt_lex_is(lex, i, "enable_if_t");
  for (uint32_t i = h->first; condition && i < name; i++)
    if (!mt_read_is_space(lex, i) && !mt_lex_is(lex, i, "const"))
      mt_str_add_bytes(key, lex->text + lex->tokens[i].at,
                       lex->tokens[i].length);
}

static const char *signature(mt_Reader *r, const mt_FunctionHeader *h,
                             uint32_t end) {
  mt_Lex *lex = r->lex;
  mt_Str key = MT_STR_INIT;
  for (uint32_t d = 0; d < r->depth; d++)
    if (r->levels[d].scope == MT_LEVEL_CLASS)
      mt_str_addf(&key, "%u/", r->levels[d].open);
  mt_str_addf(&key, "%s|", mt_read_qualified(r, h->name));
  mt_str_addf(&key, "%s|", mt_lex_text(lex, r->start, h->first));
  add_condition_type(lex, h, &key);
  mt_str_addf(&key, "%s(", mt_lex_text(lex, name_start(lex, h), h->open));
  for (uint32_t i = h->open + 1; i < h->close;) {
    uint32_t stop = mt_read_parameter_end(lex, i, h->close);
    mt_ReadParameter p = mt_read_parameter(lex, i, stop);
    add_normal(lex, &p, &key);
    i = stop + 1;
  }
  bool constant = false, constructor = false;
  if (r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS &&
      r->levels[r->depth - 1].class_name) {
    uint32_t c = r->levels[r->depth - 1].class_name;
    constructor = mt_lex_is(lex, h->name, mt_lex_text(lex, c, c + 1));
  }
  for (uint32_t i = h->close + 1;
       !constructor && i < end && !mt_lex_is(lex, i, ":"); i++)
    constant =
        constant || mt_lex_is(lex, i, "const") || mt_lex_is(lex, i, "constant");
  mt_str_add(&key, constant ? ")c" : constructor ? ")n" : ")");
  const char *kept = mt_lex_format(lex, "%s", mt_str_text(&key));
  mt_str_free(&key);
  return kept;
}

/* ------------------------------------------------------------------- lookup */

static bool is_aside(const mt_Lex *lex, uint32_t i) {
  return mt_read_is_space(lex, i) || mt_lex_is(lex, i, "const");
}

/* Do two bodies have the same tokens, except for address spaces and const? */
static bool same_body(const mt_Lex *lex, uint32_t a, uint32_t b) {
  uint32_t i = a, k = b, end = lex->tokens[a].match,
           other = lex->tokens[b].match;
  for (;; i++, k++) {
    while (i < end && is_aside(lex, i)) i++;
    while (k < other && is_aside(lex, k)) k++;
    if (i >= end || k >= other) return i >= end && k >= other;
    const mt_Token *x = &lex->tokens[i], *y = &lex->tokens[k];
    if (x->length != y->length ||
        memcmp(lex->text + x->at, lex->text + y->at, x->length) != 0)
      return false;
  }
}

/* Was it seen with other address spaces and the same body? Records it. */
static bool is_known(mt_Reader *r, const char *key, const char *spaces,
                     uint32_t end) {
  if (r->spaces) return false;
  uint32_t bucket = 5381;
  for (const char *s = key; *s; s++) bucket = bucket * 33 + (unsigned char)*s;
  bucket %= MT_NAME_BUCKETS;
  bool found = false,
       body = mt_lex_is(r->lex, end, "{") && r->lex->tokens[end].match;
  mt_SpaceOverload *same = NULL;
  for (mt_SpaceOverload *t = r->overloads[bucket]; t; t = t->next) {
    if (strcmp(t->key, key) != 0 || t->body != body) continue;
    /* a redefinition, which Clang diagnoses */
    if (strcmp(t->spaces, spaces) == 0) return false;
    found = true;
    if (body && t->same == NULL && same_body(r->lex, t->brace, end)) same = t;
  }
  mt_SpaceOverload *t = malloc(sizeof *t);
  if (t == NULL) return !(r->failed = true);
  *t = (mt_SpaceOverload){r->overloads[bucket], key, spaces, body,
                 r->start,         end, same,   false};
  r->overloads[bucket] = t;
  return body ? same != NULL : found;
}

bool mt_read_is_space_overload(mt_Reader *r, const mt_FunctionHeader *h,
                               uint32_t end) {
  mt_Lex *lex = r->lex;
  if (h->kernel) return false;
  mt_Str spaces = MT_STR_INIT;
  add_spaces(lex, h->open, end, &spaces);
  const char *own = mt_lex_format(lex, "%s", mt_str_text(&spaces));
  mt_str_free(&spaces);
  return is_known(r, signature(r, h, end), own, end);
}

/* template <class T> struct element<device T *>: was there one for another
** address space? */
bool mt_read_is_class_overload(mt_Reader *r, uint32_t end) {
  mt_Lex *lex = r->lex;
  mt_Str key = MT_STR_INIT, spaces = MT_STR_INIT;
  for (uint32_t d = 0; d < r->depth; d++)
    mt_str_addf(&key, "%u/", r->levels[d].open);
  mt_str_add(&key, "class ");
  for (uint32_t i = r->start; i < end; i++) {
    if (mt_lex_is(lex, i, ":")) break;
    if (mt_lex_is(lex, i, "constant")) mt_str_add(&key, "const ");
    if (mt_read_is_space(lex, i))
      mt_str_addf(&spaces, "%s,", mt_lex_text(lex, i, i + 1));
    else
      mt_str_addf(&key, "%s ", mt_lex_text(lex, i, i + 1));
  }
  bool overload = spaces.length > 0 &&
              is_known(r, mt_lex_format(lex, "%s", mt_str_text(&key)),
                       mt_lex_format(lex, "%s", mt_str_text(&spaces)), end);
  mt_str_free(&key);
  mt_str_free(&spaces);
  return overload;
}

/* ----------------------------------------------------------------- dispatch */

/* Tokens a to b with their edits. */
static void add_written(const mt_Lex *lex, uint32_t a, uint32_t b, mt_Str *to) {
  for (uint32_t i = a; i < b; i++) {
    const mt_Token *t = &lex->tokens[i];
    if (mt_lex_is(lex, i, "constexpr")) continue; /* __mt_space is not */
    if (t->before) mt_str_add(to, t->before);
    if (t->instead) mt_str_add(to, t->instead);
    else mt_str_add_bytes(to, lex->text + t->at, t->length);
    if (t->after) mt_str_add(to, t->after);
    mt_str_add_char(to, ' ');
  }
}

/* <T, N> for the named parameters of a template. */
void mt_read_add_template_names(const mt_Lex *lex, uint32_t first, uint32_t end,
                                mt_Str *to) {
  uint32_t open = first + 1, close = mt_read_angle(lex, open), name = 0;
  bool any = false, pack = false, value = false;
  if (end <= first || close == 0) return;
  for (uint32_t i = open + 1; i <= close; i++) {
    if (i == close || mt_lex_is(lex, i, ",")) {
      if (name == 0) break;
      mt_str_addf(to, "%s%.*s%s", any ? ", " : "<",
                  (int)lex->tokens[name].length,
                  lex->text + lex->tokens[name].at, pack ? "..." : "");
      any = true, pack = value = false, name = 0;
    } else if (mt_lex_is(lex, i, "="))
      value = true;
    else if (mt_lex_is(lex, i, "..."))
      pack = true;
    else if (!value && lex->tokens[i].kind == MT_TOKEN_NAME &&
             !mt_lex_is(lex, i, "typename") && !mt_lex_is(lex, i, "class"))
      name = mt_lex_is(lex, i - 1, "typename") ||
                     mt_lex_is(lex, i - 1, "class") || i > open + 1
                 ? i
                 : 0;
    if (i < close && mt_lex_is(lex, i, "<") && mt_read_angle(lex, i))
      i = mt_read_angle(lex, i);
    else if (i < close && lex->tokens[i].match > i) i = lex->tokens[i].match;
  }
  if (any) mt_str_add(to, ">");
}

static int space_number(const mt_Lex *lex, uint32_t i) {
  return mt_lex_is(lex, i, "device")        ? 1
         : mt_lex_is(lex, i, "constant")    ? 2
         : mt_lex_is(lex, i, "threadgroup") ? 3
                                            : 0;
}

/* (__mt_space(p) == 1 && …): the arguments are in the address spaces of 't'. */
static void add_condition(mt_Reader *r, const mt_SpaceOverload *t,
                          const mt_FunctionHeader *names, mt_Str *to) {
  const mt_Lex *lex = r->lex;
  mt_FunctionHeader h;
  mt_read_header(r, t->start, t->brace, &h);
  mt_str_add(to, "(true");
  uint32_t i = h.open + 1, k = names->open + 1;
  for (unsigned n = 0; i < h.close && k < names->close; n++) {
    uint32_t stop = mt_read_parameter_end(lex, i, h.close),
             other = mt_read_parameter_end(lex, k, names->close);
    mt_ReadParameter p = mt_read_parameter(lex, i, stop),
                     q = mt_read_parameter(lex, k, other);
    if ((p.star || p.array) && p.space) {
      const char *name = q.name ? mt_lex_text(r->lex, q.name, q.name + 1)
                                : mt_lex_format(r->lex, "__msl_a%u", n);
      mt_str_addf(to,
                  p.star == 0 || mt_lex_is(lex, p.star, "*")
                      ? " && __mt_space(%s) == %d"
                      : " && __mt_space(__builtin_addressof(%s)) == %d",
                  name, space_number(lex, p.space));
    }
    i = stop + 1, k = other + 1;
  }
  for (i = h.close + 1; i < t->brace; i++)
    if (mt_read_is_space(lex, i))
      mt_str_addf(to, " && __mt_space(this) == %d", space_number(lex, i));
  mt_str_add(to, ")");
}

/* The parameters, all named; without default arguments if 'bare'. */
static void add_parameters(mt_Reader *r, const mt_FunctionHeader *h, bool bare,
                           mt_Str *to) {
  const mt_Lex *lex = r->lex;
  mt_str_add(to, "(");
  for (uint32_t i = h->open + 1, n = 0; i < h->close; n++) {
    uint32_t stop = mt_read_parameter_end(lex, i, h->close), value = i;
    mt_ReadParameter p = mt_read_parameter(lex, i, stop);
    while (value < stop && !mt_lex_is(lex, value, "=")) value++;
    add_written(lex, i, value, to);
    if (p.name == 0 && !mt_lex_is(lex, i, "void"))
      mt_str_addf(to, "__msl_a%u ", n);
    if (!bare) add_written(lex, value, stop, to);
    if (stop < h->close) mt_str_add(to, ", ");
    i = stop + 1;
  }
  mt_str_add(to, ") ");
}

void mt_read_add_arguments(mt_Reader *r, const mt_FunctionHeader *h,
                           mt_Str *to) {
  for (uint32_t i = h->open + 1, n = 0; i < h->close; n++) {
    uint32_t stop = mt_read_parameter_end(r->lex, i, h->close);
    mt_ReadParameter p = mt_read_parameter(r->lex, i, stop);
    if (p.name)
      mt_str_addf(to, "%s%s", n ? ", " : "",
                  mt_lex_text(r->lex, p.name, p.name + 1));
    else if (!mt_lex_is(r->lex, i, "void"))
      mt_str_addf(to, "%s__msl_a%u", n ? ", " : "", n);
    i = stop + 1;
  }
}

/* The kind of function for which C++ does not allow the dispatch; or NULL. */
static const char *cannot(mt_Reader *r, const mt_SpaceOverload *t,
                          const mt_FunctionHeader *h) {
  const mt_Lex *lex = r->lex;
  if (strstr(t->key, ")n")) return "constructors";
  if (mt_lex_is(lex, h->name, ">") ||
      (h->name > 0 && mt_lex_is(lex, h->name - 1, "::")))
    return "members and specializations outside their class";
  for (uint32_t i = h->open + 1; i < h->close; i++)
    if (mt_lex_is(lex, i, "("))
      return "functions that take arrays or functions";
  return NULL;
}

static const char *own_name(mt_Reader *r, const mt_FunctionHeader *h,
                            unsigned number) {
  if (mt_lex_is(r->lex, h->name, "operator"))
    return mt_lex_format(r->lex, "__msl_operator_%u__msl%u", h->name, number);
  return mt_lex_format(r->lex, "%s__msl%u",
                       mt_lex_text(r->lex, h->name, h->name + 1), number);
}

/* The dispatching function has the default arguments. */
void mt_read_rename_function(mt_Reader *r, const mt_FunctionHeader *h,
                             const char *name) {
  mt_Lex *lex = r->lex;
  mt_lex_replace(lex, h->name, name);
  for (uint32_t i = h->name + 1; i < h->open; i++) mt_lex_blank(lex, i);
  for (uint32_t i = h->open + 1; i < h->close;) {
    uint32_t stop = mt_read_parameter_end(lex, i, h->close), value = i;
    while (value < stop && !mt_lex_is(lex, value, "=")) value++;
    for (; value < stop; value++)
      lex->tokens[value].before = lex->tokens[value].after = NULL,
      mt_lex_blank(lex, value);
    i = stop + 1;
  }
}

/* Is there another overload of this name, with other parameters? */
static bool has_namesake(const mt_Reader *r, const mt_SpaceOverload *t) {
  size_t n = strcspn(t->key, "|") + 1;
  for (int b = 0; b < MT_NAME_BUCKETS; b++)
    for (const mt_SpaceOverload *u = r->overloads[b]; u; u = u->next)
      if (strncmp(u->key, t->key, n) == 0 && strcmp(u->key, t->key) != 0)
        return true;
  return false;
}

static uint32_t parts(const mt_Lex *lex, uint32_t open, uint32_t close) {
  uint32_t n = 0;
  for (uint32_t i = open + 1; i < close; n++)
    i = mt_read_parameter_end(lex, i, close) + 1;
  return n;
}

/* The overload that a call by their common name in overload 'k' refers to,
** which is assumed not to be a recursion. Usually it has copied its data and
** calls the overload for the thread address space. */
static unsigned other_overload(mt_SpaceOverload **list, unsigned count,
                               unsigned k) {
  if (count == 2) return 1 - k;
  for (unsigned i = 0; i < count; i++)
    if (i != k &&
        (list[i]->spaces[0] == '\0' || strcmp(list[i]->spaces, "thread,") == 0))
      return i;
  return k;
}

static void call_other(mt_Reader *r, mt_SpaceOverload **list, unsigned count,
                       unsigned k) {
  mt_Lex *lex = r->lex;
  mt_FunctionHeader h, target;
  unsigned other = other_overload(list, count, k);
  uint32_t end = lex->tokens[list[k]->brace].match;
  if (other == k || has_namesake(r, list[k]) ||
      !mt_read_header(r, list[k]->start, list[k]->brace, &h) ||
      !mt_read_header(r, list[other]->start, list[other]->brace, &target))
    return;
  for (uint32_t i = list[k]->brace + 1; i < end; i++) {
    const mt_Token *t = &lex->tokens[i], *name = &lex->tokens[h.name];
    uint32_t close = mt_lex_is(lex, i + 1, "(") ? lex->tokens[i + 1].match : 0;
    bool same = t->kind == MT_TOKEN_NAME && t->length == name->length &&
                close &&
                memcmp(lex->text + t->at, lex->text + name->at, t->length) == 0;
    bool part = mt_lex_is(lex, i - 1, ".") || mt_lex_is(lex, i - 1, "->") ||
                mt_lex_is(lex, i - 1, "::");
    if (same && !part &&
        parts(lex, i + 1, close) == parts(lex, h.open, h.close))
      mt_lex_replace(lex, i, own_name(r, &target, other));
  }
}

/* auto f(device int *p) { … }: it cannot be called before its body. */
static bool is_deduced(const mt_Lex *lex, const mt_FunctionHeader *h,
                       uint32_t brace) {
  bool deduced = false;
  for (uint32_t i = h->first; i < h->name; i++)
    deduced = deduced || mt_lex_is(lex, i, "auto");
  for (uint32_t i = h->close; i < brace; i++)
    deduced = deduced && !mt_lex_is(lex, i, "->");
  return deduced;
}

/* Overloads that are to be told apart, and what is written for them. */
typedef struct Choice {
  mt_Reader *r;
  mt_SpaceOverload **list;
  unsigned count;
  mt_FunctionHeader head; /* of the first */
  bool member;
  bool late;     /* the result is deduced: the dispatching function follows */
  mt_Str declared, dispatch;
} Choice;

/* False: the header is not understood, and nothing is written. */
static bool read_choice(Choice *c) {
  const mt_SpaceOverload *first = c->list[0];
  c->member = first->key[0] >= '0' && first->key[0] <= '9';
  if (!mt_read_header(c->r, first->start, first->brace, &c->head)) return false;
  c->late = !c->member && is_deduced(c->r->lex, &c->head, first->brace);
  return true;
}

/* True: they cannot be told apart, which is said. */
static bool refuse_choice(const Choice *c) {
  mt_FunctionHeader last;
  const char *why = cannot(c->r, c->list[0], &c->head);
  if (why &&
      mt_read_header(c->r, c->list[1]->start, c->list[1]->brace, &last))
    mt_read_problem(c->r, last.name, "Give them different names.",
                    "%s that differ by address space alone and do different "
                    "things are not supported here",
                    why);
  return why != NULL;
}

/* A forward declaration, which members do without. */
static void declare_overload(Choice *c, const mt_FunctionHeader *h,
                             unsigned k) {
  const mt_Lex *lex = c->r->lex;
  if (c->member || c->late) return;
  add_written(lex, c->list[k]->start, h->name, &c->declared);
  mt_str_addf(&c->declared, "%s", own_name(c->r, h, k));
  add_parameters(c->r, h, true, &c->declared);
  add_written(lex, h->close + 1, c->list[k]->brace, &c->declared);
  mt_str_add(&c->declared, "; ");
}

/* if (the arguments are in the spaces of overload 'k', or of one that does the
** same) */
static void test_spaces(Choice *c, unsigned k) {
  mt_str_add(&c->dispatch, "if (");
  add_condition(c->r, c->list[k], &c->head, &c->dispatch);
  for (int b = 0; b < MT_NAME_BUCKETS; b++)
    for (mt_SpaceOverload *t = c->r->overloads[b]; t; t = t->next)
      if (t->same == c->list[k]) {
        mt_str_add(&c->dispatch, " || ");
        add_condition(c->r, t, &c->head, &c->dispatch);
      }
  mt_str_add(&c->dispatch, ") ");
}

static void call_overload(Choice *c, const mt_FunctionHeader *h, unsigned k) {
  mt_str_addf(&c->dispatch, "return %s", own_name(c->r, h, k));
  mt_read_add_template_names(c->r->lex, c->list[0]->start, c->head.first,
                             &c->dispatch);
  mt_str_add(&c->dispatch, "(");
  mt_read_add_arguments(c->r, &c->head, &c->dispatch);
  mt_str_add(&c->dispatch, "); ");
}

/* The function that gets the old name: it calls the overload whose spaces are
** those of its arguments. */
static void write_dispatch(Choice *c) {
  const mt_Lex *lex = c->r->lex;
  const mt_SpaceOverload *first = c->list[0];
  mt_FunctionHeader h;
  add_written(lex, first->start, c->head.name, &c->dispatch);
  add_written(lex, c->head.name, c->head.open, &c->dispatch);
  add_parameters(c->r, &c->head, false, &c->dispatch);
  add_written(lex, c->head.close + 1, first->brace, &c->dispatch);
  mt_str_add(&c->dispatch, "{ ");
  for (unsigned k = 0; k < c->count; k++) {
    if (!mt_read_header(c->r, c->list[k]->start, c->list[k]->brace, &h)) break;
    declare_overload(c, &h, k);
    if (k + 1 < c->count) test_spaces(c, k);
    call_overload(c, &h, k);
  }
  mt_str_add(&c->dispatch, "} ");
}

static void rename_overloads(const Choice *c) {
  mt_FunctionHeader h;
  for (unsigned k = 0; k < c->count; k++)
    call_other(c->r, c->list, c->count, k);
  for (unsigned k = 0; k < c->count; k++)
    if (mt_read_header(c->r, c->list[k]->start, c->list[k]->brace, &h))
      mt_read_rename_function(c->r, &h, own_name(c->r, &h, k));
}

static void place_dispatch(const Choice *c) {
  mt_Lex *lex = c->r->lex;
  uint32_t end = lex->tokens[c->list[c->count - 1]->brace].match;
  const char *text = mt_str_text(&c->dispatch);
  if (c->late && end)
    mt_lex_behind(lex, end, mt_lex_format(lex, " %s", text));
  else
    mt_lex_before(lex, c->list[0]->start,
                  mt_lex_format(lex, "%s%s", mt_str_text(&c->declared), text));
}

static void choose(mt_Reader *r, mt_SpaceOverload **list, unsigned count) {
  Choice c = {.r = r, .list = list, .count = count};
  if (!read_choice(&c) || refuse_choice(&c)) return;
  write_dispatch(&c);
  rename_overloads(&c);
  place_dispatch(&c);
  mt_str_free(&c.declared);
  mt_str_free(&c.dispatch);
}

static int by_place(const void *a, const void *b) {
  const mt_SpaceOverload *x = *(mt_SpaceOverload *const *)a,
                         *y = *(mt_SpaceOverload *const *)b;
  return x->start < y->start ? -1 : x->start > y->start;
}

void mt_read_choose_overloads(mt_Reader *r) {
  enum { MOST = 16 };
  for (int b = 0; b < MT_NAME_BUCKETS; b++)
    for (mt_SpaceOverload *t = r->overloads[b]; t; t = t->next) {
      mt_SpaceOverload *list[MOST];
      unsigned count = 0;
      if (t->done || !t->body || t->same) continue;
      for (mt_SpaceOverload *u = t; u && count < MOST; u = u->next)
        if (u->body && u->same == NULL && strcmp(u->key, t->key) == 0)
          u->done = true, list[count++] = u;
      if (count < 2) continue;
      qsort(list, count, sizeof *list, by_place);
      if (strncmp(t->key, "class ", 6) == 0 || strstr(t->key, "/class "))
        mt_read_problem(
            r, list[1]->start,
            "Give them members that are the same for all address spaces.",
            "specializations that differ by address space alone cannot differ "
            "in what they hold here");
      else
        choose(r, list, count);
    }
}
