/*
** str.c - a growable string: doubling capacity, always ended by a NUL.
*/
#include "base/str.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mt_str_reserve(mt_Str *s, size_t more) {
  if (s->failed) return false;
  if (more >= SIZE_MAX - s->length - 1) return !(s->failed = true);
  size_t need = s->length + more + 1;
  if (need <= s->capacity) return true;
  size_t capacity = s->capacity ? s->capacity : 64;
  while (capacity < need)
    capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
  char *text = realloc(s->text, capacity);
  if (text == NULL) return !(s->failed = true);
  if (s->text == NULL) text[0] = '\0';
  s->text = text;
  s->capacity = capacity;
  return true;
}

void mt_str_add_bytes(mt_Str *s, const void *bytes, size_t n) {
  if (!mt_str_reserve(s, n)) return;
  if (n) memcpy(s->text + s->length, bytes, n);
  s->length += n;
  s->text[s->length] = '\0';
}

void mt_str_add(mt_Str *s, const char *text) {
  mt_str_add_bytes(s, text, strlen(text));
}

void mt_str_add_char(mt_Str *s, char c) { mt_str_add_bytes(s, &c, 1); }

/* Bytes of the UTF-8 character at 'p'; 0 if invalid, which includes overlong
** forms, surrogates and anything above U+10FFFF. */
static size_t utf8_length(const unsigned char *p, size_t n) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2
                  : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
  if (length < 2 || length > n) return length < 2 ? length : 0;
  uint32_t code = p[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (p[i] & 0x3f);
  }
  bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[length] || surrogate || code > 0x10ffff ? 0 : length;
}

void mt_str_add_utf8(mt_Str *s, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < n;) {
    size_t length = utf8_length(p + i, n - i);
    if (length) mt_str_add_bytes(s, p + i, length);
    else mt_str_add(s, "\xef\xbf\xbd");
    i += length ? length : 1;
  }
}

/* ESC [ digits m: its length, or 0. */
static size_t colour_length(const unsigned char *p, size_t n) {
  size_t i = 2;
  if (n < 3 || p[0] != 0x1b || p[1] != '[') return 0;
  while (i < n && (p[i] == ';' || (p[i] >= '0' && p[i] <= '9'))) i++;
  return i < n && p[i] == 'm' ? i + 1 : 0;
}

/* A character of several bytes that misleads a terminal or its reader: the
** controls U+0080 to U+009F, and bidirectional controls. */
static bool misleads(const unsigned char *p, size_t length) {
  if (length == 2) return p[0] == 0xc2 && p[1] < 0xa0;
  if (length != 3 || p[0] != 0xe2) return false;
  return (p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
         (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

void mt_str_add_visible(mt_Str *s, const void *bytes, size_t n,
                        const char *keep) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < n;) {
    size_t length = utf8_length(p + i, n - i),
           colour = strchr(keep, 0x1b) ? colour_length(p + i, n - i) : 0;
    bool control = length == 1 && (p[i] < 0x20 || p[i] == 0x7f);
    bool kept = p[i] && p[i] != 0x1b && strchr(keep, p[i]);
    if (colour) mt_str_add_bytes(s, p + i, length = colour);
    else if (control && !kept)
      mt_str_addf(s, "\xe2\x90%c", p[i] == 0x7f ? 0xa1 : 0x80 + p[i]);
    else if (length == 0 || misleads(p + i, length))
      mt_str_add(s, "\xef\xbf\xbd");
    else mt_str_add_bytes(s, p + i, length);
    i += length ? length : 1;
  }
}

void mt_str_addf(mt_Str *s, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  if (n >= 0 && mt_str_reserve(s, (size_t)n)) {
    vsnprintf(s->text + s->length, (size_t)n + 1, fmt, again);
    s->length += (size_t)n;
  }
  va_end(again);
  va_end(args);
}

void mt_str_clear(mt_Str *s) {
  s->length = 0;
  s->failed = false;
  if (s->text) s->text[0] = '\0';
}

void mt_str_cut(mt_Str *s, size_t length) {
  if (length >= s->length) return;
  s->length = length;
  s->text[length] = '\0';
}

void mt_str_free(mt_Str *s) {
  free(s->text);
  *s = (mt_Str)MT_STR_INIT;
}

const char *mt_str_text(const mt_Str *s) { return s->text ? s->text : ""; }

/* ------------------------------------------------------------------ base64 */

void mt_str_add_base64(mt_Str *s, const void *bytes, size_t n) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t *from = bytes;
  if (!mt_str_reserve(s, (n + 2) / 3 * 4)) return;
  char *to = s->text + s->length;
  for (size_t i = 0; i < n; i += 3) {
    uint32_t v = (uint32_t)from[i] << 16 | (i + 1 < n ? from[i + 1] : 0u) << 8 |
                 (i + 2 < n ? from[i + 2] : 0u);
    *to++ = digits[v >> 18];
    *to++ = digits[v >> 12 & 63];
    *to++ = i + 1 < n ? digits[v >> 6 & 63] : '=';
    *to++ = i + 2 < n ? digits[v & 63] : '=';
  }
  *to = '\0';
  s->length = (size_t)(to - s->text);
}

bool mt_strings_add(char ***list, size_t *count, const char *s) {
  char **more = realloc(*list, (*count + 1) * sizeof *more);
  if (more == NULL) return false;
  *list = more;
  more[*count] = strdup(s);
  if (more[*count] == NULL) return false;
  ++*count;
  return true;
}
