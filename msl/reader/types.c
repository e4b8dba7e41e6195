/*
** types.c - constructors, casts and literals.
**
** The one idea: a type name followed by '(' constructs a value. Clang would
** take float2(u) of a uint2 for a reinterpretation and reject float4(a, b); so
** every such expression becomes __msl_mk<T>(…), which converts component by
** component (metal/__types). Type names are MSL's vectors, the names that
** typedef and using declare, and template parameters.
*/
#include <string.h>

#include "base/kernel_types/scalar.h"
#include "msl/reader/parts.h"

#define LONGEST_HEAD 600 /* tokens of a function's before its '(' */

/* half, bfloat: floats that C++ has no literals and conversions for. */
bool mt_read_narrow_float(const mt_Lex *lex, uint32_t i) {
  const mt_Token *t = &lex->tokens[i];
  mt_Scalar s = mt_scalar_named(lex->text + t->at, t->length);
  return t->kind == MT_TOKEN_NAME && mt_scalar_is_float(s) && s != MT_FLOAT;
}

/* float4, packed_half3, simd_uint2, vector_float3; half and bfloat. */
bool mt_read_vector_name(const mt_Lex *lex, uint32_t i) {
  const mt_Token *t = &lex->tokens[i];
  if (t->kind != MT_TOKEN_NAME) return false;
  const char *s = lex->text + t->at, *end = s + t->length;
  if (mt_read_narrow_float(lex, i)) return true;
  if (t->length < 4 || end[-1] < '2' || end[-1] > '4') return false;
  static const char *const prefixes[] = {"packed_", "simd_", "vector_"};
  for (size_t p = 0; p < 3; p++) {
    size_t n = strlen(prefixes[p]);
    if (t->length > n && memcmp(s, prefixes[p], n) == 0) {
      s += n;
      break;
    }
  }
  return mt_scalar_named(s, (size_t)(end - s) - 1) != MT_VOID;
}

/* ----------------------------------------------------------- names of types */

/* The last token of the declaration that starts at 'i'. */
static uint32_t declaration_end(const mt_Lex *lex, uint32_t i) {
  for (; i < lex->count; i++) {
    const mt_Token *t = &lex->tokens[i];
    if (t->kind != MT_TOKEN_PUNCT) continue;
    char c = lex->text[t->at];
    if (c == ';' || c == '}') return i;
    if (c == '{' && t->match) {
      /* a class continues to its ';', a function ends; both stop here */
      bool list =
          i > 0 && (mt_lex_is(lex, i - 1, "=") || mt_lex_is(lex, i - 1, ","));
      if (!list) return t->match;
      i = t->match;
    } else if ((c == '(' || c == '[') && t->match)
      i = t->match;
  }
  return lex->count;
}

/* The name that the template declares whose text after <…> starts at 'i'; 0:
** none was found. */
static uint32_t template_name(const mt_Lex *lex, uint32_t i) {
  bool class_like = false;
  for (uint32_t end;
       i < lex->count && !mt_lex_is(lex, i, ";") && !mt_lex_is(lex, i, "{");
       i++) {
    if ((end = mt_read_group_end(lex, i)) != 0) i = end;
    else if (mt_lex_is(lex, i, "using")) return i + 1;
    else if (mt_lex_is(lex, i, "struct") || mt_lex_is(lex, i, "class"))
      class_like = true;
    else if (class_like && lex->tokens[i].kind == MT_TOKEN_NAME) return i;
    else if (lex->tokens[i].kind == MT_TOKEN_NAME &&
             (mt_lex_is(lex, i + 1, "(") || mt_lex_is(lex, i + 1, "=")))
      return i;
    else if (mt_lex_is(lex, i, "<") && (end = mt_read_angle(lex, i)) != 0)
      i = end;
  }
  return 0;
}

static void collect_template(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t close = mt_read_angle(lex, i + 1);
  if (close == 0) return;
  uint32_t name = template_name(lex, close + 1);
  if (name && lex->tokens[name].kind == MT_TOKEN_NAME)
    mt_read_add_template(r, i, name);
  uint32_t end = declaration_end(lex, close + 1);
  for (uint32_t k = i + 2; k < close; k++)
    if ((mt_lex_is(lex, k, "typename") || mt_lex_is(lex, k, "class")) &&
        (mt_lex_is(lex, k - 1, "<") || mt_lex_is(lex, k - 1, ",")) &&
        lex->tokens[k + 1].kind == MT_TOKEN_NAME && k + 1 < close)
      mt_read_add_type(r, k + 1, i, end);
}

static void collect_alias(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t end = i, name = 0;
  bool is_typedef = mt_lex_is(lex, i, "typedef");
  if (!is_typedef) {
    name = i + 1;
    if (lex->tokens[name].kind != MT_TOKEN_NAME || !mt_lex_is(lex, i + 2, "="))
      return;
  }
  for (end = i + 1; end < lex->count && !mt_lex_is(lex, end, ";"); end++) {
    if (mt_lex_is(lex, end, "<")) {
      uint32_t close = mt_read_angle(lex, end);
      if (close) end = close;
      continue;
    }
    bool call = mt_lex_is(lex, end, "(") &&
                !mt_lex_is(lex, end - 1, "decltype") &&
                !mt_lex_is(lex, end - 1, "__attribute__") &&
                !mt_lex_is(lex, end - 1, "aligned");
    if (call || mt_lex_is(lex, end, "*") || mt_lex_is(lex, end, "&") ||
        mt_lex_is(lex, end, "{"))
      return;
    if (mt_lex_is(lex, end, "(") && lex->tokens[end].match)
      end = lex->tokens[end].match;
    else if (is_typedef && mt_lex_is(lex, end, "["))
      return;
    else if (is_typedef && lex->tokens[end].kind == MT_TOKEN_NAME &&
             !mt_lex_is(lex, end, "__attribute__"))
      name = end;
  }
  if (name && name + (is_typedef ? 0 : 2) < end)
    mt_read_add_type(r, name, name, lex->count);
}

void mt_read_collect_types(mt_Reader *r) {
  const mt_Lex *lex = r->lex;
  for (uint32_t i = 0; i < lex->count; i++) {
    if (lex->tokens[i].kind != MT_TOKEN_NAME) continue;
    if (mt_lex_is(lex, i, "template") && mt_lex_is(lex, i + 1, "<"))
      collect_template(r, i);
    else if (mt_lex_is(lex, i, "typedef") || mt_lex_is(lex, i, "using"))
      collect_alias(r, i);
  }
}

/* ---------------------------------------------------------------- literals */

/* 977ULL -> 977UL: MSL has no long long, 64 bits are long and ulong. */
static bool shorten_long(mt_Lex *lex, uint32_t i, const char *s, uint32_t n) {
  for (uint32_t k = 0; k + 1 < n; k++)
    if (s[k] == s[k + 1] && (s[k] == 'l' || s[k] == 'L')) {
      mt_lex_replace(lex, i,
                     mt_lex_format(lex, "%.*s%.*s", (int)k, s, (int)(n - k - 1),
                                   s + k + 1));
      return true;
    }
  return false;
}

void mt_read_number(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  const mt_Token *t = &lex->tokens[i];
  const char *s = lex->text + t->at;
  if (shorten_long(lex, i, s, t->length)) return;
  uint32_t n = t->length, digits = 0;
  bool hex = n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  bool fraction = false, power = false; /* after a p digits are decimal */
  for (digits = hex ? 2 : 0; digits < n; digits++) {
    char c = s[digits];
    bool exponent = hex ? (c == 'p' || c == 'P') : (c == 'e' || c == 'E');
    bool digit =
        (c >= '0' && c <= '9') || c == '\'' ||
        (hex && !power && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
    bool sign = (c == '+' || c == '-') && digits > 0;
    if (exponent || c == '.') fraction = true;
    if (exponent) power = true;
    if (!digit && !exponent && c != '.' && !sign) break;
  }
  const char *suffix = s + digits;
  uint32_t rest = n - digits;
  bool single = fraction && (rest == 0 ||
                             (rest == 1 && (*suffix == 'f' || *suffix == 'F')));
  if (single && r->literals) {
    mt_lex_before(lex, i, " __msl_literal(");
    mt_lex_behind(lex, i, ")");
  }
  if (rest == 0 && fraction)
    mt_lex_behind(lex, i, "f");
  else if (rest == 1 && (*suffix == 'h' || *suffix == 'H'))
    mt_lex_replace(
        lex, i,
        mt_lex_format(lex, "%.*s%sf16", (int)digits, s, fraction ? "" : ".0"));
  else if (rest == 1 && (*suffix == 'f' || *suffix == 'F') && !fraction && !hex)
    mt_lex_replace(lex, i, mt_lex_format(lex, "%.*s.0f", (int)digits, s));
  else if (rest == 2 && (*suffix == 'b' || *suffix == 'B') &&
           (suffix[1] == 'f' || suffix[1] == 'F'))
    mt_lex_replace(lex, i,
                   mt_lex_format(lex, "__bf16(%.*s%sf)", (int)digits, s,
                                 fraction ? "" : ".0"));
}

/* ------------------------------------------------------ constructors, casts */

typedef struct Use { /* of a type: tokens first .. end-1 */
  uint32_t first, end;
  bool vector; /* one of MSL's own */
  const char *text;
} Use;

/* (*name)( and (&name)[ are declarators, not constructors; (*name)[ may be
** either, and is a declarator if an address space is 'before' the type, or
** where a declaration begins. */
static bool is_declarator(const mt_Lex *lex, uint32_t before, uint32_t open,
                          bool fresh) {
  if (!mt_lex_is(lex, open + 1, "*") && !mt_lex_is(lex, open + 1, "&"))
    return false;
  uint32_t close = lex->tokens[open].match;
  if (close == 0) return true;
  if (close == open + 2) return true; /* (*) */
  bool name = close == open + 3 && lex->tokens[open + 2].kind == MT_TOKEN_NAME;
  if (!name) return false;
  bool qualified =
      fresh || (before < lex->count && (mt_read_is_space(lex, before) ||
                                        mt_lex_is(lex, before, "const")));
  return mt_lex_is(lex, close + 1, "(") ||
         (mt_lex_is(lex, close + 1, "[") &&
          (qualified || mt_lex_is(lex, open + 1, "&")));
}

/* T(…) in "Name(args) : T(x), U(y) {" names a base or member. */
static bool is_member_init(const mt_Reader *r, uint32_t before) {
  const mt_Lex *lex = r->lex;
  if (r->functions) return false;
  for (uint32_t i = before, steps = 0; i > 0 && steps < 600; i--, steps++) {
    if (mt_lex_is(lex, i, ";") || mt_lex_is(lex, i, "{")) return false;
    if ((mt_lex_is(lex, i, ")") || mt_lex_is(lex, i, "}")) &&
        lex->tokens[i].match)
      i = lex->tokens[i].match;
    else if (mt_lex_is(lex, i, ":"))
      return mt_lex_is(lex, i - 1, ")") || mt_lex_is(lex, i - 1, "noexcept");
  }
  return false;
}

static bool is_cast(const mt_Lex *lex, uint32_t open, uint32_t close) {
  if (open > 0) {
    const mt_Token *p = &lex->tokens[open - 1];
    bool keyword = mt_lex_is(lex, open - 1, "return") ||
                   mt_lex_is(lex, open - 1, "case") ||
                   mt_lex_is(lex, open - 1, "else");
    if (p->kind == MT_TOKEN_NAME && !keyword) return false;
    if (mt_lex_is(lex, open - 1, ")")) {
      /* after ')' a cast can only follow a statement's head: if (x) (T)y; but
      ** not f(x)(T) */
      uint32_t head = p->match;
      if (head == 0 || !(mt_lex_is(lex, head - 1, "if") ||
                         mt_lex_is(lex, head - 1, "while") ||
                         mt_lex_is(lex, head - 1, "for")))
        return lex->tokens[open - 1].instead != NULL; /* a cast of a cast */
    }
    if (mt_lex_is(lex, open - 1, "]") || mt_lex_is(lex, open - 1, ">")) {
      if (mt_lex_is(lex, open - 1, "]")) return false;
      if (!(open > 1 && lex->tokens[open - 2].kind != MT_TOKEN_PUNCT))
        return false;
    }
  }
  const mt_Token *n = &lex->tokens[close + 1];
  if (n->kind == MT_TOKEN_NAME || n->kind == MT_TOKEN_NUMBER)
    return !mt_lex_is(lex, close + 1, "const");
  return mt_lex_is(lex, close + 1, "(") || mt_lex_is(lex, close + 1, "-") ||
         mt_lex_is(lex, close + 1, "~") || mt_lex_is(lex, close + 1, "!") ||
         mt_lex_is(lex, close + 1, "+") || mt_lex_is(lex, close + 1, "*") ||
         mt_lex_is(lex, close + 1, "&") || mt_lex_is(lex, close + 1, "++") ||
         mt_lex_is(lex, close + 1, "--") || mt_lex_is(lex, close + 1, "::");
}

static bool has_comma(const mt_Lex *lex, uint32_t open) {
  for (uint32_t i = open + 1; i < lex->tokens[open].match; i++) {
    if (mt_lex_is(lex, i, ",")) return true;
    uint32_t m = lex->tokens[i].match;
    if (m > i) i = m;
  }
  return false;
}

static void rewrite_cast(mt_Lex *lex, uint32_t open, uint32_t close) {
  mt_lex_replace(lex, open,
                 open > 0 && lex->tokens[open - 1].kind == MT_TOKEN_NAME
                     ? " __msl_cast<"
                     : "__msl_cast<");
  bool list = mt_lex_is(lex, close + 1, "(") && has_comma(lex, close + 1);
  if (list) mt_lex_replace(lex, open, "__msl_mk<");
  mt_lex_replace(lex, close, list ? ">" : ">{}->*");
}

static void construct(mt_Reader *r, const Use *u) {
  mt_lex_before(r->lex, u->first, "__msl_mk<");
  mt_lex_behind(r->lex, u->end - 1, ">");
}

/* T (name)[4]; T ((name)) = …; T (*name);: a declaration, where one is
** allowed. */
static bool is_name_in_parentheses(const mt_Lex *lex, uint32_t open) {
  static const char *const next[] = {"[", ";", ",", "=", "{", "__attribute__"};
  uint32_t k = open, depth = 0, close = lex->tokens[open].match;
  for (; mt_lex_is(lex, k, "(") || mt_lex_is_star(lex, k) ||
         mt_lex_is(lex, k, "const");
       k++)
    depth += mt_lex_is(lex, k, "(");
  if (lex->tokens[k].kind != MT_TOKEN_NAME || !mt_lex_is(lex, k + 1, ")") ||
      k + depth != close)
    return false;
  for (size_t n = 0; n < sizeof next / sizeof next[0]; n++)
    if (mt_lex_is(lex, close + 1, next[n])) return true;
  return false;
}

/* Only words like const stand between the start of the statement and 'i'. */
static bool starts_declaration(const mt_Reader *r, uint32_t i, bool *constant) {
  static const char *const words[] = {"const",    "constexpr",   "static",
                                      "constant", "thread",      "volatile",
                                      "inline",   "threadgroup", "device"};
  *constant = false;
  for (uint32_t k = r->start, end; k < i; k++) {
    bool known = false;
    if ((end = mt_read_group_end(r->lex, k)) != 0) {
      k = end;
      continue;
    }
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
      if (mt_lex_is(r->lex, k, words[w]))
        known = true, *constant = *constant || w < 4;
    if (!known && !mt_lex_is(r->lex, k, "for") && !mt_lex_is(r->lex, k, "("))
      return false;
  }
  return true;
}

bool mt_read_is_scalar(const mt_Lex *lex, uint32_t i) {
  const mt_Token *t = &lex->tokens[i];
  return mt_scalar_named(lex->text + t->at, t->length) ||
         mt_lex_is(lex, i, "size_t") || mt_lex_is(lex, i, "unsigned") ||
         mt_lex_is(lex, i, "signed");
}

/* float4, int: a type that cannot be a variable's name */
static bool is_plain_type(const mt_Lex *lex, uint32_t i) {
  return mt_read_is_scalar(lex, i) || mt_lex_is(lex, i, "void") ||
         mt_read_vector_name(lex, i);
}

/* (float2 uv, …), (const T *p), (Ray r), (int, float *): parameters, so a
** function is declared: no expression has two adjacent names, or a type that is
** not called. */
static bool is_prototype(const mt_Lex *lex, uint32_t open) {
  uint32_t i = open + 1;
  if (mt_lex_is(lex, i, "const") || mt_read_is_space(lex, i)) return true;
  if (is_plain_type(lex, i) &&
      (mt_lex_is(lex, i + 1, ")") || mt_lex_is(lex, i + 1, ",") ||
       mt_lex_is_star(lex, i + 1)))
    return true;
  return lex->tokens[i].kind == MT_TOKEN_NAME &&
         lex->tokens[i + 1].kind == MT_TOKEN_NAME &&
         !mt_lex_is(lex, i, "sizeof");
}

/* A bfloat's initialiser converts as in an assignment, whatever its brackets:
** from a float not at all (watch_bfloat in reader.c), unlike bfloat(x). */
static bool is_bfloat(const Use *u) {
  return mt_scalar_named(u->text, strlen(u->text)) == MT_BFLOAT;
}

/* The next name that a declaration declares, after the ',' that comes from 'i'
** on; 0: there is none. */
static uint32_t next_declared(const mt_Lex *lex, uint32_t i) {
  for (; i < lex->count && !mt_lex_is(lex, i, ";"); i++) {
    uint32_t match = lex->tokens[i].match;
    if (match && match < i) return 0; /* the end of what it stands in */
    if (match) i = match;
    if (mt_lex_is(lex, i, ","))
      return lex->tokens[i + 1].kind == MT_TOKEN_NAME ? i + 1 : 0;
  }
  return 0;
}

/* T a(1, 2), b(3); from the first name on */
static void direct_init(mt_Reader *r, const Use *u, uint32_t first) {
  mt_Lex *lex = r->lex;
  if (is_prototype(lex, first + 1) || is_bfloat(u)) return;
  for (uint32_t name = first; name; name = next_declared(lex, name + 1)) {
    uint32_t open = name + 1, close = lex->tokens[open].match;
    if (mt_lex_is(lex, open, "(") && close > open + 1 &&
        (mt_lex_is(lex, close + 1, ";") || mt_lex_is(lex, close + 1, ",")))
      mt_lex_behind(lex, name, mt_lex_format(lex, " = __msl_mk<%s>", u->text));
  }
}

/* float4 v = {a.xy, 0, 1}: a list of components, as for a constructor, but it
** may be too short. */
static void brace_init(mt_Reader *r, const Use *u, uint32_t open, bool assign) {
  mt_Lex *lex = r->lex;
  uint32_t close = lex->tokens[open].match;
  if (close <= open + 1 || mt_lex_is(lex, open + 1, "{") ||
      mt_lex_is(lex, open + 1, ".") || is_bfloat(u))
    return;
  mt_lex_replace(
      lex, open,
      mt_lex_format(lex, "%s__msl_init<%s>(", assign ? " = " : "", u->text));
  mt_lex_replace(lex, close, ")");
  if (mt_lex_is(lex, close - 1, ",")) mt_lex_blank(lex, close - 1);
  /* the traversal still sees a list, not a scope: it tests the original
  ** token */
}

/* T a = …, b{…}, c = {…}; from the first name on. Without '=' a list may begin
** a scope, unless a declaration is sure. */
static void init_each(mt_Reader *r, const Use *u, uint32_t first, bool fresh) {
  const mt_Lex *lex = r->lex;
  for (uint32_t name = first; name; name = next_declared(lex, name + 1)) {
    if (u->vector && mt_lex_is(lex, name + 1, "{") && fresh)
      brace_init(r, u, name + 1, true);
    else if (u->vector && mt_lex_is(lex, name + 1, "=") &&
             mt_lex_is(lex, name + 2, "{"))
      brace_init(r, u, name + 2, false);
    else if (mt_lex_is(lex, name + 1, "="))
      mt_read_splat_declared(r, name + 2);
  }
}

/* vec<bool, N> is a class of its own. */
static const char *bool_vector(mt_Lex *lex, uint32_t vec, uint32_t close) {
  if (!mt_lex_is(lex, vec + 2, "bool") || !mt_lex_is(lex, vec + 3, ","))
    return NULL;
  mt_lex_replace(lex, vec, "__msl_bvec");
  mt_lex_blank_run(lex, vec + 2, vec + 4);
  return mt_lex_format(lex, "__msl_bvec<%s>", mt_lex_text(lex, vec + 4, close));
}

bool mt_read_same_word(const mt_Lex *lex, uint32_t i, uint32_t k) {
  const mt_Token *a = &lex->tokens[i], *b = &lex->tokens[k];
  return a->length == b->length &&
         memcmp(lex->text + a->at, lex->text + b->at, a->length) == 0;
}

/* Is 'name' a parameter of the template<…> at 'start', or of the innermost if
** there are several? */
bool mt_read_own_parameter(const mt_Lex *lex, uint32_t start, uint32_t name) {
  uint32_t last = start, next;
  for (uint32_t k = start;
       mt_lex_is(lex, k, "template") && mt_lex_is(lex, k + 1, "<");
       k = next + 1) {
    next = mt_read_angle(lex, k + 1);
    if (next == 0) return true;
    last = k;
  }
  uint32_t close = mt_read_angle(lex, last + 1);
  for (uint32_t k = last + 2; k < close; k++)
    if (mt_read_same_word(lex, k, name) &&
        (mt_lex_is(lex, k + 1, ",") || mt_lex_is(lex, k + 1, "=") ||
         k + 1 == close))
      return true;
  return false;
}

/* template <class T> vec<T, 4> Tile<T>::row(vec<T, 4> v): a member, outside
** of its class. */
static bool is_member_outside(const mt_Lex *lex, uint32_t a) {
  uint32_t i = a,
           last = a + LONGEST_HEAD < lex->count ? a + LONGEST_HEAD : lex->count;
  while (i < last && !mt_lex_is(lex, i, "(") && !mt_lex_is(lex, i, ";") &&
         !mt_lex_is(lex, i, "{"))
    i++;
  return i >= a + 2 && mt_lex_is(lex, i, "(") && mt_lex_is(lex, i - 2, "::");
}

/* Non-deduced contexts: function bodies, classes unless the member is a
** template with that parameter, and a function's result. There the T of vec<T,
** N> may turn out to be bool. */
static bool only_named(const mt_Reader *r, uint32_t vec) {
  const mt_Lex *lex = r->lex;
  if (mt_read_in_function(r)) return true;
  bool in_class = r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS;
  uint32_t a = mt_read_skip_template(lex, r->start);
  if (a == r->start || vec < a || vec > a + LONGEST_HEAD) return in_class;
  if (r->parens) { /* a parameter of a function */
    bool outside = is_member_outside(lex, a),
         alone = mt_read_angle(lex, r->start + 1) + 1 == a;
    if (outside && alone) return true; /* the class's template */
    return (outside || in_class) &&
           !mt_read_own_parameter(lex, r->start, vec + 2);
  }
  for (uint32_t k = a; k < vec; k++)
    if (mt_lex_is(lex, k, "struct") || mt_lex_is(lex, k, "class") ||
        mt_lex_is(lex, k, "using"))
      return false;
  return true;
}

static const char *any_vector(mt_Lex *lex, uint32_t vec, uint32_t close) {
  mt_lex_replace(lex, vec, "__msl_vec_of");
  return mt_lex_format(lex, "__msl_vec_of%s",
                       mt_lex_text(lex, vec + 1, close + 1));
}

static bool find_use(mt_Reader *r, uint32_t i, Use *u) {
  mt_Lex *lex = r->lex;
  bool vec =
      mt_read_is_library(r, i, MT_LIBRARY_VEC) && mt_lex_is(lex, i + 1, "<");
  bool dec = mt_lex_is(lex, i, "decltype") && mt_lex_is(lex, i + 1, "(") &&
             lex->tokens[i + 1].match;
  const char *text = NULL;
  u->vector = vec || mt_read_vector_name(lex, i);
  if (!u->vector && !dec && !mt_read_is_type(r, i)) return false;
  /* A::template f<T>(x) */
  if (i > 0 && mt_lex_is(lex, i - 1, "template")) return false;
  u->first = i;
  u->end = i + 1;
  if (dec) u->end = lex->tokens[i + 1].match + 1;
  if (mt_lex_is(lex, i + 1, "<") && (vec || !u->vector)) {
    uint32_t close = mt_read_angle(lex, i + 1);
    if (close == 0) return false;
    u->end = close + 1;
    if (vec) text = bool_vector(lex, i, close);
    if (vec && text == NULL && lex->tokens[i].instead == NULL &&
        only_named(r, i))
      text = any_vector(lex, i, close);
  }
  if (i > 0 && mt_lex_is(lex, i - 1, "::")) {
    if (mt_lex_is(lex, i - 2, ">") || mt_lex_is(lex, i - 2, ")")) return false;
    u->first =
        i > 1 && lex->tokens[i - 2].kind == MT_TOKEN_NAME ? i - 2 : i - 1;
    if (text) {
      mt_lex_blank_run(lex, u->first, i);
      if (u->first > 0 && mt_lex_is(lex, u->first - 1, "::"))
        mt_lex_blank(lex, u->first - 1);
    }
  }
  if (u->first > 0 && mt_lex_is(lex, u->first - 1, "typename")) {
    u->first--;
    if (text) mt_lex_blank(lex, u->first);
  }
  u->text = text ? text : mt_lex_text(lex, u->first, u->end);
  return true;
}

/* float4(int, float): a function type, not a constructor; no expression begins
** with a type name alone. */
static bool is_function_type(const mt_Reader *r, uint32_t open) {
  const mt_Lex *lex = r->lex;
  uint32_t i = open + 1, before = open - 1;
  if (mt_lex_is(lex, i, ")") && mt_lex_is(lex, i + 1, ">") && before > 1 &&
      mt_lex_is(lex, before - 1, "<"))
    return true; /* visible_function_table<float4()> */
  while (mt_lex_is(lex, i, "const") || mt_read_is_space(lex, i)) i++;
  bool type = is_plain_type(lex, i) || (i > open + 1 && mt_read_is_type(r, i));
  bool alone = mt_lex_is(lex, i + 1, ",") || mt_lex_is(lex, i + 1, ")") ||
               mt_lex_is(lex, i + 1, "*") || mt_lex_is(lex, i + 1, "&");
  return type && (alone || i > open + 1) && before > 0 &&
         lex->tokens[open].match;
}

/* ~T() of a class named T, p->~T(), T::~T(): a destructor; any other '~' before
** a type is an operator. */
static bool is_destructor(const mt_Reader *r, uint32_t tilde) {
  static const char *const ends[] = {".", "->", "::"};
  const mt_Lex *lex = r->lex;
  const mt_Level *level = r->depth ? &r->levels[r->depth - 1] : NULL;
  if (!mt_lex_is(lex, tilde, "~") || tilde == 0) return false;
  for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++)
    if (mt_lex_is(lex, tilde - 1, ends[k])) return true;
  return level && level->scope == MT_LEVEL_CLASS && level->class_name &&
         mt_read_same_word(lex, level->class_name, tilde + 1);
}

void mt_read_type_use(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  Use u;
  if (!find_use(r, i, &u)) return;
  uint32_t before = u.first ? u.first - 1 : lex->count, next = u.end;
  bool in_class = r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS;
  mt_read_note_vectors(r, u.end);
  if (mt_lex_is(lex, before, "class") || mt_lex_is(lex, before, "struct") ||
      mt_lex_is(lex, before, "using") || mt_lex_is(lex, before, "operator") ||
      is_destructor(r, before))
    return;
  if (mt_lex_is(lex, next, "(")) {
    bool constant, fresh = starts_declaration(r, u.first, &constant);
    if (is_declarator(lex, before, next, fresh) || is_function_type(r, next))
      return;
    if (is_name_in_parentheses(lex, next) && fresh) return;
    if ((mt_lex_is(lex, before, ":") || mt_lex_is(lex, before, ",")) &&
        is_member_init(r, before))
      return;
    if (in_class && r->parens == 0 && r->levels[r->depth - 1].class_name &&
        mt_lex_is(lex, i, mt_lex_text(lex, r->levels[r->depth - 1].class_name,
                                      r->levels[r->depth - 1].class_name + 1)))
      return;
    construct(r, &u);
  } else if (mt_lex_is(lex, next, ")")) {
    uint32_t open = before;
    while (open < lex->count &&
           (mt_lex_is(lex, open, "const") || mt_read_is_space(lex, open)) &&
           open > 0)
      open--;
    if (mt_lex_is(lex, open, "(") && is_cast(lex, open, next))
      rewrite_cast(lex, open, next);
  } else if (mt_lex_is(lex, next, "{") && u.vector &&
             !mt_lex_is(lex, before, "->") && mt_read_in_function(r)) {
    uint32_t close = lex->tokens[next].match;
    if (close == 0) return;
    mt_lex_before(lex, u.first, "__msl_init<");
    mt_lex_behind(lex, u.end - 1, ">");
    mt_lex_replace(lex, next, "(");
    mt_lex_replace(lex, close, ")");
    if (mt_lex_is(lex, close - 1, ",")) mt_lex_blank(lex, close - 1);
  } else if (lex->tokens[next].kind == MT_TOKEN_NAME) {
    bool constant, fresh = starts_declaration(r, u.first, &constant);
    for (uint32_t end; (end = mt_read_group_end(lex, next)) != 0 ||
                       mt_read_is_specifier(lex, next);
         next = (end ? end : next) + 1)
      constant = constant || mt_lex_is(lex, next, "const") ||
                 mt_lex_is(lex, next, "constant");
    if (lex->tokens[next].kind != MT_TOKEN_NAME) return;
    if (mt_lex_is(lex, next + 1, "(") && fresh && !in_class &&
        (r->functions || constant))
      direct_init(r, &u, next);
    else
      init_each(r, &u, next, fresh);
  }
}

void mt_read_static_cast(mt_Reader *r, uint32_t i) {
  uint32_t close = mt_read_angle(r->lex, i + 1);
  if (close == 0) return;
  for (uint32_t k = i + 2; k < close; k++)
    if (mt_lex_is(r->lex, k, "*") || mt_lex_is(r->lex, k, "&") ||
        mt_lex_is(r->lex, k, "&&"))
      return;
  mt_lex_replace(r->lex, i, "__msl_mk");
}

/* Does the type of parameter 'number' of this template need one of its own
** parameters? The list for it deduces nothing then, as C++ has it. */
static bool is_deduced(const mt_Lex *lex, const mt_TypeName *f,
                       uint32_t number) {
  uint32_t close = lex->tokens[f->to + 1].match;
  for (uint32_t i = f->to + 2, end; i < close; i = end + 1) {
    end = mt_read_parameter_end(lex, i, close);
    bool own = false, pack = false;
    for (uint32_t k = i; k < end; k++) {
      own = own || (lex->tokens[k].kind == MT_TOKEN_NAME &&
                    mt_read_own_parameter(lex, f->from, k));
      pack = pack || mt_lex_is(lex, k, "...");
    }
    if (number == 0 || pack) return own;
    number--;
  }
  return false;
}

static bool is_for_template(const mt_Reader *r, uint32_t name,
                            uint32_t number) {
  const mt_TypeName *f = NULL;
  while ((f = mt_read_generic(r, name, f)) != NULL)
    if (is_deduced(r->lex, f, number)) return true;
  return false;
}

/* f({a, b}): a list among the arguments of a call. */
void mt_read_list(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  uint32_t close = lex->tokens[i].match;
  if (!r->functions || close <= i + 1 || i == 0) return;
  if (!mt_lex_is(lex, i - 1, "(") && !mt_lex_is(lex, i - 1, ",")) return;
  uint32_t open = i - 1, parts = 1, number = 0;
  while (open > 0 && !mt_lex_is(lex, open, "(")) {
    if (mt_lex_is(lex, open, ",")) number++;
    if (mt_lex_is(lex, open, "{") || mt_lex_is(lex, open, ";") ||
        mt_lex_is(lex, open, "["))
      return;
    bool closes = mt_lex_is(lex, open, ")") || mt_lex_is(lex, open, "}") ||
                  mt_lex_is(lex, open, "]");
    open = closes && lex->tokens[open].match ? lex->tokens[open].match - 1
                                             : open - 1;
  }
  if (open == 0 || lex->tokens[open].instead) return;
  bool call = lex->tokens[open - 1].kind == MT_TOKEN_NAME ||
              mt_lex_is(lex, open - 1, ">");
  static const char *const heads[] = {"if",     "for",    "while",
                                      "switch", "return", "sizeof"};
  for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++)
    if (mt_lex_is(lex, open - 1, heads[k])) call = false;
  if (!call || mt_lex_is(lex, i + 1, ".") ||
      is_for_template(r, open - 1, number))
    return;
  for (uint32_t k = i + 1; k < close; k++) {
    if (mt_lex_is(lex, k, ",")) parts++;
    if (mt_lex_is(lex, k, ";")) return; /* the body of a lambda */
    if (lex->tokens[k].match > k) k = lex->tokens[k].match;
  }
  bool loose = mt_lex_is(lex, close - 1, ","); /* {a, b,} */
  if (loose) parts--;
  if (parts < 2 || parts > 4) return;
  if (loose) mt_lex_blank(lex, close - 1);
  mt_lex_replace(lex, i, "__msl_list(");
  mt_lex_replace(lex, close, ")");
}

/* typename Traits<T>::vector(x) constructs a value, whatever the type is. */
void mt_read_typename(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  uint32_t k = i + 1, name; /* the last name, and the end of its <…> */
  bool nested = false;
  if (!r->functions) return;
  for (;;) {
    if (mt_lex_is(lex, k, "template")) k++;
    if (lex->tokens[k].kind != MT_TOKEN_NAME) return;
    name = k;
    if (mt_lex_is(lex, k + 1, "<")) {
      k = mt_read_angle(lex, k + 1);
      if (k == 0) return;
    }
    if (!mt_lex_is(lex, k + 1, "::")) break;
    nested = true;
    k += 2;
  }
  bool constant, fresh = starts_declaration(r, i, &constant);
  if (!nested || !mt_lex_is(lex, k + 1, "(") ||
      is_declarator(lex, i - 1, k + 1, fresh))
    return;
  if (is_name_in_parentheses(lex, k + 1) && fresh) return;
  bool known = mt_read_is_type(r, name) || mt_read_vector_name(lex, name) ||
               mt_read_is_library(r, name, MT_LIBRARY_VEC);
  /* mt_read_type_use does it */
  if (known && !mt_lex_is(lex, name - 2, ">")) return;
  mt_lex_before(lex, i, "__msl_mk<");
  mt_lex_behind(lex, k, ">");
}
