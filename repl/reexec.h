/*
** reexec.h - options that macOS needs before the program starts.
**
** Metal reads its environment variables when it is loaded or makes its first
** device. So --validate and --capture set them and start the program again with
** the same arguments; the second time they are set and nothing is left to do.
*/
#ifndef MT_REEXEC_H
#define MT_REEXEC_H

#include <stdbool.h>

/*
** Set the variables that 'validate' and 'capture' need. True: they are set.
** False: this machine has no Metal, or the program could not be started again;
** one sentence on standard error says so.
*/
bool mt_reexec_with(bool validate, bool capture, char **argv);

#endif
