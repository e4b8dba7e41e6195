/*
** status.c - writes the one line of an mt_Error.
*/
#include "base/status.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

/* Names of files, kernels and options are in it, and a terminal shows it: what
** that could take for a command is made visible; colours may stay. */
static void make_visible(mt_Error *err) {
  mt_Str shown = MT_STR_INIT;
  mt_str_add_visible(&shown, err->text, strlen(err->text), "\n\t\033");
  if (!shown.failed && shown.length < sizeof err->text)
    memcpy(err->text, mt_str_text(&shown), shown.length + 1);
  mt_str_free(&shown);
}

static bool is_plain(const char *s) {
  while ((*s >= ' ' && *s <= '~') || *s == '\n' || *s == '\t') s++;
  return *s == '\0';
}

mt_Status mt_verror(mt_Error *err, mt_Status status, const char *fmt,
                    va_list args) {
  if (err == NULL) return status;
  int n = vsnprintf(err->text, sizeof err->text, fmt, args);
  if (n < 0)
    strcpy(err->text, "(the message could not be written)");
  else if ((size_t)n >= sizeof err->text)
    strcpy(err->text + sizeof err->text - 4, "...");
  if (!is_plain(err->text)) make_visible(err);
  return status;
}

mt_Status mt_error(mt_Error *err, mt_Status status, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  mt_verror(err, status, fmt, args);
  va_end(args);
  return status;
}
