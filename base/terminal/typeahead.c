/*
** typeahead.c - a queue of bytes.
*/
#include "base/terminal/typeahead.h"

#include <string.h>

#include "base/str.h"

static mt_Str waiting; /* one terminal for the process */

void mt_typeahead_put(const void *bytes, size_t n) {
  mt_str_add_bytes(&waiting, bytes, n);
}

size_t mt_typeahead_take(void *to, size_t most) {
  size_t n = waiting.length < most ? waiting.length : most;
  if (n == 0) return 0;
  memcpy(to, waiting.text, n);
  memmove(waiting.text, waiting.text + n, waiting.length - n);
  waiting.length -= n;
  return n;
}

bool mt_typeahead_waits(void) { return waiting.length > 0; }
