/*
** lesson.c - mettle lesson: the course from the shell
** (lua/lesson/command.lua and others), and mettle lesson check DIR...: the
** linter of lessons (lua/lint/lint.lua), for their authors; mettle puzzle and
** mettle capstone are the same command over other sets of lessons.
**
** The linter's one idea: a lesson is code, perhaps untrusted, so each is
** checked in a separate process, with limits and in a folder of its own. At its
** end the linter there prints a secret word that only it was given; a lesson
** whose code ends the process earlier has not passed.
*/
#define _GNU_SOURCE
#include <ftw.h>
#include <lauxlib.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/files/confine.h"
#include "base/files/folders.h"
#include "base/process/child.h"
#include "lua/mettle.h"
#include "repl/commands/commands.h"
#include "repl/console/console.h"
#include "repl/lua/interrupt.h"
#include "repl/lua/run.h"
#include "repl/lua/session.h"

#define SECONDS 60.0                     /* of processor time, for a lesson */
#define OUTPUT ((size_t)4 << 20)         /* bytes that it may print */
#define MEMORY ((rlim_t)4 << 30)
#define FILE_BYTES ((rlim_t)256 << 20)   /* of a file that it writes */
#define WORD 32

static int usage(void) {
  fprintf(stderr,
          "usage: mettle lesson check DIR... [--time-limit SECONDS]\n"
          "mettle lesson --help lists what else there is.\n");
  return MT_EXIT_USAGE;
}

/* -------------------------------------------------------- the inner process */

static void limit(int what, rlim_t most) {
  struct rlimit l;
  if (getrlimit(what, &l) != 0) return;
  if (l.rlim_cur == RLIM_INFINITY || l.rlim_cur > most) l.rlim_cur = most;
  setrlimit(what, &l);
}

/* lesson inside FOLDER SCRATCH NAME */
static int run_inside(int argc, char **argv) {
  static const char code[] = "require('lua.lint.lint').inside(arg)";
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit(RLIMIT_DATA, MEMORY);
#endif
  limit(RLIMIT_FSIZE, FILE_BYTES);
  lua_State *L = luaL_newstate();
  if (L == NULL) return MT_EXIT_ERROR;
  mt_lua_open(L);
  mt_interrupt_open(L);
  lua_createtable(L, argc - 2, 0);
  for (int i = 2; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  mt_Exit status = mt_run_code(L, code);
  lua_close(L);
  return status;
}

/* -------------------------------------------------------- the outer process */

/* Ctrl-C reaches only this process; the inner one has its own process group. */
static void on_interrupt(int signal_number) {
  (void)signal_number;
  mt_cancel_request();
}

static bool make_word(char word[WORD + 1]) {
  unsigned char random[WORD / 2];
  FILE *f = fopen("/dev/urandom", "rb");
  bool ok = f && fread(random, sizeof random, 1, f) == 1;
  if (f) fclose(f);
  for (size_t i = 0; ok && i < sizeof random; i++)
    snprintf(word + 2 * i, 3, "%02x", random[i]);
  return ok;
}

static int remove_one(const char *path, const struct stat *s, int kind,
                      struct FTW *at) {
  (void)s, (void)kind, (void)at;
  remove(path);
  return 0;
}

static void put(FILE *to, const char *text, size_t n) {
  mt_Str shown = MT_STR_INIT;
  mt_str_add_visible(&shown, text, n, "\n\t");
  fputs(mt_str_text(&shown), to);
  mt_str_free(&shown);
}

/* Cut 'out' at the word. Returns the number of problems that follows it, or -1
** if the word is missing. */
static int read_end(mt_Str *out, const char *word) {
  char *at = NULL;
  for (char *s = out->text; s && (s = strstr(s, word)) != NULL; s++) at = s;
  if (at == NULL) return -1;
  int problems = atoi(at + WORD);
  *at = '\0';
  out->length = (size_t)(at - out->text);
  return problems;
}

static const char *why_ended(int code) {
  return code >= 128 ? "its code crashed the process that checks it"
                     : "its code ended the check before the end";
}

/* Check one lesson; true if it passes. */
static bool judge(const char *name, const char *folder, const char *scratch,
                  double seconds) {
  const char *argv[] = {mt_program_path(), "lesson", "inside", folder,
                        scratch,           name,     NULL};
  mt_ChildLimits limits = {seconds, 0, OUTPUT, 0};
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  mt_Child *child;
  mt_Error err = {""};
  char word[WORD + 1];
  int code = -1, problems = -1;
  mt_Status status =
      make_word(word) ? mt_child_start(argv, &limits, &child, &err)
                      : mt_error(&err, MT_FAIL, "/dev/urandom cannot be read");
  if (status == MT_OK)
    status = mt_child_finish(child, word, WORD, &out, &said, &code, &err);
  if (status == MT_OK) problems = read_end(&out, word);
  put(stderr, mt_str_text(&said), said.length);
  put(stdout, mt_str_text(&out), out.length);
  if (status == MT_TIMEOUT)
    printf("%s: stopped: it %s; --time-limit %g gives it more\n", name,
           err.text, 4 * seconds);
  else if (status != MT_OK && status != MT_CANCELLED)
    printf("%s: stopped: %s\n", name, err.text);
  else if (status == MT_OK && problems < 0)
    printf("%s: %s\n", name, why_ended(code));
  fflush(stdout);
  mt_str_free(&out);
  mt_str_free(&said);
  return status == MT_OK && problems == 0;
}

static bool check_one(const char *name, double seconds) {
  char scratch[PATH_MAX], folder[PATH_MAX];
  const char *tmp = getenv("TMPDIR");
  snprintf(scratch, sizeof scratch, "%s/mettle-lesson-XXXXXX",
           tmp && tmp[0] ? tmp : "/tmp");
  if (realpath(name, folder) == NULL) {
    printf("%s: there is no such folder\n", name);
    return false;
  }
  if (mkdtemp(scratch) == NULL) {
    fprintf(stderr, "mettle: %s cannot be made\n", scratch);
    return false;
  }
  bool good = judge(name, folder, scratch, seconds);
  nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  return good;
}

/* Call main(arg, word) of a module in Lua, where 'word' is "lesson", "puzzle"
** or "capstone": what the command is called. At a terminal the prompt follows
** if it leaves "console" in arg.wants. */
static int run_module(const char *module, int argc, char **argv) {
  char code[128];
  lua_State *L = mt_session_open();
  if (L == NULL) return MT_EXIT_ERROR;
  if (isatty(STDERR_FILENO)) mt_lua_for_person(L);
  mt_session_arguments(L, argc, argv);
  snprintf(code, sizeof code, "require('%s').main(arg, '%s')", module,
           argv[0]);
  int status = mt_run_code(L, code);
  if (status != MT_EXIT_INTERRUPTED) status = mt_session_status(L, status);
  if (status == MT_EXIT_OK && isatty(STDIN_FILENO) &&
      mt_session_wants(L, "console"))
    mt_console(L, false);
  mt_interrupt_close(L);
  return status;
}

static bool is_folder(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Is it the linter that is called, for folders, and not the judge of answers,
** for files? */
static bool checks_folders(int argc, char **argv) {
  if (argc < 3 || strcmp(argv[1], "check") != 0) return false;
  bool time_limit = false;
  for (int i = 2; i < argc; i++) {
    if (is_folder(argv[i])) return true;
    time_limit = time_limit || strcmp(argv[i], "--time-limit") == 0;
  }
  return time_limit;
}

/* Move folders to the front of 'argv'; returns their number, or -1 if the
** command line is wrong. */
static int read_words(int argc, char **argv, double *seconds) {
  int n = 0;
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--time-limit") == 0) {
      *seconds = i + 1 < argc ? atof(argv[++i]) : 0;
      if (!(*seconds >= 1)) return -1;
    } else
      argv[n++] = argv[i];
  return n ? n : -1;
}

int mt_command_lesson(int argc, char **argv) {
  double seconds = SECONDS;
  if (argc == 5 && strcmp(argv[1], "inside") == 0)
    return run_inside(argc, argv);
  static const char *const modules[][2] = {{"list", "lua.lesson.lesson"},
                                           {"notebook", "lua.lesson.notebook"},
                                           {"share", "lua.lesson.class"},
                                           {"class", "lua.lesson.class"}};
  for (size_t i = 0; argc > 1 && i < sizeof modules / sizeof *modules; i++)
    if (strcmp(argv[1], modules[i][0]) == 0)
      return run_module(modules[i][1], argc, argv);
  if (!checks_folders(argc, argv))
    return run_module("lua.lesson.command", argc, argv);
  int count = read_words(argc, argv, &seconds);
  if (count < 0) return usage();
  struct sigaction act = {.sa_handler = on_interrupt};
  sigaction(SIGINT, &act, NULL);
  mt_Exit status = MT_EXIT_OK;
  if (mt_confine_weakness())
    fprintf(stderr, "mettle: note: %s\n", mt_confine_weakness());
  for (int i = 0; i < count && !mt_cancelled(); i++) {
    size_t n = strlen(argv[i]);
    while (n > 1 && argv[i][n - 1] == '/') argv[i][--n] = '\0';
    if (!check_one(argv[i], seconds)) status = MT_EXIT_ERROR;
  }
  if (mt_cancelled()) fprintf(stderr, "mettle: interrupted\n");
  return mt_cancelled() ? MT_EXIT_INTERRUPTED : status;
}
