/*
** module.h - what the files of pictures.so share. Each knows one library.
*/
#ifndef MT_PICTURES_MODULE_H
#define MT_PICTURES_MODULE_H

#include "pictures/inside.h"

mt_Status mt_png_read(const uint8_t *bytes, size_t size, const char *name,
                      mt_Picture *out, mt_Error *err);
mt_Status mt_png_write(const mt_Picture *p, bool quick, mt_Str *out,
                       mt_Error *err);
mt_Status mt_jpeg_read(const uint8_t *bytes, size_t size, const char *name,
                       mt_Picture *out, mt_Error *err);
mt_Status mt_sixel_write(const mt_Picture *p, mt_Str *out, mt_Error *err);
mt_Status mt_gif_begin(unsigned width, unsigned height, mt_Str *out, void **gif,
                       mt_Error *err);
mt_Status mt_gif_add(void *gif, unsigned x, unsigned y, unsigned width,
                     unsigned height, const uint8_t *indices,
                     const uint8_t (*palette)[3], unsigned delay,
                     mt_Error *err);
mt_Status mt_gif_end(void *gif, mt_Error *err);

/* Refuse a size that no picture may have, and one that a file of 'size' bytes
** cannot hold when a byte stands for 'most' of the bytes of its pixels: the
** memory that a file takes is bounded by its size. */
mt_Status mt_claim_check(size_t width, size_t height, size_t row_bytes,
                         size_t size, size_t most, const char *name,
                         mt_Error *err);

/* Turn the picture as EXIF's data ("II*…" or "MM…*") say that it was taken;
** data that cannot be read turn nothing. */
mt_Status mt_exif_turn(const uint8_t *exif, size_t size, mt_Picture *p,
                       mt_Error *err);

#endif
