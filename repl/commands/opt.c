/*
** opt.c - mettle opt: a text of LLVM IR after one of our passes, or the
** answer to a question about it.
**
** The one idea: LLVM may crash over a text that its verifier lets pass, so the
** work is done in a copy of this process (base/process/worker_process.h), and
** its end is a sentence here.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/process/worker_process.h"
#include "devices/compiler_module.h"
#include "devices/opt/opt.h"
#include "repl/commands/commands.h"
#include "repl/lua/report.h"
#include "repl/lua/run.h"

#define MAX_FILE (256u << 20)
#define SECONDS 60.0 /* of processor time, for all passes together */

static const char usage[] =
    "usage: mettle opt PASS[,PASS...] [FILE]   (- or none: standard input)\n"
    "prints the LLVM IR of FILE, a .ll or .bc, after these passes of Mettle's\n"
    "engine, or the answers to questions about its kernel\n"
    "  --list             the passes and questions, a line each\n"
    "  --kernel NAME      the kernel; if not given, the first function with a\n"
    "                     body that is not internal\n"
    "  --group X[,Y[,Z]]  threads of a threadgroup; 256\n"
    "  --target NAMES     another machine: triple,cpu,+feature,...\n"
    "  --file NAME        of several source files the one that lines are of\n"
    "  --no-overlap       no buffer that is written overlaps another\n"
    "  --long-rows        rows of the grid are long: they may be groups\n"
    "a parameter of the kernel is a buffer if it is a pointer (ptr "
    "\"constant\"\n"
    "%p is one in constant memory), or has the name of what it is, such as\n"
    "%thread_position_in_grid; docs/engine.md has an example\n"
    "exit status: 0 printed, 1 refused, 2 it could not be tried\n";

/* ---------------------------------------------------- in the copy's process */

/* The answer: the status, the error, and what is to be printed. */
static void work(void *context, const void *question, size_t size,
                 mt_Str *answer) {
  const mt_OptRequest *request = context;
  (void)question, (void)size;
  mt_Error err = {""};
  mt_Str out = MT_STR_INIT;
  const mt_OptTool *tool = mt_compiler_symbol(MT_OPT_TOOL, &err);
  mt_Status status = tool ? tool->run(request, &out, &err) : MT_FAIL;
  mt_str_add_bytes(answer, &status, sizeof status);
  mt_str_add_bytes(answer, &err, sizeof err);
  mt_str_add(answer, mt_str_text(&out));
  mt_str_free(&out);
}

/* ---------------------------------------------------------------- this one */

static mt_Status ask(mt_OptRequest *request, mt_Str *answer, mt_Error *err) {
  mt_WorkerProcess *worker = mt_worker_process_new(NULL, work, request, NULL);
  mt_Question q = {.bytes = "", .size = 1, .seconds = SECONDS};
  mt_Status status = MT_OK;
  mt_Error how = {""};
  if (worker) status = mt_worker_process_ask(worker, &q, answer, &how);
  else work(request, NULL, 0, answer);
  if (status != MT_OK)
    mt_error(err, status, "%s: LLVM did not survive this: %s", request->name,
             how.text);
  mt_worker_process_free(worker);
  return status;
}

static int print(const mt_Str *answer) {
  mt_Status status;
  mt_Error err;
  size_t head = sizeof status + sizeof err;
  if (answer->length < head) return 1;
  memcpy(&status, answer->text, sizeof status);
  memcpy(&err, answer->text + sizeof status, sizeof err);
  fputs(answer->text + head, stdout);
  if (status == MT_OK) return 0;
  mt_complain("opt: %s", err.text);
  return 1;
}

static int run(mt_OptRequest *request) {
  mt_Str answer = MT_STR_INIT;
  mt_Error err;
  int code = 1;
  if (ask(request, &answer, &err) == MT_OK) code = print(&answer);
  else mt_complain("opt: %s", err.text);
  mt_str_free(&answer);
  return code;
}

static int list(void) {
  mt_Error err;
  mt_Str out = MT_STR_INIT;
  const mt_OptTool *tool = mt_compiler_symbol(MT_OPT_TOOL, &err);
  if (!tool) {
    mt_complain("opt: %s", err.text);
    return MT_EXIT_USAGE;
  }
  tool->list(&out);
  fputs(mt_str_text(&out), stdout);
  mt_str_free(&out);
  return 0;
}

static int run_file(mt_OptRequest *request, const char *path) {
  mt_Str text = MT_STR_INIT;
  mt_Error err;
  bool piped = path == NULL || strcmp(path, "-") == 0;
  request->name = piped ? "standard input" : path;
  int code = MT_EXIT_USAGE;
  if ((piped ? mt_file_read_fd(STDIN_FILENO, request->name, MAX_FILE, &text,
                               &err)
             : mt_file_read(path, MAX_FILE, &text, &err)) == MT_OK) {
    request->text = mt_str_text(&text);
    request->size = text.length;
    code = run(request);
  } else mt_complain("opt: %s", err.text);
  mt_str_free(&text);
  return code;
}

/* ----------------------------------------------------------------- options */

static bool read_group(const char *text, unsigned group[3]) {
  char end;
  group[1] = group[2] = 1;
  int n = sscanf(text, "%4u,%4u,%4u%c", &group[0], &group[1], &group[2], &end);
  return n >= 1 && n <= 3 && text[strspn(text, "0123456789,")] == '\0' &&
         group[0] && group[1] && group[2] &&
         (uint64_t)group[0] * group[1] * group[2] <= 1024;
}

/* Where the value of an option that takes one goes; NULL: it takes none. */
static const char **place_of(const char *option, mt_OptRequest *r,
                             const char **group) {
  if (strcmp(option, "--kernel") == 0) return &r->kernel;
  if (strcmp(option, "--target") == 0) return &r->target;
  if (strcmp(option, "--file") == 0) return &r->file;
  return strcmp(option, "--group") == 0 ? group : NULL;
}

/* 0: all are read; else the exit status, and the reason was said. */
static int read_options(int argc, char **argv, mt_OptRequest *r,
                        const char **file) {
  const char *group = NULL;
  for (int i = 1; i < argc; i++) {
    const char **place = place_of(argv[i], r, &group);
    if (strcmp(argv[i], "--no-overlap") == 0) r->no_overlap = true;
    else if (strcmp(argv[i], "--long-rows") == 0) r->long_rows = true;
    else if (place && i + 1 < argc) *place = argv[++i];
    else if (place) {
      mt_complain("opt: %s needs something after it", argv[i]);
      return MT_EXIT_USAGE;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      mt_complain("opt: unknown option %s; mettle opt --help has them all",
                  argv[i]);
      return MT_EXIT_USAGE;
    } else if (!r->passes) r->passes = argv[i];
    else if (!*file) *file = argv[i];
    else {
      mt_complain("opt: one file, please, not %s too", argv[i]);
      return MT_EXIT_USAGE;
    }
  }
  if (group && !read_group(group, r->group)) {
    mt_complain("opt: --group takes up to 1024 threads, as 256 or 16,16, not "
                "%s", group);
    return MT_EXIT_USAGE;
  }
  if (r->passes) return 0;
  mt_complain("opt: no pass given; mettle opt --list has them all");
  return MT_EXIT_USAGE;
}

static bool is_asked(int argc, char **argv, const char *a, const char *b) {
  return argc == 2 && (strcmp(argv[1], a) == 0 || strcmp(argv[1], b) == 0);
}

int mt_command_opt(int argc, char **argv) {
  mt_OptRequest request = {0};
  const char *file = NULL;
  if (is_asked(argc, argv, "--help", "-h")) {
    fputs(usage, stdout);
    return 0;
  }
  if (is_asked(argc, argv, "--list", "--list")) return list();
  int code = read_options(argc, argv, &request, &file);
  return code ? code : run_file(&request, file);
}
