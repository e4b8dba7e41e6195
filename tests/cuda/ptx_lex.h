/*
** ptx_lex.h - the tokens of PTX.
*/
#ifndef MT_CUDA_PTX_LEX_H
#define MT_CUDA_PTX_LEX_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Token {
  TK_END,
  TK_WORD,      /* name, register, special register with its .x */
  TK_DIRECTIVE, /* .reg, .visible, .b32 */
  TK_INT,
  TK_F32,
  TK_F64, /* 0f…, 0d…, 1.5 */
  TK_STRING,
  TK_PUNCT, /* one character */
  TK_BAD
} Token;

typedef struct Lex {
  const char *text, *at;
  const char *line_start;
  uint32_t line;
  Token token;
  const char *start; /* of the token */
  uint32_t length;
  uint64_t value; /* of a number: its bits */
  bool decimal;   /* TK_F64 that was written 1.5: fits any type */
} Lex;

void lex_start(Lex *x, const char *text);
Token lex_next(Lex *x);
/* The opcode of an instruction: a word with its dots and double colons. */
Token lex_opcode(Lex *x);
bool lex_is(const Lex *x, const char *word);

#endif
