/*
** log_format.h - a message's format and its values as text.
*/
#ifndef MT_HOST_RUN_LOG_FORMAT_H
#define MT_HOST_RUN_LOG_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define MT_LOG_ARGS 32 /* values of a message, parts of vectors counted */

typedef struct mt_LogArgs {
  uint32_t count;
  uint32_t code[MT_LOG_ARGS]; /* kernel_log.h */
  uint64_t value[MT_LOG_ARGS];
} mt_LogArgs;

/*
** As printf, with what Metal and OpenCL have besides: the length that %d and
** its kin are told does not matter, since each value knows its type, and a
** vector is written part by part with commas, %v4f or plainly %f. What has no
** value says so. Cut to 'size' bytes.
*/
void mt_log_text(char *out, size_t size, const char *format,
                 const mt_LogArgs *args);

#endif
