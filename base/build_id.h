/*
** build_id.h - by which the parts of one build know each other.
**
** The program, each of its modules (base/files/module.h) and libmettle have
** this text of their own. It is a checksum of the sources that they share (the
** Makefile's BUILD_ID): parts that were installed at different times may differ
** in what a struct or a message means, and must not be used together.
*/
#ifndef MT_BUILD_ID_H
#define MT_BUILD_ID_H

extern const char mt_build_id[];
#define MT_BUILD_ID_SYMBOL "mt_build_id"

/* The word for a worker process (base/process/worker_process.h) that prints
** it. */
#define MT_BUILD_ID_WORD "build-id"

#endif
