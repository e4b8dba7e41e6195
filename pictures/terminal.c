/*
** terminal.c - asks the terminal what it can show.
**
** Questions are escape sequences, and so are the answers, which arrive among
** the keys. Each round ends with a question that every terminal answers ("who
** are you?", DA1), so that there is nothing to wait for after it. The first
** round has only questions that even old terminals ignore when they do not know
** them; kitty's, which some print, goes only to one that has told its name.
*/
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/child.h"
#include "base/terminal/typeahead.h"
#include "pictures/inside.h"

enum { WAIT = 200, FAR_WAIT = 1000 }; /* milliseconds for one round */

#define ASK_NAME "\033[>q"   /* XTVERSION */
#define ASK_KITTY "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\"
#define ASK_CELL "\033[16t"  /* pixels of a cell */
#define ASK_KIND "\033[c"    /* DA1 */

/* What the terminal has told. */
typedef struct Answers {
  char name[128]; /* "kitty(0.32.2)", "tmux 3.3a"; "" if none */
  bool kitty, sixel, ended;
  unsigned cell_width, cell_height; /* 0: not told */
} Answers;

static bool begins(const char *text, const char *with) {
  return text && mt_starts(text, with);
}

static const char *variable(const char *name) {
  const char *v = getenv(name);
  return v ? v : "";
}

/* ----------------------------------------------------------------- answers */

/* The length of the sequence at 'at', 0 if it is not complete. Strings (DCS,
** APC, OSC) end with ESC \ or BEL; CSI with a letter. */
static size_t sequence_length(const char *at, size_t n) {
  if (n < 2) return 0;
  bool string = strchr("P_]^", at[1]) && at[1];
  if (!string && at[1] != '[') return 2;
  for (size_t i = 2; i < n; i++) {
    if (!string && at[i] >= 0x40 && at[i] <= 0x7e) return i + 1;
    if (string && at[i] == '\a') return i + 1;
    if (string && at[i] == '\\' && at[i - 1] == '\033') return i + 1;
  }
  return 0;
}

/* "?62;4;22c" */
static void read_kind(Answers *a, const char *text, size_t n) {
  char copy[128];
  a->ended = true;
  if (n >= sizeof copy) return;
  memcpy(copy, text, n);
  copy[n] = '\0';
  for (char *p = strtok(copy, "?;c"); p; p = strtok(NULL, "?;c"))
    if (strcmp(p, "4") == 0) a->sixel = true;
}

/* Is it one of the answers? Then it is noted. */
static bool note(Answers *a, const char *s, size_t n) {
  unsigned h, w;
  if (n > 3 && s[1] == '[' && s[2] == '?' && s[n - 1] == 'c')
    return read_kind(a, s + 2, n - 2), true;
  if (n > 4 && s[1] == '[' && s[2] == '6' && s[n - 1] == 't') {
    if (sscanf(s + 2, "6;%u;%ut", &h, &w) == 2 && h < 1000 && w < 1000)
      a->cell_width = w, a->cell_height = h;
    return true;
  }
  if (n > 6 && memcmp(s, "\033P>|", 4) == 0) {
    snprintf(a->name, sizeof a->name, "%.*s", (int)(n - 6), s + 4);
    return true;
  }
  if (n > 4 && memcmp(s, "\033_G", 3) == 0) {
    for (size_t i = 0; i + 1 < n; i++)
      if (memcmp(s + i, "OK", 2) == 0) a->kitty = true;
    return true;
  }
  return false;
}

/* Answers are taken out of 'in'; keys go to the console. A sequence that is not
** complete stays, unless it is the last time. */
static void sort_out(Answers *a, mt_Str *in, bool last) {
  size_t at = 0;
  while (at < in->length) {
    size_t n = in->text[at] == '\033'
                   ? sequence_length(in->text + at, in->length - at)
                   : 1;
    if (n == 0 && !last) break;
    if (n == 0) n = in->length - at;
    if (in->text[at] != '\033' || !note(a, in->text + at, n))
      mt_typeahead_put(in->text + at, n);
    at += n;
  }
  if (at == 0) return;
  memmove(in->text, in->text + at, in->length - at);
  in->length -= at;
}

/* -------------------------------------------------------------- a question */

static void say(const char *text) {
  size_t n = strlen(text);
  while (n > 0) {
    ssize_t done = write(STDOUT_FILENO, text, n);
    if (done < 0 && errno != EINTR) return;
    if (done > 0) text += done, n -= (size_t)done;
  }
}

static void read_answers(Answers *a, int milliseconds) {
  uint64_t end = mt_now_ns() + (uint64_t)milliseconds * 1000000;
  mt_Str in = MT_STR_INIT;
  a->ended = false;
  while (!a->ended) {
    uint64_t now = mt_now_ns();
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    if (now >= end || poll(&p, 1, (int)((end - now) / 1000000) + 1) <= 0) break;
    if (!mt_str_reserve(&in, 4096)) break;
    ssize_t n = read(STDIN_FILENO, in.text + in.length, 4096);
    if (n <= 0) break;
    in.length += (size_t)n;
    sort_out(a, &in, false);
  }
  sort_out(a, &in, true);
  mt_str_free(&in);
}

/* Ask, with the keys not echoed meanwhile. Ctrl-C stays a signal, which ends
** the wait. */
static void ask(Answers *a, const char *question, int milliseconds) {
  struct termios before, quiet;
  if (tcgetattr(STDIN_FILENO, &before) != 0) return;
  quiet = before;
  quiet.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
  quiet.c_cc[VMIN] = 1;
  quiet.c_cc[VTIME] = 0;
  if (tcsetattr(STDIN_FILENO, TCSADRAIN, &quiet) != 0) return;
  say(question);
  read_answers(a, milliseconds);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

/* A background job must not touch the terminal's modes. */
static bool may_ask(void) {
  static const char *const simple[] = {"",      "dumb",  "linux", "cons25",
                                       "emacs", "vt100", "vt102", "vt220"};
  const char *term = variable("TERM");
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
    if (strcmp(term, simple[i]) == 0) return false;
  if (strcmp(variable("TERM_PROGRAM"), "Apple_Terminal") == 0 ||
      *variable("STY"))
    return false;
  return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* -------------------------------------------------------------------- tmux */

/* What the terminal around tmux shows, wholly by tmux's own word: it cannot be
** asked from inside. */
typedef struct Around {
  bool kitty; /* and tmux passes sequences on to it */
  bool sixel;
} Around;

/* "on 256,RGB,sixel,title kitty(0.32.2)": is it passed on, with what features
** ("" if none), to whom? Nothing but the first where no client is attached. */
static Around read_around(char *text) {
  char *features = strchr(text, ' ');
  char *type = features ? strchr(features + 1, ' ') : NULL;
  Around a = {0};
  if (type == NULL) return a;
  *type++ = '\0';
  a.kitty = (begins(text, "on ") || begins(text, "all ")) &&
            (begins(type, "kitty") || begins(type, "ghostty"));
  for (char *f = strtok(features, " ,"); f; f = strtok(NULL, " ,"))
    if (strcmp(f, "sixel") == 0) a.sixel = true;
  return a;
}

static Around around_tmux(void) {
  const char *argv[] = {
      "/bin/sh", "-c",
      "exec tmux display-message -p -t \"$TMUX_PANE\" "
      "'#{allow-passthrough} #{client_termfeatures} #{client_termtype}'",
      NULL};
  mt_ChildLimits limits = {1, 0, 4096, 1};
  mt_Child *child;
  mt_Str said = MT_STR_INIT, errors = MT_STR_INIT;
  int code = -1;
  Around a = {0};
  if (mt_child_start(argv, &limits, &child, NULL) == MT_OK &&
      mt_child_finish(child, "", 0, &said, &errors, &code, NULL) == MT_OK &&
      code == 0 && said.length > 0)
    a = read_around(said.text);
  mt_str_free(&said);
  mt_str_free(&errors);
  return a;
}

/* ---------------------------------------------------------------- choosing */

/* Characters only: how many colours? One that tells its name has all. */
static mt_Protocol colours(const Answers *a) {
  const char *term = variable("TERM"), *more = variable("COLORTERM");
  if (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0 ||
      strstr(term, "direct"))
    return MT_SHOW_BLOCKS;
  if (a->name[0] || *variable("TMUX")) return MT_SHOW_BLOCKS;
  if (strstr(term, "256") || begins(term, "xterm") || begins(term, "screen") ||
      *more)
    return MT_SHOW_256;
  return MT_SHOW_ASCII;
}

static mt_Protocol choose(Answers *a, bool far, bool *tmux) {
  int wait = far ? FAR_WAIT : WAIT;
  if (may_ask()) {
    ask(a, ASK_NAME ASK_KIND, wait);
    *tmux = begins(a->name, "tmux");
    if (a->name[0] && !*tmux) ask(a, ASK_KITTY ASK_CELL ASK_KIND, wait);
  }
  *tmux |= *variable("TMUX") != '\0';
  if (*tmux) { /* one with sixels says so wherever it is: others see a frame */
    Around outside = *variable("TMUX") ? around_tmux() : (Around){0};
    a->kitty = outside.kitty;
    a->sixel &= outside.sixel;
  }
  if (a->kitty) return MT_SHOW_KITTY;
  bool iterm = strcmp(variable("TERM_PROGRAM"), "iTerm.app") == 0 ||
               strcmp(variable("LC_TERMINAL"), "iTerm2") == 0;
  if (!*tmux &&
      (iterm || begins(a->name, "iTerm2") || begins(a->name, "mintty")))
    return MT_SHOW_ITERM;
  return a->sixel ? MT_SHOW_SIXEL : colours(a);
}

/* METTLE_IMAGE, or MT_PROTOCOLS. */
static mt_Protocol wished(void) {
  const char *wish = variable("METTLE_IMAGE");
  mt_Protocol way = 0;
  while (way < MT_PROTOCOLS && strcmp(mt_protocol_name(way), wish) != 0) way++;
  return way;
}

static void measure(mt_Terminal *t, const Answers *a) {
  struct winsize size;
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  t->columns = known && size.ws_col ? size.ws_col : 80;
  t->rows = known && size.ws_row ? size.ws_row : 24;
  t->cell_width = a->cell_width ? a->cell_width : 10;
  t->cell_height = a->cell_height ? a->cell_height : 20;
  if (known && size.ws_col && size.ws_row && size.ws_xpixel >= size.ws_col &&
      size.ws_ypixel >= size.ws_row) {
    t->cell_width = size.ws_xpixel / size.ws_col;
    t->cell_height = size.ws_ypixel / size.ws_row;
  }
}

void mt_terminal_ask(mt_Terminal *out) {
  static Answers answers;
  static mt_Protocol chosen = MT_PROTOCOLS; /* not asked */
  static bool tmux;
  mt_Protocol wish = wished();
  *out = (mt_Terminal){.way = MT_SHOW_NONE,
                       .columns = 80,
                       .rows = 24,
                       .cell_width = 10,
                       .cell_height = 20};
  if (!isatty(STDOUT_FILENO)) return;
  out->far = *variable("SSH_CONNECTION") || *variable("SSH_TTY");
  if (wish != MT_PROTOCOLS)
    out->way = wish, out->tmux = *variable("TMUX") != '\0';
  else if (*variable("NO_COLOR") || strcmp(variable("TERM"), "dumb") == 0)
    out->way = MT_SHOW_ASCII;
  else {
    if (chosen == MT_PROTOCOLS) chosen = choose(&answers, out->far, &tmux);
    out->way = chosen, out->tmux = tmux;
  }
  measure(out, &answers);
}
