/*
** log_format.c - formats a kernel's message, see log_format.h.
**
** The one idea: each directive is parsed and rebuilt for C's printf, with the
** length modifier of the value's representation here: long long, unsigned long
** long or double.
*/
#include "devices/log_format.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct Writer {
  char *at, *end;
  const mt_LogArgs *args;
  uint32_t next; /* index of the next value */
} Writer;

typedef struct Directive {
  char flags[24];  /* "%", flags, width and precision, as in C */
  char conversion;
} Directive;

static void add(Writer *w, const char *text) {
  while (*text && w->at + 1 < w->end) *w->at++ = *text++;
  *w->at = 0;
}

/* Parse what follows a %; returns where it ends. */
static const char *read_directive(const char *p, Directive *d) {
  size_t n = 1;
  d->flags[0] = '%';
  while (*p && strchr("-+ #0123456789.", *p)) {
    if (n + 4 < sizeof d->flags) d->flags[n++] = *p;
    p++;
  }
  if (*p == 'v') /* the value knows its vector's length */
    for (p++; *p >= '0' && *p <= '9';) p++;
  while (*p && strchr("hljztLq", *p)) p++;
  d->flags[n] = 0;
  d->conversion = *p;
  return *p ? p + 1 : p;
}

/* The integer truncated to its type's width. */
static uint64_t cut(uint64_t value, uint32_t code) {
  unsigned bits = 8 * MT_LOG_SIZE(code);
  return bits && bits < 64 ? value & ((1ull << bits) - 1) : value;
}

static double as_double(uint64_t value, uint32_t code) {
  double d;
  if (MT_LOG_KIND(code) == MT_LOG_SIGNED) return (double)(int64_t)value;
  if (MT_LOG_KIND(code) != MT_LOG_FLOAT) return (double)value;
  memcpy(&d, &value, sizeof d);
  return d;
}

static int64_t as_integer(uint64_t value, uint32_t code) {
  if (MT_LOG_KIND(code) != MT_LOG_FLOAT) return (int64_t)value;
  double d = as_double(value, code);
  return d >= -9.2e18 && d <= 9.2e18 ? (int64_t)d : 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Formats one value. */
static void add_value(Writer *w, const Directive *d, uint64_t value,
                      uint32_t code) {
  char format[40], text[400];
  bool floating = strchr("fFeEgGaA", d->conversion);
  bool is_text = MT_LOG_KIND(code) == MT_LOG_TEXT;
  if (is_text && d->conversion != 'p') {
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1,
             (const char *)(uintptr_t)value);
  } else if (floating) {
    snprintf(format, sizeof format, "%s%c", d->flags, d->conversion);
    snprintf(text, sizeof text, format, as_double(value, code));
  } else if (strchr("di", d->conversion)) {
    snprintf(format, sizeof format, "%slld", d->flags);
    snprintf(text, sizeof text, format, (long long)as_integer(value, code));
  } else if (strchr("uxXo", d->conversion)) {
    snprintf(format, sizeof format, "%sll%c", d->flags, d->conversion);
    snprintf(text, sizeof text, format, (unsigned long long)cut(
        (uint64_t)as_integer(value, code), code));
  } else if (d->conversion == 'c') {
    snprintf(text, sizeof text, "%c", (int)(value & 127 ? value & 127 : '?'));
  } else if (d->conversion == 'p') {
    snprintf(text, sizeof text, "%#llx", (unsigned long long)value);
  } else {
    snprintf(text, sizeof text, "%s%c", d->flags, d->conversion);
  }
  add(w, text);
}

#pragma GCC diagnostic pop

/* Formats the next value, all elements of a vector. */
static void add_next(Writer *w, const Directive *d) {
  if (w->next >= w->args->count) {
    add(w, "(no value)");
    return;
  }
  uint32_t parts = MT_LOG_PARTS(w->args->code[w->next]);
  if (parts == 0) parts = 1;
  for (uint32_t i = 0; i < parts && w->next < w->args->count; i++, w->next++) {
    if (i) add(w, ",");
    add_value(w, d, w->args->value[w->next], w->args->code[w->next]);
  }
}

/* Control characters would move the cursor: replaced by spaces. What else a
** terminal could take for one is for mt_device_messages. */
static void add_plain(Writer *w, char c) {
  char text[2] = {(unsigned char)c < 32 || c == 127 ? ' ' : c, 0};
  add(w, text);
}

void mt_log_text(char *out, size_t size, const char *format,
                 const mt_LogArgs *args) {
  Writer w = {out, out + size, args, 0};
  out[0] = 0;
  size_t length = strlen(format);
  const char *end = format + length; /* without trailing newlines */
  while (end > format && (end[-1] == '\n' || end[-1] == '\r')) end--;
  for (const char *p = format; p < end;) {
    Directive d;
    if (*p != '%') {
      add_plain(&w, *p++);
    } else if (p[1] == '%') {
      add(&w, "%");
      p += 2;
    } else {
      p = read_directive(p + 1, &d);
      if (d.conversion) add_next(&w, &d);
    }
  }
}
