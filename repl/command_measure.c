/*
** command_measure.c - mettle bench and mettle cards: the functions main of
** lua/bench.lua and lua/cards.lua, with the words of the command line.
*/
#include "repl/commands.h"
#include "repl/session.h"

int mt_command_bench(int argc, char **argv) {
  return mt_session_main("require('lua.bench').main(arg)", argc, argv);
}

int mt_command_cards(int argc, char **argv) {
  return mt_session_main("require('lua.cards').main(arg)", argc, argv);
}
