/*
** metadata.h - named metadata that tells later passes about a module.
*/
#ifndef MT_COMPILER_IR_METADATA_H
#define MT_COMPILER_IR_METADATA_H

/* The module has loops for LLVM's own vectoriser (vectorise/inner_loop.c). */
#define MT_INNER_LOOP "mt.inner_loop"

/* The module interleaves lanes' short vectors into wide accesses
** (access/aos_vectors.c). */
#define MT_INTERLEAVED "mt.interleaved"

#endif
