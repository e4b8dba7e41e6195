/*
** notice.c - a word to who waits, handed on.
*/
#include "base/notice.h"

#include <stddef.h>

static void (*listener)(const char *text);
static void (*warned)(const char *text);

void mt_notice_set(void (*show)(const char *text)) { listener = show; }

void mt_notice(const char *text) {
  if (listener) listener(text);
}

void mt_warning_set(void (*show)(const char *text)) { warned = show; }

void mt_warning(const char *text) {
  if (warned) warned(text);
}
