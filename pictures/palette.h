/*
** palette.h - the 255 colours that show a picture best.
**
** Up to that many different colours are kept as they are. More are divided by
** median cut: the box of colours that spreads most is cut where half of its
** pixels are on either side, until there are enough boxes; each becomes the
** mean of its pixels. Colours count with five bits a channel.
*/
#ifndef MT_PALETTE_H
#define MT_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { MT_PALETTE_MOST = 255 };

/*
** Choose colours for those of 'count' pixels, RGBA, whose 'used' is true (all,
** if it is NULL), and store each pixel's index in 'indices'; others are left.
** '*colours' gets how many there are. Fails only without memory.
*/
mt_Status mt_palette_make(const uint8_t *rgba, const bool *used, size_t count,
                          uint8_t palette[MT_PALETTE_MOST][3],
                          unsigned *colours, uint8_t *indices, mt_Error *err);

#endif
