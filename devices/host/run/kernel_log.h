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

/* The type of a value: its kind, its bytes, and the elements of its vector. */
#define MT_LOG_KIND(code) ((code) & 15)
#define MT_LOG_SIZE(code) ((code) >> 4 & 15)
#define MT_LOG_PARTS(code) ((code) >> 8)
enum { MT_LOG_SIGNED, MT_LOG_UNSIGNED, MT_LOG_FLOAT, MT_LOG_TEXT };

/* A value for each lane in 'mask'; 'values' has 32 of them, or only that lane's
** if 'lanes' is 1. Floats are doubles, integers are widened. */
void mt_log_value(uint32_t mask, uint32_t lanes, const uint64_t *values,
                  uint32_t code);
/* The message is complete. */
void mt_log_end(uint32_t sg, uint32_t mask, uint32_t lanes,
                const char *const *format, uint32_t level);
/* Ends the launch after the threadgroup that is running. */
void mt_assert_failed(uint32_t sg, uint32_t mask, uint32_t lanes,
                      const char *const *condition, uint32_t line);

#endif
