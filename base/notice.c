/*
** notice.c - passes notices and warnings on, see notice.h.
*/
#include "base/notice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"

static void (*listener)(const char *text);
static void (*warned)(const char *text);

void mt_notice_set(void (*show)(const char *text)) { listener = show; }

void mt_notice(const char *text) {
  if (listener) listener(text);
}

#define SECOND 1000000000u

static struct {
  const char *text; /* NULL: none begun */
  uint64_t since;
  bool shown;
} work;

void mt_notice_begin(const char *text) {
  work.text = text;
  work.since = mt_now_ns();
  work.shown = false;
}

void mt_notice_wait(void) {
  if (!work.text || work.shown || mt_now_ns() - work.since < SECOND) return;
  work.shown = true;
  mt_notice(work.text);
}

void mt_notice_end(void) {
  if (work.shown) mt_notice(NULL);
  work.text = NULL;
  work.shown = false;
}

void mt_warning_set(void (*show)(const char *text)) { warned = show; }

/* Names of files are in it, and a terminal shows it. */
void mt_warning(const char *text) {
  mt_Str shown = MT_STR_INIT;
  if (warned == NULL) return;
  mt_str_add_visible(&shown, text, strlen(text), "\n\t");
  warned(mt_str_text(&shown));
  mt_str_free(&shown);
}
