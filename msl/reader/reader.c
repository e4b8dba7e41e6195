/*
** reader.c - the traversal of the tokens.
**
** The one idea: a stack of open braces, each classified as namespace, class,
** function or initialiser list, is all the context that MSL's own syntax needs.
** Whenever a declaration ends, at '{' or ';', its tokens are processed as a
** whole; single tokens are rewritten as they are reached.
*/
#include "msl/reader/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msl/reader/parts.h"

#define MOST_STARS 256 /* consecutive, of pointers to pointers */

/* ------------------------------------------------------------------ helpers */

void mt_read_problem(mt_Reader *r, uint32_t token, const char *help,
                     const char *fmt, ...) {
  mt_Reading *out = r->out;
  if (out->problem_count == r->problem_room) {
    uint32_t more = r->problem_room ? r->problem_room * 2 : 8;
    mt_Problem *grown = realloc(out->problems, more * sizeof *grown);
    if (grown == NULL) {
      r->failed = true;
      return;
    }
    out->problems = grown;
    r->problem_room = more;
  }
  char line[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  out->problems[out->problem_count++] = (mt_Problem){
      r->lex->tokens[token].at, false, mt_lex_format(r->lex, "%s", line), help};
}

void mt_read_warn_last(mt_Reader *r) {
  if (r->out->problem_count)
    r->out->problems[r->out->problem_count - 1].warning = true;
}

static uint32_t bucket(const char *s, uint32_t n) {
  return mt_lex_hash(s, n) % MT_NAME_BUCKETS;
}

static void add_name(mt_Reader *r, mt_TypeName **table, uint32_t name,
                     uint32_t from, uint32_t to) {
  const mt_Token *t = &r->lex->tokens[name];
  const char *text = r->lex->text + t->at;
  mt_TypeName *n = malloc(sizeof *n);
  if (n == NULL) {
    r->failed = true;
    return;
  }
  uint32_t h = bucket(text, t->length);
  *n = (mt_TypeName){table[h], text, t->length, from, to};
  table[h] = n;
}

void mt_read_add_type(mt_Reader *r, uint32_t name, uint32_t from, uint32_t to) {
  add_name(r, r->types, name, from, to);
}

/* Is token 'i' in the table, with this number as 'from'? */
static bool is_marked(const mt_Reader *r, mt_TypeName *const *table, uint32_t i,
                      uint32_t mark) {
  const mt_Token *t = &r->lex->tokens[i];
  const char *text = r->lex->text + t->at;
  if (t->kind != MT_TOKEN_NAME) return false;
  for (mt_TypeName *n = table[bucket(text, t->length)]; n; n = n->next)
    if (n->length == t->length && memcmp(n->text, text, t->length) == 0 &&
        n->from == mark)
      return true;
  return false;
}

bool mt_read_is_vector(const mt_Reader *r, uint32_t i, uint32_t levels) {
  return is_marked(r, r->vectors, i, levels);
}

bool mt_read_is_constant(const mt_Reader *r, uint32_t i, bool flag) {
  return is_marked(r, r->constants, i, true) ||
         (!flag && is_marked(r, r->constants, i, false));
}

void mt_read_add_constant(mt_Reader *r, uint32_t name, bool flag) {
  if (!is_marked(r, r->constants, name, flag))
    add_name(r, r->constants, name, flag, 0);
}

void mt_read_add_vector(mt_Reader *r, uint32_t name, uint32_t levels) {
  if (!mt_read_is_vector(r, name, levels))
    add_name(r, r->vectors, name, levels, 0);
}

static bool is_named(const mt_Reader *r, mt_TypeName *const *table,
                     uint32_t i) {
  const mt_Token *t = &r->lex->tokens[i];
  if (t->kind != MT_TOKEN_NAME) return false;
  const char *text = r->lex->text + t->at;
  for (mt_TypeName *n = table[bucket(text, t->length)]; n; n = n->next)
    if (n->length == t->length && memcmp(n->text, text, t->length) == 0 &&
        i >= n->from && i <= n->to)
      return true;
  return false;
}

bool mt_read_is_type(const mt_Reader *r, uint32_t i) {
  return is_named(r, r->types, i);
}

bool mt_read_is_template(const mt_Reader *r, uint32_t i) {
  return is_named(r, r->templates, i);
}

void mt_read_add_template(mt_Reader *r, uint32_t first, uint32_t name) {
  if (!mt_read_is_template(r, name))
    add_name(r, r->templates, name, 0, r->lex->count);
  if (mt_lex_is(r->lex, name + 1, "("))
    add_name(r, r->generic, name, first, name);
}

static const mt_TypeName *next_named(const mt_Reader *r,
                                     mt_TypeName *const *table, uint32_t i,
                                     const mt_TypeName *last) {
  const mt_Token *t = &r->lex->tokens[i];
  const char *text = r->lex->text + t->at;
  const mt_TypeName *n = last ? last->next : table[bucket(text, t->length)];
  while (n && (n->length != t->length || memcmp(n->text, text, t->length) != 0))
    n = n->next;
  return n;
}

const mt_TypeName *mt_read_generic(const mt_Reader *r, uint32_t i,
                                   const mt_TypeName *last) {
  return next_named(r, r->generic, i, last);
}

void mt_read_add_taker(mt_Reader *r, uint32_t name) {
  add_name(r, r->takers, name, 0, name);
}

const mt_TypeName *mt_read_taker(const mt_Reader *r, uint32_t i,
                                 const mt_TypeName *last) {
  return next_named(r, r->takers, i, last);
}

/* The '>' that closes the '<' at 'open'; 0 if it opens no template list. */
uint32_t mt_read_angle(const mt_Lex *lex, uint32_t open) {
  uint32_t depth = 0, limit = open + 2000;
  for (uint32_t i = open; i < lex->count && i < limit; i++) {
    const mt_Token *t = &lex->tokens[i];
    if (t->kind != MT_TOKEN_PUNCT) continue;
    char c = lex->text[t->at];
    if (t->length == 1 && (c == '(' || c == '[' || c == '{')) {
      if (t->match == 0) return 0;
      i = t->match;
    } else if (t->length == 1 && c == '<')
      depth++;
    else if (t->length == 1 && c == '>') {
      if (--depth == 0) return i;
    } else if (c == ';' || c == ')' || c == ']' || c == '}' ||
               (depth == 1 && mt_lex_is(lex, i, "||")))
      return 0;
  }
  return 0;
}

bool mt_read_attribute_at(const mt_Lex *lex, uint32_t i, uint32_t *end) {
  if (!mt_lex_is(lex, i, "[") || !mt_lex_is(lex, i + 1, "[")) return false;
  uint32_t close = lex->tokens[i].match, inner = lex->tokens[i + 1].match;
  /* [[]] is an empty attribute list */
  if (close == 0 || inner + 1 != close) return false;
  *end = close;
  return true;
}

bool mt_read_is_space(const mt_Lex *lex, uint32_t i) {
  return mt_lex_is(lex, i, "device") || mt_lex_is(lex, i, "constant") ||
         mt_lex_is(lex, i, "threadgroup") || mt_lex_is(lex, i, "thread") ||
         mt_lex_is(lex, i, "threadgroup_imageblock") ||
         mt_lex_is(lex, i, "ray_data") || mt_lex_is(lex, i, "object_data");
}

bool mt_read_in_function(const mt_Reader *r) {
  return r->functions > 0 && r->levels[r->depth - 1].scope != MT_LEVEL_CLASS;
}

/* The token after template<…> (all of them) at 'i'; 'i' itself if there is
** none. */
uint32_t mt_read_skip_template(const mt_Lex *lex, uint32_t i) {
  while (mt_lex_is(lex, i, "template") && mt_lex_is(lex, i + 1, "<")) {
    uint32_t close = mt_read_angle(lex, i + 1);
    if (close == 0) return i;
    i = close + 1;
    if (mt_lex_is(lex, i, "requires")) return i;
  }
  return i;
}

/* ------------------------------------------------------------------- scopes */

static bool has_word(const mt_Lex *lex, uint32_t a, uint32_t b,
                     const char *word) {
  for (uint32_t i = a; i < b; i++) {
    if (mt_lex_is(lex, i, word)) return true;
    if (mt_lex_is(lex, i, "(") && lex->tokens[i].match > i)
      i = lex->tokens[i].match;
  }
  return false;
}

static bool has_class_word(const mt_Lex *lex, uint32_t a, uint32_t b) {
  return has_word(lex, a, b, "struct") || has_word(lex, a, b, "class") ||
         has_word(lex, a, b, "union");
}

/* The first '(' that can open a parameter list. */
static uint32_t first_paren(const mt_Lex *lex, uint32_t a, uint32_t b) {
  for (uint32_t i = a; i < b; i++) {
    if (mt_lex_is(lex, i, "alignas") || mt_lex_is(lex, i, "decltype") ||
        mt_lex_is(lex, i, "__attribute__") || mt_lex_is(lex, i, "__declspec")) {
      if (mt_lex_is(lex, i + 1, "(") && lex->tokens[i + 1].match)
        i = lex->tokens[i + 1].match;
      continue;
    }
    uint32_t end;
    if (mt_read_attribute_at(lex, i, &end)) i = end;
    else if (mt_lex_is(lex, i, "(")) return i;
  }
  return 0;
}

static mt_ScopeKind scope_of(mt_Reader *r, uint32_t brace) {
  const mt_Lex *lex = r->lex;
  uint32_t a = mt_read_skip_template(lex, r->start), b = brace;
  if (r->parens > 0) return r->functions ? MT_LEVEL_FUNCTION : MT_LEVEL_LIST;
  uint32_t word = a; /* after alignas(16) threadgroup */
  for (uint32_t end; word < b && ((end = mt_read_group_end(lex, word)) != 0 ||
                                  mt_read_is_specifier(lex, word));)
    word = (end ? end : word) + 1;
  bool class_like =
      mt_lex_is(lex, word, "struct") || mt_lex_is(lex, word, "class") ||
      mt_lex_is(lex, word, "union") || mt_lex_is(lex, word, "enum");
  bool within =
      mt_read_in_function(r) ||
      (r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_FUNCTION);
  if (within && !class_like) return MT_LEVEL_FUNCTION;
  if (has_word(lex, a, b, "namespace")) return MT_LEVEL_SPACE;
  if (mt_lex_is(lex, a, "extern") && b <= a + 2) return MT_LEVEL_SPACE;
  if (has_word(lex, a, b, "enum")) return MT_LEVEL_LIST;
  uint32_t paren = first_paren(lex, a, b);
  if (has_class_word(lex, a, b) && (class_like || paren == 0)) {
    if (paren == 0) return MT_LEVEL_CLASS;
    if (!has_word(lex, a, b, "=") && lex->tokens[paren].match + 1 != b)
      return MT_LEVEL_CLASS;
  }
  if (paren == 0)
    return has_class_word(lex, a, b) ? MT_LEVEL_CLASS : MT_LEVEL_LIST;
  for (uint32_t i = a; i < paren; i++)
    if (mt_lex_is(lex, i, "=") && !has_word(lex, a, paren, "operator"))
      return MT_LEVEL_LIST;
  return MT_LEVEL_FUNCTION;
}

static uint32_t class_name(const mt_Lex *lex, uint32_t a, uint32_t b) {
  for (uint32_t i = a; i < b; i++) {
    if (!mt_lex_is(lex, i, "struct") && !mt_lex_is(lex, i, "class") &&
        !mt_lex_is(lex, i, "union"))
      continue;
    for (uint32_t k = i + 1; k < b; k++) {
      uint32_t end;
      if (mt_read_attribute_at(lex, k, &end)) k = end;
      else if (mt_lex_is(lex, k + 1, "(") && lex->tokens[k + 1].match)
        k = lex->tokens[k + 1].match;
      else return lex->tokens[k].kind == MT_TOKEN_NAME ? k : 0;
    }
  }
  return 0;
}

static bool push_level(mt_Reader *r, mt_Level level) {
  if (r->depth == r->level_room) {
    uint32_t more = r->level_room ? r->level_room * 2 : 32;
    mt_Level *grown = realloc(r->levels, more * sizeof *grown);
    if (grown == NULL) return !(r->failed = true);
    r->levels = grown;
    r->level_room = more;
  }
  r->levels[r->depth++] = level;
  return true;
}

/* A declaration without a body ends at token 'end'. */
static bool end_declaration(mt_Reader *r, uint32_t end) {
  mt_FunctionHeader h;
  if (r->start >= end) return false;
  if (mt_lex_is(r->lex, r->start, "template") &&
      !mt_lex_is(r->lex, r->start + 1, "<")) {
    mt_read_instantiation(r, r->start, end);
    return false;
  }
  mt_ScopeKind scope =
      r->depth ? r->levels[r->depth - 1].scope : MT_LEVEL_SPACE;
  if (r->functions || scope == MT_LEVEL_LIST) return false;
  if (scope == MT_LEVEL_SPACE) mt_read_refuse_variable(r, end);
  if (!mt_read_header(r, r->start, end, &h)) return false;
  if (h.kernel) mt_read_kernel(r, &h, end);
  bool overload =
      scope == MT_LEVEL_CLASS && mt_read_is_space_overload(r, &h, end);
  if (!overload) mt_read_note_bools(r, &h, end);
  return overload;
}

/* '{' at token i. Returns the token to continue with. */
static uint32_t open_brace(mt_Reader *r, uint32_t i) {
  mt_Level level = {scope_of(r, i), i, r->start, 0, r->parens, false, false};
  mt_FunctionHeader h;
  if (level.scope == MT_LEVEL_FUNCTION && r->functions == 0 &&
      mt_read_header(r, r->start, i, &h)) {
    if (mt_read_is_space_overload(r, &h, i) && r->lex->tokens[i].match) {
      uint32_t end = r->lex->tokens[i].match + 1;
      mt_lex_blank_run(r->lex, r->start, end);
      return r->start = end;
    }
    if (h.kernel) mt_read_kernel(r, &h, i);
    mt_read_refuse_function(r, &h);
    mt_read_pointers(r, &h);
    mt_read_note_bools(r, &h, i);
    level.kernel = h.kernel;
  }
  if (level.scope == MT_LEVEL_CLASS && r->functions == 0 &&
      r->lex->tokens[i].match && mt_read_is_class_overload(r, i)) {
    uint32_t end = r->lex->tokens[i].match + 1;
    mt_lex_blank_run(r->lex, r->start, end);
    return r->start = end;
  }
  if (level.scope == MT_LEVEL_CLASS && r->functions == 0)
    mt_read_class_of_bools(r, i);
  if (level.scope == MT_LEVEL_CLASS)
    level.class_name = class_name(r->lex, r->start, i);
  level.dependent = mt_lex_is(r->lex, r->start, "template") ||
                    (r->depth && r->levels[r->depth - 1].dependent);
  if (!push_level(r, level)) return r->lex->count;
  if (level.scope == MT_LEVEL_FUNCTION) r->functions++;
  r->parens = 0;
  if (level.scope != MT_LEVEL_LIST) r->start = i + 1;
  return i + 1;
}

static uint32_t close_brace(mt_Reader *r, uint32_t i) {
  if (r->depth == 0) return r->start = i + 1;
  mt_Level *level = &r->levels[--r->depth];
  if (level->scope == MT_LEVEL_FUNCTION) r->functions--;
  r->parens = level->parens;
  r->body_start = level->scope == MT_LEVEL_CLASS ? level->start : i + 1;
  r->body_end = i + 1;
  if (level->scope == MT_LEVEL_LIST || level->parens)
    r->start = level->start;
  else
    r->start = i + 1;
  return i + 1;
}

/* --------------------------------------------------------------------- walk */

/* Consecutive stars from 'i' on: their number is limited, since too many
** overflow Clang's stack. */
static void limit_stars(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  uint32_t end = i;
  if (i > 0 && mt_lex_is(lex, i - 1, "*")) return;
  while (mt_lex_is(lex, end, "*")) end++;
  if (end - i <= MOST_STARS) return;
  mt_read_problem(r, i, NULL,
                  "%u '*' in a row are too many: a pointer may lead to a "
                  "pointer %d times here; cut it into parts",
                  end - i, MOST_STARS);
  mt_lex_blank_run(lex, i + 1, end);
}

static uint32_t punct(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t end;
  if (mt_lex_is(lex, i, "*")) limit_stars(r, i);
  if (mt_lex_is(lex, i, "++") || mt_lex_is(lex, i, "--")) mt_read_step(r, i);
  if (lex->tokens[i].length != 1) return i + 1;
  switch (lex->text[lex->tokens[i].at]) {
    case '[':
      if (mt_read_attribute_at(lex, i, &end)) {
        mt_read_attribute(r, i, end);
        return end + 1;
      }
      mt_read_lambda(r, i);
      mt_read_open_attribute(r, i);
      r->parens++;
      break;
    case '(':
      mt_read_compared(r, i);
      mt_read_splat_arguments(r, i);
      r->parens++;
      break;
    case ')':
    case ']':
      if (r->parens) r->parens--;
      break;
    case '{':
      mt_read_list(r, i);
      mt_read_splat_list(r, i);
      return open_brace(r, i);
    case '}': return close_brace(r, i);
    case '=': mt_read_splat_assigned(r, i); break;
    case ';':
      if (r->parens) break;
      if (end_declaration(r, i)) mt_lex_blank_run(r->lex, r->start, i + 1);
      r->start = i + 1;
      break;
    case ':':
      if (r->parens == 0 && i > 0 &&
          (mt_lex_is(lex, i - 1, "public") ||
           mt_lex_is(lex, i - 1, "private") ||
           mt_lex_is(lex, i - 1, "protected")))
        r->start = i + 1;
      break;
    default: break;
  }
  return i + 1;
}

static bool after_dot(const mt_Lex *lex, uint32_t i) {
  return i > 0 && (mt_lex_is(lex, i - 1, ".") || mt_lex_is(lex, i - 1, "->"));
}

/* [[clang::annotate("…")]], section("…"): the text of a person's own is not
** taken for the reader's. */
static bool is_text_attribute(const mt_Lex *lex, uint32_t i) {
  return (mt_lex_is(lex, i, "annotate") || mt_lex_is(lex, i, "__annotate__") ||
          mt_lex_is(lex, i, "section") || mt_lex_is(lex, i, "__section__")) &&
         mt_lex_is(lex, i + 1, "(") &&
         lex->tokens[i + 2].kind == MT_TOKEN_STRING;
}

static uint32_t word(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  if (after_dot(lex, i)) return mt_read_swizzle(r, i), i + 1;
  if (mt_read_refuse_word(r, i)) return i + 1;
  mt_read_compared_result(r, i);
  if (mt_lex_is(lex, i, "return")) mt_read_splat_returned(r, i);
  if (mt_read_is_space(lex, i) && !(i > 0 && mt_lex_is(lex, i - 1, "::")))
    mt_read_space(r, i);
  else if (mt_lex_is(lex, i, "kernel") || mt_lex_is(lex, i, "vertex") ||
           mt_lex_is(lex, i, "fragment") || mt_lex_is(lex, i, "__kernel")) {
    uint32_t close;
    bool head = lex->tokens[i + 1].kind == MT_TOKEN_NAME ||
                mt_read_attribute_at(lex, i + 1, &close);
    if (lex->tokens[i].instead == NULL && head) mt_lex_blank(lex, i);
  } else if (mt_lex_is(lex, i, "restrict") && i > 0 &&
             mt_lex_is(lex, i - 1, "*") &&
             lex->tokens[i + 1].kind == MT_TOKEN_NAME) {
    mt_read_problem(r, i, "Metal writes it __restrict.",
                    "'restrict' is not a keyword of MSL");
    mt_lex_replace(lex, i, "__restrict");
  } else if (mt_read_is_library(r, i, MT_LIBRARY_COHERENT) &&
             mt_lex_is(lex, i + 1, "(") && lex->tokens[i + 1].match) {
    uint32_t end = lex->tokens[i + 1].match + 1;
    mt_lex_blank_run(lex, i, end);
    return end;
  } else if (mt_read_is_library(r, i, MT_LIBRARY_COHERENT) &&
             (mt_read_is_space(lex, i + 1) ||
              (i > 0 && mt_read_is_space(lex, i - 1) &&
               lex->tokens[i + 1].kind == MT_TOKEN_NAME)))
    mt_lex_blank(lex, i);
  else if (mt_read_is_library(r, i, MT_LIBRARY_IS_DEFINED) &&
           mt_lex_is(lex, i + 1, "(") && mt_lex_is(lex, i + 3, ")")) {
    mt_lex_replace(lex, i, "__msl_defined_");
    mt_lex_replace(lex, i + 1, "");
    mt_lex_replace(lex, i + 2, mt_lex_text(lex, i + 2, i + 3));
    lex->tokens[i].after = mt_lex_text(lex, i + 2, i + 3);
    mt_lex_blank_run(lex, i + 1, i + 4);
    return i + 4;
  } else if (mt_lex_is(lex, i, "static_cast") && mt_lex_is(lex, i + 1, "<"))
    mt_read_static_cast(r, i);
  else if (mt_lex_is(lex, i, "__asm") && mt_lex_is(lex, i + 1, "(") &&
           /* a declaration bound to an AIR intrinsic */
           mt_lex_begins(lex, i + 2, "\"air."))
    mt_lex_replace(lex, i + 2,
                   "\"__mt_missing_instructions_of_the_GPU_itself\"");
  else if (mt_read_is_library(r, i, MT_LIBRARY_MATMUL2D) &&
           mt_lex_is(lex, i + 1, "<") &&
           mt_read_angle(lex, i + 1)) {
    /* an object as a template argument: its type is used */
    uint32_t end = mt_read_parameter_end(lex, i + 2, mt_read_angle(lex, i + 1));
    mt_lex_before(lex, i + 2, "decltype(");
    mt_lex_behind(lex, end - 1, ")");
  } else if (mt_lex_is(lex, i, "typename"))
    mt_read_typename(r, i);
  else {
    if (mt_read_alias(r, i)) mt_read_alias_use(r, i);
    mt_read_type_use(r, i);
  }
  return i + 1;
}

/* #pragma METAL fp contract(off) and math_mode(safe) as Clang's pragmas; like
** Metal's they apply to the end of the block or the file. mt_pass_safe does
** what no pragma of Clang's can. The choice of fast::sin or precise::sin is not
** part of a mode: the specification has another option for it
** (-fmetal-math-fp32-functions), for the whole program. */
static const char *metal_pragma(const char *s) {
  static const struct {
    const char *metal, *clang;
  } words[] = {
      {"contract(off)", "#pragma clang fp contract(off)"},
      {"contract(on)", "#pragma clang fp contract(on)"},
      {"contract(fast)", "#pragma clang fp contract(fast)"},
      {"math_mode(safe)",
       "#pragma clang fp contract(on) reassociate(off) reciprocal(off)"},
      {"math_mode(relaxed)",
       "#pragma clang fp contract(fast) reassociate(on) reciprocal(on)"},
      {"math_mode(fast)",
       "#pragma clang fp contract(fast) reassociate(on) reciprocal(on)"}};
  const char *at = strstr(s, "METAL");
  char plain[64];
  size_t n = 0;
  if (at == NULL || (at = strstr(at, " fp ")) == NULL) return NULL;
  for (at += 4; *at && n + 1 < sizeof plain; at++) /* math_mode( safe ) */
    if (*at != ' ' && *at != '\t') plain[n++] = *at;
  plain[n] = '\0';
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (strncmp(plain, words[k].metal, strlen(words[k].metal)) == 0)
      return words[k].clang;
  return NULL;
}

/* #pragma unroll(N) where N was a macro, which preprocessing has removed. */
static void pragmas(mt_Lex *lex) {
  for (uint32_t d = 0; d < lex->directive_count; d++) {
    mt_Token *t = &lex->directives[d];
    const char *s =
        mt_lex_format(lex, "%.*s", (int)t->length, lex->text + t->at);
    const char *unroll = strstr(s, "unroll"),
               *metal = strstr(s, "pragma") ? metal_pragma(s) : NULL;
    if (metal) t->instead = metal;
    if (strstr(s, "pragma") && strstr(s, "attribute") &&
        (strstr(s, "annotate") || strstr(s, "section")))
      t->instead = "";
    if (strstr(s, "pragma") == NULL || unroll == NULL) continue;
    const char *open = strchr(unroll, '(');
    const char *a = open ? open + 1 : unroll + 6;
    while (*a == ' ' || *a == '\t') a++;
    bool known = *a == '\0' || (*a >= '0' && *a <= '9') ||
                 strncmp(a, "full", 4) == 0 || strncmp(a, "enable", 6) == 0 ||
                 strncmp(a, "disable", 7) == 0;
    if (known && !strstr(s, "nounroll") &&
        strspn(a, "0123456789ul \t)") != strlen(a) && (*a >= '0' && *a <= '9'))
      known = false;
    if (!known) t->instead = "#pragma unroll";
  }
}

/* Clang converts float to bfloat implicitly, MSL does not: a warning is
** enabled, which diagnostics/diagnose.c turns into an error. Only in texts that
** use bfloat, since Clang gives the same warning for half. It is silent on
** constants that bfloat holds exactly; so literals are no constants in the
** second text, which is only checked (msl/diagnostics/address_spaces.c). */
static bool watch_bfloat(mt_Lex *lex) {
  for (uint32_t i = 0; i < lex->count; i++)
    if (lex->tokens[i].kind == MT_TOKEN_NAME &&
        mt_lex_begins(lex, i, "bfloat")) {
      mt_lex_before(lex, 0,
                    "_Pragma(\"clang diagnostic warning "
                    "\\\"-Wimplicit-float-conversion\\\"\") "
                    "_Pragma(\"clang diagnostic ignored "
                    "\\\"-Wimplicit-int-float-conversion\\\"\") ");
      return true;
    }
  return false;
}

mt_Status mt_reader_run(mt_Lex *lex, bool spaces, mt_Reading *out) {
  mt_Reader r = {.lex = lex, .out = out, .spaces = spaces};
  memset(out, 0, sizeof *out);
  out->second = watch_bfloat(lex);
  r.literals = out->second && spaces;
  mt_read_collect_types(&r);
  mt_read_collect_own(&r);
  mt_read_collect_bools(&r);
  mt_read_collect_constants(&r);
  pragmas(lex);
  for (uint32_t i = 0; i < lex->count && !r.failed;) {
    switch (lex->tokens[i].kind) {
      case MT_TOKEN_PUNCT: i = punct(&r, i); break;
      case MT_TOKEN_NUMBER: mt_read_number(&r, i++); break;
      case MT_TOKEN_NAME: i = word(&r, i); break;
      default: i++; break;
    }
  }
  for (uint32_t i = 0; i + 2 < lex->count; i++)
    if (is_text_attribute(lex, i)) mt_lex_before(lex, i + 2, "\"own \" ");
  if (!r.failed) mt_read_choose_overloads(&r);
  if (!r.failed) mt_read_write_bools(&r);
  mt_read_free_bools(&r);
  for (int b = 0; b < MT_NAME_BUCKETS; b++) {
    for (mt_TypeName *n = r.types[b], *next; n; n = next)
      next = n->next, free(n);
    for (mt_TypeName *n = r.vectors[b], *next; n; n = next)
      next = n->next, free(n);
    for (mt_TypeName *n = r.templates[b], *next; n; n = next)
      next = n->next, free(n);
    for (mt_TypeName *n = r.generic[b], *next; n; n = next)
      next = n->next, free(n);
    for (mt_TypeName *n = r.takers[b], *next; n; n = next)
      next = n->next, free(n);
    for (mt_TypeName *n = r.constants[b], *next; n; n = next)
      next = n->next, free(n);
    for (mt_SpaceOverload *t = r.overloads[b], *next; t; t = next)
      next = t->next, free(t);
  }
  for (mt_SpaceAlias *a = r.aliases, *next; a; a = next)
    next = a->next, free(a);
  free(r.levels);
  free(r.builtins);
  free(r.declared);
  return r.failed ? MT_FAIL : MT_OK;
}

void mt_reading_free(mt_Reading *r) {
  for (uint32_t i = 0; i < r->kernel_count; i++) free(r->kernels[i].params);
  free(r->kernels);
  free(r->problems);
  memset(r, 0, sizeof *r);
}
