/*
** main.c - the program: carries out the command line, in order, and returns the
** exit status.
*/
#include <lua.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/advice.h"
#include "base/build_id.h"
#include "base/files/file.h"
#include "base/notice.h"
#include "base/process/worker_process.h"
#include "base/version.h"
#include "devices/report.h"
#include "lua/bind/core/advice.h"
#include "lua/mettle.h"
#include "lua/report_worker.h"
#include "repl/commands/commands.h"
#include "repl/console/console.h"
#include "repl/lua/interrupt.h"
#include "repl/lua/report.h"
#include "repl/lua/run.h"
#include "repl/lua/session.h"
#include "repl/options.h"
#include "repl/reexec.h"

/* Shown on a line of its own on the terminal, cleared when the work is over. */
static void show_notice(const char *text) {
  fprintf(stderr, "\r\033[K%s", text ? text : "");
  fflush(stderr);
}

static void show_warning(const char *text) {
  fprintf(stderr, "%smettle: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
          text);
}

/* If there is no such file, the word may be a mistyped command. */
static bool file_is_there(const char *file) {
  if (strcmp(file, "-") == 0 || mt_file_exists(file)) return true;
  const char *command = mt_options_nearest_command(file);
  if (command)
    mt_complain("no file %s; did you mean `mettle %s`?", file, command);
  else
    mt_complain("no file %s", file);
  return false;
}

static mt_Exit run_all(lua_State *L, const mt_Options *o) {
  mt_Exit status = MT_EXIT_OK;
  bool asked = o->code_count > 0 || o->file != NULL;
  bool console = o->interactive || (!asked && isatty(STDIN_FILENO));
  if (!console) mt_session_script(L);
  for (int i = 0; i < o->code_count && status == MT_EXIT_OK; i++)
    status = mt_run_code(L, o->code[i]);
  if (o->file && status == MT_EXIT_OK)
    status = mt_run_file(L, o->file, o->argc, o->argv);
  if (console) {
    mt_console(L, true);
    return MT_EXIT_OK;
  }
  char *none[] = {(char *)"-", NULL};
  if (!asked) status = mt_run_file(L, "-", 1, none);
  return status == MT_EXIT_OK ? (mt_Exit)mt_session_verdict(L) : status;
}

static mt_Exit run_lua(const mt_Options *o) {
  if (o->file && !file_is_there(o->file)) return MT_EXIT_USAGE;
  lua_State *L = mt_session_open();
  if (L == NULL) return MT_EXIT_ERROR;
  if (isatty(STDERR_FILENO)) mt_lua_for_person(L);
  mt_Exit status = run_all(L, o);
  mt_interrupt_close(L);
  return status;
}

static int run(const mt_Options *o, char **argv) {
  mt_advice_set(&mt_lua_advice);
  if (isatty(STDERR_FILENO)) mt_notice_set(show_notice);
  mt_warning_set(show_warning);
  if (o->version) {
    printf("mettle %s\n", MT_VERSION);
    return 0;
  }
  if (o->help) {
    mt_options_help();
    return 0;
  }
  if (!mt_reexec_with(o->validate, o->capture, argv)) return MT_EXIT_ERROR;
  if (o->command && mt_command_help(o->command, o->argc, o->argv)) return 0;
  if (o->command) return o->command->run(o->argc, o->argv);
  return run_lua(o);
}

/* Be a worker process of another Mettle. */
static int serve(const char *word) {
  if (strcmp(word, MT_BUILD_ID_WORD) == 0) return puts(mt_build_id) < 0;
  if (strcmp(word, MT_REPORT_WORD) == 0) return mt_report_serve();
  int status;
  return mt_device_serve(word, &status) ? status : MT_EXIT_USAGE;
}

int main(int argc, char **argv) {
  mt_Options options;
  int status = MT_EXIT_USAGE;
  mt_file_keep_standard();
  const char *word = mt_worker_process_asked(argc, argv);
  if (word) return serve(word);
  mt_worker_process_offer();
  if (mt_options_read(argc, argv, &options)) status = run(&options, argv);
  mt_options_free(&options);
  /* A full disk or a closed pipe at standard output is an error too. */
  if ((fflush(stdout) != 0 || ferror(stdout)) && status == 0) {
    fprintf(stderr, "mettle: standard output could not be written\n");
    status = MT_EXIT_ERROR;
  }
  return status;
}
