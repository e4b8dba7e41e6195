/*
** log_format.h - formats a kernel's message.
*/
#ifndef MT_LOG_FORMAT_H
#define MT_LOG_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* The type of a value: its kind, its bytes, and the elements of its vector. */
#define MT_LOG_KIND(code) ((code) & 15)
#define MT_LOG_SIZE(code) ((code) >> 4 & 15)
#define MT_LOG_PARTS(code) ((code) >> 8)
enum { MT_LOG_SIGNED, MT_LOG_UNSIGNED, MT_LOG_FLOAT, MT_LOG_TEXT };

#define MT_LOG_ARGS 32 /* values of a message; each vector element counts */

typedef struct mt_LogArgs {
  uint32_t count;
  uint32_t code[MT_LOG_ARGS]; /* as above */
  uint64_t value[MT_LOG_ARGS]; /* floats as doubles, integers widened, texts by
                               ** their address */
} mt_LogArgs;

/*
** As printf, with the extensions of Metal and OpenCL: length modifiers are
** ignored, since each value knows its type, and a vector is written element by
** element with commas, with %v4f or just %f. A directive without a value is
** marked so. Truncated to 'size' bytes.
*/
void mt_log_text(char *out, size_t size, const char *format,
                 const mt_LogArgs *args);

#endif
