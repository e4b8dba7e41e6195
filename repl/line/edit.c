/*
** edit.c - the line editor: reads keys, and edits and draws with linenoise.
**
** linenoise is included, not linked: its blocking loop discards typeahead,
** stops at 4096 bytes and does not support pastes, so this file has its own
** loop and uses only linenoise's functions for editing and drawing, those that
** upstream and the copies in other programs share (scripts/deps.d/linenoise.sh
** names the ones that were tried). Two things make that possible. Everything it
** writes goes through 'paint' below, which turns cells (column_encoding.h) into
** characters. And an editing function is called with drawing switched off
** (apply); the line is then drawn once, when no more input is waiting, through
** a window if it is taller than the screen (show).
*/
#include "repl/line/edit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <termios.h>
#include <unistd.h>

#include "repl/line/column_encoding.h"
#include "repl/line/history.h"
#include "repl/line/keys.h"
#include "repl/terminal/terminal.h"

static ssize_t paint(int fd, const void *bytes, size_t n);

#define write paint
#include <linenoise.c>
#undef write

enum {
  LINE_LIMIT = 1 << 20, /* bytes in one line that is edited */
  IDLE = 150            /* milliseconds; longer than between typed keys */
};

/* One line is edited at a time: linenoise's callbacks have no context. */
static struct linenoiseState line; /* its buf holds cells, owned here */
static char *buffer;
static size_t buffer_size;
static mt_Str waiting; /* text for the next line */
static mt_Str stash;   /* the line before it was replaced from history */
static size_t walked;  /* entries back from the newest; 0 = not in history */
static bool silent;    /* drawing is off */
static bool in_colour;
static const mt_EditHooks *hooks;
static const char *prompt_text;  /* ASCII, as linenoise counts it */
static const char *prompt_shown; /* as long on the screen, perhaps not ASCII */

/* ---------------------------------------------------------------- painting */

/* linenoise counts the bytes of the prompt as columns, so it gets a plain one,
** and is replaced here by the one with its characters and its colour. */
static void add_real_prompt(const char **from, const char *end, mt_Str *out) {
  size_t n = strlen(prompt_text);
  const char *p = *from;
  while (p < end && (*p == '\r' || *p == '\x1b')) { /* how to get there */
    bool sequence = *p++ == '\x1b';
    if (sequence && p < end) p++; /* [ */
    while (sequence && p < end && isdigit((unsigned char)*p)) p++;
    if (sequence && p < end) p++; /* what it does */
  }
  if ((size_t)(end - p) < n || memcmp(p, prompt_text, n) != 0) return;
  mt_str_add_bytes(out, *from, (size_t)(p - *from));
  mt_str_addf(out, "%s%s%s", in_colour ? "\x1b[1;36m" : "", prompt_shown,
              in_colour ? "\x1b[0m" : "");
  *from = p + n;
}

static ssize_t paint(int fd, const void *bytes, size_t n) {
  (void)fd;
  if (silent) return (ssize_t)n;
  mt_Str out = MT_STR_INIT;
  const char *from = bytes, *end = from + n;
  if (prompt_text[0]) add_real_prompt(&from, end, &out);
  mt_column_show(from, (size_t)(end - from), &out);
  mt_term_write(mt_str_text(&out), out.length);
  mt_str_free(&out);
  return (ssize_t)n;
}

static void say(const char *text) { mt_term_write(text, strlen(text)); }

/* The hint as cells, in a C string as linenoise wants it. */
static char *hint_for(const char *cells, int *colour, int *bold) {
  mt_Str text = MT_STR_INIT, hint = MT_STR_INIT, shown = MT_STR_INIT;
  mt_column_decode(cells, strlen(cells), &text);
  hooks->hint(hooks->context, mt_str_text(&text), &hint);
  *colour = 90;
  *bold = 0;
  mt_str_free(&text);
  if (hint.length) mt_column_encode(hint.text, hint.length, &shown);
  mt_str_free(&hint);
  size_t room = line.cols - (line.plen + line.len);
  if (shown.length > room && room > 3) { /* mark that it is cut */
    shown.length = room - 3;
    mt_str_add(&shown, "...");
  }
  return shown.text;
}

/* Update the width: the terminal may have been resized. Returns its rows. */
static int measure(void) {
  int rows, columns;
  mt_term_size(&rows, &columns);
  line.cols = (size_t)columns;
  return rows;
}

/* Draw the line; one taller than the screen through a window. */
static void show(void) {
  int rows = measure();
  size_t room = line.cols * (size_t)(rows > 2 ? rows - 1 : 1);
  struct linenoiseState whole = line;
  hintsCallback =
      hooks->hint && in_colour && line.pos == line.len ? hint_for : NULL;
  if (line.plen + line.len + 1 > room) {
    size_t most = room > line.plen + 2 ? room - line.plen - 2 : 1;
    size_t first = line.pos > most / 2 ? line.pos - most / 2 : 0;
    if (line.len - first < most) first = line.len > most ? line.len - most : 0;
    line.buf += first;
    line.pos -= first;
    line.len = line.len - first > most ? most : line.len - first;
    char kept = line.buf[line.len];
    line.buf[line.len] = '\0';
    refreshLine(&line);
    line.buf[line.len] = kept;
  } else {
    refreshLine(&line);
  }
  line.buf = whole.buf;
  line.pos = whole.pos;
  line.len = whole.len;
}

/* The text drawn so far stays; the next drawing starts on a new line. */
static void restart(void) {
  struct linenoiseState fresh;
  memset(&fresh, 0, sizeof fresh);
  fresh.ifd = STDIN_FILENO;
  fresh.ofd = STDOUT_FILENO;
  fresh.buf = buffer;
  fresh.buflen = buffer_size - 1;
  fresh.prompt = prompt_text;
  fresh.plen = strlen(prompt_text);
  fresh.cols = line.cols;
  fresh.pos = line.pos;
  fresh.len = line.len;
  line = fresh;
}

/* Draw the line a last time, without its hint. */
static void leave(const char *tail) {
  mt_EditHooks quiet = {0};
  const mt_EditHooks *kept = hooks;
  hooks = &quiet;
  line.pos = line.len;
  show();
  hooks = kept;
  say(tail);
}

/* ----------------------------------------------------------------- editing */

static bool make_room(size_t more) {
  size_t need = line.len + more + 2;
  if (need <= buffer_size) return true;
  if (need > LINE_LIMIT) return false;
  size_t size = buffer_size ? buffer_size : 1024;
  while (size < need) size *= 2;
  char *grown = realloc(buffer, size);
  if (grown == NULL) return false;
  buffer = grown;
  buffer_size = size;
  line.buf = buffer;
  line.buflen = size - 1;
  return true;
}

/* Call one of linenoise's editing functions without drawing. */
static void apply(void (*edit)(struct linenoiseState *)) {
  struct linenoiseState painted = line;
  hintsCallback = NULL;
  silent = true;
  edit(&line);
  silent = false;
  painted.pos = line.pos;
  painted.len = line.len;
  line = painted;
}

static void insert_cells(const char *cells, size_t n) {
  memmove(line.buf + line.pos + n, line.buf + line.pos,
          line.len - line.pos + 1);
  memcpy(line.buf + line.pos, cells, n);
  line.pos += n;
  line.len += n;
}

static bool insert_text(const char *text, size_t n) {
  mt_Str cells = MT_STR_INIT;
  bool ok = mt_column_encode(text, n, &cells) && make_room(cells.length);
  if (ok && cells.length) insert_cells(cells.text, cells.length);
  mt_str_free(&cells);
  return ok;
}

static void replace_text(const char *text) {
  mt_column_reset();
  line.pos = line.len = 0;
  line.buf[0] = '\0';
  if (!insert_text(text, strlen(text))) say("\a");
}

static void line_text(mt_Str *out) {
  mt_str_clear(out);
  mt_str_add(out, "");
  mt_column_decode(line.buf, line.len, out);
}

/* Steps over both halves of a wide character. */
static void step_left(struct linenoiseState *l) {
  linenoiseEditMoveLeft(l);
  if (l->pos > 0 && mt_column_is_trail(l->buf[l->pos]))
    linenoiseEditMoveLeft(l);
}

static void step_right(struct linenoiseState *l) {
  linenoiseEditMoveRight(l);
  if (l->pos < l->len && mt_column_is_trail(l->buf[l->pos]))
    linenoiseEditMoveRight(l);
}

static void delete_left(struct linenoiseState *l) {
  bool wide = l->pos > 0 && mt_column_is_trail(l->buf[l->pos - 1]);
  linenoiseEditBackspace(l);
  if (wide) linenoiseEditBackspace(l);
}

static void delete_here(struct linenoiseState *l) {
  linenoiseEditDelete(l);
  if (l->pos < l->len && mt_column_is_trail(l->buf[l->pos]))
    linenoiseEditDelete(l);
}

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x82;
}

static void word_left(struct linenoiseState *l) {
  while (l->pos > 0 && !in_word(l->buf[l->pos - 1])) l->pos--;
  while (l->pos > 0 && in_word(l->buf[l->pos - 1])) l->pos--;
}

static void word_right(struct linenoiseState *l) {
  while (l->pos < l->len && !in_word(l->buf[l->pos])) l->pos++;
  while (l->pos < l->len && in_word(l->buf[l->pos])) l->pos++;
}

static void kill_word_right(struct linenoiseState *l) {
  size_t from = l->pos;
  word_right(l);
  memmove(l->buf + from, l->buf + l->pos, l->len - l->pos + 1);
  l->len -= l->pos - from;
  l->pos = from;
}

static void kill_line(struct linenoiseState *l) {
  memmove(l->buf, l->buf + l->pos, l->len - l->pos + 1);
  l->len -= l->pos;
  l->pos = 0;
}

static void kill_rest(struct linenoiseState *l) {
  l->len = l->pos;
  l->buf[l->len] = '\0';
}

static void swap_letters(struct linenoiseState *l) {
  if (l->pos == l->len && l->pos > 1) l->pos--;
  if (l->pos == 0 || l->pos >= l->len) return;
  char *c = l->buf + l->pos;
  if ((unsigned char)c[0] >= 0x80 || (unsigned char)c[-1] >= 0x80) return;
  char kept = c[0];
  c[0] = c[-1];
  c[-1] = kept;
  l->pos++;
}

/* ----------------------------------------------------------------- history */

/* Go one entry back (+1) or forward (-1). */
static void walk(int step) {
  size_t count = mt_history_count();
  if (step > 0 ? walked >= count : walked == 0) return;
  if (walked == 0) line_text(&stash);
  walked = step > 0 ? walked + 1 : walked - 1;
  replace_text(walked ? mt_history_at(count - walked) : mt_str_text(&stash));
}

/* The newest entry before 'from' (entries back) that contains 'word'; 0 if
** none. */
static size_t find_back(const char *word, size_t from) {
  size_t count = mt_history_count();
  for (size_t back = from + 1; back <= count; back++)
    if (strstr(mt_history_at(count - back), word)) return back;
  return 0;
}

typedef struct Search {
  mt_Str word;
  size_t found; /* entries back; 0 = none */
  bool failed;
} Search;

static void search_again(Search *s, size_t from) {
  size_t found = s->word.length ? find_back(s->word.text, from) : 0;
  s->failed = s->word.length > 0 && found == 0;
  if (found) {
    s->found = found;
    replace_text(mt_history_at(mt_history_count() - found));
  }
}

/* Change the prompt: the line on the screen is cleared first, since the
** position of its rows depends on the prompt it was drawn with. */
static void change_prompt(const char *prompt, const char *shown) {
  size_t len = line.len, pos = line.pos;
  char first = line.buf[0];
  line.buf[0] = '\0';
  line.len = line.pos = 0;
  hintsCallback = NULL;
  refreshLine(&line);
  line.buf[0] = first;
  line.len = len;
  line.pos = pos;
  line.oldpos = 0;
  line.prompt = prompt_text = prompt;
  prompt_shown = shown;
  line.plen = strlen(prompt);
}

static void search_show(const Search *s) {
  static char asked[2][96]; /* the prompt on screen must stay valid */
  static int turn;
  char *text = asked[turn = !turn];
  snprintf(text, sizeof *asked, "%ssearch '%.48s': ", s->failed ? "no " : "",
           mt_str_text(&s->word));
  for (char *c = text; *c; c++)
    if ((unsigned char)*c >= 0x80) *c = '?';
  change_prompt(text, text);
  show();
}

static bool search_key(Search *s, mt_KeyKind kind, const mt_Str *key) {
  if (kind == MT_KEY_TEXT) {
    mt_str_add_bytes(&s->word, key->text, key->length);
    search_again(s, s->found ? s->found - 1 : 0);
  } else if (kind == MT_KEY_SEARCH) {
    search_again(s, s->found);
  } else if (kind == MT_KEY_BACKSPACE) {
    size_t n = s->word.length;
    while (n > 0 && ((unsigned char)s->word.text[n - 1] & 0xc0) == 0x80) n--;
    if (n > 0) s->word.text[s->word.length = n - 1] = '\0';
    search_again(s, s->found = 0);
  } else {
    return false;
  }
  return true;
}

/* Ctrl-R: type a part of an earlier entry. Returns the key that ended it. */
static mt_KeyKind search(mt_Str *key) {
  Search s = {MT_STR_INIT, 0, false};
  const char *usual = prompt_text, *usual_shown = prompt_shown;
  mt_KeyKind kind;
  line_text(&stash);
  do {
    search_show(&s);
    kind = mt_key_read(key);
  } while (search_key(&s, kind, key));
  if (kind == MT_KEY_INTERRUPT || kind == MT_KEY_ESCAPE) {
    replace_text(mt_str_text(&stash));
    kind = MT_KEY_NONE;
  } else {
    walked = s.found;
  }
  change_prompt(usual, usual_shown);
  mt_str_free(&s.word);
  return kind;
}

/* -------------------------------------------------------------- completion */

static size_t common_length(const mt_Choices *c) {
  size_t n = strlen(c->choices[0]);
  for (size_t i = 1; i < c->count; i++) {
    size_t same = 0;
    while (same < n && c->choices[i][same] == c->choices[0][same]) same++;
    n = same;
  }
  return n;
}

static void list_choices(const mt_Choices *c) {
  mt_Str out = MT_STR_INIT;
  size_t widest = 0, most = 120;
  for (size_t i = 0; i < c->count; i++)
    if (strlen(c->choices[i]) > widest) widest = strlen(c->choices[i]);
  size_t per_row = line.cols / (widest + 2) ? line.cols / (widest + 2) : 1;
  size_t shown = c->count < most ? c->count : most;
  size_t rows = (shown + per_row - 1) / per_row;
  for (size_t row = 0; row < rows; row++) {
    for (size_t i = row; i < shown; i += rows)
      mt_str_addf(&out, "%-*s", i + rows < shown ? (int)widest + 2 : 0,
                  c->choices[i]);
    mt_str_add(&out, "\n");
  }
  if (shown < c->count)
    mt_str_addf(&out, "... and %zu more\n", c->count - shown);
  mt_term_write(mt_str_text(&out), out.length);
  mt_str_free(&out);
}

/* A tab that is followed by more input, and not preceded by a name, was pasted
** by a terminal that does not mark pastes. */
static bool is_pasted_tab(void) {
  char before = line.pos > 0 ? line.buf[line.pos - 1] : ' ';
  int next = mt_term_peek(); /* a second tab requests the list */
  return next >= 0 && next != '\t' && !isalnum((unsigned char)before) &&
         !strchr("_.:/", before);
}

/* Tab: insert the common prefix; a second Tab lists the completions. */
static void complete(bool again) {
  mt_Choices c = {0};
  if (is_pasted_tab()) {
    insert_text("\t", 1);
    return;
  }
  mt_Str before = MT_STR_INIT;
  mt_str_add(&before, "");
  mt_column_decode(line.buf, line.pos, &before);
  if (hooks->complete) hooks->complete(hooks->context, before.text, &c);
  size_t sure = c.count ? common_length(&c) : 0;
  if (c.indent) {
    insert_text(mt_term_ready() ? "\t" : "  ", mt_term_ready() ? 1 : 2);
  } else if (sure > c.typed) {
    insert_text(c.choices[0] + c.typed, sure - c.typed);
  } else if (c.count > 1 && again) {
    size_t pos = line.pos;
    leave("\n");
    list_choices(&c);
    line.pos = pos;
    restart();
  } else if (c.count != 1) {
    say("\a");
  }
  mt_str_free(&before);
  mt_choices_free(&c);
}

/* ------------------------------------------------------------------- pastes */

/* Insert pasted text with newlines at the cursor. Everything up to the last
** newline is entered, the rest is kept for the next line. */
static mt_EditEnd paste_lines(const mt_Str *pasted, mt_Str *out) {
  mt_Str whole = MT_STR_INIT;
  mt_column_decode(line.buf, line.pos, &whole);
  mt_str_add_bytes(&whole, pasted->text, pasted->length);
  mt_column_decode(line.buf + line.pos, line.len - line.pos, &whole);
  char *last = strrchr(whole.text, '\n');
  mt_str_clear(&waiting);
  mt_str_add(&waiting, last + 1);
  mt_str_clear(out);
  mt_str_add_bytes(out, whole.text, (size_t)(last + 1 - whole.text));
  mt_str_free(&whole);
  replace_text("");
  show();
  return MT_EDIT_PASTE;
}

static void paste_in_line(const mt_Str *pasted) {
  if (insert_text(mt_str_text(pasted), pasted->length)) return;
  char note[160];
  snprintf(
      note, sizeof note,
      "the pasted text of %zu bytes is too long, or has too many different "
      "characters, to edit: not taken; put it in a file\n",
      pasted->length);
  leave("\n");
  say(note);
  restart();
}

/* --------------------------------------------------------------------- keys */

static const struct {
  mt_KeyKind key;
  void (*edit)(struct linenoiseState *);
} edits[] = {{MT_KEY_BACKSPACE, delete_left},
             {MT_KEY_DELETE, delete_here},
             {MT_KEY_LEFT, step_left},
             {MT_KEY_RIGHT, step_right},
             {MT_KEY_HOME, linenoiseEditMoveHome},
             {MT_KEY_LAST, linenoiseEditMoveEnd},
             {MT_KEY_WORD_LEFT, word_left},
             {MT_KEY_WORD_RIGHT, word_right},
             {MT_KEY_KILL_WORD, linenoiseEditDeletePrevWord},
             {MT_KEY_KILL_WORD_RIGHT, kill_word_right},
             {MT_KEY_KILL_LINE, kill_line},
             {MT_KEY_KILL_REST, kill_rest},
             {MT_KEY_SWAP, swap_letters}};

static void edit_key(mt_KeyKind kind) {
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
    if (edits[i].key == kind) apply(edits[i].edit);
}

/* Keys that are neither an edit nor the end of the line. */
static void other_key(mt_KeyKind kind, const mt_Str *key, bool again) {
  switch (kind) {
    case MT_KEY_TEXT:
      if (!insert_text(key->text, key->length)) say("\a");
      break;
    case MT_KEY_PASTE:
      paste_in_line(key);
      break;
    case MT_KEY_TAB:
      complete(again);
      break;
    case MT_KEY_UP:
      walk(1);
      break;
    case MT_KEY_DOWN:
      walk(-1);
      break;
    case MT_KEY_CLEAR:
      linenoiseClearScreen();
      restart();
      break;
    case MT_KEY_SUSPEND:
      mt_term_suspend();
      restart();
      break;
    default:
      edit_key(kind);
      break;
  }
}

/* Does 'kind' end the line? '*end' says how. */
static bool is_end(mt_KeyKind kind, const mt_Str *key, mt_Str *out,
                   mt_EditEnd *end) {
  if (kind == MT_KEY_ENTER) {
    leave("\n");
    line_text(out);
    *end = MT_EDIT_LINE;
  } else if (kind == MT_KEY_INTERRUPT) {
    leave("^C\n");
    *end = MT_EDIT_INTERRUPT;
  } else if (kind == MT_KEY_END || (kind == MT_KEY_EOF && line.len == 0)) {
    leave("\n");
    *end = MT_EDIT_EOF;
  } else if (kind == MT_KEY_PASTE && strchr(mt_str_text(key), '\n')) {
    *end = paste_lines(key, out);
  } else {
    return false;
  }
  return true;
}

/* A person who types will want a kernel; a console that was only opened stays
** small. The first key is not waited upon: what it begins takes the longest. */
static bool was_typed_at;
static int moment; /* milliseconds without a key before 'idle' is called */

static mt_EditEnd key_loop(mt_Str *key, mt_Str *out) {
  mt_EditEnd end;
  mt_KeyKind kind = MT_KEY_NONE;
  bool rested = hooks->idle == NULL;
  for (;;) {
    if (!mt_term_ready()) show();
    mt_KeyKind before = kind;
    if (!rested && was_typed_at && mt_term_rests(moment)) {
      hooks->idle(hooks->context);
      rested = true;
      moment = IDLE;
    }
    kind = mt_key_read(key);
    if (kind != MT_KEY_NONE) was_typed_at = true;
    if (kind == MT_KEY_SEARCH) kind = search(key);
    if (is_end(kind, key, out, &end)) return end;
    if (kind == MT_KEY_EOF) kind = MT_KEY_DELETE;
    other_key(kind, key, before == MT_KEY_TAB);
  }
}

/* ---------------------------------------------------------------- interface */

/* One byte for each character; the rest of a long one is left out. */
static const char *plain_prompt(const char *prompt) {
  static char plain[96];
  size_t n = 0;
  for (; *prompt && n + 1 < sizeof plain; prompt++) {
    unsigned char b = (unsigned char)*prompt;
    if ((b & 0xc0) != 0x80) plain[n++] = b < 0x80 ? *prompt : '?';
  }
  plain[n] = '\0';
  return plain;
}

mt_EditEnd mt_edit_line(const char *prompt, bool colour,
                        const mt_EditHooks *asked, mt_Str *out) {
  mt_Str key = MT_STR_INIT;
  mt_str_clear(out);
  if (!mt_term_raw()) return MT_EDIT_EOF;
  memset(&line, 0, sizeof line);
  if (!make_room(256)) return MT_EDIT_EOF;
  mt_column_reset();
  linenoiseSetMultiLine(1);
  linenoiseSetFreeHintsCallback(free);
  prompt_text = plain_prompt(prompt);
  prompt_shown = prompt;
  in_colour = colour;
  hooks = asked;
  walked = 0;
  measure();
  restart();
  replace_text(mt_str_text(&waiting));
  mt_str_clear(&waiting);
  mt_EditEnd end = key_loop(&key, out);
  mt_str_free(&key);
  return end;
}

void mt_edit_forget(void) { mt_str_clear(&waiting); }
