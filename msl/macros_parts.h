/*
** macros_parts.h - what the files of macros.h share.
*/
#ifndef MT_MACROS_PARTS_H
#define MT_MACROS_PARTS_H

#include "msl/lex.h"
#include "msl/macros.h"

/* a token that may be pasted or made of others */
typedef struct mt_MacroPiece {
  const char *text;
  uint32_t length;
  mt_TokenKind kind;
  bool space;    /* before it */
  bool painted;  /* a macro's own name inside of itself */
  int parameter; /* in the body of a macro: which one; -1: none */
} mt_MacroPiece;

typedef struct mt_MacroPieces {
  mt_MacroPiece *items;
  size_t count, room;
} mt_MacroPieces;

bool mt_piece_is(const mt_MacroPiece *p, const char *text);

/*
** The value of a condition whose macros are expanded; '*known' is false where
** it depends on what only the compiler knows. With 'names_are_zero' a name that
** no macro has is 0, as in #if, unless it may be the compiler's own.
*/
long mt_macros_value(const mt_MacroPieces *list, bool names_are_zero,
                     bool *known);

#endif
