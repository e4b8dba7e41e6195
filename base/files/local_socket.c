/*
** local_socket.c - sockets of the file system, without waiting.
*/
#include "base/files/local_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SO_NOSIGPIPE */
#endif

static int prepared(int fd) {
  if (fd < 0) return fd;
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  return fd;
}

static bool address_of(const char *path, struct sockaddr_un *out) {
  memset(out, 0, sizeof *out);
  out->sun_family = AF_UNIX;
  size_t n = strlen(path);
  if (n >= sizeof out->sun_path) return false;
  memcpy(out->sun_path, path, n);
  return true;
}

int mt_local_connect(const char *path) {
  struct sockaddr_un at;
  if (!address_of(path, &at)) return -1;
  int fd = prepared(socket(AF_UNIX, SOCK_STREAM, 0));
  if (fd < 0) return -1;
  if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0) return fd;
  close(fd);
  return -1;
}

/* Does a process listen there? If not, the name is free afterwards. */
static bool is_taken(const char *path) {
  struct stat st;
  int fd = mt_local_connect(path);
  if (fd >= 0) close(fd);
  if (fd < 0 && lstat(path, &st) == 0 && S_ISSOCK(st.st_mode)) unlink(path);
  return fd >= 0;
}

static mt_Status bind_to(int fd, const struct sockaddr_un *at) {
  mode_t before = umask(0077);
  int failed = bind(fd, (const struct sockaddr *)at, sizeof *at);
  umask(before);
  return failed || listen(fd, 4) != 0 ? MT_FAIL : MT_OK;
}

mt_Status mt_local_listen(const char *path, int *out, mt_Error *err) {
  struct sockaddr_un at;
  *out = -1;
  if (!address_of(path, &at))
    return mt_error(err, MT_FAIL, "%s: the path is too long for a socket",
                    path);
  if (is_taken(path))
    return mt_error(err, MT_FAIL, "%s: another program listens there", path);
  int fd = prepared(socket(AF_UNIX, SOCK_STREAM, 0));
  if (fd >= 0 && bind_to(fd, &at) == MT_OK) {
    *out = fd;
    return MT_OK;
  }
  mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  return MT_FAIL;
}

int mt_local_accept(int listening) {
  return prepared(accept(listening, NULL, NULL));
}

bool mt_local_send(int fd, const void *bytes, size_t n) {
  ssize_t sent;
  do sent = send(fd, bytes, n, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)n;
}

ssize_t mt_local_receive(int fd, void *to, size_t most) {
  ssize_t n = recv(fd, to, most, 0);
  if (n > 0) return n;
  bool nothing = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK ||
                           errno == EINTR);
  return nothing ? 0 : -1;
}
