/*
** kernel_log.h - what kernels say: os_log, and asserts that fail.
**
** Kernels say it by builtins (docs/ir.md): __mt_log_value for each number of a
** message, then __mt_log_end with its format; __mt_assert_failed. The code
** generators turn these into calls of the helpers below, with all lanes of a
** SIMD-group at once or with one.
*/
#ifndef MT_HOST_RUN_KERNEL_LOG_H
#define MT_HOST_RUN_KERNEL_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What was logged since the last time, in the order of the threadgroups. */
void mt_log_take(mt_Str *out);

/* -------------------------------------------- helpers of the generated code */

/* What a value is: its kind, its bytes, and how many of it a vector has. */
#define MT_LOG_KIND(code) ((code) & 15)
#define MT_LOG_SIZE(code) ((code) >> 4 & 15)
#define MT_LOG_PARTS(code) ((code) >> 8)
enum { MT_LOG_SIGNED, MT_LOG_UNSIGNED, MT_LOG_FLOAT, MT_LOG_TEXT };

/* A value for each lane in 'mask'; 'values' has 32 of them, or if 'lanes' is 1
** that one lane's. Floats are doubles, integers are widened. */
void mt_log_value(uint32_t mask, uint32_t lanes, const uint64_t *values,
                  uint32_t code);
/* The message is complete. */
void mt_log_end(uint32_t sg, uint32_t mask, uint32_t lanes,
                const char *const *format, uint32_t level);
/* Stops the launch, when the group that runs is done. */
void mt_assert_failed(uint32_t sg, uint32_t mask, uint32_t lanes,
                      const char *const *condition, uint32_t line);

#endif
