/*
** animation.h - pictures one after the other in a file: GIF and APNG.
**
** Each picture is stored as the rectangle that differs from the one before. GIF
** has 255 colours a picture (palette.h), pixels that stay are transparent, and
** times in hundredths of a second; it is written by giflib, in pictures.so.
** APNG is exact: its pictures are PNG's, by libpng, in chunks of our own. Both
** repeat for ever. Any thread, one at a time.
*/
#ifndef MT_ANIMATION_H
#define MT_ANIMATION_H

#include "pictures/picture.h"

typedef struct mt_Animation mt_Animation; /* opaque */

typedef enum mt_AnimationKind {
  MT_ANIMATION_GIF,
  MT_ANIMATION_APNG
} mt_AnimationKind;

#define MT_GIF_MOST_FPS 50 /* browsers slow down what is faster */

/* By the name's ending: .gif, .png or .apng. False: it has none of these. */
bool mt_animation_kind(const char *path, mt_AnimationKind *out);

/* Pictures of width × height, 'fps' a second. The caller frees '*out'. */
mt_Status mt_animation_new(mt_AnimationKind kind, unsigned width,
                           unsigned height, double fps, mt_Animation **out,
                           mt_Error *err);
void mt_animation_free(mt_Animation *a); /* NULL is fine */

/* The next picture, RGBA; alpha is not looked at. */
mt_Status mt_animation_add(mt_Animation *a, const uint8_t *rgba, mt_Error *err);

/* Append the whole file. After it nothing can be added. */
mt_Status mt_animation_finish(mt_Animation *a, mt_Str *out, mt_Error *err);

#endif
