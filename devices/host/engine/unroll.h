/*
** unroll.h - which loops of a kernel stay loops.
*/
#ifndef MT_HOST_UNROLL_H
#define MT_HOST_UNROLL_H

#include <llvm-c/Core.h>

/*
** Tell LLVM not to write out those loops of 'f' that gain nothing from it
** before the vectoriser has seen them. What the source says itself (#pragma
** unroll) stands.
*/
void mt_unroll_choose(LLVMValueRef f);

#endif
