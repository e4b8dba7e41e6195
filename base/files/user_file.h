/*
** user_file.h - writing a file that belongs to the user.
**
** mt_file_write is for Mettle's own files, which it may replace freely. Here
** the path is the user's, and an existing file is respected:
**   a file      keeps its mode; after a crash or Ctrl-C it has the old bytes or
**               the new ones, never a part
**   a link      is followed, a dangling one too, but not one that another user
**               made: it could lead to any file of this one's
**   a device or a pipe is written into, never replaced; a disk is refused
** Ctrl-C (base/cancel.h) stops a long write, and nothing of it remains.
*/
#ifndef MT_USER_FILE_H
#define MT_USER_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* A file being written. Between open and close nothing may raise. */
typedef struct mt_UserFile {
  int fd;                   /* -1: none */
  bool stream;              /* a device or a pipe: written into directly */
  char path[PATH_MAX];      /* of the target, links resolved */
  char temporary[PATH_MAX]; /* the file that will be renamed to 'path' */
} mt_UserFile;

/* 'mode' is for a new file. On failure there is nothing to close. */
mt_Status mt_user_file_open(mt_UserFile *s, const char *path, unsigned mode,
                       mt_Error *err);

/* Append bytes; may be called any number of times. */
mt_Status mt_user_file_write(mt_UserFile *s, const void *bytes, size_t size,
                        mt_Error *err);

/* Rename it to its target if 'status' is MT_OK, else discard it. Returns the
** status of the whole. 'keep': sync it, so that a power cut cannot lose it. */
mt_Status mt_user_file_close(mt_UserFile *s, mt_Status status, bool keep,
                             mt_Error *err);

/* All three steps for bytes in memory. */
mt_Status mt_user_file_save(const char *path, const void *bytes, size_t size,
                       unsigned mode, bool keep, mt_Error *err);

/* Make a new file, atomically and synced. '*made' is false if anything of that
** name exists: that is left alone. */
mt_Status mt_user_file_create(const char *path, const void *bytes, size_t size,
                      unsigned mode, bool *made, mt_Error *err);

#endif
