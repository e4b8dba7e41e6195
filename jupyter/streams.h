/*
** streams.h - what is written to standard output and error, sent to a notebook.
**
** Lua, C code and child processes write to descriptors 1 and 2 as ever; these
** are pipes, and a thread publishes what comes out of them as 'stream'
** messages of the request that runs.
*/
#ifndef MT_JUPYTER_STREAMS_H
#define MT_JUPYTER_STREAMS_H

#include "jupyter/channels.h"

/* Once. From here on nothing reaches the descriptors that were there before,
** except through mt_streams_complain. */
mt_Status mt_streams_open(mt_Jupyter *j, mt_Error *err);

/* Everything that was written so far is published when this returns; what
** comes after belongs to 'parent', which is copied (NULL: to no request, and
** is dropped if 'silent'). Console thread. */
void mt_streams_turn(const cJSON *parent, bool silent);

/* A line for the log of the program that started the kernel. */
void mt_streams_complain(const char *text);

void mt_streams_close(void); /* the thread ends; the rest is published */

#endif
