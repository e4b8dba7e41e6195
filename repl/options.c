/*
** options.c - reads the command line.
*/
#include "repl/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/distance.h"
#include "repl/lua/report.h"

static const struct {
  const char *letter, *word, *argument, *what;
} options[] = {
    {"-e", NULL, "CODE", "run CODE; a bare expression prints its value"},
    {"-i", "--interactive", NULL, "enter the console after FILE or CODE"},
    {"-v", "--version", NULL, "print the version"},
    {"-h", "--help", NULL, "print this"},
    {NULL, "--validate", NULL, "on a Mac: with Metal's own validation"},
    {NULL, "--capture", NULL, "on a Mac: so that gpu.capture is allowed"},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* ---------------------------------------------------------- nearest matches */

static void consider(const char *word, const char *known, const char **best,
                     size_t *least) {
  if (known == NULL) return;
  size_t d = mt_distance(word, known);
  if (d < *least) {
    *least = d;
    *best = known;
  }
}

const char *mt_options_nearest_command(const char *word) {
  const char *best = NULL;
  size_t least = 3;
  for (size_t i = 0; i < mt_command_count; i++)
    consider(word, mt_commands[i].name, &best, &least);
  return best;
}

static void complain_unknown(const char *word) {
  const char *best = NULL;
  size_t least = (size_t)-1;
  for (size_t i = 0; i < OPTIONS; i++) {
    consider(word, options[i].letter, &best, &least);
    consider(word, options[i].word, &best, &least);
  }
  bool close = least <= (strlen(word) > 4 ? 4u : 1u);
  if (close)
    mt_complain("unknown option %s; did you mean %s?", word, best);
  else
    mt_complain("unknown option %s; mettle --help lists them", word);
}

/* ------------------------------------------------------------------ reading */

static const mt_Command *command_named(const char *name) {
  for (size_t i = 0; i < mt_command_count; i++)
    if (strcmp(mt_commands[i].name, name) == 0) return &mt_commands[i];
  return NULL;
}

static bool is(const char *word, int option) {
  return (options[option].letter &&
          strcmp(word, options[option].letter) == 0) ||
         (options[option].word && strcmp(word, options[option].word) == 0);
}

/* Read the option at argv[*i]; '*i' moves past its argument, if it has one. */
static bool read_option(int argc, char **argv, int *i, mt_Options *out) {
  const char *word = argv[*i];
  if (strncmp(word, "-e", 2) == 0) {
    const char *code = word[2] ? word + 2 : *i + 1 < argc ? argv[++*i] : NULL;
    if (code == NULL) {
      fprintf(stderr,
              "mettle: -e needs code after it: mettle -e 'print(1)'\n");
      return false;
    }
    out->code[out->code_count++] = code;
  } else if (is(word, 1)) {
    out->interactive = true;
  } else if (is(word, 2)) {
    out->version = true;
  } else if (is(word, 3)) {
    out->help = true;
  } else if (is(word, 4)) {
    out->validate = true;
  } else if (is(word, 5)) {
    out->capture = true;
  } else {
    complain_unknown(word);
    return false;
  }
  return true;
}

bool mt_options_read(int argc, char **argv, mt_Options *out) {
  memset(out, 0, sizeof *out);
  out->code = calloc((size_t)argc + 1, sizeof *out->code);
  if (out->code == NULL) return false;
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
    if (strcmp(argv[i], "--") == 0) {
      i++;
      break;
    }
    if (!read_option(argc, argv, &i, out)) return false;
  }
  if (i == argc) return true;
  bool plain = i > 0 && strcmp(argv[i - 1], "--") != 0;
  out->command = plain ? command_named(argv[i]) : NULL;
  if (out->command == NULL) out->file = argv[i];
  out->argc = argc - i;
  out->argv = argv + i;
  return true;
}

void mt_options_free(mt_Options *o) {
  free(o->code);
  o->code = NULL;
}

/* --------------------------------------------------------------------- help */

void mt_options_help(void) {
  printf(
      "mettle: a Lua console for Metal compute kernels\n\n"
      "  mettle                        the console\n"
      "  mettle [OPTIONS] FILE ...     run a Lua file; ... becomes its arg\n"
      "  mettle < FILE                 the same, from standard input\n");
  for (size_t i = 0; i < mt_command_count; i++)
    printf("  mettle %-22s %s\n", mt_commands[i].usage, mt_commands[i].what);
  printf("\n");
  for (size_t i = 0; i < OPTIONS; i++) {
    char names[64];
    const char *letter = options[i].letter, *word = options[i].word;
    snprintf(names, sizeof names, "%s%s%s%s%s", letter ? letter : "   ",
             word ? letter ? ", " : " " : "", word ? word : "",
             options[i].argument ? " " : "",
             options[i].argument ? options[i].argument : "");
    printf("  %-29s %s\n", names, options[i].what);
  }
  printf(
      "\nNO_COLOR=1 switches colours off, METTLE_THREADS=n limits the cores "
      "used.\n"
      "\nExit status: 0 done, or right; 1 an error, or a wrong answer; 2 the\n"
      "command line is wrong, or there was nothing to judge; 130 Ctrl-C. A\n"
      "verdict that is shown counts: mettle -e 'lesson(4) check()' ends with\n"
      "1 while the answer is wrong.\n");
}
