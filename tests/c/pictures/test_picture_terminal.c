/*
** test_picture_terminal.c - the program at terminals that answer as kitty,
** iTerm2, one with sixels and tmux do, and at one that never answers.
**
** The suite plays the terminal at the other end of a pseudo terminal: it reads
** what the program writes, answers its questions, types keys in between, and
** decodes the picture that comes.
**
** Guards: pictures/terminal.c: the program at terminals that answer as kitty,
** iTerm2, with sixels, late or never; keys typed meanwhile
*/
#define _GNU_SOURCE /* posix_openpt and its kind; macOS has them anyway */
#include "tests/c/pictures/picture_decode.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files/file.h"
#include "base/files/folders.h"
#include "pictures/picture.h"
#include "tests/c/skip.h"

enum { PATIENCE = 60 }; /* seconds, for a machine that is busy */

typedef struct Player {
  const char *name;   /* to XTVERSION; NULL: no answer */
  const char *kind;   /* to DA1; NULL: no answer */
  bool kitty;         /* answers kitty's question */
  const char *typed;  /* keys, typed before the first answer */
  bool late;          /* answers once the prompt is there again */
  int fd;
  pid_t pid;
  size_t looked;      /* bytes of 'seen' that were looked at for questions */
  mt_Str seen;
} Player;

/* ------------------------------------------------------------ the program */

/* 'environment': NAME=VALUE words on top of this process' own, less what says
** something about a terminal. */
static void become(int fd, const char *const *environment, const char *code) {
  static const char *const forget[] = {
      "TMUX", "STY", "NO_COLOR", "COLORTERM", "TERM_PROGRAM", "LC_TERMINAL",
      "SSH_CONNECTION", "SSH_TTY", "METTLE_IMAGE"};
  setsid();
  ioctl(fd, TIOCSCTTY, 0);
  for (int i = 0; i < 3; i++) dup2(fd, i);
  if (fd > 2) close(fd);
  for (size_t i = 0; i < sizeof forget / sizeof *forget; i++)
    unsetenv(forget[i]);
  setenv("TERM", "xterm-256color", 1);
  for (; *environment; environment++) putenv((char *)*environment);
  const char *program = getenv("METTLE");
  if (code) execl(program, "mettle", "-e", code, NULL);
  else execl(program, "mettle", NULL);
  _exit(121);
}

static void start(Player *p, const char *const *environment, const char *code) {
  struct winsize size = {
      .ws_row = 24, .ws_col = 80, .ws_xpixel = 800, .ws_ypixel = 480};
  p->fd = posix_openpt(O_RDWR | O_NOCTTY);
  assert_true(p->fd >= 0 && grantpt(p->fd) == 0 && unlockpt(p->fd) == 0);
  const char *slave = ptsname(p->fd);
  assert_non_null(slave);
  /* opened once, for the program: a Mac's terminal that no process has open
  ** ends */
  int end = open(slave, O_RDWR | O_NOCTTY);
  assert_true(end >= 0);
  ioctl(end, TIOCSWINSZ, &size);
  p->pid = fork();
  if (p->pid == 0) become(end, environment, code);
  close(end);
}

/* ----------------------------------------------------------- the terminal */

static void send(const Player *p, const char *text) {
  for (size_t n = strlen(text); n > 0;) {
    ssize_t done = write(p->fd, text, n);
    if (done > 0) text += done, n -= (size_t)done;
    else if (errno != EINTR) return;
  }
}

/* Answer what was asked in the part of 'seen' that is new. */
static void answer(Player *p) {
  const char *at = mt_str_text(&p->seen) + p->looked, *kind;
  if (p->late) return;
  while ((kind = strstr(at, "\033[c")) != NULL) {
    char name[128];
    const char *asked = strstr(at, "\033[>q"), *kitty = strstr(at, "a=q");
    if (p->typed) send(p, p->typed), p->typed = NULL;
    if (asked && asked < kind && p->name)
      snprintf(name, sizeof name, "\033P>|%s\033\\", p->name), send(p, name);
    if (kitty && kitty < kind && p->kitty) send(p, "\033_Gi=31;OK\033\\");
    if (p->kind) send(p, p->kind);
    at = kind + 3;
  }
  p->looked = (size_t)(at - p->seen.text);
}

/* Read until 'wanted' has come ('from': a place in 'seen'), or to the end. */
static bool play(Player *p, size_t from, const char *wanted) {
  uint64_t end = mt_now_ns() + (uint64_t)PATIENCE * 1000000000;
  while (!wanted || p->seen.length < from ||
         !strstr(mt_str_text(&p->seen) + from, wanted)) {
    struct pollfd ready = {.fd = p->fd, .events = POLLIN};
    char some[65536];
    if (mt_now_ns() > end)
      fail_msg("the program does not come on; seen: %s", mt_str_text(&p->seen));
    if (poll(&ready, 1, 200) <= 0) continue;
    ssize_t n = read(p->fd, some, sizeof some);
    if (n <= 0) return !wanted;
    for (ssize_t i = 0; i < n; i++)
      if (some[i] != '\r') mt_str_add_char(&p->seen, some[i]); /* the tty's */
    answer(p);
  }
  return true;
}

static void finish(Player *p) {
  kill(p->pid, SIGKILL);
  waitpid(p->pid, NULL, 0);
  close(p->fd);
  mt_str_free(&p->seen);
}

/* What a script wrote after its mark; the questions come before the picture. */
static const char *output(Player *p, const char *const *environment) {
  start(p, environment,
        "io.write(\"[[\\n\") io.flush() image({{0, 1, 1}, "
        "{1, 0, 0}}) io.write(\"]]\\n\")");
  play(p, 0, "]]\n");
  return strstr(p->seen.text, "[[\n") + 3;
}

static const char *const plain[] = {NULL};

static long colour(int i) {
  const uint8_t *c = mt_map_colours(MT_MAP_VIRIDIS)[i];
  return (long)c[0] << 16 | c[1] << 8 | c[2];
}

/* 3 × 2 pixels, each 'n' wide and high */
static void check_canvas(const Canvas *c, unsigned n, long tolerance) {
  static const int bits[2][3] = {{0, 255, 255}, {255, 0, 0}};
  if (c->width != 3 * n || c->height < 2 * n)
    fail_msg("%u × %u pixels", c->width, c->height);
  for (unsigned y = 0; y < 2 * n; y++)
    for (unsigned x = 0; x < 3 * n; x++)
      for (int s = 0; s < 24; s += 8) {
        long got = c->at[y][x] >> s & 255,
             want = colour(bits[y / n][x / n]) >> s & 255;
        if (labs(got - want) > tolerance)
          fail_msg("%06lx at %u, %u", c->at[y][x], x, y);
      }
}

static Canvas canvas;

static void check_blocks(Player *p, const char *out, unsigned n,
                         long tolerance) {
  const char *last = strrchr(out, ']') - 1, *first = out;
  /* past the questions: the picture begins with a colour */
  for (const char *q; (q = strstr(first, "\033[c")) != NULL;) first = q + 3;
  char *copy = strndup(first, (size_t)(last - first));
  /* one that has told its name is asked for kitty's protocol, no other */
  if (strstr(out, p->name ? "\033_Ga=T" : "\033_G"))
    fail_msg("kitty's sequences at %s",
             p->name ? p->name : "a silent terminal");
  decode_blocks(copy, &canvas);
  check_canvas(&canvas, n, tolerance);
  free(copy);
}

/* ------------------------------------------------------------------- tests */

static void test_kitty(void **state) {
  (void)state;
  Player p = {.name = "kitty(0.32.2)", .kind = "\033[?62;c", .kitty = true};
  const char *out = output(&p, plain), *first = strstr(out, "\033_Ga=T");
  mt_Str controls = MT_STR_INIT, payload = MT_STR_INIT;
  assert_non_null(first);
  assert_int_equal(
      strncmp(decode_kitty(first, &controls, &payload), "\n]]\n", 4), 0);
  assert_non_null(strstr(controls.text, "s=318,v=212,"));
  canvas_clear(&canvas);
  for (unsigned i = 0; i < 318 * 212; i++) {
    const uint8_t *c = (const uint8_t *)payload.text + 3 * i;
    canvas_put(&canvas, i % 318, i / 318, (long)c[0] << 16 | c[1] << 8 | c[2]);
  }
  check_canvas(&canvas, 106, 0);
  mt_str_free(&controls), mt_str_free(&payload);
  finish(&p);
}

static void test_iterm(void **state) {
  (void)state;
  Player p = {.name = "iTerm2 3.5.0", .kind = "\033[?62;4c"};
  const char *s = strstr(output(&p, plain), "\033]1337;File=inline=1;");
  mt_Str png = MT_STR_INIT;
  mt_Picture got;
  mt_Error err;
  if (s == NULL) skip_because("this build has no libpng"); /* half blocks */
  s = strchr(s, ':') + 1;
  decode_base64(&s, &png);
  assert_int_equal(mt_picture_decode(png.text, png.length, "it", &got, &err),
                   MT_OK);
  canvas_clear(&canvas);
  for (unsigned i = 0; i < got.width * got.height; i++)
    canvas_put(&canvas, i % got.width, i / got.width,
               (long)got.rgba[4 * i] << 16 | got.rgba[4 * i + 1] << 8 |
                   got.rgba[4 * i + 2]);
  check_canvas(&canvas, 106, 0);
  mt_picture_free(&got);
  mt_str_free(&png);
  finish(&p);
}

static void test_sixel(void **state) {
  (void)state;
  Player p = {.kind = "\033[?63;1;2;4;6;9;15;22c"};
  const char *s = strstr(output(&p, plain), "\033P");
  if (s == NULL) skip_because("this build has no libsixel");
  decode_sixel(s, &canvas);
  check_canvas(&canvas, 106, 2);
  finish(&p);
}

/* It told its name: 24-bit colours. 3 × 2 pixels by 22 fit 79 × 44. */
static void test_blocks(void **state) {
  (void)state;
  Player p = {.name = "foot(1.16)", .kind = "\033[?62;22c"};
  check_blocks(&p, output(&p, plain), 22, 0);
  finish(&p);
}

/* Nothing but the first two questions, and 256 colours. */
static void test_silence(void **state) {
  (void)state;
  Player p = {0};
  check_blocks(&p, output(&p, plain), 22, 40);
  finish(&p);
}

/* What the environment says needs no question. */
static void test_environment(void **state) {
  (void)state;
  static const struct {
    const char *words[3];
    const char *has, *lacks;
  } cases[] = {
      {{"NO_COLOR=1"}, "@@@", "\033"},
      {{"TERM=dumb"}, "@@@", "\033"},
      {{"TERM=linux"}, "@@@", "\033"},
      {{"METTLE_IMAGE=ascii"}, "@@@", "\033"},
      {{"METTLE_IMAGE=none"}, "picture, 3 × 2, RGB, 8 bits\n]]", "\033"},
      {{"METTLE_IMAGE=256"}, "\033[48;5;", "\033[c"},
      {{"METTLE_IMAGE=blocks", "NO_COLOR=1"}, "\033[48;2;", "\033[c"},
      {{"METTLE_IMAGE=kitty"}, "\033_Ga=T", "\033[c"},
      {{"TERM_PROGRAM=Apple_Terminal"}, "\033[48;5;", "\033[c"},
      {{"TERM=screen", "STY=1.x"}, "\033[48;5;", "\033[c"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Player p = {.name = "kitty(1)", .kind = "\033[?62;c", .kitty = true};
    const char *out = output(&p, cases[i].words);
    /* the brightest of viridis is "%" or "@" by how it is rounded */
    bool has = strstr(out, cases[i].has) ||
               (cases[i].has[0] == '@' && strstr(out, "%%%"));
    if (!has || strstr(out, cases[i].lacks))
      fail_msg("%s: %s", cases[i].words[0], out);
    finish(&p);
  }
}

/* Over ssh the pixels are a PNG file, which is shorter. */
static void test_far(void **state) {
  (void)state;
  static const char *const ssh[] = {"SSH_CONNECTION=1 2 3 4", NULL};
  Player p = {.name = "kitty(0.32.2)", .kind = "\033[?62;c", .kitty = true};
  const char *first = strstr(output(&p, ssh), "\033_Ga=T");
  mt_Str controls = MT_STR_INIT, payload = MT_STR_INIT;
  assert_non_null(first);
  decode_kitty(first, &controls, &payload);
  if (strstr(controls.text, "f=100,"))
    assert_true(payload.length < 318 * 212 / 2);
  mt_str_free(&controls), mt_str_free(&payload);
  finish(&p);
}

/* Inside tmux it is tmux that tells what is around it; here a script of its
** name, which says 'says', or fails where that is NULL. */
typedef struct Tmux {
  const char *says, *kind; /* kind: its own answer to DA1 */
  enum { BLOCKS, KITTY, SIXEL } shown;
} Tmux;

static void play_tmux(const Tmux *t, const char *const *words,
                      const char *script) {
  char text[256];
  mt_Error err;
  if (t->says) snprintf(text, sizeof text, "#!/bin/sh\necho '%s'\n", t->says);
  else snprintf(text, sizeof text, "#!/bin/sh\nexit 1\n");
  assert_int_equal(mt_file_write(script, text, strlen(text), 0755, &err),
                   MT_OK);
  Player p = {.name = "tmux 3.4", .kind = t->kind};
  const char *out = output(&p, words), *says = t->says ? t->says : "fails";
  bool kitty = strstr(out, "\033Ptmux;\033\033_Ga=T") &&
               strstr(out, "\xf4\x8e\xbb\xae");
  bool sixel = !kitty && strstr(out, "\033P") != NULL;
  if (kitty != (t->shown == KITTY)) fail_msg("'%s': %s", says, out);
  if (sixel && t->shown != SIXEL) fail_msg("'%s': %s", says, out);
  if (!kitty && t->shown == BLOCKS) check_blocks(&p, out, 22, 0);
  if (sixel) decode_sixel(strstr(out, "\033P"), &canvas);
  if (sixel) check_canvas(&canvas, 106, 2); /* without libsixel: blocks */
  finish(&p);
}

/* Only where tmux passes sequences on is one wrapped for it. Since 3.4 it may
** have sixels itself, and says so whether or not who is attached has them. */
static void test_tmux(void **state) {
  (void)state;
  static const char old[] = "\033[?1;2c", new[] = "\033[?1;2;4c";
  static const Tmux cases[] = {
      {"on 256,RGB,title kitty(0.32.2)", old, KITTY},
      {"all  ghostty 1.0", old, KITTY},
      {"off 256 kitty(0.32.2)", old, BLOCKS},
      {"on 256 xterm(388)", old, BLOCKS},
      {"  kitty(0.32.2)", old, BLOCKS},
      {"on 256,RGB,sixel,title foot(1.16)", new, SIXEL},
      {"off sixel foot(1.16)", new, SIXEL},
      {"off sixel foot(1.16)", old, BLOCKS},
      {"off 256,RGB,title xterm(388)", new, BLOCKS},
      {"off nosixel,sixels sixel", new, BLOCKS},
      {"on sixel kitty(0.32.2)", new, KITTY},
      {"off  ", new, BLOCKS}, /* no client is attached */
      {"", new, BLOCKS},
      {NULL, new, BLOCKS}};
  static const Tmux elsewhere = {"on sixel kitty(0.32.2)", new, BLOCKS};
  char folder[] = "/tmp/mettle-tmux-XXXXXX", script[128], path[512];
  assert_non_null(mkdtemp(folder));
  snprintf(script, sizeof script, "%s/tmux", folder);
  snprintf(path, sizeof path, "PATH=%s:/usr/bin:/bin", folder);
  const char *words[] = {path, "TERM=tmux-256color", "TMUX=/tmp/none,1,0",
                         "TMUX_PANE=%0", NULL};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    play_tmux(&cases[i], words, script);
  words[2] = NULL; /* by ssh from inside a tmux, which cannot be asked */
  play_tmux(&elsewhere, words, script);
  unlink(script), rmdir(folder);
}

/* Keys typed while the terminal was asked arrive at the prompt, in order. */
static void test_typed_ahead(void **state) {
  (void)state;
  Player p = {.name = "kitty(0.32.2)",
              .kind = "\033[?62;c",
              .kitty = true,
              .typed = "print(6 * 7, \"ahead\")\r"};
  start(&p, plain, NULL);
  play(&p, 0, "mettle> ");
  size_t from = p.seen.length;
  send(&p, "image{{0, 1}}\r");
  play(&p, from, "\033_Ga=T");
  play(&p, from, "42\tahead");
  send(&p, "image{{0, 1}} print(\"again\")\r"); /* the answer is known now */
  play(&p, from, "again\n");
  const char *second = strstr(p.seen.text + from, "42\tahead");
  assert_null(strstr(second, "\033[c"));
  finish(&p);
}

/* Answers that come after the wait are not typed into the line. */
static void test_late(void **state) {
  (void)state;
  Player p = {.late = true};
  start(&p, plain, NULL);
  play(&p, 0, "mettle> ");
  size_t from = p.seen.length;
  send(&p, "image{{0, 1}}\r");
  play(&p, from, "▀"); /* or blanks, with a colour */
  send(&p, "\033P>|kitty(0.32.2)\033\\\033_Gi=31;OK\033\\"
           "\033[?62;1;2;3;4;6;7;8;9;15;18;21;22;23;24;28;29c");
  send(&p, "print(\"li\" .. \"ne\")\r");
  play(&p, from, "line\n");
  const char *echo = strstr(p.seen.text + from, "print");
  assert_null(strstr(echo, "kitty"));
  assert_null(strstr(echo, "OK"));
  assert_null(strstr(echo, "62;"));
  finish(&p);
}

/* A texture typed at the prompt is a line and a picture. */
static void test_texture(void **state) {
  (void)state;
  Player p = {.name = "kitty(0.32.2)", .kind = "\033[?62;c", .kitty = true};
  start(&p, plain, NULL);
  play(&p, 0, "mettle> ");
  size_t from = p.seen.length;
  send(&p, "gpu.texture(\"rgba8unorm\", 4, 4)\r");
  play(&p, from, "texture2d rgba8unorm, 4 × 4\n");
  play(&p, from, "\033_Ga=T");
  play(&p, from, "\033\\\n");
  finish(&p);
}

static int find_program(void **state) {
  static char folder[4096], program[4200];
  (void)state;
  snprintf(folder, sizeof folder, "%s", mt_program_path());
  for (int i = 0; i < 2; i++) *strrchr(folder, '/') = '\0';
  snprintf(program, sizeof program, "%s/mettle", folder);
  setenv("METTLE_LIB", folder, 0);
  return setenv("METTLE", program, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kitty),       cmocka_unit_test(test_iterm),
      cmocka_unit_test(test_sixel),       cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_silence),     cmocka_unit_test(test_environment),
      cmocka_unit_test(test_far),         cmocka_unit_test(test_tmux),
      cmocka_unit_test(test_typed_ahead), cmocka_unit_test(test_late),
      cmocka_unit_test(test_texture)};
  return cmocka_run_group_tests_name("picture_terminal", tests, find_program,
                                     NULL);
}
