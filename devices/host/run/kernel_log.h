/*
** kernel_log.h - messages of kernels: os_log, and asserts that fail.
**
** Kernels log by builtins (docs/ir.md): __mt_log_value for each value of a
** message, then __mt_log_end with its format; __mt_assert_failed. The code
** generators lower these to calls of the functions below, for all lanes of a
** SIMD-group at once or for one.
*/
#ifndef MT_HOST_RUN_KERNEL_LOG_H
#define MT_HOST_RUN_KERNEL_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Appends the messages since the last call, ordered by threadgroup. */
void mt_log_take(mt_Str *out);

/* ------------------------------------------------- called by generated code */

/* A value for each lane in 'mask', of the type 'code' (devices/log_format.h);
** 'values' has 32 of them, or only that lane's if 'lanes' is 1. Floats are
** doubles, integers are widened. */
void mt_log_value(uint32_t mask, uint32_t lanes, const uint64_t *values,
                  uint32_t code);
/* The message is complete. */
void mt_log_end(uint32_t sg, uint32_t mask, uint32_t lanes,
                const char *const *format, uint32_t level);
/* Ends the launch after the threadgroup that is running. */
/* Instead of a thread's number in its threadgroup, where code does not know it:
** mt_assert_placed says at the thread's end which one it was. */
#define MT_UNKNOWN_THREAD UINT32_MAX
void mt_assert_placed(uint32_t thread);
void mt_assert_failed(uint32_t sg, uint32_t mask, uint32_t lanes,
                      const char *const *condition, uint32_t line);

#endif
