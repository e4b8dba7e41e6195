/*
** error_advice.h - what a GPU's error means, and what to try.
*/
#ifndef MT_METAL_ERROR_ADVICE_H
#define MT_METAL_ERROR_ADVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One sentence about the error of a command buffer: 'text' is its description,
** 'code' its number in Metal's domain. Returns 'out'. */
const char *mt_metal_error_advice(long code, const char *text, char *out,
                                  size_t size);

#ifdef __cplusplus
}
#endif
#endif
