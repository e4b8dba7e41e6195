/*
** local_socket.h - two programs of one user that talk to each other: a stream
** socket at a path that only this user can open.
**
** Nothing here waits. Descriptors are closed by close(), and not inherited.
*/
#ifndef MT_LOCAL_SOCKET_H
#define MT_LOCAL_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"

/* Listen at 'path'. What a program that has ended left there is removed; if
** another listens there, that is a failure, and so is a path that is too long
** for a socket. */
mt_Status mt_local_listen(const char *path, int *out, mt_Error *err);

int mt_local_accept(int listening); /* the next connection; -1: none */
int mt_local_connect(const char *path); /* -1: no process listens there */

/* False: the other side is gone, or takes nothing any more. */
bool mt_local_send(int fd, const void *bytes, size_t n);

/* Bytes that came: 0 if none are there, -1 if the other side is gone. */
ssize_t mt_local_receive(int fd, void *to, size_t most);

#endif
