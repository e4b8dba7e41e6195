/*
** spaces.c - address spaces, and attributes outside signatures.
**
** Pointers are flat in C++, so device, thread and threadgroup are removed from
** them, and constant becomes const. On variables they determine storage
** (storage.c): a threadgroup variable is a static in a section that the
** devices know (docs/ir.md), a constant in a function a static const, a
** function constant an extern whose section names it.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/attributes.h"
#include "msl/reader/parts.h"

/* The address space at 'i' qualifies a pointee, not a variable. */
static bool points(const mt_Lex *lex, uint32_t i) {
  for (uint32_t k = i + 1; k < lex->count; k++) {
    uint32_t close;
    if (mt_lex_is(lex, k, "*") || mt_lex_is(lex, k, "&") ||
        mt_lex_is(lex, k, "&&"))
      return true;
    if (mt_lex_is(lex, k, "<")) {
      close = mt_read_angle(lex, k);
      if (close == 0) return false;
      k = close;
    } else if (mt_lex_is(lex, k, "("))
      return mt_lex_is(lex, k + 1, "*") || mt_lex_is(lex, k + 1, "&") ||
             !mt_lex_is(lex, k - 1, "alignas");
    else if (lex->tokens[k].kind == MT_TOKEN_PUNCT && !mt_lex_is(lex, k, "::"))
      return false;
  }
  return false;
}

/* f<threadgroup T, 4>: the address space qualifies a template argument. */
static bool is_argument(const mt_Lex *lex, uint32_t i) {
  uint32_t k = i + 1;
  while (mt_lex_is(lex, k, "const") || mt_lex_is(lex, k, "volatile")) k++;
  for (;; k += 2) {
    if (lex->tokens[k].kind != MT_TOKEN_NAME) return false;
    uint32_t close = mt_lex_is(lex, k + 1, "<") ? mt_read_angle(lex, k + 1) : 0;
    if (close) k = close;
    if (!mt_lex_is(lex, k + 1, "::")) break;
  }
  return mt_lex_is(lex, k + 1, ",") || mt_lex_is(lex, k + 1, ">");
}

/* ------------------------------------------------------- function constants */

/* The [[function_constant(n)]] of the declaration around token 'i'; 0 if it
** has none. */
static uint32_t constant_attribute(mt_Reader *r, uint32_t i, uint32_t *end) {
  const mt_Lex *lex = r->lex;
  for (i = r->start;
       i < lex->count && !mt_lex_is(lex, i, ";") && !mt_lex_is(lex, i, "{");
       i++) {
    uint32_t close;
    if (mt_lex_is(lex, i, "=")) return 0;
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    *end = close;
    bool bare = mt_lex_is(lex, i + 2, "function_constant") &&
                !mt_lex_is(lex, i + 3, "(");
    if (bare && !r->spaces)
      mt_read_problem(r, i + 2,
                      "Give it an index, as in [[function_constant(0)]].",
                      "'function_constant' attribute takes one argument");
    if (mt_lex_is(lex, i + 2, "function_constant") && !bare) return i;
    i = close;
  }
  return 0;
}

/* 'i' is the word constant; the attribute stands after the name or before the
** declaration. */
static void function_constant(mt_Reader *r, uint32_t i, uint32_t attribute,
                              uint32_t end) {
  mt_Lex *lex = r->lex;
  uint32_t first = i + 1;
  while (mt_lex_is(lex, first, "const") || mt_lex_is(lex, first, "constexpr") ||
         mt_lex_is(lex, first, "static"))
    mt_lex_blank(lex, first++);
  uint32_t name = mt_read_declared(r, first).name,
           last = (attribute > i ? end : name) + 1;
  mt_lex_replace(lex, i, "extern const ");
  if (!mt_lex_is(lex, last, ";") || (attribute > i && attribute != name + 1)) {
    mt_read_problem(
        r, attribute + 2,
        "Write each as constant T name [[function_constant(n)]]; with no "
        "value.",
        "a function constant is declared alone and has no value of its own");
    return;
  }
  const char *n = mt_lex_text(lex, name, name + 1);
  const char *index =
      mt_lex_text(lex, attribute + 4, lex->tokens[attribute + 3].match);
  const char *type = mt_lex_text(lex, first, name);
  for (uint32_t k = r->start; k < i; k++)
    if (mt_lex_is(lex, k, "static") || mt_lex_is(lex, k, "constexpr"))
      mt_lex_blank(lex, k);
  mt_lex_behind(
      lex, name,
      mt_lex_format(lex, " __attribute__((section(\".msl.constant.%s\")))", n));
  mt_lex_behind(
      lex, last,
      mt_lex_format(lex,
                    " extern const bool __msl_defined_%s "
                    "__attribute__((section(\".msl.defined.%s\")));"
                    " static const char __msl_constant_%s"
                    " __attribute__((used, annotate(\"constant|%u|%s|%s\", "
                    "(int)(%s)))) = 0;",
                    n, n, n, lex->tokens[name].at, n, type, index));
}

/* ------------------------------------------------------------------- spaces */

/* Foo(…) thread {: constructors are not qualified in C++. */
static bool is_constructor(mt_Reader *r, uint32_t i) {
  mt_FunctionHeader h;
  mt_Level *level = r->depth ? &r->levels[r->depth - 1] : NULL;
  if (level == NULL || level->scope != MT_LEVEL_CLASS || level->class_name == 0)
    return false;
  if (!mt_read_header(r, r->start, i, &h)) return false;
  uint32_t c = level->class_name;
  return mt_lex_is(r->lex, h.name, mt_lex_text(r->lex, c, c + 1));
}

/* A pointer with an address space, outside a kernel's signature. */
static bool is_helper_pointer(mt_Reader *r, uint32_t i) {
  if (!points(r->lex, i)) return false;
  if (r->functions) return true;
  for (uint32_t k = r->start; k < i; k++)
    if (mt_lex_is(r->lex, k, "kernel")) return false;
  return true;
}

/* Replaces the address space by Clang's numbered one. */
static void keep_space(mt_Reader *r, uint32_t i, bool trailing) {
  mt_Lex *lex = r->lex;
  bool constant = mt_lex_is(lex, i, "constant");
  int number = mt_lex_is(lex, i, "device")        ? MT_CLANG_DEVICE
               : constant                         ? MT_CLANG_CONSTANT
               : mt_lex_is(lex, i, "threadgroup") ? MT_CLANG_THREADGROUP
                                                  : 0;
  if (number == 0 || trailing)
    mt_lex_replace(lex, i, constant ? "const" : " ");
  else
    mt_lex_replace(lex, i,
                   mt_lex_format(lex, "%s__attribute__((address_space(%d))) ",
                                 constant ? "const " : "", number));
}

/* The last token of the operand of a cast, from its first; 0: not a simple
** operand. */
static uint32_t operand_end(const mt_Lex *lex, uint32_t i) {
  while (mt_lex_is(lex, i, "&") || mt_lex_is(lex, i, "*")) i++;
  bool group = mt_lex_is(lex, i, "(") && lex->tokens[i].match;
  if (group) i = lex->tokens[i].match;
  else if (lex->tokens[i].kind != MT_TOKEN_NAME || mt_lex_is(lex, i, "this"))
    return 0;
  for (;;) {
    if ((mt_lex_is(lex, i + 1, "[") || mt_lex_is(lex, i + 1, "(")) &&
        lex->tokens[i + 1].match && !group)
      i = lex->tokens[i + 1].match;
    else if ((mt_lex_is(lex, i + 1, ".") || mt_lex_is(lex, i + 1, "->")) &&
             lex->tokens[i + 2].kind == MT_TOKEN_NAME)
      i += 2;
    else
      break;
    group = false;
  }
  /* (T *)(U *)p, f<T>(x), a::b: not checked */
  const mt_Token *next = &lex->tokens[i + 1];
  bool other = next->kind != MT_TOKEN_PUNCT || mt_lex_is(lex, i + 1, "(") ||
               mt_lex_is(lex, i + 1, "<") || mt_lex_is(lex, i + 1, "::") ||
               mt_lex_is(lex, i + 1, "++") || mt_lex_is(lex, i + 1, "--");
  return other || i + 1 >= lex->count ? 0 : i;
}

/* (device float *)p becomes a reinterpret_cast, which Clang rejects across
** address spaces; it accepts the C-style cast. */
static void check_cast(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  uint32_t open = i - (i > 0);
  while (open > 0 &&
         (mt_lex_is(lex, open, "const") || mt_lex_is(lex, open, "volatile")))
    open--;
  uint32_t close = lex->tokens[open].match;
  if (!r->functions || open == 0 || !mt_lex_is(lex, open, "(") || close <= i ||
      !mt_lex_is(lex, close - 1, "*"))
    return;
  const mt_Token *before = &lex->tokens[open - 1];
  bool after =
      (before->kind == MT_TOKEN_NAME && !mt_lex_is(lex, open - 1, "return")) ||
      mt_lex_is(lex, open - 1, ")") || mt_lex_is(lex, open - 1, "]") ||
      mt_lex_is(lex, open - 1, ">");
  /* the check does not know the address space of *this */
  bool plain = lex->tokens[close + 1].kind == MT_TOKEN_NAME &&
               !mt_lex_is(lex, close + 1, "this");
  for (uint32_t d = 0; d < r->depth; d++)
    after = after || (r->levels[d].scope == MT_LEVEL_CLASS && !plain);
  uint32_t last = after ? 0 : operand_end(lex, close + 1);
  if (last == 0) return;
  mt_lex_replace(lex, open, "reinterpret_cast<");
  mt_lex_replace(lex, close, ">(");
  mt_lex_behind(lex, last, ")");
}

/* The ')' at 'i' closes a parameter list, not __attribute__((…)) or if (…). */
static bool closes_parameters(const mt_Lex *lex, uint32_t i) {
  if (!mt_lex_is(lex, i, ")")) return false;
  uint32_t before = lex->tokens[i].match - 1;
  static const char *const others[] = {
      "__attribute__", "__attribute", "alignas",    "__declspec",
      "decltype",      "typeof",      "__typeof__", "if",
      "for",           "while",       "switch",     "constexpr",
      NULL};
  for (const char *const *word = others; *word; word++)
    if (mt_lex_is(lex, before, *word)) return false;
  return true;
}

void mt_read_space(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  if (is_helper_pointer(r, i)) r->out->second = true;
  bool qualified =
      i > 1 && closes_parameters(lex, i - 2) &&
      (mt_lex_is(lex, i - 1, "const") || mt_lex_is(lex, i - 1, "volatile") ||
       mt_read_is_space(lex, i - 1));
  bool trailing = i > 0 && (closes_parameters(lex, i - 1) || qualified);
  if (trailing && r->parens == 0 && is_constructor(r, i)) {
    mt_lex_blank(lex, i);
    return;
  }
  /* T x; with this template argument is in the address space */
  if (is_argument(lex, i) && !points(lex, i)) r->out->second = true;
  if (r->spaces) {
    check_cast(r, i);
    keep_space(r, i, trailing && r->parens == 0);
  } else if (mt_lex_is(lex, i, "constant"))
    mt_read_store_constant(r, i);
  else
    mt_lex_blank(lex, i);
  uint32_t end, attribute = 0;
  if (mt_lex_is(lex, i, "constant") && !r->spaces && r->parens == 0 &&
      !trailing && !points(lex, i))
    attribute = constant_attribute(r, i, &end);
  if (attribute) function_constant(r, i, attribute, end);
  else if (!trailing) mt_read_store(r, i, i, mt_lex_text(lex, i, i + 1));
}

/* The type is the qualified name a::b<T> that the alias at 'i' ends. */
void mt_read_alias_use(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t first = i, last = i;
  if (mt_read_is_alias_declared(r, i)) return;
  if (mt_lex_is(lex, i + 1, "<") && mt_read_angle(lex, i + 1))
    last = mt_read_angle(lex, i + 1);
  while (first > 1 && mt_lex_is(lex, first - 1, "::")) {
    bool scope = lex->tokens[first - 2].kind == MT_TOKEN_NAME &&
                 !mt_read_is_specifier(lex, first - 2) &&
                 !mt_lex_is(lex, first - 2, "return");
    first -= 1 + scope;
    if (!scope) break;
  }
  if (first > 0 && mt_lex_is(lex, first - 1, "typename")) first--;
  /* address_spaces.c diagnoses parameters and members of this type */
  r->out->second = true;
  mt_read_store(r, first, last, mt_read_alias(r, i));
}

/* --------------------------------------------------------------- attributes */

uint32_t mt_read_entry_end(const mt_Lex *lex, uint32_t k, uint32_t end) {
  while (k < end && !mt_lex_is(lex, k, ","))
    k = lex->tokens[k].match > k ? lex->tokens[k].match + 1 : k + 1;
  return k < end ? k : end;
}

/* [[buffer(0), access(read)]]: does the list have an attribute of MSL? */
static bool has_known(mt_Lex *lex, uint32_t i, uint32_t end) {
  for (uint32_t k = i + 2; k < end - 1;
       k = mt_read_entry_end(lex, k, end - 1) + 1)
    if (mt_attribute_known(mt_lex_text(lex, k, k + 1))) return true;
  return false;
}

/* uint i [[gird]] of a kernel: a scalar parameter needs a known attribute. */
static bool needs_attribute(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  uint32_t first = i;
  mt_FunctionHeader h;
  if (r->functions || r->parens != 1 ||
      !mt_read_header(r, r->start, lex->count, &h) || !h.kernel)
    return false;
  while (first > h.open + 1 && !mt_lex_is(lex, first - 1, ",")) {
    if (mt_lex_is(lex, first - 1, "*") || mt_lex_is(lex, first - 1, "&") ||
        mt_lex_is(lex, first - 1, ">"))
      return false;
    first = lex->tokens[first - 1].match && lex->tokens[first - 1].match < first
                ? lex->tokens[first - 1].match
                : first - 1;
  }
  return true;
}

/* As in Clang: an unknown attribute is ignored, with a warning. */
static void tell_unknown(mt_Reader *r, uint32_t k, const char *name,
                         bool error) {
  mt_Lex *lex = r->lex;
  const char *near = mt_attribute_nearest(name);
  mt_read_problem(
      r, k, near ? mt_lex_format(lex, "Did you mean [[%s]]?", near) : NULL,
      error ? "unknown attribute '%s'" : "unknown attribute '%s' ignored",
      name);
  if (!error) mt_read_warn_last(r);
}

static void tell_idle(mt_Reader *r, uint32_t k, const char *name) {
  mt_read_problem(
      r, k,
      "It belongs to a kernel, its parameters or the members of a struct.",
      "'%s' attribute says nothing here", name);
  mt_read_warn_last(r);
}

/* The attributes of MSL are removed; those of signatures were read before.
** C++'s own and gnu::aligned stay for Clang. */
void mt_read_attribute(mt_Reader *r, uint32_t i, uint32_t end) {
  mt_Lex *lex = r->lex;
  bool kept = false, error = !has_known(lex, i, end) && needs_attribute(r, i);
  for (uint32_t k = i + 2, next; k < end - 1; k = next + 1) {
    next = mt_read_entry_end(lex, k, end - 1);
    const char *name = mt_lex_text(lex, k, k + 1);
    bool scoped = mt_lex_is(lex, k + 1, "::") || mt_lex_is(lex, k, "using");
    if (scoped || mt_attribute_standard(name)) {
      kept = true;
      continue;
    }
    if (lex->tokens[k].kind == MT_TOKEN_NAME && !mt_attribute_known(name))
      tell_unknown(r, k, name, error);
    else if (lex->tokens[k].kind == MT_TOKEN_NAME && mt_read_in_function(r))
      tell_idle(r, k, name);
    for (; k < next; k++) mt_lex_blank(lex, k);
  }
  for (uint32_t k = i; !kept && k <= end; k++) mt_lex_blank(lex, k);
}
