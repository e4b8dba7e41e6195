/*
** splats.c - bools that Clang knows, where a vector may be made of them.
**
** In MSL float4 v = true is 1 in every component. Clang's is -1, which
** msl/passes/splats.c sees and puts right where the bool is computed; of one
** that Clang knows, as true, N > 2 or Trait<T>::value, only the constant -1 is
** left. The one idea: such an expression is hidden from Clang's folding, by
** __msl_truth, wherever it is assigned, passed, returned or in a list; and
** where constants are evaluated it becomes __msl_flag, a class that vectors are
** made of (both in metal/__bools). Both leave what is no bool alone.
*/
#include <string.h>

#include "base/kernel_types/scalar.h"
#include "msl/reader/parts.h"

#define LONGEST 600 /* tokens of a declaration up to its name */

static bool is_any(const mt_Lex *lex, uint32_t i, const char *const *words) {
  for (; *words; words++)
    if (mt_lex_is(lex, i, *words)) return true;
  return false;
}

/* ---------------------------------------------------------- constant names */

/* bool, or a name for it, which is among the constants of bool then */
static bool is_bool_type(const mt_Reader *r, uint32_t i) {
  return mt_lex_is(r->lex, i, "bool") || mt_lex_is(r->lex, i, "auto") ||
         mt_read_is_constant(r, i, true);
}

static void collect_bool_types(mt_Reader *r) {
  const mt_Lex *lex = r->lex;
  for (uint32_t i = 0; i + 3 < lex->count; i++) {
    if (mt_lex_is(lex, i, "typedef") && mt_lex_is(lex, i + 1, "bool"))
      mt_read_add_constant(r, i + 2, true);
    if (mt_lex_is(lex, i, "using") && mt_lex_is(lex, i + 3, "bool") &&
        mt_lex_is(lex, i + 2, "="))
      mt_read_add_constant(r, i + 1, true);
  }
}

/* Parameters and variables of a constexpr function whose '(' is at 'open': a
** call of it may be a constant. */
static void collect_inside(mt_Reader *r, uint32_t open) {
  const mt_Lex *lex = r->lex;
  uint32_t end = lex->tokens[open].match, brace = end + 1;
  if (end == 0) return;
  while (mt_lex_is(lex, brace, "const") || mt_lex_is(lex, brace, "noexcept"))
    brace++;
  if (mt_lex_is(lex, brace, "{") && lex->tokens[brace].match)
    end = lex->tokens[brace].match;
  for (uint32_t i = open + 2; i < end; i++)
    if (lex->tokens[i].kind == MT_TOKEN_NAME && is_bool_type(r, i - 1))
      mt_read_add_constant(r, i, true);
}

/* Is what begins at 'i' a parameter? Its ')' comes before the end of a
** statement then, and a ',' is followed by the type of the next one. */
static bool is_parameter(const mt_Reader *r, uint32_t i, uint32_t end) {
  static const char *const ends[] = {";", "{", ")", NULL};
  while (i < end && !is_any(r->lex, i, ends)) i = mt_read_after(r, i, end);
  return i < end && mt_lex_is(r->lex, i, ")");
}

/* The names that are declared after const or constexpr at 'i'. */
static void collect_declared(mt_Reader *r, uint32_t i) {
  static const char *const after[] = {"=", "(", "{", "[", ";", ",", ")", NULL};
  static const char *const ends[] = {";", "{", "(", ")", NULL};
  const mt_Lex *lex = r->lex;
  uint32_t end = i + LONGEST < lex->count ? i + LONGEST : lex->count;
  bool flag = false, flags = false, alone = is_parameter(r, i + 1, end);
  for (uint32_t k = i + 1; k < end; k++) {
    if (lex->tokens[k].kind == MT_TOKEN_NAME && is_any(lex, k + 1, after)) {
      mt_read_add_constant(r, k, flag);
      flags = flag;
    }
    flag = lex->tokens[k].kind == MT_TOKEN_NAME && is_bool_type(r, k);
    if (mt_lex_is(lex, k, "(") && mt_lex_is(lex, i, "constexpr"))
      collect_inside(r, k);
    if (is_any(lex, k, ends) || (alone && mt_lex_is(lex, k, ","))) return;
    if (mt_lex_is(lex, k, "=")) /* const bool a = …, b = …; */
      while (k + 1 < end && !mt_lex_is(lex, k + 1, ",") &&
             !mt_lex_is(lex, k + 1, ";"))
        k = mt_read_after(r, k + 1, end) - 1;
    if (mt_lex_is(lex, k, ",")) flag = flags;
  }
}

/* template <bool B, int N>, enum { A, B = 2 }: names from 'i' to 'end' */
static void collect_list(mt_Reader *r, uint32_t i, uint32_t end) {
  static const char *const after[] = {",", "=", ">", "}", NULL};
  for (; i < end; i++)
    if (r->lex->tokens[i].kind == MT_TOKEN_NAME && is_any(r->lex, i + 1, after))
      mt_read_add_constant(r, i, mt_lex_is(r->lex, i - 1, "bool"));
}

static void collect_enum(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t k = i;
  while (k < lex->count && k < i + LONGEST && !mt_lex_is(lex, k, "{") &&
         !mt_lex_is(lex, k, ";"))
    k++;
  if (mt_lex_is(lex, k, "{")) collect_list(r, k + 1, lex->tokens[k].match);
}

/* f(…, float4 v, …) */
static void collect_taker(mt_Reader *r, uint32_t name) {
  const mt_Lex *lex = r->lex;
  uint32_t close = lex->tokens[name + 1].match;
  for (uint32_t i = name + 2; i < close; i++) {
    if (lex->tokens[i].match > i) i = lex->tokens[i].match;
    else if (mt_read_vector_name(lex, i) &&
             lex->tokens[i + 1].kind == MT_TOKEN_NAME) {
      mt_read_add_taker(r, name);
      return;
    }
  }
}

void mt_read_collect_constants(mt_Reader *r) {
  static const char *const words[] = {"const", "constexpr", "constant", NULL};
  const mt_Lex *lex = r->lex;
  collect_bool_types(r);
  for (uint32_t i = 0; i < lex->count; i++) {
    if (lex->tokens[i].kind != MT_TOKEN_NAME) continue;
    if (mt_lex_is(lex, i + 1, "(")) collect_taker(r, i);
    if (is_any(lex, i, words)) collect_declared(r, i);
    else if (mt_lex_is(lex, i, "template") && mt_lex_is(lex, i + 1, "<"))
      collect_list(r, i + 2, mt_read_angle(lex, i + 1));
    else if (mt_lex_is(lex, i, "enum")) collect_enum(r, i);
  }
}

/* -------------------------------------------------------------- expressions */

/* May Clang know the name at 'i' when it compiles? */
static bool is_known_name(const mt_Reader *r, uint32_t i) {
  static const char *const words[] = {"true", "false", "sizeof", NULL};
  const mt_Lex *lex = r->lex;
  const mt_Token *t = &lex->tokens[i];
  return is_any(lex, i, words) || mt_read_is_constant(r, i, false) ||
         mt_scalar_known(lex->text + t->at, t->length) != MT_VOID ||
         mt_lex_is(lex, i + 1, "::") || mt_lex_is(lex, i + 1, "<") ||
         (i > 0 && mt_lex_is(lex, i - 1, "::"));
}

/* true, limit, Has::yes, Trait<T>::value, is_same_v<T, U>, sure(1), bool(7):
** nothing but a name from token 'a' to 'b', which may be a bool's */
static bool is_flag(const mt_Reader *r, uint32_t a, uint32_t b) {
  const mt_Lex *lex = r->lex;
  uint32_t name = a, end;
  bool member = false;
  if (mt_lex_is(lex, a, "(") && mt_lex_is(lex, a + 1, "bool") &&
      mt_lex_is(lex, a + 2, ")"))
    return mt_read_after(r, a + 3, b) == b; /* (bool)7 */
  for (;;) {
    if (lex->tokens[name].kind != MT_TOKEN_NAME) return false;
    end = name + 1;
    if (end < b && mt_lex_is(lex, end, "<")) end = mt_read_after(r, end, b);
    if (end >= b || !mt_lex_is(lex, end, "::")) break;
    member = end > name + 1;
    name = end + 1;
  }
  const mt_Token *t = &lex->tokens[name];
  bool variable = t->length > 2 &&
                  memcmp(lex->text + t->at + t->length - 2, "_v", 2) == 0;
  bool known = mt_lex_is(lex, name, "true") || mt_lex_is(lex, name, "false") ||
               mt_lex_is(lex, name, "bool") ||
               (mt_lex_is(lex, name, "static_cast") &&
                mt_lex_is(lex, name + 2, "bool")) ||
               mt_read_is_constant(r, name, true);
  if (end < b && mt_lex_is(lex, end, "("))
    return known && lex->tokens[end].match + 1 == b;
  return end == b && (known || member || (variable && end > name + 1));
}

/* From token 'a' to 'b' an expression that Clang may know to be a bool?
** '*compares': if its operands are vectors, it is a vector of bools. */
static bool is_known(const mt_Reader *r, uint32_t a, uint32_t b,
                     bool *compares) {
  static const char *const truth[] = {"==", "!=", "<=", "<",
                                      ">",  "&&", "||", NULL};
  static const char *const numbers[] = {"+", "-", "*", "/", "%",
                                        "&", "|", "^", "~", NULL};
  static const char *const never[] = {"=", ".",  "->", "[",  "{",
                                      ";", "++", "--", "<<", NULL};
  const mt_Lex *lex = r->lex;
  bool boolean = false, choice = false;
  uint32_t close;
  while (b > a && mt_lex_is(lex, a, "(") && lex->tokens[a].match + 1 == b)
    a++, b--;
  if (a >= b || b - a > LONGEST) return false;
  bool flag = is_flag(r, a, b), negation = mt_lex_is(lex, a, "!");
  for (uint32_t i = a; i < b; i = mt_read_after(r, i, b)) {
    if (mt_lex_is(lex, i, "=") && i > a && mt_lex_is(lex, i - 1, ">")) continue;
    if (is_any(lex, i, never)) return false;
    if (mt_lex_is(lex, i, "<") && mt_read_after(r, i, b) == i + 1 &&
        (close = mt_read_angle(lex, i)) != 0 && close >= b)
      return false; /* of template arguments, cut at a comma */
    bool shift = mt_lex_is(lex, i, ">") && mt_lex_is(lex, i + 1, ">");
    if (shift) i++;
    else if (is_any(lex, i, truth) && mt_read_after(r, i, b) == i + 1)
      boolean = true;
    if (is_any(lex, i, numbers)) negation = false;
    if (mt_lex_is(lex, i, "?")) choice = true;
    if (lex->tokens[i].kind == MT_TOKEN_STRING) return false;
  }
  *compares = (boolean || negation) && !choice;
  boolean = boolean || negation || choice || flag;
  for (uint32_t i = a; i < b && boolean; i++) {
    uint32_t next =
        mt_lex_is(lex, i, "<") ? mt_read_after(r, i, b) : i + 1;
    if (lex->tokens[i].kind == MT_TOKEN_NAME && !is_known_name(r, i))
      return false;
    i = next - 1; /* template arguments are known */
  }
  return boolean;
}

typedef enum Wrap { TRUTH, FLAG } Wrap;

/* What compares may compare vectors; others may be anything. */
static void wrap(mt_Reader *r, uint32_t a, uint32_t b, Wrap how) {
  static const char *const call[2][2] = {
      {" __msl_truth(", " __msl_flag(__msl_truth("},
      {" __msl_same(", " __msl_flag("}};
  bool compares;
  if (a == 0 || !is_known(r, a, b, &compares)) return;
  mt_lex_behind(r->lex, a - 1, call[!compares][how]);
  mt_lex_before(r->lex, b, how == FLAG && compares ? "))" : ")");
}

/* ------------------------------------------------------------------- places */

static bool has_word(const mt_Lex *lex, uint32_t a, uint32_t b,
                     const char *const *words) {
  for (uint32_t i = a; i < b; i++)
    if (is_any(lex, i, words)) return true;
  return false;
}

/* The innermost function's level; or NULL. */
static const mt_Level *function_of(const mt_Reader *r) {
  for (uint32_t d = 0; d < r->depth; d++)
    if (r->levels[d].scope == MT_LEVEL_FUNCTION) return &r->levels[d];
  return NULL;
}

static bool in_constexpr_function(const mt_Reader *r) {
  static const char *const words[] = {"constexpr", NULL};
  const mt_Level *f = function_of(r);
  return f && has_word(r->lex, f->start, f->open, words);
}

/* Are constants evaluated in the declaration at hand, up to token 'i'? */
static bool is_evaluated(const mt_Reader *r, uint32_t i) {
  static const char *const words[] = {"const", "constexpr", "constant",
                                      "static", NULL};
  return !r->functions || in_constexpr_function(r) ||
         has_word(r->lex, r->start, i, words);
}

/* The end of the expression that starts at 'i': its ',', ';', ')' or '}'. */
static uint32_t expression_end(const mt_Reader *r, uint32_t i) {
  static const char *const ends[] = {",", ";", ")", "}", NULL};
  const mt_Lex *lex = r->lex;
  while (i < lex->count && !is_any(lex, i, ends))
    i = mt_read_after(r, i, lex->count);
  return i;
}

void mt_read_splat_declared(mt_Reader *r, uint32_t first) {
  if (!r->spaces && !mt_lex_is(r->lex, first, "{"))
    wrap(r, first, expression_end(r, first), FLAG);
}

/* Does a function of this text take a vector as argument 'number'? */
static bool takes_vector(const mt_Reader *r, uint32_t name, uint32_t number) {
  const mt_Lex *lex = r->lex;
  for (const mt_TypeName *f = NULL; (f = mt_read_taker(r, name, f)) != NULL;) {
    uint32_t i = f->to + 2, close = lex->tokens[f->to + 1].match;
    for (uint32_t n = 0; n < number && i < close; n++)
      i = mt_read_parameter_end(lex, i, close) + 1;
    if (mt_lex_is(lex, i, "const")) i++;
    if (i < close && mt_read_vector_name(lex, i) &&
        lex->tokens[i + 1].kind == MT_TOKEN_NAME)
      return true;
  }
  return false;
}

/* Does a word before '(' take what is no value: a type, a member? As
** alignof(T), __builtin_offsetof(S, member), __is_same(T, U). */
static bool takes_no_value(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {
      "if",       "while",      "for",         "switch",     "static_assert",
      "decltype", "sizeof",     "alignas",     "noexcept",   "__attribute__",
      "return",   "constexpr",  "alignof",     "__alignof",  "__alignof__",
      "_Alignof", "__typeof__", "__typeof",    "typeof",     "typeid",
      "offsetof", "__builtin_offsetof", NULL};
  const char *s = lex->text + lex->tokens[i].at;
  return is_any(lex, i, words) || strncmp(s, "__is_", 5) == 0 ||
         strncmp(s, "__has_", 6) == 0;
}

/* Is the name at 'i' one of a function, or a class, that takes values? */
static bool is_called(const mt_Reader *r, uint32_t i) {
  const mt_Token *t = &r->lex->tokens[i];
  return t->kind == MT_TOKEN_NAME && !takes_no_value(r->lex, i) &&
         !mt_read_is_library(r, i, MT_LIBRARY_ANY) &&
         !mt_read_is_library(r, i, MT_LIBRARY_ALL) &&
         !mt_read_is_library(r, i, MT_LIBRARY_ASSERT) &&
         mt_scalar_known(r->lex->text + t->at, t->length) == MT_VOID;
}

void mt_read_splat_arguments(mt_Reader *r, uint32_t open) {
  const mt_Lex *lex = r->lex;
  uint32_t close = lex->tokens[open].match, number = 0;
  if (r->spaces || open == 0 || close == 0) return;
  bool call = is_called(r, open - 1) || mt_lex_is(lex, open - 1, ">");
  bool evaluated = call && is_evaluated(r, open);
  if (!call || (!r->functions && mt_lex_is(lex, open - 1, ">"))) return;
  for (uint32_t a = open + 1; a < close; number++) {
    uint32_t i = mt_read_parameter_end(lex, a, close);
    bool compares, known = is_known(r, a, i, &compares);
    if (known && evaluated && takes_vector(r, open - 1, number))
      wrap(r, a, i, FLAG);
    else if (known && r->functions)
      wrap(r, a, i, TRUTH);
    a = i + 1;
  }
}

/* Each part of the list that the '{' at 'open' begins. */
static void parts(mt_Reader *r, uint32_t open, Wrap how) {
  const mt_Lex *lex = r->lex;
  uint32_t close = lex->tokens[open].match;
  for (uint32_t a = open + 1, i; a < close; a = i + 1) {
    i = expression_end(r, a);
    if (mt_lex_is(lex, a, ".") && mt_lex_is(lex, a + 2, "=")) a += 3;
    if (mt_lex_is(lex, a, "{") && lex->tokens[a].instead == NULL)
      parts(r, a, how);
    else
      wrap(r, a, i, how);
  }
}

void mt_read_splat_list(mt_Reader *r, uint32_t open) {
  static const char *const before[] = {"]", ">", NULL};
  static const char *const behind[] = {";", ",", ")", ".", NULL};
  static const char *const words[] = {"enum", "struct", "class",
                                      "union", "namespace", NULL};
  static const char *const never[] = {"else", "do", NULL};
  static const char *const statement[] = {";", NULL};
  const mt_Lex *lex = r->lex;
  uint32_t close = lex->tokens[open].match;
  if (r->spaces || open == 0 || close <= open + 1 || lex->tokens[open].instead)
    return;
  bool named = lex->tokens[open - 1].kind == MT_TOKEN_NAME &&
               !is_any(lex, open - 1, never) && is_any(lex, close + 1, behind);
  bool list = mt_lex_is(lex, open - 1, "=") ||
              ((named || is_any(lex, open - 1, before)) &&
               !has_word(lex, r->start, open, words) &&
               !has_word(lex, open, close, statement));
  if (list) parts(r, open, is_evaluated(r, open) ? FLAG : TRUTH);
}

void mt_read_splat_assigned(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  bool compares = i > 0 && mt_lex_is(lex, i - 1, ">") &&
                  lex->tokens[i - 1].at + 1 == lex->tokens[i].at;
  if (r->spaces || !r->functions || compares || mt_lex_is(lex, i + 1, "{"))
    return;
  const char *there = lex->tokens[i].after; /* a declaration's was seen */
  if (there == NULL || strncmp(there, " __msl_", 7) != 0)
    wrap(r, i + 1, expression_end(r, i + 1), TRUTH);
}

void mt_read_splat_returned(mt_Reader *r, uint32_t i) {
  static const char *const words[] = {"auto", "decltype", "&", "*", NULL};
  const mt_Level *f = function_of(r);
  if (r->spaces || f == NULL || mt_lex_is(r->lex, i + 1, "{")) return;
  uint32_t name = f->start; /* what comes before the parameters */
  while (name < f->open && !mt_lex_is(r->lex, name, "(")) name++;
  bool value = !has_word(r->lex, f->start, name, words);
  wrap(r, i + 1, expression_end(r, i + 1),
       value && in_constexpr_function(r) ? FLAG : TRUTH);
}
