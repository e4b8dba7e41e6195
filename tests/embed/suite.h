/*
** suite.h - what the files of the suite of libmettle share.
*/
#ifndef SUITE_H
#define SUITE_H

#include <mettle/mettle.h>

extern mettle_Error err;   /* of the last call that failed */
extern mettle_Device *dev; /* on which all of it runs */

void ok(int good, const char *what); /* a line of TAP */
int says(const char *word);          /* does 'err' have the word? */
/* The kernel 'name' of 'source', or NULL. */
mettle_Kernel *take(const char *source, const char *name);

void test_cases(void); /* cases.c */

#endif
