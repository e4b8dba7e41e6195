/*
** listing.h - listings of generated code, annotated with lines of MSL.
*/
#ifndef MT_HOST_NATIVE_LISTING_H
#define MT_HOST_NATIVE_LISTING_H

#include <llvm-c/Core.h>

#include "base/status.h"
#include "base/str.h"
#include "devices/compiler/target/target.h"

/* Append the functions of a finished module as LLVM IR. */
void mt_listing_ir(LLVMModuleRef module, const char *source, mt_Str *out);

/* Append them as assembly of the target. */
mt_Status mt_listing_asm(mt_Target *t, LLVMModuleRef module, bool quick,
                         const char *source, mt_Str *out, mt_Error *err);

#endif
