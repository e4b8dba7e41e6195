/*
** keys.h - decodes the bytes that a terminal sends to keys.
*/
#ifndef MT_KEYS_H
#define MT_KEYS_H

#include "base/str.h"

typedef enum mt_KeyKind {
  MT_KEY_END,   /* the terminal was closed */
  MT_KEY_TEXT,  /* one character, in 'text' */
  MT_KEY_PASTE, /* any text, newlines as '\n', in 'text' */
  MT_KEY_ENTER,
  MT_KEY_TAB,
  MT_KEY_BACKSPACE,
  MT_KEY_DELETE,
  MT_KEY_LEFT,
  MT_KEY_RIGHT,
  MT_KEY_UP,
  MT_KEY_DOWN,
  MT_KEY_HOME,
  MT_KEY_LAST, /* end of the line */
  MT_KEY_WORD_LEFT,
  MT_KEY_WORD_RIGHT,
  MT_KEY_KILL_WORD,
  MT_KEY_KILL_WORD_RIGHT,
  MT_KEY_KILL_LINE,
  MT_KEY_KILL_REST,
  MT_KEY_SWAP,
  MT_KEY_CLEAR,
  MT_KEY_SEARCH,
  MT_KEY_INTERRUPT,
  MT_KEY_EOF, /* Ctrl-D */
  MT_KEY_SUSPEND,
  MT_KEY_ESCAPE,
  MT_KEY_NONE /* a key without a function here */
} mt_KeyKind;

/* Wait for the next key. 'text' is replaced. */
mt_KeyKind mt_key_read(mt_Str *text);

#endif
