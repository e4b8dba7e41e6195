/*
** signatures.h - the kernels of a source and their parameters, without a
** compiler.
**
** The reader's view (reader.h), for devices whose compiler reports bindings but
** neither the order of the parameters nor whether one is T& or T*. Needs no
** LLVM. Only certain information is reported.
*/
#ifndef MT_SIGNATURES_H
#define MT_SIGNATURES_H

#include "msl/msl.h"
#include "msl/reader/reader.h"

typedef struct mt_Signatures mt_Signatures;

/* 'text' has its #includes expanded. NULL: it cannot be analysed. */
mt_Signatures *mt_signatures_read(const char *text, size_t length,
                                  const mt_MslDefine *defines,
                                  size_t define_count);
void mt_signatures_free(mt_Signatures *s); /* NULL ok */

/*
** The signature of the kernel that Metal calls 'name': by its host_name, its
** qualified name, or that of its template. NULL: there is none or more than
** one, or it depends on values that only the compiler knows. 's' may be NULL.
*/
const mt_ReadKernel *mt_signatures_find(const mt_Signatures *s,
                                        const char *name);

/*
** Appends the type of parameter number 'param' of the kernel that Metal calls
** 'name', as written, without qualifiers and its own namespace: "Box<Params>"
** for Box<T> in k<Params>; with 'element' T of array<T, 4>. False: not known.
** By this name all devices show a struct: debug information and Metal's
** reflection have other ones, or none. 'r' and 's' may be NULL.
*/
bool mt_reading_type(const mt_Reading *r, const char *name, uint32_t param,
                     bool element, mt_Str *out);
bool mt_signatures_type(const mt_Signatures *s, const char *name,
                        uint32_t param, bool element, mt_Str *out);

/* The kernel's position in the source, as a sort key; SIZE_MAX: not found. */
size_t mt_signatures_place(const mt_Signatures *s, const char *name);

/*
** May the kernel that Metal calls 'name' log, by os_log or a function that uses
** it? Conservative: yes in case of doubt, where the source has os_log at all.
*/
bool mt_signatures_logs(const mt_Signatures *s, const char *name);

/* The number in [[buffer(n)]]; false: there is none, or only a compiler can
** evaluate it. */
bool mt_signature_index(const mt_ReadParam *p, unsigned *out);

#endif
