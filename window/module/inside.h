/*
** inside.h - what the files of the module share.
*/
#ifndef MT_WINDOW_INSIDE_H
#define MT_WINDOW_INSIDE_H

#include <SDL.h>
#include <stdint.h>

/* The next character of UTF-8; '*text' moves past it. What is not UTF-8 is
** U+FFFD, a byte at a time. */
uint32_t mt_font_next(const char **text);

/* Draw the text's lines, wrapped, on a dark band at the top or bottom of the
** renderer's target, which has width × height pixels. */
void mt_font_draw(SDL_Renderer *to, const char *text, int width, int height,
                  int at_bottom);

#endif
