/*
** column_encoding.c - the table of column_encoding.h: which byte stands for
** which character.
*/
#include "repl/line/column_encoding.h"

#include <stdint.h>
#include <string.h>

#include "base/terminal/columns.h"

enum {
  NEWLINE = 0x80,
  TAB = 0x81,
  NARROW = 0x82, /* up to LEAD: one column */
  LEAD = 0xe0,   /* wide: a lead, then a trail; 16 of each */
  TRAIL = 0xf0
};

typedef struct Slot {
  char bytes[5]; /* the character, unchanged */
  char shown[5]; /* the text shown for it on the terminal */
} Slot;

/* Of the one line that is edited: linenoise's callbacks have no context. */
static Slot narrow[LEAD - NARROW], wide[256];
static unsigned narrow_count, wide_count;

void mt_column_reset(void) { narrow_count = wide_count = 0; }

bool mt_column_is_trail(char cell) { return (unsigned char)cell >= TRAIL; }

/* -------------------------------------------------------------------- cells */

static int find(const Slot *slots, unsigned count, const char *s, size_t n) {
  for (unsigned i = 0; i < count; i++)
    if (strlen(slots[i].bytes) == n && memcmp(slots[i].bytes, s, n) == 0)
      return (int)i;
  return -1;
}

/* The slot of the character at 's', perhaps a new one; -1 if none is left. */
static int slot_for(Slot *slots, unsigned *count, unsigned most, const char *s,
                    size_t n, const char *shown) {
  int i = find(slots, *count, s, n);
  if (i >= 0) return i;
  if (*count == most) return -1;
  Slot *slot = &slots[*count];
  memset(slot, 0, sizeof *slot);
  memcpy(slot->bytes, s, n);
  if (shown)
    strcpy(slot->shown, shown);
  else
    memcpy(slot->shown, s, n);
  return (int)(*count)++;
}

static bool encode_one(const char *s, size_t n, uint32_t code, mt_Str *out) {
  if (n == 1 && s[0] == '\0') return true; /* lines are C strings */
  if (n == 1 && (s[0] == '\n' || s[0] == '\t')) {
    mt_str_add_char(out, (char)(s[0] == '\n' ? NEWLINE : TAB));
    return true;
  }
  if (n == 1 && code >= 0x20 && code < 0x7f) {
    mt_str_add_char(out, s[0]);
    return true;
  }
  if (mt_character_columns(code) == 2) {
    int i = slot_for(wide, &wide_count, 256, s, n, NULL);
    mt_str_add_char(out, (char)(LEAD + i / 16));
    mt_str_add_char(out, (char)(TRAIL + i % 16));
    return i >= 0;
  }
  int i = slot_for(narrow, &narrow_count, LEAD - NARROW, s, n,
                   mt_character_columns(code) ? NULL : "\xc2\xb7");
  mt_str_add_char(out, (char)(NARROW + i));
  return i >= 0;
}

bool mt_column_encode(const char *text, size_t n, mt_Str *out) {
  size_t before = out->length;
  for (size_t i = 0; i < n;) {
    uint32_t code;
    size_t length = mt_character(text + i, n - i, &code);
    if (!encode_one(text + i, length, code, out)) {
      out->length = before;
      out->text[before] = '\0';
      return false;
    }
    i += length;
  }
  return true;
}

static const Slot *slot_of(const char *cells, size_t n, size_t *used) {
  unsigned char c = (unsigned char)cells[0];
  *used = 1;
  if (c >= NARROW && c < LEAD && c - NARROW < (int)narrow_count)
    return &narrow[c - NARROW];
  if (c < LEAD || c >= TRAIL || n < 2 || !mt_column_is_trail(cells[1]))
    return NULL;
  unsigned i = (c - LEAD) * 16u + ((unsigned char)cells[1] - TRAIL);
  *used = 2;
  return i < wide_count ? &wide[i] : NULL;
}

static void translate(const char *cells, size_t n, mt_Str *out, bool display) {
  for (size_t i = 0, used; i < n; i += used) {
    unsigned char c = (unsigned char)cells[i];
    used = 1;
    if (c < 0x80)
      mt_str_add_char(out, (char)c);
    else if (c == NEWLINE)
      mt_str_add(out, display ? "\xe2\x86\xb5" : "\n"); /* ↵ */
    else if (c == TAB)
      mt_str_add(out, display ? " " : "\t");
    else {
      const Slot *slot = slot_of(cells + i, n - i, &used);
      if (slot) mt_str_add(out, display ? slot->shown : slot->bytes);
    }
  }
}

void mt_column_decode(const char *cells, size_t n, mt_Str *out) {
  translate(cells, n, out, false);
}

void mt_column_show(const char *cells, size_t n, mt_Str *out) {
  translate(cells, n, out, true);
}
