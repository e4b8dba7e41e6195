/*
** font.c - lines of letters (pictures/bitmap_font.h) over a picture.
**
** A letter's pixels are drawn as squares of whole pixels of the screen, so that
** they stay sharp at every size.
*/
#include "window/module/inside.h"

#include <stdbool.h>
#include <stddef.h>

#include "pictures/bitmap_font.h"

enum {
  ADVANCE = MT_BITMAP_FONT_WIDTH + 1,
  LEADING = MT_BITMAP_FONT_HEIGHT + 3
};

uint32_t mt_font_next(const char **text) {
  const unsigned char *s = (const unsigned char *)*text;
  int more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
  uint32_t c = more ? s[0] & (0x3fu >> more) : s[0];
  bool good = s[0] < 0x80 || (more > 0 && s[0] < 0xf8);
  for (int i = 1; good && i <= more; i++) {
    good = (s[i] & 0xc0) == 0x80;
    c = c << 6 | (s[i] & 0x3fu);
  }
  *text += good ? more + 1 : 1;
  return good ? c : 0xfffd;
}

/* The end of the line that begins at 'text', of at most 'columns' characters:
** at its newline, else at the last space, else where it is full. */
static const char *line_end(const char *text, int columns) {
  const char *at = text, *space = NULL;
  for (int n = 0; *at && *at != '\n'; n++) {
    if (*at == ' ') space = at;
    if (n == columns) return space && space > text ? space : at;
    mt_font_next(&at);
  }
  return at;
}

static const char *next_line(const char *end) {
  return *end == '\n' || *end == ' ' ? end + 1 : end;
}

static int count_lines(const char *text, int columns) {
  int n = 0;
  while (*text) {
    text = next_line(line_end(text, columns));
    n++;
  }
  return n;
}

/* One letter, as a rectangle for each run of set pixels in a row. */
static void draw_letter(SDL_Renderer *to, uint32_t c, int x, int y, int scale) {
  SDL_Rect runs[MT_BITMAP_FONT_HEIGHT * 3];
  int n = 0;
  const uint8_t *rows = mt_bitmap_font_rows(c);
  for (int r = 0; r < MT_BITMAP_FONT_HEIGHT; r++) {
    for (int i = 0, length; i < MT_BITMAP_FONT_WIDTH; i += length + 1) {
      for (length = 0;
           i + length < MT_BITMAP_FONT_WIDTH &&
           rows[r] >> (4 - i - length) & 1;)
        length++;
      if (length)
        runs[n++] =
            (SDL_Rect){x + i * scale, y + r * scale, length * scale, scale};
    }
  }
  if (n) SDL_RenderFillRects(to, runs, n);
}

static void draw_lines(SDL_Renderer *to, const char *text, int columns,
                       int lines, int y, int scale) {
  for (int n = 0; n < lines && *text; n++, y += LEADING * scale) {
    const char *end = line_end(text, columns);
    for (int x = 3 * scale; text < end; x += ADVANCE * scale)
      draw_letter(to, mt_font_next(&text), x, y, scale);
    text = next_line(end);
  }
}

static int most(int a, int b) { return a > b ? a : b; }

void mt_font_draw(SDL_Renderer *to, const char *text, int width, int height,
                  int at_bottom) {
  int scale = most(1, (height + 150) / 300);
  int columns = most(1, (width / scale - 4) / ADVANCE);
  int room = most(1, height / (LEADING * scale) - 1);
  int lines = count_lines(text, columns);
  if (lines == 0) return;
  if (lines > room) lines = room;
  int deep = (lines * LEADING + 3) * scale;
  SDL_Rect band = {0, at_bottom ? height - deep : 0, width, deep};
  SDL_SetRenderDrawBlendMode(to, SDL_BLENDMODE_BLEND);
  SDL_SetRenderDrawColor(to, 0, 0, 0, 176);
  SDL_RenderFillRect(to, &band);
  SDL_SetRenderDrawColor(to, 255, 255, 255, 255);
  draw_lines(to, text, columns, lines, band.y + 3 * scale, scale);
}
