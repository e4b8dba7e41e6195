/*
** columns.c - the tables of columns.h, and wrapping.
**
** The one idea: a terminal breaks a long line at its last column, perhaps in
** the middle of a word; a sentence with its own newlines is not broken.
*/
#include "base/terminal/columns.h"

#include <stdbool.h>
#include <string.h>

/* ------------------------------------------------------------- characters */

size_t mt_character(const char *s, size_t n, uint32_t *code) {
  const unsigned char *u = (const unsigned char *)s;
  size_t length = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : u[0] >= 0xc0 ? 2 : 1;
  uint32_t c = length == 1 ? u[0] : u[0] & (0x7fu >> length);
  *code = 0;
  if (length > n || u[0] > 0xf7) return 1;
  for (size_t i = 1; i < length; i++) {
    if ((u[i] & 0xc0) != 0x80) return 1;
    c = c << 6 | (u[i] & 0x3f);
  }
  if (length == 1 && u[0] >= 0x80) return 1;
  *code = c;
  return length;
}

typedef struct Range {
  uint32_t first, last;
} Range;

static bool within(const Range *ranges, size_t n, uint32_t code) {
  for (size_t i = 0; i < n; i++)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}

/* Two columns: East Asian wide forms and emoji. */
static bool is_wide(uint32_t code) {
  static const Range ranges[] = {
      {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},
      {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x26a1, 0x26a1},
      {0x2705, 0x2705},   {0x274c, 0x274c},   {0x2753, 0x2755},
      {0x2795, 0x2797},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},
      {0x2e80, 0x303e},   {0x3041, 0x4dbf},   {0x4e00, 0xa4cf},
      {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
      {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
      {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
      {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};
  return within(ranges, sizeof ranges / sizeof *ranges, code);
}

/* Characters of no column, or of a width that depends on the terminal: control
** characters, marks that stand above or below a letter, selectors. */
static bool is_invisible(uint32_t code) {
  static const Range ranges[] = {
      {0, 0x1f},          {0x7f, 0x9f},     {0xad, 0xad},
      {0x300, 0x36f},     {0x483, 0x489},   {0x591, 0x5bd},
      {0x610, 0x61a},     {0x64b, 0x65f},   {0x900, 0x902},
      {0x93c, 0x93c},     {0x941, 0x948},   {0x94d, 0x94d},
      {0xe31, 0xe31},     {0xe34, 0xe3a},   {0xe47, 0xe4e},
      {0x1ab0, 0x1aff},   {0x1dc0, 0x1dff}, {0x200b, 0x200f},
      {0x2028, 0x202e},   {0x2060, 0x206f}, {0x20d0, 0x20ff},
      {0x302a, 0x302d},   {0x3099, 0x309a}, {0xfe00, 0xfe0f},
      {0xfe20, 0xfe2f},   {0xfeff, 0xfeff}, {0xe0000, 0xe0fff}};
  return within(ranges, sizeof ranges / sizeof *ranges, code);
}

int mt_character_columns(uint32_t code) {
  if (code >= 0x20 && code < 0x7f) return 1;
  return is_invisible(code) ? 0 : is_wide(code) ? 2 : 1;
}

/* ------------------------------------------------------------------- texts */

/* Length of a string that ESC ] P _ or ^ begins: up to BEL or ESC \. */
static size_t control_string(const char *s, size_t n) {
  for (size_t i = 2; i < n; i++) {
    if (s[i] == '\a') return i + 1;
    if (s[i] == '\33' && i + 1 < n && s[i + 1] == '\\') return i + 2;
  }
  return n;
}

/* Length of the escape sequence at 's', which begins with ESC. */
static size_t escape(const char *s, size_t n) {
  if (n > 1 && strchr("]P_^", s[1]) && s[1]) return control_string(s, n);
  size_t i = n > 1 && s[1] == '[' ? 2 : 1;
  char last_inside = i == 2 ? '?' : '/';
  while (i < n && s[i] >= ' ' && s[i] <= last_inside) i++;
  return i < n ? i + 1 : n;
}

size_t mt_columns_next(const char *s, size_t n, int *columns) {
  *columns = 0;
  if (s[0] == '\33') return escape(s, n);
  uint32_t code;
  size_t length = mt_character(s, n, &code);
  bool is_byte = length == 1 && ((unsigned char)s[0] >= 0x80 || s[0] == '\t');
  *columns = is_byte ? 1 : mt_character_columns(code);
  return length;
}

int mt_columns(const char *text, size_t n) {
  int all = 0, one;
  for (size_t i = 0; i < n; all += one)
    i += mt_columns_next(text + i, n - i, &one);
  return all;
}

static size_t run_of(const char *text, size_t n, bool spaces) {
  size_t i = 0;
  while (i < n && (text[i] == ' ') == spaces) i++;
  return i;
}

void mt_columns_fold(mt_Str *out, const char *text, size_t n, mt_Fold fold) {
  size_t i = 0;
  int at = fold.at;
  while (fold.columns > 0 && i < n) {
    size_t space = run_of(text + i, n - i, true);
    size_t word = run_of(text + i + space, n - i - space, false);
    int wide = mt_columns(text + i + space, word);
    if (word && space && at > fold.indent &&
        at + (int)space + wide > fold.columns) {
      mt_str_addf(out, "\n%*s", fold.indent, "");
      at = fold.indent;
    } else {
      mt_str_add_bytes(out, text + i, space);
      at += (int)space;
    }
    mt_str_add_bytes(out, text + i + space, word);
    at += wide;
    i += space + word;
  }
  mt_str_add_bytes(out, text + i, n - i);
}
