/*
** status.c - writes the one line of an mt_Error.
*/
#include "base/status.h"

#include <stdio.h>
#include <string.h>

mt_Status mt_verror(mt_Error *err, mt_Status status, const char *fmt,
                    va_list args) {
  if (err == NULL) return status;
  int n = vsnprintf(err->text, sizeof err->text, fmt, args);
  if (n < 0)
    strcpy(err->text, "(the message could not be written)");
  else if ((size_t)n >= sizeof err->text)
    strcpy(err->text + sizeof err->text - 4, "...");
  return status;
}

mt_Status mt_error(mt_Error *err, mt_Status status, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  mt_verror(err, status, fmt, args);
  va_end(args);
  return status;
}
