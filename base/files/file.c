/*
** file.c - whole files in, whole files out.
**
** A write goes to a temporary file beside the target, which is then renamed:
** this makes it safe for two consoles to write at the same time.
*/
#include "base/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/files/confined_paths.h"

enum { SHORT = 1 << 20 }; /* bytes that are read even after Ctrl-C */

/* ------------------------------------------------------------ whole files */

mt_Status mt_file_read_fd(int fd, const char *path, size_t limit, mt_Str *out,
                          mt_Error *err) {
  size_t total = 0;
  for (;;) {
    if (!mt_str_reserve(out, 65536))
      return mt_error(err, MT_FAIL, "%s: not enough memory to read it", path);
    ssize_t n = read(fd, out->text + out->length, 65536);
    if (n < 0 && errno == EINTR && !mt_cancelled()) continue;
    if (n < 0) return mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
    if (n == 0) return MT_OK;
    out->length += (size_t)n;
    out->text[out->length] = '\0';
    total += (size_t)n;
    if (limit && total > limit)
      return mt_error(err, MT_BADARG, "%s: larger than %zu bytes", path, limit);
    if (total > SHORT && mt_cancelled())
      return mt_error(err, MT_CANCELLED, "%s: interrupted", path);
  }
}

mt_Status mt_file_read(const char *path, size_t limit, mt_Str *out,
                       mt_Error *err) {
  if (!mt_confine_allows(path, false))
    return mt_error(err, MT_FAIL, "%s: out of reach here", path);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
  mt_Status status = mt_file_read_fd(fd, path, limit, out, err);
  close(fd);
  return status;
}

mt_Status mt_file_open_plain(const char *path, int *fd, size_t *size,
                             mt_Error *err) {
  struct stat st;
  *fd = -1;
  if (!mt_confine_allows(path, false))
    return mt_error(err, MT_FAIL, "%s: out of reach here", path);
  int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0 || fstat(opened, &st) != 0) {
    int why = errno;
    if (opened >= 0) close(opened);
    return mt_error(err, MT_FAIL, "%s: %s", path, strerror(why));
  }
  if (!S_ISREG(st.st_mode)) {
    close(opened);
    return mt_error(err, MT_FAIL, "%s: it is %s, not a file", path,
                    S_ISDIR(st.st_mode) ? "a folder" : "a device or a pipe");
  }
  *fd = opened;
  *size = (size_t)st.st_size;
  return MT_OK;
}

static bool write_all(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes += n;
    size -= (size_t)n;
  }
  return true;
}

mt_Status mt_file_write(const char *path, const void *bytes, size_t size,
                        unsigned mode, mt_Error *err) {
  char temporary[PATH_MAX];
  int n = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  if (n < 0 || (size_t)n >= sizeof temporary)
    return mt_error(err, MT_BADARG, "%s: the name is too long", path);
  if (!mt_confine_allows_own(path))
    return mt_error(err, MT_FAIL, "%s: out of reach here", path);
  int fd = mkstemp(temporary);
  if (fd < 0) return mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
  bool ok = write_all(fd, bytes, size) && fchmod(fd, (mode_t)mode) == 0;
  ok = close(fd) == 0 && ok;
  if (ok && rename(temporary, path) == 0) return MT_OK;
  int why = errno;
  unlink(temporary);
  return mt_error(err, MT_FAIL, "%s: %s", path, strerror(why));
}

bool mt_file_exists(const char *path) { return access(path, F_OK) == 0; }

void mt_file_keep_standard(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    int opened = open("/dev/null", O_RDONLY);
    if (opened >= 0 && opened != fd) { /* another thread was faster */
      dup2(opened, fd);
      close(opened);
    }
  }
}

mt_Status mt_dir_make(const char *path, unsigned mode, mt_Error *err) {
  char part[PATH_MAX];
  size_t n = strlen(path);
  if (n >= sizeof part)
    return mt_error(err, MT_BADARG, "%s: the name is too long", path);
  memcpy(part, path, n + 1);
  for (size_t i = 1; i <= n; i++) {
    if (part[i] != '/' && part[i] != '\0') continue;
    char keep = part[i];
    part[i] = '\0';
    if (mkdir(part, mode) != 0 && errno != EEXIST)
      return mt_error(err, MT_FAIL, "%s: %s", part, strerror(errno));
    part[i] = keep;
  }
  return MT_OK;
}

bool mt_path_ends(const char *path, const char *tail, size_t length) {
  size_t n = strlen(path);
  return n >= length && memcmp(path + n - length, tail, length) == 0 &&
         (n == length || path[n - length - 1] == '/');
}
