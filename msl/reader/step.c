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

/* How many […] follow token 'i', attributes left out; '*last' is their last
** token. */
static uint32_t brackets(const mt_Lex *lex, uint32_t i, uint32_t *last) {
  uint32_t levels = 0, close;
  *last = i;
  while (mt_lex_is(lex, *last + 1, "[") && lex->tokens[*last + 1].match &&
         !mt_read_attribute_at(lex, *last + 1, &close)) {
    *last = lex->tokens[*last + 1].match;
    levels++;
  }
  return levels;
}

/* The names after the type that ends before token 'i': float4 a, *b, c[3]; */
void mt_read_note_vectors(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  for (;;) {
    uint32_t levels = 0, last;
    for (; is_between(lex, i); i++) levels += mt_lex_is(lex, i, "*");
    if (lex->tokens[i].kind != MT_TOKEN_NAME || mt_lex_is(lex, i + 1, "::"))
      return;
    mt_read_add_vector(r, i, levels + brackets(lex, i, &last));
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

/* The operand: a name, with so many […] after it that it is a vector. */
static bool is_operand(const mt_Reader *r, uint32_t name, uint32_t levels) {
  const mt_Lex *lex = r->lex;
  bool part = name > 0 && (mt_lex_is(lex, name - 1, ".") ||
                           mt_lex_is(lex, name - 1, "->") ||
                           mt_lex_is(lex, name - 1, "::"));
  return !part && mt_read_is_vector(r, name, levels);
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

/* The last name of ++a[i].s.v[j], which begins at 'i', the […] after it and
** the last token; 0: not such an operand. */
static uint32_t chain_end(const mt_Lex *lex, uint32_t i, uint32_t *levels,
                          uint32_t *last) {
  for (;;) {
    if (lex->tokens[i].kind != MT_TOKEN_NAME) return 0;
    *levels = brackets(lex, i, last);
    if (!is_dot(lex, *last + 1)) return mt_lex_is(lex, *last + 1, "[") ? 0 : i;
    i = *last + 2;
  }
}

static bool is_member(const mt_Reader *r, uint32_t i, uint32_t levels) {
  return i > 0 && is_dot(r->lex, i - 1) && !is_swizzle(r->lex, i) &&
         mt_read_is_vector(r, i, levels);
}

/* '++' or '--' at token i. */
void mt_read_step(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  if (!r->functions || i == 0) return;
  const char *sign = mt_lex_is(lex, i, "++") ? "up" : "down";
  uint32_t first = i - 1, levels = 0, last;
  for (; mt_lex_is(lex, first, "]") && lex->tokens[first].match; levels++)
    first = lex->tokens[first].match - 1;
  bool after = mt_lex_is(lex, i - 1, "]") || mt_lex_is(lex, i - 1, ")") ||
                lex->tokens[i - 1].kind == MT_TOKEN_NAME;
  if (after && !mt_lex_is(lex, i - 1, "return")) {
    if (is_member(r, first, levels)) first = chain_start(lex, first);
    else if (!is_operand(r, first, levels)) return;
    if (first == 0) return;
    mt_lex_before(lex, first, mt_lex_format(lex, "__msl_%s_after(", sign));
    mt_lex_replace(lex, i, ")");
    return;
  }
  uint32_t name = chain_end(lex, i + 1, &levels, &last);
  if (name == 0 || !(name > i + 1 ? is_member(r, name, levels)
                                  : is_operand(r, name, levels)))
    return;
  mt_lex_replace(lex, i, mt_lex_format(lex, "__msl_%s(", sign));
  mt_lex_behind(lex, last, ")");
}
