/*
** options.h - the command line.
*/
#ifndef MT_OPTIONS_H
#define MT_OPTIONS_H

#include <stdbool.h>

#include "repl/commands/commands.h"

typedef struct mt_Options {
  bool version, help, interactive;
  bool validate, capture; /* Metal's, see repl/reexec.h */
  const char **code; /* each -e, in order; owned */
  int code_count;
  const char *file;          /* "-" is standard input; NULL if none */
  const mt_Command *command; /* instead of a file; NULL if none */
  int argc;                  /* of the file or command, its name first */
  char **argv;
} mt_Options;

/* Read argv. False: it is invalid, and one sentence was printed. */
bool mt_options_read(int argc, char **argv, mt_Options *out);
void mt_options_free(mt_Options *o);

void mt_options_help(void); /* to standard output */

/* The best match for a mistyped 'word' among the commands, or NULL. */
const char *mt_options_nearest_command(const char *word);

#endif
