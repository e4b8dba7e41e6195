/*
** user_file.c - writes a temporary file beside the target, or the target itself
** if it is a device or a pipe.
*/
#include "base/files/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/files/confined_paths.h"

enum { PIECE = 1 << 20, MOST_LINKS = 40 };

static mt_Status failed(mt_Error *err, const char *path) {
  return mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
}

/* --------------------------------------------------------------- the target */

/* Replace the link in 'path' by its target; false with errno. */
static bool follow(char path[PATH_MAX]) {
  char target[PATH_MAX], joined[PATH_MAX];
  ssize_t n = readlink(path, target, sizeof target - 1);
  if (n < 0) return false;
  target[n] = '\0';
  const char *slash = strrchr(path, '/');
  int folder = target[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
  int length = snprintf(joined, sizeof joined, "%.*s%s", folder, path, target);
  if (length < 0 || (size_t)length >= sizeof joined) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(path, joined, (size_t)length + 1);
  return true;
}

/* Resolve the links of s->path; '*there' says whether the target exists. */
static mt_Status resolve(mt_UserFile *s, struct stat *st, bool *there,
                         mt_Error *err) {
  for (int i = 0; i <= MOST_LINKS; i++) {
    *there = lstat(s->path, st) == 0;
    if (!*there) return errno == ENOENT ? MT_OK : failed(err, s->path);
    if (!S_ISLNK(st->st_mode)) return MT_OK;
    if (st->st_uid != geteuid() && st->st_uid != 0)
      return mt_error(err, MT_FAIL,
                      "%s: it is a link that another user made, and is not "
                      "followed: remove it, or write to another name",
                      s->path);
    if (!follow(s->path)) return failed(err, s->path);
  }
  errno = ELOOP;
  return failed(err, s->path);
}

/* A device or a pipe. Opening a pipe without a reader must not block. */
static mt_Status open_stream(mt_UserFile *s, mt_Error *err) {
  s->stream = true;
  s->fd = open(s->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (s->fd >= 0) return MT_OK;
  if (errno == ENXIO)
    return mt_error(err, MT_FAIL, "%s: no program reads from this pipe",
                    s->path);
  return failed(err, s->path);
}

/* 'old' is the existing target, or NULL. */
static mt_Status open_beside(mt_UserFile *s, const struct stat *old,
                             unsigned mode, mt_Error *err) {
  int n = snprintf(s->temporary, sizeof s->temporary, "%s.XXXXXX", s->path);
  if (n < 0 || (size_t)n >= sizeof s->temporary)
    return mt_error(err, MT_BADARG, "%s: the name is too long", s->path);
  if (old && access(s->path, W_OK) != 0) return failed(err, s->path);
  s->fd = mkstemp(s->temporary);
  if (s->fd < 0) {
    s->temporary[0] = '\0';
    return failed(err, s->path);
  }
  fcntl(s->fd, F_SETFD, FD_CLOEXEC);
  /* may be refused: then the new file belongs to this user */
  if (old && fchown(s->fd, old->st_uid, old->st_gid) != 0) {
  }
  if (fchmod(s->fd, old ? old->st_mode & 07777 : (mode_t)mode) == 0)
    return MT_OK;
  mt_Status status = failed(err, s->path);
  return mt_user_file_close(s, status, false, err);
}

mt_Status mt_user_file_open(mt_UserFile *s, const char *path, unsigned mode,
                       mt_Error *err) {
  struct stat st;
  bool there;
  s->fd = -1;
  s->stream = false;
  s->temporary[0] = '\0';
  int n = snprintf(s->path, sizeof s->path, "%s", path);
  if (n < 0 || (size_t)n >= sizeof s->path)
    return mt_error(err, MT_BADARG, "%s: the name is too long", path);
  if (!mt_confine_allows(path, true))
    return mt_error(err, MT_FAIL, "%s: out of reach here", path);
  mt_Status status = resolve(s, &st, &there, err);
  if (status != MT_OK) return status;
  if (!there || S_ISREG(st.st_mode))
    return open_beside(s, there ? &st : NULL, mode, err);
  if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) return open_stream(s, err);
  if (S_ISDIR(st.st_mode))
    return mt_error(err, MT_FAIL, "%s: it is a folder, not a file", path);
  return mt_error(err, MT_FAIL, "%s: it is %s, not a file", path,
                  S_ISBLK(st.st_mode) ? "a disk" : "no file");
}

/* ------------------------------------------------------------------ writing */

/* Write some of it; -1 with errno. Waits for a stream that is full. */
static ssize_t write_some(mt_UserFile *s, const char *bytes, size_t size) {
  ssize_t n = write(s->fd, bytes, size < PIECE ? size : PIECE);
  if (n >= 0 || (errno != EAGAIN && errno != EINTR)) return n;
  struct pollfd wait = {.fd = s->fd, .events = POLLOUT};
  if (errno == EAGAIN) poll(&wait, 1, 50);
  return 0;
}

mt_Status mt_user_file_write(mt_UserFile *s, const void *bytes, size_t size,
                        mt_Error *err) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  const char *from = bytes;
  mt_Status status = MT_OK;
  /* a pipe without a reader is an error and must not kill the program */
  if (s->stream) sigaction(SIGPIPE, &ignore, &before);
  for (size_t done = 0; done < size && status == MT_OK;) {
    ssize_t n = write_some(s, from + done, size - done);
    if (n < 0) status = failed(err, s->path);
    else done += (size_t)n;
    /* short files are written anyway: progress is saved even after Ctrl-C */
    if (status == MT_OK && done < size && mt_cancelled())
      status = mt_error(err, MT_CANCELLED, "%s: interrupted, it is not written",
                        s->path);
  }
  if (s->stream) sigaction(SIGPIPE, &before, NULL);
  return status;
}

/* The name of a new file is on disk once its folder is synced. Some systems
** cannot sync folders: there the name reaches the disk a little later. */
static void sync_folder(const char *path) {
  char folder[PATH_MAX] = ".";
  const char *slash = strrchr(path, '/');
  if (slash)
    snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
  int fd = open(folder, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

mt_Status mt_user_file_close(mt_UserFile *s, mt_Status status, bool keep,
                        mt_Error *err) {
  if (s->fd < 0) return status;
  if (status == MT_OK && keep && !s->stream && fsync(s->fd) != 0)
    status = failed(err, s->path);
  if (close(s->fd) != 0 && status == MT_OK) status = failed(err, s->path);
  s->fd = -1;
  if (s->stream) return status;
  if (status == MT_OK && rename(s->temporary, s->path) != 0)
    status = failed(err, s->path);
  if (status != MT_OK) unlink(s->temporary);
  else if (keep) sync_folder(s->path);
  return status;
}

mt_Status mt_user_file_save(const char *path, const void *bytes, size_t size,
                       unsigned mode, bool keep, mt_Error *err) {
  mt_UserFile s;
  mt_Status status = mt_user_file_open(&s, path, mode, err);
  if (status == MT_OK) status = mt_user_file_write(&s, bytes, size, err);
  return mt_user_file_close(&s, status, keep, err);
}

/* --------------------------------------------------------------- a new file */

/* All bytes, on the disk; what cannot be whole is not there. */
static bool fill_new(const char *path, int fd, const char *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t n = write(fd, bytes + done, size - done);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) done += (size_t)n;
  }
  bool good = done == size && fsync(fd) == 0;
  int why = errno;
  good = close(fd) == 0 && good;
  if (good) return true;
  unlink(path);
  errno = why;
  return false;
}

/* Link the temporary file to its name: link, unlike rename, replaces nothing.
** On a file system without hard links: create it empty, then fill it. */
static bool place_new(mt_UserFile *s, const void *bytes, size_t size) {
  if (link(s->temporary, s->path) == 0) return true;
  if (errno == EEXIST) return false;
  int fd = open(s->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  return fd >= 0 && fill_new(s->path, fd, bytes, size);
}

mt_Status mt_user_file_create(const char *path, const void *bytes, size_t size,
                      unsigned mode, bool *made, mt_Error *err) {
  mt_UserFile s = {.fd = -1};
  *made = false;
  int n = snprintf(s.path, sizeof s.path, "%s", path);
  if (n < 0 || (size_t)n >= sizeof s.path)
    return mt_error(err, MT_BADARG, "%s: the name is too long", path);
  mt_Status status = open_beside(&s, NULL, mode, err);
  if (status == MT_OK) status = mt_user_file_write(&s, bytes, size, err);
  if (status == MT_OK && fsync(s.fd) != 0) status = failed(err, path);
  if (status == MT_OK) *made = place_new(&s, bytes, size);
  if (status == MT_OK && !*made && errno != EEXIST) status = failed(err, path);
  if (*made) sync_folder(path);
  if (s.fd >= 0) close(s.fd);
  if (s.temporary[0]) unlink(s.temporary);
  return status;
}
