/*
** transpose.h - words of many rows, side by side, and back. Generated code
** calls these (access/row_buffer.c): any thread, they own nothing.
*/
#ifndef MT_HOST_RUN_TRANSPOSE_H
#define MT_HOST_RUN_TRANSPOSE_H

#include <stdint.h>

#include "devices/host/abi/group.h"

/*
** Read 'words' words (a multiple of 4, up to 16) from each of 'count' addresses
** (a multiple of 4): out[w * count + l] is word w of address l. Meanwhile the
** caller's address is in 'group', for whoever reports a fault.
*/
void mt_transpose_in(mt_Group *group, const char *const *at, uint32_t count,
                     uint32_t words, uint32_t *out);

/* The same backwards: write them. */
void mt_transpose_out(mt_Group *group, char *const *at, uint32_t count,
                      uint32_t words, const uint32_t *in);

#endif
