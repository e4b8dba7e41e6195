/*
** types.h - debug information as mt_Type; for msl/ alone.
*/
#ifndef MT_TYPES_H
#define MT_TYPES_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "msl/module.h"

typedef struct mt_TypeReader mt_TypeReader;

/* Lives as long as 'm' (mt_scrap). */
mt_TypeReader *mt_types_new(mt_MslModule *m, LLVMContextRef context);
/* The type that a DIType describes; never NULL. Once memory was short for one,
** mt_types_lost: then no type may be used. */
const mt_Type *mt_types_read(mt_TypeReader *r, LLVMMetadataRef type);
bool mt_types_lost(const mt_TypeReader *r);
/* A struct, or an array of them, under another name; other types as they
** are. */
const mt_Type *mt_types_named(mt_TypeReader *r, const mt_Type *type,
                              const char *name);
/* The DITypes of a function: its result, then its parameters. */
unsigned mt_types_of(mt_TypeReader *r, LLVMValueRef function,
                     LLVMMetadataRef *out, unsigned room);
/* The pointee of a pointer or reference; the type itself if it is neither. */
LLVMMetadataRef mt_types_target(mt_TypeReader *r, LLVMMetadataRef type);
/* Is the variable of this global neither const nor an array of const? If so,
** its name and location. */
bool mt_types_is_mutable(mt_TypeReader *r, LLVMValueRef global,
                         const char **name, mt_Place *where);

#endif
