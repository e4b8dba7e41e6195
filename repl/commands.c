/*
** commands.c - the table of subcommands.
*/
#include "repl/commands.h"

const mt_Command mt_commands[] = {
    {"compile", "compile FILE.metal...",
     "check Metal sources: their kernels, or what is wrong",
     mt_command_compile},
    {"check", "check FILE.metal ...",
     "check every access of a kernel: races, bounds, barriers",
     mt_command_check},
    {"devices", "devices", "what can run kernels here", mt_command_devices},
    {"doctor", "doctor [--report]",
     "what this machine has, what is missing, what fixes it",
     mt_command_doctor},
    {"bench", "bench -o CARD", "the standard suite of kernels, as a card",
     mt_command_bench},
    {"cards", "cards CARD ...", "cards of several machines side by side",
     mt_command_cards},
    {"lesson", "lesson check DIR...",
     "try everything that a lesson claims, for those who write them",
     mt_command_lesson},
};

const size_t mt_command_count = sizeof mt_commands / sizeof *mt_commands;
