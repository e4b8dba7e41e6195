/*
** metadata.h - what a code generator notes on a module for the passes after it.
*/
#ifndef MT_COMPILER_IR_METADATA_H
#define MT_COMPILER_IR_METADATA_H

/* It has loops for LLVM's own vectoriser (vectorise/inner_loop.c). */
#define MT_INNER_LOOP "mt.inner_loop"

/* It writes short vectors of all lanes at once (access/aos_vectors.c). */
#define MT_INTERLEAVED "mt.interleaved"

#endif
