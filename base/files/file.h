/*
** file.h - whole files in, whole files out.
*/
#ifndef MT_FILE_H
#define MT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

/* Append the whole file to 'out'. At most 'limit' bytes (0: any size). */
mt_Status mt_file_read(const char *path, size_t limit, mt_Str *out,
                       mt_Error *err);

/* The same for an open file; 'path' is for messages. */
mt_Status mt_file_read_fd(int fd, const char *path, size_t limit, mt_Str *out,
                          mt_Error *err);

/* Open a file to read, and its size. Devices, pipes and folders are refused:
** they have no size, and may block or have no end. The caller closes '*fd'. */
mt_Status mt_file_open_plain(const char *path, int *fd, size_t *size,
                             mt_Error *err);

/*
** For Mettle's own files (user_file.h is for the user's): replace the file at
** 'path' atomically. Readers see the old bytes or the new, never a part, and a
** crash leaves one of the two. 'mode' as for chmod.
*/
mt_Status mt_file_write(const char *path, const void *bytes, size_t size,
                        unsigned mode, mt_Error *err);

bool mt_file_exists(const char *path);

/* Where standard input, output or error is closed: a file or a pipe that is
** opened later would get its number, and all that is printed. So the number is
** taken: input is empty then, and writing fails, as it did before. For the
** start of a program, and for a library each time that it opens something. */
void mt_file_keep_standard(void);

/* Make 'path' and its missing parents, with 'mode' as for mkdir: 0700 for what
** is Mettle's, 0777 for what the person asked for. */
mt_Status mt_dir_make(const char *path, unsigned mode, mt_Error *err);

/* Is 'tail', of 'length' bytes, all of 'path' or all that follows one of its
** slashes? */
bool mt_path_ends(const char *path, const char *tail, size_t length);

#endif
