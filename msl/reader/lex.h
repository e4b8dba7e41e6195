/*
** lex.h - MSL text as tokens, edits on them, and the source map of the result.
**
** A text is tokenised once; each bracket token has the index of its partner.
** Edits are recorded on tokens (insert text before or after one, or replace
** it); mt_lex_write produces the edited text, keeps line numbers, and records a
** source map from its offsets to the original ones.
*/
#ifndef MT_LEX_H
#define MT_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"

typedef enum mt_TokenKind {
  MT_TOKEN_NAME,
  MT_TOKEN_NUMBER,
  MT_TOKEN_STRING, /* strings and characters, raw ones too */
  MT_TOKEN_PUNCT,
  MT_TOKEN_DIRECTIVE, /* a whole # line; not in 'tokens' but in 'directives' */
  MT_TOKEN_END        /* one past the last */
} mt_TokenKind;

typedef struct mt_Token {
  uint32_t at, length; /* bytes in the text */
  uint32_t match;      /* ( [ { and ) ] }: the partner; else 0 */
  mt_TokenKind kind;
  const char *before, *instead, *after; /* edits; NULL = none */
} mt_Token;

/* An entry of the source map: offset in the edited text, and its origin. */
typedef struct mt_Segment {
  uint32_t to, from;
  bool copied; /* else inserted: all of it maps to 'from' */
} mt_Segment;

typedef struct mt_Lex {
  const char *text; /* not owned */
  uint32_t length;
  mt_Token *tokens; /* 'count' of them, then one MT_TOKEN_END */
  uint32_t count;
  mt_Token *directives;
  uint32_t directive_count;
  mt_Segment *segments; /* after mt_lex_write */
  uint32_t segment_count;
  struct mt_Block *arena;
} mt_Lex;

/* Why and where a text cannot be tokenised. */
typedef struct mt_LexError {
  const char *message; /* NULL = nothing; a literal */
  uint32_t at;
} mt_LexError;

/* 'text' stays the caller's and must outlive 'lex'; it may contain NUL bytes.
** MT_FAIL: 'bad' says why. */
mt_Status mt_lex_read(mt_Lex *lex, const char *text, size_t length,
                      mt_LexError *bad);
void mt_lex_free(mt_Lex *lex);

bool mt_lex_is(const mt_Lex *lex, uint32_t i, const char *word);
bool mt_lex_is_star(const mt_Lex *lex, uint32_t i); /* '*', '&' or '&&' */
uint32_t mt_lex_hash(const char *name, size_t length); /* for tables of names */
bool mt_lex_begins(const mt_Lex *lex, uint32_t i, const char *start);
/* All of the token's characters are among 'letters'. */
bool mt_lex_only(const mt_Lex *lex, uint32_t i, const char *letters);
/* The text from token a up to, not including, token b; lives in the arena. */
const char *mt_lex_text(mt_Lex *lex, uint32_t a, uint32_t b);
const char *mt_lex_format(mt_Lex *lex, const char *fmt, ...) MT_PRINTF(2, 3);

/* Edits. Replacing or blanking a run keeps its newlines. */
void mt_lex_before(mt_Lex *lex, uint32_t i, const char *text);
void mt_lex_behind(mt_Lex *lex, uint32_t i, const char *text);
void mt_lex_replace(mt_Lex *lex, uint32_t i, const char *text);
void mt_lex_blank(mt_Lex *lex, uint32_t i); /* spaces of the same width */
void mt_lex_blank_run(mt_Lex *lex, uint32_t a, uint32_t b);

/* Write the text with all edits to 'out'. */
void mt_lex_write(mt_Lex *lex, mt_Str *out);
/* The offset in the original text for one in the edited text. */
uint32_t mt_lex_origin(const mt_Lex *lex, uint32_t offset);

#endif
