/*
** transpose.h - transposes words of many rows to and from a buffer. Called by
** generated code (strategy/row_buffer.c): any thread, no state.
*/
#ifndef MT_HOST_RUN_TRANSPOSE_H
#define MT_HOST_RUN_TRANSPOSE_H

#include <stdint.h>

#include "devices/host/abi/abi.h"

/*
** Read 'words' words (a multiple of 4, above 16 a multiple of 16) from each of
** 'count' addresses (a multiple of 4): out[w * count + l] is word w of address
** l. Meanwhile 'group' holds the caller's return address, so that a fault is
** reported at the kernel's line.
*/
void mt_transpose_in(mt_Group *group, const char *const *at, uint32_t count,
                     uint32_t words, uint32_t *out);

/* The inverse: write them to the addresses. */
void mt_transpose_out(mt_Group *group, char *const *at, uint32_t count,
                      uint32_t words, const uint32_t *in);

#endif
