/*
** signatures.h - the kernels of a source and their parameters, without a
** compiler.
**
** The reader's own view (reader.h), for devices whose compiler tells bindings but
** not the order in which they were written, nor whether one is T& or T*. Needs
** no LLVM. What cannot be told for certain is not told.
*/
#ifndef MT_SIGNATURES_H
#define MT_SIGNATURES_H

#include "msl/msl.h"
#include "msl/reader.h"

typedef struct mt_Signatures mt_Signatures;

/* 'text' has its headers in place. NULL: nothing can be told of it. */
mt_Signatures *mt_signatures_read(const char *text, size_t length, const mt_MslDefine *defines, size_t define_count);
void mt_signatures_free(mt_Signatures *s); /* NULL ok */

/*
** The header of the kernel that Metal calls 'name': by its host_name, its name
** with namespaces, or that of its template. NULL: there is none, or more than one, or
** what it says depends on what only the compiler knows. 's' may be NULL.
*/
const mt_ReadKernel *mt_signatures_find(const mt_Signatures *s, const char *name);

/*
** What the template's parameter 'word' is in the instance that Metal calls
** 'name', as it is written there and without spaces: "Params" for T in k<Params>,
** nothing where it is not written. False: there is no such parameter.
*/
bool mt_signatures_argument(const mt_Signatures *s, const char *name, const char *word, mt_Str *out);

/* Where the kernel stands among the others, to sort by; SIZE_MAX: not found. */
size_t mt_signatures_place(const mt_Signatures *s, const char *name);

/*
** May the kernel that Metal calls 'name' log, by os_log or what uses it? Never
** too few: what cannot be told is answered with yes where the source has os_log.
*/
bool mt_signatures_logs(const mt_Signatures *s, const char *name);

/* The number in [[buffer(n)]]; false: there is none, or it takes a compiler to tell. */
bool mt_signature_index(const mt_ReadParam *p, unsigned *out);

#endif
