/*
** macros_parts.h - what the files of macros.h share.
*/
#ifndef MT_MACROS_PARTS_H
#define MT_MACROS_PARTS_H

#include "msl/lex.h"
#include "msl/macros.h"

typedef struct Piece { /* a token that may be pasted or made of others */
  const char *text;
  uint32_t length;
  mt_TokenKind kind;
  bool space;    /* before it */
  bool painted;  /* a macro's own name inside of itself */
  int parameter; /* in the body of a macro: which one; -1: none */
} Piece;

typedef struct Pieces {
  Piece *items;
  size_t count, room;
} Pieces;

bool mt_piece_is(const Piece *p, const char *text);

/*
** The value of a condition whose macros are expanded; '*known' is false where it
** depends on what only the compiler knows. With 'names_are_zero' a name that no
** macro has is 0, as in #if, unless it may be the compiler's own.
*/
long mt_macros_value(const Pieces *list, bool names_are_zero, bool *known);

#endif
