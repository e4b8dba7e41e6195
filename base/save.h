/*
** save.h - writing a file that belongs to a person.
**
** mt_file_write is for Mettle's own files, which it may replace as it likes.
** Here the path is a person's, and what is there stays theirs:
**   a file      keeps its mode; a reader, a crash or Ctrl-C meets the old bytes
**               or the new ones, never a part
**   a link      is followed, also one that leads to nothing so far
**   a device or a pipe is written into, never replaced; a disk is refused
** Ctrl-C (base/cancel.h) ends a long write, and nothing is left of it.
*/
#ifndef MT_SAVE_H
#define MT_SAVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* A file being written. Between open and close nothing may raise. */
typedef struct mt_Save {
  int fd;                   /* -1: none */
  bool stream;              /* no file: written into as it stands */
  char path[PATH_MAX];      /* where the links lead */
  char temporary[PATH_MAX]; /* what will be renamed */
} mt_Save;

/* 'mode' is that of a file that is new. On failure there is nothing to close. */
mt_Status mt_save_open(mt_Save *s, const char *path, unsigned mode, mt_Error *err);

/* Write more of it; all of it at once or piece by piece. */
mt_Status mt_save_write(mt_Save *s, const void *bytes, size_t size, mt_Error *err);

/* Put it in its place, if 'status' is MT_OK, else forget it: the status of all.
** 'keep': it is on the disk when this returns, not even a power cut takes it. */
mt_Status mt_save_close(mt_Save *s, mt_Status status, bool keep, mt_Error *err);

/* All three for bytes that are there. */
mt_Status mt_save_file(const char *path, const void *bytes, size_t size,
                       unsigned mode, bool keep, mt_Error *err);

/* A new file, whole from its first moment and on the disk; '*made' is false if
** something of that name is there, whatever it is: that is left alone. */
mt_Status mt_save_new(const char *path, const void *bytes, size_t size,
                      unsigned mode, bool *made, mt_Error *err);

#endif
