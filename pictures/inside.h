/*
** inside.h - what the files of pictures/ share: the module's table, and the
** pieces of the encoders.
*/
#ifndef MT_PICTURES_INSIDE_H
#define MT_PICTURES_INSIDE_H

#include "pictures/picture.h"

/*
** pictures.so: one member for each library; NULL where the build lacks it. They
** report as everything does, and never call exit or print.
*/
typedef struct mt_PictureModule {
  mt_Status (*read_png)(const uint8_t *bytes, size_t size, const char *name,
                        mt_Picture *out, mt_Error *err);
  mt_Status (*write_png)(const mt_Picture *p, bool quick, mt_Str *out,
                         mt_Error *err);
  mt_Status (*read_jpeg)(const uint8_t *bytes, size_t size, const char *name,
                         mt_Picture *out, mt_Error *err);
  mt_Status (*write_sixel)(const mt_Picture *p, mt_Str *out, mt_Error *err);
  /* A GIF in pieces (animation.c): 'out' grows until gif_end, which frees
  ** '*gif' in any case. Index 255 is transparent; 'delay' in hundredths of a
  ** second. */
  mt_Status (*gif_begin)(unsigned width, unsigned height, mt_Str *out,
                         void **gif, mt_Error *err);
  mt_Status (*gif_add)(void *gif, unsigned x, unsigned y, unsigned width,
                       unsigned height, const uint8_t *indices,
                       const uint8_t (*palette)[3], unsigned delay,
                       mt_Error *err);
  mt_Status (*gif_end)(void *gif, mt_Error *err);
} mt_PictureModule;

#define MT_PICTURE_ENTRY "mt_picture_module"
typedef const mt_PictureModule *(*mt_PictureEntry)(void);

/* The module, loaded at the first call; NULL with a sentence. */
const mt_PictureModule *mt_picture_module_load(mt_Error *err);

/* "name: it needs libpng …": the sentence for a part that the build lacks. */
mt_Status mt_picture_lacks(const char *what, const char *debian,
                           const char *homebrew, mt_Error *err);

/* Is this a size that a picture may have? 'name' is for the sentence. */
mt_Status mt_picture_check_size(size_t width, size_t height, const char *name,
                                mt_Error *err);

/* The colour of a pixel over a checkerboard of greys, for ways without alpha.
** */
void mt_picture_opaque(const mt_Picture *p, unsigned x, unsigned y,
                       uint8_t rgb[3]);

void mt_show_blocks(const mt_Picture *p, bool palette, mt_Str *out);
void mt_show_ascii(const mt_Picture *p, mt_Str *out);
void mt_show_kitty(const mt_Picture *p, const mt_Terminal *t, mt_Str *out);
mt_Status mt_show_iterm(const mt_Picture *p, const mt_Terminal *t, mt_Str *out,
                        mt_Error *err);
mt_Status mt_show_sixel(const mt_Picture *p, const mt_Terminal *t, mt_Str *out,
                        mt_Error *err);

#endif
