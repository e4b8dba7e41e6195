/*
** status.h - how every function of Mettle reports failure.
**
** A function that can fail returns mt_Status, leaves its result in '*out' and,
** when it fails, one readable line in the caller's mt_Error: what was wrong
** and, if there is one, the remedy. Nothing below lua/ prints, exits or raises.
** Safe from any thread: an mt_Error belongs to its caller.
*/
#ifndef MT_STATUS_H
#define MT_STATUS_H

#include <stdarg.h>

#include "base/printf.h"

typedef enum mt_Status {
  MT_OK = 0,
  MT_BADARG,    /* an invalid argument or request */
  MT_FAIL,      /* failure of a file, device, compiler or allocation */
  MT_CANCELLED, /* stopped by Ctrl-C (mt_cancel_request) */
  MT_TIMEOUT    /* stopped by a time limit */
} mt_Status;

#define MT_ERROR_MAX 1024

typedef struct mt_Error {
  char text[MT_ERROR_MAX]; /* one line, no newline at its end; "" if none */
} mt_Error;

/*
** Write the line and return 'status', so that a failure is one statement:
** return mt_error(err, MT_BADARG, "grid must be positive, got %ld", n);
** 'err' may be NULL. Text too long for the line is cut with "...".
*/
mt_Status mt_error(mt_Error *err, mt_Status status, const char *fmt, ...)
    MT_PRINTF(3, 4);
mt_Status mt_verror(mt_Error *err, mt_Status status, const char *fmt,
                    va_list args) MT_PRINTF(3, 0);

#endif
