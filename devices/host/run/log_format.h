/*
** log_format.h - a message's format and its values as text.
*/
#ifndef MT_HOST_RUN_LOG_FORMAT_H
#define MT_HOST_RUN_LOG_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define MT_SAY_ARGS 32 /* values of a message, parts of vectors counted */

typedef struct mt_SayArgs {
  uint32_t count;
  uint32_t code[MT_SAY_ARGS]; /* kernel_log.h */
  uint64_t value[MT_SAY_ARGS];
} mt_SayArgs;

/*
** As printf, with what Metal and OpenCL have besides: the length that %d and
** its kin are told does not matter, since each value knows its type, and a
** vector is written part by part with commas, %v4f or plainly %f. What has no
** value says so. Cut to 'size' bytes.
*/
void mt_say_format(char *out, size_t size, const char *format,
                   const mt_SayArgs *args);

#endif
