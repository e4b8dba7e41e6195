/*
** lock.c - flock, which the system releases when a process ends; polled, so
** that Ctrl-C and the time limit can end the wait.
*/
#include "base/files/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/clock.h"

mt_Status mt_lock_take(const char *path, double seconds, int *lock,
                       mt_Error *err) {
  uint64_t end = mt_now_ns() + (uint64_t)(seconds * 1e9);
  *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (*lock < 0) return mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
  while (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return MT_OK;
    if (mt_now_ns() > end || mt_cancelled()) {
      mt_lock_drop(*lock);
      *lock = -1;
      return mt_error(err, MT_FAIL, "%s: another console holds it", path);
    }
    usleep(2000);
  }
  return MT_OK;
}

void mt_lock_drop(int lock) {
  if (lock >= 0) close(lock);
}
