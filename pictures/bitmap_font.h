/*
** bitmap_font.h - letters of 5 x 7 pixels, for text in a window and for titles
** that a room must be able to read.
*/
#ifndef MT_BITMAP_FONT_H
#define MT_BITMAP_FONT_H

#include <stdint.h>

enum { MT_BITMAP_FONT_WIDTH = 5, MT_BITMAP_FONT_HEIGHT = 7 };

/* The rows of a character, from the top, five bits each, the leftmost pixel in
** the highest; a question mark for one that is not there. */
const uint8_t *mt_bitmap_font_rows(uint32_t character);

#endif
