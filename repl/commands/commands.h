/*
** commands.h - the subcommands: mettle devices, mettle doctor, …
**
** A command is a function in a file of this folder and one line of the table
** in commands.c. Its function gets the rest of the command line (argv[0] is the
** name), prints to standard output and returns the exit status.
*/
#ifndef MT_COMMANDS_H
#define MT_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mt_Command {
  const char *name;
  const char *usage; /* "devices": name and arguments */
  const char *what;  /* one line for --help */
  int (*run)(int argc, char **argv);
  /* lines for its --help; NULL: it has a text of its own */
  const char *options;
} mt_Command;

extern const mt_Command mt_commands[];
extern const size_t mt_command_count;

/* Print what mettle NAME --help says; false: the command does it itself. */
bool mt_command_help(const mt_Command *c, int argc, char **argv);

int mt_command_compile(int argc, char **argv);
int mt_command_check(int argc, char **argv);
int mt_command_devices(int argc, char **argv);
int mt_command_doctor(int argc, char **argv);
int mt_command_bench(int argc, char **argv);
int mt_command_cards(int argc, char **argv);
int mt_command_play(int argc, char **argv);
int mt_command_present(int argc, char **argv);
int mt_command_jupyter(int argc, char **argv);
int mt_command_opt(int argc, char **argv);
int mt_command_lesson(int argc, char **argv);

#endif
