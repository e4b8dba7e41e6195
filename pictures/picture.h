/*
** picture.h - pictures: values, files, colours, and terminals that show them.
**
** A picture is RGBA in plain memory. Fields of numbers become pictures through
** a colour map. PNG and JPEG files and sixels need other people's libraries:
** these are in a module, pictures.so, loaded by the first call that needs it;
** a build without one of the libraries lacks that part, and the call says which
** package to install. All other functions need nothing.
**
** Nothing here prints: what a terminal is to show is appended to a string. Only
** mt_terminal_ask talks to the terminal. Any thread, unless said otherwise.
*/
#ifndef MT_PICTURE_H
#define MT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/kernel_types/reflect.h"
#include "base/status.h"
#include "base/str.h"

/* --------------------------------------------------------------- the value */

#define MT_PICTURE_SIDE 65535              /* pixels; what JPEG has, too */
#define MT_PICTURE_MOST ((size_t)1 << 27)  /* pixels: 512 MB with 8 bits */

/* The channels are those of its source: 1 grey, 2 grey and alpha, 3 colours,
** 4 colours and alpha. Memory always has four, so that readers need one case.
** */
typedef struct mt_Picture {
  unsigned width, height; /* pixels */
  unsigned bits; /* of each channel: 8, or 16 in this machine's order */
  unsigned channels;      /* 1 to 4; files are written with these */
  uint8_t *rgba; /* rows from the top, without gaps; alpha is straight */
  size_t left_over; /* bytes of its file after the end of the picture */
} mt_Picture;

/* A black, transparent picture; the caller frees it. On failure '*out' is all
** zeros, which may be freed too. */
mt_Status mt_picture_new(unsigned width, unsigned height, unsigned bits,
                         mt_Picture *out, mt_Error *err);
void mt_picture_free(mt_Picture *p); /* its memory; then it is all zeros */

/* Make a picture of 16 bits one of 8, rounded; others stay. */
void mt_picture_narrow(mt_Picture *p);

/*
** A picture of 8 bits in another size. Smaller: each pixel is the mean of the
** area that it covers (box filter), colours weighted by alpha. Larger: pixels
** are repeated, so whole multiples are exact.
*/
mt_Status mt_picture_resize(const mt_Picture *p, unsigned width,
                            unsigned height, mt_Picture *out, mt_Error *err);

/* ----------------------------------------------------------------- colours */

typedef enum mt_ColourMap {
  MT_MAP_GREY,
  MT_MAP_VIRIDIS,   /* dark violet, blue, green, yellow: lightness only rises */
  MT_MAP_DIVERGING, /* blue, white, red: lightness rises to the middle */
  MT_MAPS
} mt_ColourMap;

const char *mt_map_name(mt_ColourMap map); /* "grey", "viridis", "diverging" */

/* 256 colours, red green blue, made once; lives as long as the program. */
const uint8_t (*mt_map_colours(mt_ColourMap map))[3];

/* Numbers in rows. A pixel has one of them, or 2 to 4 that are colours. */
typedef struct mt_NumberField {
  const void *numbers;
  mt_Scalar scalar;
  unsigned width, height;
  unsigned channels; /* 0 or 1: a number; 2: grey and alpha; 3, 4: colours */
  unsigned step;     /* numbers from one pixel to the next; 0: as channels */
  bool blue_first;   /* of 3 or 4: blue, green, red */
} mt_NumberField;

/* Its smallest and largest finite number; false if it has none. */
bool mt_field_range(const mt_NumberField *f, double *low, double *high);

/*
** A number: 'low' gets the first colour of the map, 'high' the last, what is
** outside the nearest of these two, nan magenta. Grey with 16 'bits' keeps
** 65536 shades. Colours: 'low' is none of it, 'high' all, and 'map' is not
** used.
*/
mt_Status mt_field_picture(const mt_NumberField *f, mt_ColourMap map,
                           double low, double high, unsigned bits,
                           mt_Picture *out, mt_Error *err);

/* ------------------------------------------------------------------- files */

/* The file's picture, upright (EXIF's orientation is applied). PNG or JPEG, by
** its first bytes. Devices and pipes are refused, and what claims more pixels
** than MT_PICTURE_MOST, or than a file of its size can hold. */
mt_Status mt_picture_load(const char *path, mt_Picture *out, mt_Error *err);

/* The same for bytes in memory; 'name' is for messages. */
mt_Status mt_picture_decode(const void *bytes, size_t size, const char *name,
                            mt_Picture *out, mt_Error *err);

/* Does the file begin as a PNG or a JPEG file does? false: or not readable. */
bool mt_picture_is(const char *path);

/* Append it as a PNG file with its bits and channels. 'quick': not compressed,
** for a terminal on this machine. */
mt_Status mt_picture_png(const mt_Picture *p, bool quick, mt_Str *out,
                         mt_Error *err);

/* --------------------------------------------------------------- terminals */

/* The ways to show a picture in a terminal, the plainest first. */
typedef enum mt_Protocol {
  MT_SHOW_NONE,
  MT_SHOW_ASCII,  /* ten shades, no colours */
  MT_SHOW_256,    /* half blocks in the palette of 256 colours */
  MT_SHOW_BLOCKS, /* half blocks in 24-bit colours */
  MT_SHOW_SIXEL,
  MT_SHOW_ITERM,  /* iTerm2's inline images */
  MT_SHOW_KITTY,  /* kitty's graphics protocol */
  MT_PROTOCOLS
} mt_Protocol;

/* As METTLE_IMAGE spells it: "none", "ascii", "256", "blocks", "sixel", … */
const char *mt_protocol_name(mt_Protocol way);

typedef struct mt_Terminal {
  mt_Protocol way;
  unsigned columns, rows;            /* of the window */
  unsigned cell_width, cell_height;  /* pixels of one character */
  bool tmux; /* inside tmux: sequences for the terminal around it are wrapped */
  bool far;  /* over ssh: fewer bytes are worth some time */
} mt_Terminal;

/*
** What standard output can show, and its size now. The terminal is asked once
** (METTLE_IMAGE=name overrides; NO_COLOR means ASCII; no terminal means none),
** and one that does not answer is waited for a fifth of a second, over ssh a
** second. Keys typed meanwhile are kept for the console
** (base/terminal/typeahead.h). Console thread.
*/
void mt_terminal_ask(mt_Terminal *out);

/* The size in pixels at which it is shown: smaller pictures by a whole factor,
** larger ones to fit in columns × rows less two, for the prompt. With blocks a
** cell has 1 × 2 pixels; sixels are at most 480 × 480, or as many. */
void mt_picture_fit(const mt_Picture *p, const mt_Terminal *t, unsigned *width,
                    unsigned *height);

/* Append the picture, fitted, as what 't' shows; it ends with a new line.
** If the protocol needs a library that this build lacks: half blocks. */
mt_Status mt_picture_show(const mt_Picture *p, const mt_Terminal *t,
                          mt_Str *out, mt_Error *err);

/* The same for a picture of 8 bits that has its size already: for animations,
** which bring the cursor back themselves. */
mt_Status mt_picture_draw(const mt_Picture *p, const mt_Terminal *t,
                          mt_Str *out, mt_Error *err);

#endif
