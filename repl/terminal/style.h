/*
** style.h - colours, on terminals that are not dumb, unless NO_COLOR is set.
*/
#ifndef MT_STYLE_H
#define MT_STYLE_H

#include <stdbool.h>

typedef enum mt_Style {
  MT_STYLE_PLAIN, /* back to normal */
  MT_STYLE_BOLD,
  MT_STYLE_DIM,
  MT_STYLE_ERROR,
  MT_STYLE_WARN,
  MT_STYLE_GOOD
} mt_Style;

/* Does this descriptor (1 or 2) get colours? */
bool mt_style_on(int fd);

/* The escape sequence, or "" without colours. */
const char *mt_style(int fd, mt_Style style);

#endif
