/*
** log.h - shader logging of the stand-in: a log state hands on what the host
** device's kernels say. STANDIN_LATE_LOGS=N: N milliseconds after the commands
** are done, from another thread, as Metal may. STANDIN_COUNTS: how many log
** states there were, and what they said, is told at the end.
*/
#ifndef MT_STANDIN_LOG_H
#define MT_STANDIN_LOG_H

#include "tests/metal/runtime.h"

typedef struct LogObject LogObject; /* MTLLogState */

extern const ClassOf standin_MTLLogStateDescriptor, standin_MTLLogState;

/* -newLogStateWithDescriptor:error: */
void *standin_log(void *device, Selector s, void *descriptor, void **error);

/*
** What a kernel has said, line by line, to the handlers of 'log'. Late lines
** keep the log state alive until they are said. 'text' stays the caller's.
*/
void standin_log_say(LogObject *log, const char *text);

/* Late lines that are not said yet. */
int standin_log_waiting(void);
void standin_log_finish(void); /* tell the count, where it is asked for */

#endif
