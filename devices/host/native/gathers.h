/*
** gathers.h - gathers and scatters, as the CPU has them: the last step before
** code is emitted.
*/
#ifndef MT_HOST_NATIVE_GATHERS_H
#define MT_HOST_NATIVE_GATHERS_H

#include <llvm-c/Core.h>

#include "devices/compiler/target/target.h"

/* Indices of 32 bits where these are all that differs from lane to lane; words
** in place of bytes and halves. */
void mt_finish_gathers(mt_Target *t, LLVMModuleRef module);

#endif
