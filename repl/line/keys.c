/*
** keys.c - bytes to keys: control characters, escape sequences, pastes.
**
** A sequence is read to its end before it is looked up, so an unknown one
** leaves no characters in the line.
*/
#include "repl/line/keys.h"

#include <stdlib.h>
#include <string.h>

#include "repl/terminal/terminal.h"

enum { ESC = 27, SEQUENCE_WAIT = 60 /* ms between the bytes of one key */ };

static const mt_KeyKind control[32] = {
    [1] = MT_KEY_HOME,       [2] = MT_KEY_LEFT,       [3] = MT_KEY_INTERRUPT,
    [4] = MT_KEY_EOF,        [5] = MT_KEY_LAST,       [6] = MT_KEY_RIGHT,
    [8] = MT_KEY_BACKSPACE,  [9] = MT_KEY_TAB,        [10] = MT_KEY_ENTER,
    [11] = MT_KEY_KILL_REST, [12] = MT_KEY_CLEAR,     [13] = MT_KEY_ENTER,
    [14] = MT_KEY_DOWN,      [16] = MT_KEY_UP,        [18] = MT_KEY_SEARCH,
    [20] = MT_KEY_SWAP,      [21] = MT_KEY_KILL_LINE, [23] = MT_KEY_KILL_WORD,
    [26] = MT_KEY_SUSPEND};

/* The sequences after ESC: "[", then parameters, then a letter. */
static const struct {
  const char *sequence;
  mt_KeyKind kind;
} sequences[] = {{"[A", MT_KEY_UP},
                 {"[B", MT_KEY_DOWN},
                 {"[C", MT_KEY_RIGHT},
                 {"[D", MT_KEY_LEFT},
                 {"[H", MT_KEY_HOME},
                 {"[F", MT_KEY_LAST},
                 {"OA", MT_KEY_UP},
                 {"OB", MT_KEY_DOWN},
                 {"OC", MT_KEY_RIGHT},
                 {"OD", MT_KEY_LEFT},
                 {"OH", MT_KEY_HOME},
                 {"OF", MT_KEY_LAST},
                 {"[1~", MT_KEY_HOME},
                 {"[4~", MT_KEY_LAST},
                 {"[7~", MT_KEY_HOME},
                 {"[8~", MT_KEY_LAST},
                 {"[3~", MT_KEY_DELETE},
                 {"[1;5C", MT_KEY_WORD_RIGHT},
                 {"[1;5D", MT_KEY_WORD_LEFT},
                 {"[1;3C", MT_KEY_WORD_RIGHT},
                 {"[1;3D", MT_KEY_WORD_LEFT},
                 {"[5C", MT_KEY_WORD_RIGHT},
                 {"[5D", MT_KEY_WORD_LEFT},
                 {"[3;5~", MT_KEY_KILL_WORD_RIGHT},
                 {"b", MT_KEY_WORD_LEFT},
                 {"f", MT_KEY_WORD_RIGHT},
                 {"d", MT_KEY_KILL_WORD_RIGHT},
                 {"\x7f", MT_KEY_KILL_WORD},
                 {"\b", MT_KEY_KILL_WORD}};

static bool ends_with(const mt_Str *s, const char *tail) {
  size_t n = strlen(tail);
  return s->length >= n && memcmp(s->text + s->length - n, tail, n) == 0;
}

static void cut(mt_Str *s, size_t length) {
  s->length = length;
  s->text[length] = '\0';
}

/* CR LF and CR become LF. */
static void plain_newlines(mt_Str *s) {
  size_t to = 0;
  for (size_t i = 0; i < s->length; i++) {
    char c = s->text[i];
    if (c == '\r') {
      c = '\n';
      if (i + 1 < s->length && s->text[i + 1] == '\n') i++;
    }
    s->text[to++] = c;
  }
  if (s->text) cut(s, to);
}

/* Everything up to ESC [201~. A paste that stalls is accepted without its end,
** which the terminal, or a program in between, has lost. */
static mt_KeyKind read_paste(mt_Str *text) {
  static const char end[] = "\x1b[201~";
  mt_str_clear(text);
  for (;;) {
    int c = mt_term_byte(2000);
    if (c == MT_TERM_END && text->length == 0) return MT_KEY_END;
    if (c < 0) break;
    mt_str_add_char(text, (char)c);
    if (c == '~' && ends_with(text, end)) {
      cut(text, text->length - strlen(end));
      break;
    }
  }
  plain_newlines(text);
  return MT_KEY_PASTE;
}

/* The rest of a string (DCS, APC, OSC): a terminal's answer to a question that
** came too late for its question. It ends with BEL, or with ESC and a
** backslash. */
static void skip_string(void) {
  int c = 0, last;
  do last = c, c = mt_term_byte(SEQUENCE_WAIT);
  while (c >= 0 && c != '\a' && !(c == '\\' && last == ESC));
}

/* The bytes of one sequence after ESC: a letter, or '[' … final byte. */
static void read_sequence(mt_Str *text) {
  mt_str_clear(text);
  int c = mt_term_byte(SEQUENCE_WAIT);
  if (c < 0) return;
  mt_str_add_char(text, (char)c);
  if (strchr("P_]^", c)) skip_string();
  if (c != '[' && c != 'O') return;
  do {
    c = mt_term_byte(SEQUENCE_WAIT);
    if (c < 0) return;
    mt_str_add_char(text, (char)c);
  } while (text->length < 128 && (c < '@' || c > '~'));
}

static mt_KeyKind read_escape(mt_Str *text) {
  read_sequence(text);
  if (text->length == 0) return MT_KEY_ESCAPE;
  if (strcmp(text->text, "[200~") == 0) return read_paste(text);
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
    if (strcmp(text->text, sequences[i].sequence) == 0)
      return sequences[i].kind;
  return MT_KEY_NONE;
}

/* The rest of a UTF-8 character that began with 'c'. */
static void read_character(mt_Str *text, int c) {
  int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
  mt_str_add_char(text, (char)c);
  while (more-- > 0 && (c = mt_term_byte(SEQUENCE_WAIT)) >= 0)
    mt_str_add_char(text, (char)c);
}

mt_KeyKind mt_key_read(mt_Str *text) {
  int c = mt_term_byte(-1);
  mt_str_clear(text);
  if (c < 0) return MT_KEY_END;
  if (c == ESC) return read_escape(text);
  if (c == 127) return MT_KEY_BACKSPACE;
  if (c < 32) return control[c] ? control[c] : MT_KEY_NONE;
  read_character(text, c);
  return MT_KEY_TEXT;
}
