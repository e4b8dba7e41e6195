/*
** bools.c - vec<T, N> deduced from a bool vector.
**
** Clang's vectors of bool are bit vectors, so bool2 to bool4 are classes here,
** and a parameter vec<T, N> of a function template cannot be deduced from one.
** The one idea: the body exists once, under a new name and for a vec<T, N> in a
** non-deduced context (__msl_vec_of); overloads with the old name deduce T, one
** from Clang's vectors and one from the classes, and call it. An alias template
** over vec has three forms likewise. A partial specialization for vec<T, N> is
** the base of one for the classes.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/parts.h"

#define MOST_ELEMENTS 3 /* template arguments deduced by one function */
/* name suffix; lower ones are address_space_overloads.c's */
#define FIRST_NUMBER 16

/* --------------------------------------------------------------- detection */

/* bool3, vec<bool, …>, Tile<bool>, f(a > b): can the text contain a bool
** vector? */
static bool mentions_bools(mt_Reader *r) {
  const mt_Lex *lex = r->lex;
  for (uint32_t i = 1; i < lex->count; i++) {
    bool argument =
        mt_lex_is(lex, i, "bool") &&
        (mt_lex_is(lex, i - 1, "<") || mt_lex_is(lex, i - 1, ",")) &&
        (mt_lex_is(lex, i + 1, ",") || mt_lex_is(lex, i + 1, ">"));
    if (argument || mt_lex_is(lex, i, "bool2") || mt_lex_is(lex, i, "bool3") ||
        mt_lex_is(lex, i, "bool4"))
      return true;
  }
  return mt_read_has_compared(r);
}

static const mt_BoolAlias *alias_at(const mt_Reader *r, uint32_t i) {
  for (const mt_BoolAlias *a = r->bool_aliases; a; a = a->next)
    if (mt_lex_is(r->lex, i, a->name)) return a;
  return NULL;
}

/* Is token 'i' a vec, or an alias of one, of a parameter of the template at
** 'start'? */
static bool is_deduced_vector(const mt_Reader *r, uint32_t start, uint32_t i) {
  const mt_Lex *lex = r->lex;
  bool vec = mt_read_is_library(r, i, MT_LIBRARY_VEC);
  if (!mt_lex_is(lex, i + 1, "<") || lex->tokens[i + 2].kind != MT_TOKEN_NAME)
    return false;
  if (!vec && alias_at(r, i) == NULL) return false;
  if (!mt_lex_is(lex, i + 3, ",") && (vec || !mt_lex_is(lex, i + 3, ">")))
    return false;
  return mt_read_own_parameter(lex, start, i + 2);
}

/* ------------------------------------------------------------------ aliases */

/* template <class U> using Row = vec<U, 8>; at token 'i': the token of its vec,
** or of the alias used instead; its ';' in '*end'; 0: no such alias. */
static uint32_t alias_of_vector(const mt_Reader *r, uint32_t i, uint32_t *name,
                                uint32_t *end) {
  const mt_Lex *lex = r->lex;
  uint32_t a = mt_read_skip_template(lex, i), vec = 0;
  if (a == i || mt_read_angle(lex, i + 1) + 1 != a ||
      !mt_lex_is(lex, a, "using") || !mt_lex_is(lex, a + 2, "="))
    return 0;
  *name = a + 1;
  for (*end = a + 3; *end < lex->count && !mt_lex_is(lex, *end, ";"); (*end)++)
    if (vec == 0 && is_deduced_vector(r, i, *end)) vec = *end;
  bool whole = vec && mt_lex_is(lex, mt_read_angle(lex, vec + 1) + 1, ";");
  return whole && *end < lex->count ? vec : 0;
}

/* Token 'i', a deduced vector, as Clang's (0) or as the class (1). */
static const char *form_of(mt_Lex *lex, uint32_t i, int form) {
  if (mt_lex_is(lex, i, "vec")) return form ? "__msl_bools" : "vec";
  return mt_lex_format(lex, "%s__msl%d", mt_lex_text(lex, i, i + 1), form);
}

static void add_alias_form(mt_Lex *lex, uint32_t first, uint32_t name,
                           uint32_t vec, uint32_t end, int form, mt_Str *to) {
  for (uint32_t k = first; k < end; k++) {
    mt_str_addf(to, " %s",
                k == vec ? form_of(lex, k, form) : mt_lex_text(lex, k, k + 1));
    if (k == name) mt_str_addf(to, "__msl%d", form);
  }
  mt_str_add(to, ";");
}

void mt_read_collect_bools(mt_Reader *r) {
  mt_Lex *lex = r->lex;
  if (r->spaces || !(r->bools = mentions_bools(r))) return;
  for (uint32_t i = 0; i < lex->count; i++) {
    uint32_t name, end,
        vec = mt_lex_is(lex, i, "template") ? alias_of_vector(r, i, &name, &end)
                                            : 0;
    if (vec == 0) continue;
    mt_BoolAlias *a = malloc(sizeof *a);
    mt_Str text = MT_STR_INIT;
    if (a == NULL) {
      r->failed = true;
      return;
    }
    *a = (mt_BoolAlias){r->bool_aliases, mt_lex_text(lex, name, name + 1)};
    r->bool_aliases = a;
    for (int form = 0; form < 2; form++)
      add_alias_form(lex, i, name, vec, end, form, &text);
    if (mt_lex_is(lex, vec, "vec")) mt_lex_replace(lex, vec, "__msl_vec_of");
    mt_lex_behind(lex, end, mt_lex_format(lex, "%s", mt_str_text(&text)));
    mt_str_free(&text);
  }
}

/* ---------------------------------------------------------------- functions */

typedef struct Elements { /* tokens: T of vec<T, N>, one for each name */
  uint32_t name[MOST_ELEMENTS];
  unsigned count;
  bool more; /* than MOST_ELEMENTS */
} Elements;

static unsigned element_number(const mt_Lex *lex, const Elements *e,
                               uint32_t name) {
  unsigned k = 0;
  while (k < e->count && !mt_read_same_word(lex, e->name[k], name)) k++;
  return k;
}

static Elements elements_of(const mt_Reader *r, uint32_t start,
                            const mt_FunctionHeader *h) {
  Elements e = {.count = 0};
  for (uint32_t i = h->open + 1; i < h->close; i++) {
    if (!is_deduced_vector(r, start, i) ||
        element_number(r->lex, &e, i + 2) < e.count)
      continue;
    if (e.count == MOST_ELEMENTS)
      e.more = true;
    else
      e.name[e.count++] = i + 2;
  }
  return e;
}

static bool has(const mt_Lex *lex, uint32_t a, uint32_t b, const char *word) {
  for (uint32_t i = a; i < b; i++)
    if (mt_lex_is(lex, i, word)) return true;
  return false;
}

/* (*f)(int) or x[4] among the parameters, default arguments excepted. */
static bool has_function_or_array(const mt_Lex *lex,
                                  const mt_FunctionHeader *h) {
  for (uint32_t i = h->open + 1; i < h->close; i++) {
    uint32_t stop = mt_read_parameter_end(lex, i, h->close);
    for (; i < stop && !mt_lex_is(lex, i, "="); i++)
      if (mt_lex_is(lex, i, "(") || mt_lex_is(lex, i, "[")) return true;
    i = stop;
  }
  return false;
}

/* Signatures that can be repeated: no operators, packs, constructors or members
** defined outside their class. */
static bool is_simple(const mt_Reader *r, uint32_t start,
                      const mt_FunctionHeader *h) {
  static const char *const words[] = {"friend", "operator", "explicit",
                                      "virtual", "extern"};
  const mt_Lex *lex = r->lex;
  bool in_class = r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS;
  uint32_t class_name = in_class ? r->levels[r->depth - 1].class_name : 0;
  if (h->kernel || !h->is_template ||
      mt_read_angle(lex, start + 1) + 1 != h->first || h->name == h->first)
    return false;
  if (lex->tokens[h->name].kind != MT_TOKEN_NAME ||
      mt_lex_is(lex, h->name - 1, "::"))
    return false;
  if (class_name && mt_read_same_word(lex, class_name, h->name)) return false;
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (has(lex, h->first, h->open, words[k])) return false;
  return !has_function_or_array(lex, h) && !has(lex, start, h->close, "...") &&
         !has(lex, start, h->open, "[");
}

void mt_read_note_bools(mt_Reader *r, const mt_FunctionHeader *h,
                        uint32_t end) {
  mt_Lex *lex = r->lex;
  if (!r->bools || !h->is_template) return;
  bool outside = mt_lex_is(lex, h->name - 1, "::"),
       alone = mt_read_angle(lex, r->start + 1) + 1 == h->first;
  if (outside && alone)
    return; /* the template is the class's: nothing is deduced */
  Elements e = elements_of(r, r->start, h);
  for (uint32_t i = h->open + 1; i < h->close;
       i++) /* this form deduces from Clang's vectors */
    if (is_deduced_vector(r, r->start, i) && !mt_lex_is(lex, i, "vec"))
      mt_lex_replace(lex, i, form_of(lex, i, 0));
  if (e.count == 0 || e.more || !mt_lex_is(lex, end, "{") ||
      !lex->tokens[end].match || !is_simple(r, r->start, h))
    return;
  mt_BoolFunction *f = malloc(sizeof *f);
  if (f == NULL) {
    r->failed = true;
    return;
  }
  bool member = r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS;
  *f = (mt_BoolFunction){r->bool_functions, r->start, end, member};
  r->bool_functions = f;
}

/* Appends tokens a to b with their edits; in parameters ('e' is not NULL)
** deduced vectors whose element is in 'bools' are written as the classes. */
static void add_form(const mt_Reader *r, const mt_BoolFunction *f,
                     const Elements *e, unsigned bools, uint32_t a, uint32_t b,
                     mt_Str *to) {
  mt_Lex *lex = r->lex;
  for (uint32_t i = a; i < b; i++) {
    const mt_Token *t = &lex->tokens[i];
    const char *text = t->instead ? t->instead : mt_lex_text(lex, i, i + 1);
    if (e && is_deduced_vector(r, f->start, i))
      text = form_of(lex, i, bools >> element_number(lex, e, i + 2) & 1);
    mt_str_addf(to, "%s%s%s ", t->before ? t->before : "", text,
                t->after ? t->after : "");
  }
}

/* The parameters, all named, with or without default arguments. */
static void add_form_parameters(const mt_Reader *r, const mt_BoolFunction *f,
                                const mt_FunctionHeader *h, const Elements *e,
                                unsigned bools, bool values, mt_Str *to) {
  mt_Lex *lex = r->lex;
  mt_str_add(to, "(");
  for (uint32_t i = h->open + 1, n = 0; i < h->close; n++) {
    uint32_t stop = mt_read_parameter_end(lex, i, h->close), value = i;
    mt_ReadParameter p = mt_read_parameter(lex, i, stop);
    while (value < stop && !mt_lex_is(lex, value, "=")) value++;
    add_form(r, f, e, bools, i, value, to);
    if (p.name == 0) mt_str_addf(to, "__msl_a%u ", n);
    if (values) add_form(r, f, e, bools, value, stop, to);
    if (stop < h->close) mt_str_add(to, ", ");
    i = stop + 1;
  }
  mt_str_add(to, ") ");
}

static void add_front(const mt_Reader *r, const mt_BoolFunction *f,
                      const mt_FunctionHeader *h, const Elements *e,
                      unsigned bools, bool values, mt_Str *to) {
  mt_str_add(to, " ");
  add_form(r, f, NULL, 0, f->start, h->open, to);
  add_form_parameters(r, f, h, e, bools, values, to);
  add_form(r, f, NULL, 0, h->close + 1, f->brace, to);
}

/* auto f(…), constexpr auto f(…): the result type is deduced from the body. */
static bool has_deduced_result(const mt_Lex *lex, const mt_BoolFunction *f,
                               const mt_FunctionHeader *h) {
  return has(lex, h->first, h->name, "auto") &&
         !has(lex, h->close, f->brace, "->");
}

static void write_function(mt_Reader *r, const mt_BoolFunction *f,
                           unsigned number) {
  mt_Lex *lex = r->lex;
  mt_FunctionHeader h;
  mt_Str before = MT_STR_INIT, after = MT_STR_INIT, names = MT_STR_INIT,
         values = MT_STR_INIT;
  if (!mt_read_header(r, f->start, f->brace, &h) || lex->tokens[h.name].instead)
    return;
  Elements e = elements_of(r, f->start, &h);
  const char *own = mt_lex_format(lex, "%s__msl%u",
                                  mt_lex_text(lex, h.name, h.name + 1), number);
  /* a function that calls itself must be declared before its body */
  bool early = !f->member && !has_deduced_result(lex, f, &h) &&
               !has(lex, f->start, h.first, "=");
  mt_read_add_template_names(lex, f->start, h.first, &names);
  mt_read_add_arguments(r, &h, &values);
  for (unsigned bools = 0; bools < 1u << e.count; bools++) {
    if (early)
      add_front(r, f, &h, &e, bools, true, &before), mt_str_add(&before, ";");
    add_front(r, f, &h, &e, bools, !early, &after);
    mt_str_addf(&after, "{ return %s%s(%s); }", own, mt_str_text(&names),
                mt_str_text(&values));
  }
  if (early)
    mt_lex_before(lex, f->start,
                  mt_lex_format(lex, "%s ", mt_str_text(&before)));
  mt_lex_behind(lex, lex->tokens[f->brace].match,
                mt_lex_format(lex, "%s", mt_str_text(&after)));
  for (uint32_t i = h.open + 1; i < h.close; i++)
    if (is_deduced_vector(r, f->start, i))
      mt_lex_replace(lex, i,
                     mt_lex_is(lex, i, "vec") ? "__msl_vec_of"
                                              : mt_lex_text(lex, i, i + 1));
  mt_read_rename_function(r, &h, own);
  mt_str_free(&before);
  mt_str_free(&after);
  mt_str_free(&names);
  mt_str_free(&values);
}

void mt_read_write_bools(mt_Reader *r) {
  unsigned number = FIRST_NUMBER;
  for (const mt_BoolFunction *f = r->bool_functions; f; f = f->next)
    write_function(r, f, number++);
}

void mt_read_free_bools(mt_Reader *r) {
  for (mt_BoolAlias *a = r->bool_aliases, *next; a; a = next)
    next = a->next, free(a);
  for (mt_BoolFunction *f = r->bool_functions, *next; f; f = next)
    next = f->next, free(f);
}

/* ------------------------------------------------------------------ classes */

/* template <class T, int N> struct Size<vec<T, N>> { … }; with its '{' at
** 'brace' */
void mt_read_class_of_bools(mt_Reader *r, uint32_t brace) {
  mt_Lex *lex = r->lex;
  uint32_t start = r->start, first = mt_read_skip_template(lex, start),
           close = lex->tokens[brace].match;
  if (!r->bools || first == start ||
      mt_read_angle(lex, start + 1) + 1 != first ||
      !mt_lex_is(lex, close + 1, ";"))
    return;
  if (!mt_lex_is(lex, first, "struct") && !mt_lex_is(lex, first, "class"))
    return;
  uint32_t name = first + 1, end = mt_lex_is(lex, name + 1, "<")
                                       ? mt_read_angle(lex, name + 1)
                                       : 0;
  mt_Str head = MT_STR_INIT, plain = MT_STR_INIT, bools = MT_STR_INIT;
  bool any = false;
  for (uint32_t i = start; i < first; i++)
    mt_str_addf(&head, "%s ", mt_lex_text(lex, i, i + 1));
  for (uint32_t i = name; end && i <= end; i++) {
    bool deduced = is_deduced_vector(r, start, i);
    const char *text = mt_lex_text(lex, i, i + 1);
    any = any || deduced;
    mt_str_addf(&plain, "%s ", deduced ? form_of(lex, i, 0) : text);
    mt_str_addf(&bools, "%s ", deduced ? form_of(lex, i, 1) : text);
    if (deduced) mt_lex_replace(lex, i, form_of(lex, i, 0));
  }
  if (any)
    mt_lex_behind(lex, close + 1,
                  mt_lex_format(lex, " %s struct %s : %s { using %s::%s; };",
                                mt_str_text(&head), mt_str_text(&bools),
                                mt_str_text(&plain), mt_str_text(&plain),
                                mt_lex_text(lex, name, name + 1)));
  mt_str_free(&head);
  mt_str_free(&plain);
  mt_str_free(&bools);
}
