/*
** commands.c - the table of subcommands.
*/
#include "repl/commands/commands.h"

#include <stdio.h>
#include <string.h>

/* Of the sets of lessons beside the course. */
#define SET_OPTIONS                                                       \
  "  N, NAME            open that one, then the prompt\n"                 \
  "  list               what there is, and what of it you have passed\n"  \
  "  watch N            check your file whenever you save it\n"           \
  "  check [FILE...]    check your file, or these, as answers\n"          \
  "  --task NAME        what they answer, if their names do not say it\n" \
  "  check DIR...       for those who write them, as for lessons\n"       \
  "  --time-limit S     seconds that one may take\n"                      \
  "  notebook N...      number N, a name or all, as Jupyter notebooks\n"  \
  "  -o FOLDER          where to; here\n"

const mt_Command mt_commands[] = {
    {"compile", "compile FILE.metal...",
     "Metal sources: their kernels, or what is wrong", mt_command_compile,
     NULL},
    {"check", "check FILE.metal ...",
     "a kernel's accesses: races, bounds, barriers", mt_command_check, NULL},
    {"devices", "devices", "what can run kernels here", mt_command_devices, ""},
    {"doctor", "doctor [--report]",
     "what is here, what is missing, what fixes it", mt_command_doctor,
     "  --report [FILE]    what we would ask for, with kernels tried, as one "
     "file\n"
     "  --only WORD        of those kernels the ones with this word in their "
     "name\n"},
    {"bench", "bench -o CARD", "the standard suite of kernels, as a card",
     mt_command_bench,
     "  -o CARD.json       keep the card, for mettle cards\n"
     "  --only WORD        the kernels with this word in their name\n"
     "  --devices LIST     on these devices (host,cuda; all), side by side\n"},
    {"cards", "cards CARD ...", "cards of several machines side by side",
     mt_command_cards, ""},
    {"play", "play FILE.metal ...",
     "a kernel, frame after frame, as a moving picture", mt_command_play, NULL},
    {"present", "present DEMO.lua ...",
     "a script step by step, in front of a room", mt_command_present, NULL},
    {"jupyter", "jupyter install",
     "notebooks: make Mettle one of Jupyter's kernels", mt_command_jupyter,
     NULL},
    {"opt", "opt PASS FILE.ll", "LLVM IR after one pass of the engine",
     mt_command_opt, NULL},
    {"lesson", "lesson [N|NAME] ...",
     "the course: lesson 4 opens one; --help has more",
     mt_command_lesson,
     "  N, NAME            open that lesson, then the prompt; N STEP at a "
     "step\n"
     "                     neither: where you were\n"
     "  list               the course, and what of it you have passed\n"
     "  watch [N]          check your file whenever you save it\n"
     "  check [FILE...]    check your file, or these, as answers\n"
     "  --task NAME        what they answer, if their names do not say it\n"
     "  hint, solution, reset, edit, task, run, next, back\n"
     "                     as at the prompt, for the lesson that is open\n"
     "  check DIR...       for those who write lessons: all that they claim\n"
     "  --time-limit S     seconds that one lesson may take\n"
     "  notebook N...      lesson N, a name or all, as Jupyter notebooks\n"
     "  -o FOLDER          where to; here\n"
     "  share FOLDER       tell a class what you passed, and nothing else\n"
     "  --as NAME          under this name\n"
     "  class FOLDER       who passed what; with -o PAGE.html as a page\n"
     "exit status of check: 0 right, 1 wrong, 2 there was nothing to "
     "check\n"},
    {"puzzle", "puzzle [N|NAME] ...", "the same for puzzles",
     mt_command_lesson, SET_OPTIONS},
    {"capstone", "capstone [N|NAME] ...", "the same for capstones",
     mt_command_lesson, SET_OPTIONS},
};

const size_t mt_command_count = sizeof mt_commands / sizeof *mt_commands;

bool mt_command_help(const mt_Command *c, int argc, char **argv) {
  if (c->options == NULL || argc != 2) return false;
  if (strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0)
    return false;
  printf("usage: mettle %s\n%s: %s\n%s", c->usage, c->name, c->what,
         c->options);
  return true;
}
