/*
** log.h - shader logging of the stand-in: a log state hands on what a kernel
** says. The host's kernels are silent, so the stand-in speaks for them: one
** message for each dispatch of a library that was compiled with logging.
*/
#ifndef MT_STANDIN_LOG_H
#define MT_STANDIN_LOG_H

#include "tests/metal/runtime.h"

typedef struct LogObject LogObject; /* MTLLogState */

extern const ClassOf standin_MTLLogStateDescriptor, standin_MTLLogState;

/* -newLogStateWithDescriptor:error: */
void *standin_log(void *device, Selector s, void *descriptor, void **error);

/* Call the handlers of 'log' (NULL: there is none) with "NAME runs". */
void standin_log_say(LogObject *log, const char *name);

#endif
