/*
** reader_step.c - ++ and -- on vectors.
**
** C++ has none for Clang's vectors, and lets nobody define them. The reader
** knows no types, but it sees which names are declared with one that may be a
** vector; around these the step becomes a call of a function that does the same
** for every type (metal/__types). A name that is a scalar after all loses nothing.
*/
#include <string.h>

#include "msl/reader_parts.h"

static void note(Reader *r, uint32_t name) {
  mt_Lex *lex = r->lex;
  bool list = mt_lex_is(lex, name + 1, "["), pointer = name > 0 && mt_lex_is(lex, name - 1, "*");
  mt_read_add_vector(r, name, list || pointer);
}

/* The names behind the type that ends before token 'i': float4 a, *b, c[3]; */
void mt_read_note_vectors(Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  for (;;) {
    while (mt_lex_is(lex, i, "*") || mt_lex_is(lex, i, "&") || mt_lex_is(lex, i, "const") ||
           mt_lex_is(lex, i, "__restrict") || mt_read_is_space(lex, i))
      i++;
    if (lex->tokens[i].kind != MT_TOKEN_NAME || mt_lex_is(lex, i + 1, "::")) return;
    note(r, i);
    if (r->parens) return;
    while (i < lex->count && !mt_lex_is(lex, i, ",") && !mt_lex_is(lex, i, ";") && !mt_lex_is(lex, i, ")"))
      i = lex->tokens[i].match > i ? lex->tokens[i].match + 1 : i + 1;
    if (!mt_lex_is(lex, i, ",")) return;
    i++;
  }
}

/* The operand: a name, or an element of one that has elements. */
static bool is_operand(const Reader *r, uint32_t first, uint32_t last) {
  const mt_Lex *lex = r->lex;
  bool part = first > 0 && (mt_lex_is(lex, first - 1, ".") || mt_lex_is(lex, first - 1, "->") || mt_lex_is(lex, first - 1, "::"));
  return !part && mt_read_is_vector(r, first, last > first);
}

/* '++' or '--' at token i. */
void mt_read_step(Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  if (!r->functions || i == 0) return;
  const char *sign = mt_lex_is(lex, i, "++") ? "up" : "down";
  uint32_t first = i - 1;
  if (mt_lex_is(lex, first, "]") && lex->tokens[first].match) first = lex->tokens[first].match - 1;
  bool behind = mt_lex_is(lex, i - 1, "]") || mt_lex_is(lex, i - 1, ")") || lex->tokens[i - 1].kind == MT_TOKEN_NAME;
  if (behind && !mt_lex_is(lex, i - 1, "return")) {
    if (!is_operand(r, first, i - 1)) return;
    mt_lex_before(lex, first, mt_lex_format(lex, "__msl_%s_after(", sign));
    mt_lex_replace(lex, i, ")");
    return;
  }
  uint32_t last = i + 1;
  if (mt_lex_is(lex, i + 2, "[") && lex->tokens[i + 2].match) last = lex->tokens[i + 2].match;
  if (mt_lex_is(lex, last + 1, ".") || mt_lex_is(lex, last + 1, "->") || mt_lex_is(lex, last + 1, "[")) return;
  if (!is_operand(r, i + 1, last)) return;
  mt_lex_replace(lex, i, mt_lex_format(lex, "__msl_%s(", sign));
  mt_lex_behind(lex, last, ")");
}
