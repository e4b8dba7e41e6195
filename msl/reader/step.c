/*
** step.c - ++ and -- on vectors.
**
** C++ has neither for Clang's vectors, and they cannot be overloaded. The
** reader knows no types, but it sees which names are declared with a type that
** may be a vector; for these the operator becomes a call of a function that
** does the same for every type (metal/__types), so a scalar is not affected.
*/

#include "msl/reader/parts.h"

/* Between a type and a name: *, &, const, __restrict, device and the like. */
static bool is_between(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {"*",        "&",          "const",
                                      "volatile", "__restrict", NULL};
  for (const char *const *word = words; *word; word++)
    if (mt_lex_is(lex, i, *word)) return true;
  return mt_read_is_space(lex, i);
}

/* The names after the type that ends before token 'i': float4 a, *b, c[3]; */
void mt_read_note_vectors(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  for (;;) {
    bool pointer = false;
    for (; is_between(lex, i); i++) pointer = pointer || mt_lex_is(lex, i, "*");
    if (lex->tokens[i].kind != MT_TOKEN_NAME || mt_lex_is(lex, i + 1, "::"))
      return;
    mt_read_add_vector(r, i, pointer || mt_lex_is(lex, i + 1, "["));
    if (r->parens) return;
    while (i < lex->count && !mt_lex_is(lex, i, ",") &&
           !mt_lex_is(lex, i, ";") && !mt_lex_is(lex, i, ")")) {
      if (mt_lex_is(lex, i, "{") && mt_lex_is(lex, i - 1, ")"))
        return; /* the body of a function */
      i = lex->tokens[i].match > i ? lex->tokens[i].match + 1 : i + 1;
    }
    if (!mt_lex_is(lex, i, ",")) return;
    i++;
  }
}

/* The operand: a name, or an element of one that has elements. */
static bool is_operand(const mt_Reader *r, uint32_t first, uint32_t last) {
  const mt_Lex *lex = r->lex;
  bool part = first > 0 && (mt_lex_is(lex, first - 1, ".") ||
                            mt_lex_is(lex, first - 1, "->") ||
                            mt_lex_is(lex, first - 1, "::"));
  return !part && mt_read_is_vector(r, first, last > first);
}

/* .x, .rgb: a swizzle, to which a reference cannot bind. */
static bool is_swizzle(const mt_Lex *lex, uint32_t i) {
  return lex->tokens[i].length <= 4 && mt_lex_only(lex, i, "xyzwrgba");
}

static bool is_dot(const mt_Lex *lex, uint32_t i) {
  return mt_lex_is(lex, i, ".") || mt_lex_is(lex, i, "->");
}

/* The first token of a[i].s.v, given its last name; 0: unknown. */
static uint32_t chain_start(const mt_Lex *lex, uint32_t i) {
  while (i > 1 && is_dot(lex, i - 1)) {
    i -= 2;
    while (i > 0 && mt_lex_is(lex, i, "]") && lex->tokens[i].match)
      i = lex->tokens[i].match - 1;
    bool group = mt_lex_is(lex, i, ")") && lex->tokens[i].match;
    if (group) i = lex->tokens[i].match;
    if (group ? lex->tokens[i - (i > 0)].kind == MT_TOKEN_NAME
              : lex->tokens[i].kind != MT_TOKEN_NAME)
      return 0;
  }
  return mt_lex_is(lex, i - (i > 0), "::") ? 0 : i;
}

/* The last name of ++a[i].s.v, which begins at 'i'; 0: not such an operand. */
static uint32_t chain_end(const mt_Lex *lex, uint32_t i) {
  for (;;) {
    if (lex->tokens[i].kind != MT_TOKEN_NAME) return 0;
    uint32_t k = i + 1;
    while (mt_lex_is(lex, k, "[") && lex->tokens[k].match)
      k = lex->tokens[k].match + 1;
    if (!is_dot(lex, k)) return k == i + 1 ? i : 0;
    i = k + 1;
  }
}

static bool is_member(const mt_Reader *r, uint32_t i) {
  return i > 0 && is_dot(r->lex, i - 1) && !is_swizzle(r->lex, i) &&
         mt_read_is_vector(r, i, false);
}

/* '++' or '--' at token i. */
void mt_read_step(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  if (!r->functions || i == 0) return;
  const char *sign = mt_lex_is(lex, i, "++") ? "up" : "down";
  uint32_t first = i - 1;
  if (mt_lex_is(lex, first, "]") && lex->tokens[first].match)
    first = lex->tokens[first].match - 1;
  bool after = mt_lex_is(lex, i - 1, "]") || mt_lex_is(lex, i - 1, ")") ||
                lex->tokens[i - 1].kind == MT_TOKEN_NAME;
  if (after && !mt_lex_is(lex, i - 1, "return")) {
    if (is_member(r, i - 1)) first = chain_start(lex, i - 1);
    else if (!is_operand(r, first, i - 1)) return;
    if (first == 0) return;
    mt_lex_before(lex, first, mt_lex_format(lex, "__msl_%s_after(", sign));
    mt_lex_replace(lex, i, ")");
    return;
  }
  uint32_t last = chain_end(lex, i + 1);
  if (last > i + 1) {
    if (!is_member(r, last)) return;
    mt_lex_replace(lex, i, mt_lex_format(lex, "__msl_%s(", sign));
    mt_lex_behind(lex, last, ")");
    return;
  }
  last = i + 1;
  if (mt_lex_is(lex, i + 2, "[") && lex->tokens[i + 2].match)
    last = lex->tokens[i + 2].match;
  if (mt_lex_is(lex, last + 1, ".") || mt_lex_is(lex, last + 1, "->") ||
      mt_lex_is(lex, last + 1, "["))
    return;
  if (!is_operand(r, i + 1, last)) return;
  mt_lex_replace(lex, i, mt_lex_format(lex, "__msl_%s(", sign));
  mt_lex_behind(lex, last, ")");
}
