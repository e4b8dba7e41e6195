/*
** listing.h - generated code for a reader: beside each piece of it the line of
** MSL that it was made from.
*/
#ifndef MT_HOST_NATIVE_LISTING_H
#define MT_HOST_NATIVE_LISTING_H

#include <llvm-c/Core.h>

#include "base/status.h"
#include "base/str.h"
#include "devices/compiler/target/target.h"

/* Append the finished module's functions as LLVM IR. */
void mt_listing_ir(LLVMModuleRef module, const char *source, mt_Str *out);

/* Append it as assembly of this CPU. */
mt_Status mt_listing_asm(mt_Target *t, LLVMModuleRef module, bool quick,
                         const char *source, mt_Str *out, mt_Error *err);

#endif
