/*
** files.c - picture files, and the module that knows their formats.
*/
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/module.h"
#include "base/notice.h"
#include "pictures/inside.h"

#define MOST_BYTES ((size_t)1 << 30) /* of a file */

static const uint8_t png_magic[8] = {0x89, 'P',  'N',  'G',
                                     '\r', '\n', 0x1a, '\n'};
static const uint8_t jpeg_magic[3] = {0xff, 0xd8, 0xff};

/* --------------------------------------------------------------- the module */

mt_Status mt_picture_lacks(const char *what, const char *debian,
                           const char *homebrew, mt_Error *err) {
#ifdef __APPLE__
  (void)debian;
  return mt_error(err, MT_FAIL,
                  "%s: brew install %s, then build Mettle again (make)", what,
                  homebrew);
#else
  (void)homebrew;
  return mt_error(err, MT_FAIL,
                  "%s: install %s, then build Mettle again (make)", what,
                  debian);
#endif
}

static const mt_PictureModule *open_module(mt_Error *err) {
  mt_PictureEntry entry;
  void *symbol =
      mt_module_symbol("pictures.so", MT_PICTURE_ENTRY,
                       "pictures in files need libpng and libjpeg-turbo "
                       "(Debian's libpng-dev and libjpeg-dev, "
                       "Homebrew's libpng and jpeg-turbo)",
                       err);
  memcpy(&entry, &symbol, sizeof entry);
  return entry ? entry() : NULL;
}

const mt_PictureModule *mt_picture_module_load(mt_Error *err) {
  static const mt_PictureModule *module;
  if (module == NULL) module = open_module(err);
  return module;
}

/* ------------------------------------------------------------------ reading */

mt_Status mt_picture_decode(const void *bytes, size_t size, const char *name,
                            mt_Picture *out, mt_Error *err) {
  *out = (mt_Picture){0};
  bool png = size >= sizeof png_magic &&
             memcmp(bytes, png_magic, sizeof png_magic) == 0;
  bool jpeg = size >= sizeof jpeg_magic &&
              memcmp(bytes, jpeg_magic, sizeof jpeg_magic) == 0;
  if (size == 0) return mt_error(err, MT_FAIL, "%s: it is empty", name);
  if (!png && !jpeg)
    return mt_error(err, MT_FAIL,
                    "%s: it is neither a PNG nor a JPEG file: convert it to "
                    "one of them first",
                    name);
  const mt_PictureModule *m = mt_picture_module_load(err);
  if (m == NULL) return MT_FAIL;
  if (png && m->read_png == NULL)
    return mt_picture_lacks("PNG files need libpng", "libpng-dev", "libpng",
                            err);
  if (jpeg && m->read_jpeg == NULL)
    return mt_picture_lacks("JPEG files need libjpeg-turbo", "libjpeg-dev",
                            "jpeg-turbo", err);
  mt_Status status =
      (png ? m->read_png : m->read_jpeg)(bytes, size, name, out, err);
  if (status != MT_OK) mt_picture_free(out);
  return status;
}

/* Another file may hide there, or this one be damaged: both libraries stop
** reading at the end of the picture. */
static void tell_left_over(const mt_Picture *p, const char *path) {
  mt_Error text;
  if (p->left_over == 0) return;
  mt_error(&text, MT_OK,
           "%s: %zu bytes after the end of the picture are not read", path,
           p->left_over);
  mt_warning(text.text);
}

mt_Status mt_picture_load(const char *path, mt_Picture *out, mt_Error *err) {
  mt_Str bytes = MT_STR_INIT;
  int fd;
  size_t size;
  *out = (mt_Picture){0};
  mt_Status status = mt_file_open_plain(path, &fd, &size, err);
  if (status != MT_OK) return status;
  if (size > MOST_BYTES)
    status = mt_error(err, MT_FAIL, "%s: a picture of %zu bytes is too large",
                      path, size);
  if (status == MT_OK)
    status = mt_file_read_fd(fd, path, MOST_BYTES, &bytes, err);
  close(fd);
  if (status == MT_OK)
    status = mt_picture_decode(bytes.text, bytes.length, path, out, err);
  if (status == MT_OK) tell_left_over(out, path);
  mt_str_free(&bytes);
  return status;
}

bool mt_picture_is(const char *path) {
  uint8_t head[8] = {0};
  int fd;
  size_t size;
  if (mt_file_open_plain(path, &fd, &size, NULL) != MT_OK) return false;
  bool all = read(fd, head, sizeof head) == (ssize_t)sizeof head;
  close(fd);
  return all && (memcmp(head, png_magic, sizeof png_magic) == 0 ||
                 memcmp(head, jpeg_magic, sizeof jpeg_magic) == 0);
}

mt_Status mt_picture_png(const mt_Picture *p, bool quick, mt_Str *out,
                         mt_Error *err) {
  const mt_PictureModule *m = mt_picture_module_load(err);
  if (m == NULL) return MT_FAIL;
  if (m->write_png == NULL)
    return mt_picture_lacks("PNG files need libpng", "libpng-dev", "libpng",
                            err);
  return m->write_png(p, quick, out, err);
}
