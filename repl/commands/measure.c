/*
** measure.c - mettle bench, cards, check and play: call main of
** lua/measure/bench.lua, lua/measure/cards.lua, lua/check/command.lua and
** lua/play/command.lua with the arguments of the command line.
*/
#include "repl/commands/commands.h"
#include "repl/lua/session.h"

int mt_command_bench(int argc, char **argv) {
  return mt_session_main("require('lua.measure.bench').main(arg)", argc, argv);
}

int mt_command_cards(int argc, char **argv) {
  return mt_session_main("require('lua.measure.cards').main(arg)", argc, argv);
}

int mt_command_check(int argc, char **argv) {
  return mt_session_main("require('lua.check.command').main(arg)", argc, argv);
}

int mt_command_play(int argc, char **argv) {
  return mt_session_main("require('lua.play.command').main(arg)", argc, argv);
}
