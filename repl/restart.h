/*
** restart.h - options that macOS wants to know before the program starts.
**
** Metal reads its environment variables when it is loaded or makes its first
** device. So --validate and --capture set them and start the program anew, with
** the same words; the second time they are set and there is nothing to do.
*/
#ifndef MT_RESTART_H
#define MT_RESTART_H

#include <stdbool.h>

/*
** Give the program what 'validate' and 'capture' need. True: it has it, go on.
** False: this machine has no Metal, or the program could not be started again;
** one sentence says so on standard error.
*/
bool mt_restart_with(bool validate, bool capture, char **argv);

#endif
