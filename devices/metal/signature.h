/*
** signature.h - a kernel's parameter list, read off its source text.
**
** Metal's reflection names the bindings of a kernel and their indices, but not
** the order in which they were written, nor whether one is T& or T*, device or
** constant. The launch call needs those, so they are looked up in the text. A
** parameter that the text does not show plainly (behind a macro, say) is simply
** not found, and the caller falls back to what reflection gives.
*/
#ifndef MT_METAL_SIGNATURE_H
#define MT_METAL_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mt_SignatureParam {
  unsigned place; /* from 0, in the order of the source */
  bool reference; /* T& */
  bool constant;  /* constant address space */
} mt_SignatureParam;

/*
** Find parameter 'param' of the kernel 'name' in 'source'. False if the kernel
** or the parameter is not found.
*/
bool mt_signature_find(const char *source, size_t length, const char *name,
                       const char *param, mt_SignatureParam *out);

/* Where the kernel's definition starts, or 'length' if it is not found: the
** order of kernels in a library. */
size_t mt_signature_place(const char *source, size_t length, const char *name);

#ifdef __cplusplus
}
#endif
#endif
