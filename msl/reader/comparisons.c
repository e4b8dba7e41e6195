/*
** comparisons.c - comparisons of vectors, where their type matters.
**
** MSL compares vectors to a bool vector. Clang's comparison is a vector of
** integers, and no operator of its vectors can be overloaded. Assigned to a
** bool4 or given to any() it converts; the type itself is seen by overloads,
** template parameters, auto, decltype, sizeof and swizzles. The one idea: in
** these places an expression whose last operator compares (or is && or || or !)
** becomes __msl_truth(…) (metal/__bools), which leaves scalars alone. What is
** missed, since tokens alone do not always tell a '<', is refused by
** msl/passes/comparisons.c.
*/
#include <string.h>

#include "base/kernel_types/reflect.h"
#include "msl/reader/parts.h"

#define DEEPEST 40 /* parentheses in parentheses */

typedef struct Search {
  mt_Reader *r;
  bool dry;   /* only look whether there is one */
  bool found;
  unsigned depth;
} Search;

static bool is_any(const mt_Lex *lex, uint32_t i, const char *const *words) {
  for (; *words; words++)
    if (mt_lex_is(lex, i, *words)) return true;
  return false;
}

static bool touches(const mt_Lex *lex, uint32_t i, const char *next) {
  return mt_lex_is(lex, i + 1, next) &&
         lex->tokens[i].at + 1 == lex->tokens[i + 1].at;
}

/* May the operand of a binary operator end at token 'i'? */
static bool ends_operand(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {"return", "case", "else", "sizeof", NULL};
  mt_TokenKind kind = lex->tokens[i].kind;
  if (kind == MT_TOKEN_NAME) return !is_any(lex, i, words);
  return kind == MT_TOKEN_NUMBER || kind == MT_TOKEN_STRING ||
         mt_lex_is(lex, i, ")") || mt_lex_is(lex, i, "]") ||
         mt_lex_is(lex, i, "}");
}

/* ---------------------------------------------------------------- templates */

static bool may_be_arguments(const mt_Lex *lex, uint32_t open, uint32_t close) {
  static const char *const never[] = {"&&", "||", "==", "!=", "<=", "?",
                                      ".",  "->", "[",  "=",  "!",  NULL};
  for (uint32_t i = open + 1; i < close; i++) {
    if (is_any(lex, i, never)) return false;
    if (lex->tokens[i].match > i) i = lex->tokens[i].match;
  }
  return true;
}

/* The '>' of the template arguments that the '<' at 'i' opens; 0: it compares.
** In doubt, a < b, c > (d), it is the former: a template of our headers. */
static uint32_t arguments_end(const mt_Reader *r, uint32_t i, uint32_t end) {
  static const char *const types[] = {"matrix", "array", "as_type",
                                      "static_cast", NULL};
  static const char *const next[] = {"(", ")", "{", "}", "::",  ",",
                                     ";", "*", "&", ">", "...", NULL};
  const mt_Lex *lex = r->lex;
  if (i == 0 || lex->tokens[i - 1].kind != MT_TOKEN_NAME) return 0;
  uint32_t close = mt_read_angle(lex, i);
  if (close == 0 || close >= end) return 0;
  if (mt_read_is_type(r, i - 1) || mt_read_is_template(r, i - 1) ||
      mt_read_is_library(r, i - 1, MT_LIBRARY_VEC) ||
      (is_any(lex, i - 1, types) && !mt_read_is_vector(r, i - 1, 0)) ||
      (i > 1 && mt_lex_is(lex, i - 2, "template")))
    return close;
  if (mt_lex_is(lex, close + 1, "(") &&
      lex->tokens[close + 1].match == close + 2)
    return close;
  bool follows = close + 1 == end || is_any(lex, close + 1, next);
  return follows && may_be_arguments(lex, i, close) ? close : 0;
}

uint32_t mt_read_after(const mt_Reader *r, uint32_t i, uint32_t end) {
  const mt_Lex *lex = r->lex;
  if (lex->tokens[i].match > i) return lex->tokens[i].match + 1;
  uint32_t close = mt_lex_is(lex, i, "<") ? arguments_end(r, i, end) : 0;
  return close ? close + 1 : i + 1;
}

/* -------------------------------------------------------------- expressions */

typedef enum Operator {
  NOTHING,
  COMPARES,
  JOINS,
  BITWISE,
  CHOOSES,
  UNKNOWN
} Operator;

/* What token 'i' is as a binary operator; the tokens of '>>' and '>=' are
** single, and the last of them is in '*last'. */
static Operator operator_at(const mt_Lex *lex, uint32_t i, uint32_t *last) {
  static const char *const compares[] = {"<", "<=", "==", "!=", NULL};
  static const char *const joins[] = {"&&", "||", NULL};
  static const char *const bitwise[] = {"&", "|", "^", NULL};
  static const char *const unknown[] = {
      "=",  "+=",  "-=", "*=", "/=",  "%=",       "&=",  "|=",
      "^=", "<<=", ",",  ";",  "...", "operator", "new", NULL};
  *last = i;
  if (mt_lex_is(lex, i, ">")) {
    if (touches(lex, i, ">"))
      return *last = i + 1, touches(lex, i + 1, "=") ? UNKNOWN : NOTHING;
    if (touches(lex, i, "=")) *last = i + 1;
    return COMPARES;
  }
  if (is_any(lex, i, unknown)) return UNKNOWN;
  if (mt_lex_is(lex, i, "?")) return CHOOSES;
  if (i == 0 || !ends_operand(lex, i - 1)) return NOTHING; /* unary & */
  if (is_any(lex, i, compares)) return COMPARES;
  if (is_any(lex, i, joins)) return JOINS;
  return is_any(lex, i, bitwise) ? BITWISE : NOTHING;
}

/* !x, !f<T>(x).y: nothing but an operand after the '!' */
static bool is_negation(const mt_Reader *r, uint32_t a, uint32_t b) {
  static const char *const parts[] = {"!", ".", "->", "::", NULL};
  const mt_Lex *lex = r->lex;
  if (!mt_lex_is(lex, a, "!")) return false;
  for (uint32_t i = a, next; i < b; i = next) {
    next = mt_read_after(r, i, b);
    if (lex->tokens[i].kind == MT_TOKEN_PUNCT && next == i + 1 &&
        !is_any(lex, i, parts))
      return false;
  }
  return true;
}

static void expression(Search *s, uint32_t a, uint32_t b);

/* The branches of a ? at 'i', which is the first one of a region up to 'b'. */
static void branches(Search *s, uint32_t i, uint32_t b) {
  const mt_Lex *lex = s->r->lex;
  unsigned open = 0;
  for (uint32_t k = i + 1; k < b; k = mt_read_after(s->r, k, b)) {
    if (mt_lex_is(lex, k, "?")) open++;
    if (!mt_lex_is(lex, k, ":") || open-- > 0) continue;
    expression(s, i + 1, k);
    expression(s, k + 1, b);
    return;
  }
}

/* (a > b) & (c > d), a > b && c > d: each operand is an expression. */
static void operands(Search *s, uint32_t a, uint32_t b, Operator of) {
  uint32_t last;
  for (uint32_t i = a; i < b; i = mt_read_after(s->r, i, b)) {
    if (operator_at(s->r->lex, i, &last) != of) continue;
    expression(s, a, i);
    a = i + 1;
  }
  expression(s, a, b);
}

static void wrap(Search *s, uint32_t a, uint32_t b, bool again) {
  static const char call[] = " __msl_truth(";
  mt_Lex *lex = s->r->lex;
  const char *there = lex->tokens[a - 1].after;
  s->found = true;
  if (s->dry || (there && strncmp(there, call, strlen(call)) == 0 && !again))
    return;
  mt_lex_behind(lex, a - 1, call);
  mt_lex_before(lex, b, ")");
}

/* The expression from token 'a' to before 'b', with a delimiter at each end:
** made a bool vector if it compares vectors. */
static void expression(Search *s, uint32_t a, uint32_t b) {
  const mt_Lex *lex = s->r->lex;
  unsigned seen[UNKNOWN + 1] = {0};
  uint32_t choice = 0, last;
  if (a == 0 || a >= b || s->depth > DEEPEST) return;
  if (mt_lex_is(lex, a, "(") && lex->tokens[a].match + 1 == b) {
    s->depth++;
    expression(s, a + 1, b - 1);
    s->depth--;
    return;
  }
  for (uint32_t i = a; i < b;) {
    uint32_t next = mt_read_after(s->r, i, b);
    Operator op = next == i + 1 ? operator_at(lex, i, &last) : NOTHING;
    if (op == CHOOSES && choice == 0) choice = i;
    seen[op]++;
    i = next == i + 1 ? last + 1 : next;
  }
  if (seen[UNKNOWN]) return;
  s->depth++;
  if (choice) branches(s, choice, b);
  else if (seen[JOINS]) operands(s, a, b, JOINS), wrap(s, a, b, true);
  else if (seen[BITWISE]) operands(s, a, b, BITWISE);
  else if (seen[COMPARES] || is_negation(s->r, a, b)) wrap(s, a, b, false);
  s->depth--;
}

/* ------------------------------------------------------------------- places */

/* Each argument of the call whose '(' is 'open'. */
static void arguments(Search *s, uint32_t open) {
  const mt_Lex *lex = s->r->lex;
  uint32_t close = lex->tokens[open].match, a = open + 1;
  for (uint32_t i = a; i < close; i = mt_read_after(s->r, i, close)) {
    if (!mt_lex_is(lex, i, ",")) continue;
    expression(s, a, i);
    a = i + 1;
  }
  expression(s, a, close);
}

/* Does the '(' at 'i' hold arguments whose types matter? Functions of masks
** take both kinds of vector, and scalars are made of scalars. */
static bool is_call(const mt_Reader *r, uint32_t i) {
  static const char *const others[] = {
      "if",   "while",     "for",           "switch",  "return",        "case",
      "else", "constexpr", "static_assert", "alignas", "__attribute__", "asm",
      "do",   "__asm__",   "new",           "delete",  "noexcept",      NULL};
  const mt_Lex *lex = r->lex;
  if (i == 0) return false;
  if (mt_read_is_library(r, i - 1, MT_LIBRARY_ANY) ||
      mt_read_is_library(r, i - 1, MT_LIBRARY_ALL) ||
      mt_read_is_library(r, i - 1, MT_LIBRARY_SELECT))
    return false;
  if (mt_lex_is(lex, i - 1, ">")) return true;
  const mt_Token *t = &lex->tokens[i - 1];
  return t->kind == MT_TOKEN_NAME && !is_any(lex, i - 1, others) &&
         mt_scalar_known(lex->text + t->at, t->length) == MT_VOID;
}

/* (a > b).x, (a > b)[i]; (a > b) & (c > d), whose sizes may differ; (int4)(a >
** b), since Clang's constants are -1 */
static void parentheses(Search *s, uint32_t i) {
  static const char *const before[] = {"&", "|", "^", ")", NULL};
  static const char *const after[] = {"&", "|", "^", ".", "[", NULL};
  const mt_Lex *lex = s->r->lex;
  uint32_t close = lex->tokens[i].match;
  if (close == 0) return;
  if (is_call(s->r, i)) arguments(s, i);
  else if (is_any(lex, close + 1, after) ||
           (i > 0 && is_any(lex, i - 1, before)))
    expression(s, i + 1, close);
}

#define BACK 256 /* tokens in which assert's '(' is looked for */

/* In an assert, whose text a failure shows as it was typed? */
static bool is_asserted(const mt_Reader *r, uint32_t i) {
  static const char *const ends[] = {";", "{", "}", NULL};
  const mt_Lex *lex = r->lex;
  for (uint32_t k = i, n = 0; k > 0 && n < BACK; k--, n++) {
    if (is_any(lex, k, ends)) return false;
    if (mt_read_is_library(r, k - 1, MT_LIBRARY_ASSERT) &&
        mt_lex_is(lex, k, "(") &&
        lex->tokens[k].match >= i)
      return true;
  }
  return false;
}

void mt_read_compared(mt_Reader *r, uint32_t i) {
  Search s = {.r = r};
  if (is_asserted(r, i)) return;
  bool asked = i > 0 && (mt_lex_is(r->lex, i - 1, "decltype") ||
                         mt_read_vector_name(r->lex, i - 1));
  if (!r->spaces && (r->functions || asked)) parentheses(&s, i);
}

/* The expression after token 'i' up to its ',' or ';', which is returned; 0:
** something else ends it. */
static uint32_t up_to_end(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  Search s = {.r = r};
  uint32_t end = i + 1;
  while (end < lex->count && !mt_lex_is(lex, end, ";") &&
         !mt_lex_is(lex, end, ",") && !mt_lex_is(lex, end, ")") &&
         !mt_lex_is(lex, end, "}"))
    end = mt_read_after(r, end, lex->count);
  if (!mt_lex_is(lex, end, ";") && !mt_lex_is(lex, end, ",")) return 0;
  expression(&s, i + 1, end);
  return end;
}

void mt_read_compared_result(mt_Reader *r, uint32_t i) {
  static const char *const words[] = {"return", "auto",  "bool2",
                                      "bool3",  "bool4", NULL};
  const mt_Lex *lex = r->lex;
  if (r->spaces || !r->functions || !is_any(lex, i, words)) return;
  if (mt_lex_is(lex, i, "return")) up_to_end(r, i);
  else /* auto a = x > y, b = x < y; */
    while (lex->tokens[i + 1].kind == MT_TOKEN_NAME &&
           mt_lex_is(lex, i + 2, "=") &&
           (i = up_to_end(r, i + 2)) != 0 && mt_lex_is(lex, i, ","))
      continue;
}

bool mt_read_has_compared(mt_Reader *r) {
  Search s = {.r = r, .dry = true};
  for (uint32_t i = 0; i < r->lex->count && !s.found; i++)
    if (mt_lex_is(r->lex, i, "(") && r->lex->tokens[i].match &&
        is_call(r, i))
      arguments(&s, i);
  return s.found;
}
