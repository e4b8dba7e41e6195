/*
** reader_spaces.c - address spaces, and attributes outside of headers.
**
** Pointers are flat in C++, so device, thread and threadgroup vanish from them,
** and constant becomes const. On variables they mean storage: a threadgroup
** variable is a static in a section that the devices know (docs/ir.md), a constant
** in a function a static const, a function constant an extern whose section names it.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/attributes.h"
#include "msl/reader_parts.h"

#define SHARED "__attribute__((section(\".msl.threadgroup\"))) "

/* The word at 'i' qualifies what is pointed at, not a variable. */
static bool points(const mt_Lex *lex, uint32_t i) {
  for (uint32_t k = i + 1; k < lex->count; k++) {
    uint32_t close;
    if (mt_lex_is(lex, k, "*") || mt_lex_is(lex, k, "&") || mt_lex_is(lex, k, "&&")) return true;
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

/* f<threadgroup T, 4>: the word qualifies an argument of a template. */
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

static bool before_has(const Reader *r, uint32_t i, const char *word) {
  for (uint32_t k = r->start; k < i; k++)
    if (mt_lex_is(r->lex, k, word)) return true;
  return mt_lex_is(r->lex, i + 1, word);
}

/* ------------------------------------------------------- function constants */

/* The [[function_constant(n)]] of the declaration at 'i'; 0 if it has none. */
static uint32_t constant_attribute(Reader *r, uint32_t i, uint32_t *end) {
  const mt_Lex *lex = r->lex;
  for (; i < lex->count && !mt_lex_is(lex, i, ";") && !mt_lex_is(lex, i, "{"); i++) {
    uint32_t close;
    if (mt_lex_is(lex, i, "=")) return 0;
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    *end = close;
    bool bare = mt_lex_is(lex, i + 2, "function_constant") && !mt_lex_is(lex, i + 3, "(");
    if (bare && !r->spaces)
      mt_read_problem(r, i + 2, "Give it an index, as in [[function_constant(0)]].", "'function_constant' attribute takes one argument");
    if (mt_lex_is(lex, i + 2, "function_constant") && !bare) return i;
    i = close;
  }
  return 0;
}

static void function_constant(Reader *r, uint32_t i, uint32_t attribute, uint32_t end) {
  mt_Lex *lex = r->lex;
  uint32_t name = attribute - 1, first = i + 1;
  if (lex->tokens[name].kind != MT_TOKEN_NAME || !mt_lex_is(lex, end + 1, ";")) return;
  const char *n = mt_lex_text(lex, name, name + 1);
  const char *index = mt_lex_text(lex, attribute + 4, lex->tokens[attribute + 3].match);
  while (mt_lex_is(lex, first, "const") || mt_lex_is(lex, first, "constexpr") || mt_lex_is(lex, first, "static"))
    mt_lex_blank(lex, first++);
  const char *type = mt_lex_text(lex, first, name);
  for (uint32_t k = r->start; k < i; k++)
    if (mt_lex_is(lex, k, "static") || mt_lex_is(lex, k, "constexpr")) mt_lex_blank(lex, k);
  mt_lex_replace(lex, i, "extern const ");
  mt_lex_behind(lex, name, mt_lex_format(lex, " __attribute__((section(\".msl.constant.%s\")))", n));
  mt_lex_behind(lex, end + 1, mt_lex_format(lex,
      " extern const bool __msl_defined_%s __attribute__((section(\".msl.defined.%s\")));"
      " static const char __msl_constant_%s"
      " __attribute__((used, annotate(\"constant|%u|%s|%s\", (int)(%s)))) = 0;",
      n, n, n, lex->tokens[name].at, n, type, index));
}

/* ------------------------------------------------------------------- spaces */

/* Foo(…) thread {: constructors are not qualified in C++. */
static bool is_constructor(Reader *r, uint32_t i) {
  Header h;
  Level *level = r->depth ? &r->levels[r->depth - 1] : NULL;
  if (level == NULL || level->scope != SCOPE_CLASS || level->class_name == 0) return false;
  if (!mt_read_header(r, r->start, i, &h)) return false;
  uint32_t c = level->class_name;
  return mt_lex_is(r->lex, h.name, mt_lex_text(r->lex, c, c + 1));
}

/* A pointer that leads somewhere, outside of a kernel's header. */
static bool is_helper_pointer(Reader *r, uint32_t i) {
  if (!points(r->lex, i)) return false;
  if (r->functions) return true;
  for (uint32_t k = r->start; k < i; k++)
    if (mt_lex_is(r->lex, k, "kernel")) return false;
  return true;
}

/* The word as a number; 'storage' where a variable has it. */
static void keep_space(Reader *r, uint32_t i, bool trailing, const char *storage) {
  mt_Lex *lex = r->lex;
  bool constant = mt_lex_is(lex, i, "constant");
  int number = mt_lex_is(lex, i, "device") ? MT_SPACE_DEVICE : constant ? MT_SPACE_CONSTANT
               : mt_lex_is(lex, i, "threadgroup") ? MT_SPACE_THREADGROUP : 0;
  if (number == 0 || trailing)
    mt_lex_replace(lex, i, constant ? "const" : " ");
  else
    mt_lex_replace(lex, i, mt_lex_format(lex, "%s%s__attribute__((address_space(%d))) ", storage,
                                         constant ? "const " : "", number));
}

/* The last token of the operand of a cast, from its first; 0: not a plain one. */
static uint32_t operand_end(const mt_Lex *lex, uint32_t i) {
  while (mt_lex_is(lex, i, "&") || mt_lex_is(lex, i, "*")) i++;
  bool group = mt_lex_is(lex, i, "(") && lex->tokens[i].match;
  if (group) i = lex->tokens[i].match;
  else if (lex->tokens[i].kind != MT_TOKEN_NAME || mt_lex_is(lex, i, "this")) return 0;
  for (;;) {
    if ((mt_lex_is(lex, i + 1, "[") || mt_lex_is(lex, i + 1, "(")) && lex->tokens[i + 1].match && !group)
      i = lex->tokens[i + 1].match;
    else if ((mt_lex_is(lex, i + 1, ".") || mt_lex_is(lex, i + 1, "->")) && lex->tokens[i + 2].kind == MT_TOKEN_NAME)
      i += 2;
    else
      break;
    group = false;
  }
  const mt_Token *next = &lex->tokens[i + 1]; /* (T *)(U *)p, f<T>(x), a::b: left alone */
  bool other = next->kind != MT_TOKEN_PUNCT || mt_lex_is(lex, i + 1, "(") || mt_lex_is(lex, i + 1, "<") ||
               mt_lex_is(lex, i + 1, "::") || mt_lex_is(lex, i + 1, "++") || mt_lex_is(lex, i + 1, "--");
  return other || i + 1 >= lex->count ? 0 : i;
}

/* (device float *)p, to be checked: C++ lets it pass, but not reinterpret_cast. */
static void check_cast(Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  uint32_t open = i - (i > 0);
  while (open > 0 && (mt_lex_is(lex, open, "const") || mt_lex_is(lex, open, "volatile"))) open--;
  uint32_t close = lex->tokens[open].match;
  if (!r->functions || open == 0 || !mt_lex_is(lex, open, "(") || close <= i || !mt_lex_is(lex, close - 1, "*")) return;
  const mt_Token *before = &lex->tokens[open - 1];
  bool after = (before->kind == MT_TOKEN_NAME && !mt_lex_is(lex, open - 1, "return")) || mt_lex_is(lex, open - 1, ")") ||
               mt_lex_is(lex, open - 1, "]") || mt_lex_is(lex, open - 1, ">");
  /* where the object itself lies is not for the check to say */
  bool plain = lex->tokens[close + 1].kind == MT_TOKEN_NAME && !mt_lex_is(lex, close + 1, "this");
  for (uint32_t d = 0; d < r->depth; d++) after = after || (r->levels[d].scope == SCOPE_CLASS && !plain);
  uint32_t last = after ? 0 : operand_end(lex, close + 1);
  if (last == 0) return;
  mt_lex_replace(lex, open, "reinterpret_cast<");
  mt_lex_replace(lex, close, ">(");
  mt_lex_behind(lex, last, ")");
}

/* The ')' at 'i' closes a list of parameters, not __attribute__((…)). */
static bool closes_parameters(const mt_Lex *lex, uint32_t i) {
  if (!mt_lex_is(lex, i, ")")) return false;
  uint32_t open = lex->tokens[i].match;
  return !(open > 0 && (mt_lex_is(lex, open - 1, "__attribute__") || mt_lex_is(lex, open - 1, "alignas") ||
                        mt_lex_is(lex, open - 1, "__declspec")));
}

void mt_read_space(Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  if (is_helper_pointer(r, i)) r->out->pointers = true;
  bool qualified = i > 1 && closes_parameters(lex, i - 2) &&
                   (mt_lex_is(lex, i - 1, "const") || mt_lex_is(lex, i - 1, "volatile") || mt_read_is_space(lex, i - 1));
  bool trailing = i > 0 && (closes_parameters(lex, i - 1) || qualified);
  if (trailing && r->parens == 0 && is_constructor(r, i)) {
    mt_lex_blank(lex, i);
    return;
  }
  bool variable = r->parens == 0 && !points(lex, i) && !is_argument(lex, i) && lex->tokens[i + 1].kind == MT_TOKEN_NAME &&
                  (lex->tokens[i].at == 0 || i == r->start || !closes_parameters(lex, i - 1));
  bool local = mt_read_in_function(r);
  uint32_t attribute, end;
  if (r->spaces) {
    check_cast(r, i);
    bool needs = variable && local && !mt_lex_is(lex, i, "device") && !before_has(r, i, "static");
    keep_space(r, i, trailing && r->parens == 0, needs ? "static " : "");
    return;
  }
  if (mt_lex_is(lex, i, "constant")) {
    mt_lex_replace(lex, i, "const   ");
    if (!variable) return;
    attribute = constant_attribute(r, i, &end);
    if (attribute)
      function_constant(r, i, attribute, end);
    else if (local && !before_has(r, i, "static"))
      mt_lex_replace(lex, i, "static const ");
    return;
  }
  mt_lex_blank(lex, i);
  if (!variable) return;
  if (local) mt_read_refuse_local(r, i);
  if (mt_lex_is(lex, i, "threadgroup") && local)
    mt_lex_replace(lex, i, before_has(r, i, "static") ? SHARED : "static " SHARED);
}

/* --------------------------------------------------------------- attributes */

/* [[buffer(0), access(read)]]: one that says what the parameter is. */
static bool has_known(mt_Lex *lex, uint32_t i, uint32_t end) {
  for (uint32_t k = i + 2; k < end - 1; k++) {
    if (mt_attribute_known(mt_lex_text(lex, k, k + 1))) return true;
    if (lex->tokens[k].match > k) k = lex->tokens[k].match;
  }
  return false;
}

static void check_names(Reader *r, uint32_t i, uint32_t end) {
  mt_Lex *lex = r->lex;
  bool ignored = r->parens == 0 || has_known(lex, i, end);
  for (uint32_t k = i + 2; k < end - 1; k++) {
    const char *name = mt_lex_text(lex, k, k + 1);
    if (lex->tokens[k].kind == MT_TOKEN_NAME && !mt_attribute_known(name) &&
        !mt_attribute_standard(name)) {
      const char *near = mt_attribute_nearest(name);
      mt_read_problem(r, k, near ? mt_lex_format(lex, "Did you mean [[%s]]?", near) : NULL,
                      ignored ? "unknown attribute '%s' ignored" : "unknown attribute '%s'", name);
      if (ignored) mt_read_warn_last(r);
    }
    while (k < end - 1 && !mt_lex_is(lex, k, ",")) {
      uint32_t m = lex->tokens[k].match;
      k = m > k ? m + 1 : k + 1;
    }
  }
}

/* Headers have read their attributes; here they leave the text, but C++'s own. */
void mt_read_attribute(Reader *r, uint32_t i, uint32_t end) {
  const char *name = mt_lex_text(r->lex, i + 2, i + 3);
  if (mt_attribute_standard(name)) return;
  check_names(r, i, end);
  for (uint32_t k = i; k <= end; k++) mt_lex_blank(r->lex, k);
}
