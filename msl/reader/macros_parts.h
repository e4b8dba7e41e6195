/*
** macros_parts.h - shared by macros.c and macros_value.c.
*/
#ifndef MT_MACROS_PARTS_H
#define MT_MACROS_PARTS_H

#include "msl/reader/lex.h"
#include "msl/reader/macros.h"

/* A token, copied from a text or made by # or ##. */
typedef struct mt_MacroPiece {
  const char *text;
  uint32_t length;
  mt_TokenKind kind;
  bool space;    /* before it */
  bool painted;  /* a macro's own name in its expansion: not expanded again */
  int parameter; /* in the body of a macro: which one; -1: none */
} mt_MacroPiece;

typedef struct mt_MacroPieces {
  mt_MacroPiece *items;
  size_t count, room;
} mt_MacroPieces;

bool mt_piece_is(const mt_MacroPiece *p, const char *text);

/*
** The value of a condition whose macros are expanded; '*known' is false if it
** depends on values that only the compiler knows. With 'names_are_zero' a name
** that is not a macro is 0, as in #if, unless the compiler may predefine it.
*/
long mt_macros_value(const mt_MacroPieces *list, bool names_are_zero,
                     bool *known);

#endif
