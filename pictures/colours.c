/*
** colours.c - colour maps, and fields of numbers through them.
**
** The maps are computed, not copied: a path through OKLCh (lightness, chroma,
** hue), whose lightness follows what people see, turned into sRGB. Where a
** chroma is more than a screen can show, it is lowered; lightness never is, so
** it rises as the path says.
*/
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/cancel.h"
#include "base/kernel_types/scalar.h"
#include "pictures/picture.h"

enum { SHADES = 256 };

static uint8_t maps[MT_MAPS][SHADES][3];

const char *mt_map_name(mt_ColourMap map) {
  static const char *const names[MT_MAPS] = {"grey", "viridis", "diverging"};
  return map < MT_MAPS ? names[map] : "";
}

/* ------------------------------------------------------------ OKLCh to sRGB */

/* Björn Ottosson's OKLab, to linear sRGB. */
static void to_linear(double l, double a, double b, double rgb[3]) {
  double p = l + 0.3963377774 * a + 0.2158037573 * b;
  double q = l - 0.1055613458 * a - 0.0638541728 * b;
  double r = l - 0.0894841775 * a - 1.2914855480 * b;
  p = p * p * p, q = q * q * q, r = r * r * r;
  rgb[0] = 4.0767416621 * p - 3.3077115913 * q + 0.2309699292 * r;
  rgb[1] = -1.2684380046 * p + 2.6097574011 * q - 0.3413193965 * r;
  rgb[2] = -0.0041960863 * p - 0.7034186147 * q + 1.7076147010 * r;
}

static bool is_shown(const double rgb[3]) {
  for (int c = 0; c < 3; c++)
    if (rgb[c] < -1e-6 || rgb[c] > 1 + 1e-6) return false;
  return true;
}

static uint8_t encoded(double linear) {
  double v = linear <= 0.0031308 ? 12.92 * linear
                                 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
  return (uint8_t)(fmin(fmax(v, 0), 1) * 255 + 0.5);
}

/* 'hue' in degrees. */
static void colour(double lightness, double chroma, double hue,
                   uint8_t out[3]) {
  double rgb[3], low = 0, high = chroma, angle = hue * 3.14159265358979 / 180;
  for (int i = 0; i < 20; i++) {
    double c = i == 0 ? high : (low + high) / 2;
    to_linear(lightness, c * cos(angle), c * sin(angle), rgb);
    if (!is_shown(rgb)) high = c;
    else if (i == 0) break;
    else low = c;
  }
  if (!is_shown(rgb))
    to_linear(lightness, low * cos(angle), low * sin(angle), rgb);
  for (int c = 0; c < 3; c++) out[c] = encoded(rgb[c]);
}

/* ----------------------------------------------------------------- the maps */

static void make_maps(void) {
  for (int i = 0; i < SHADES; i++) {
    double t = i / 255.0, away = fabs(2 * t - 1);
    memset(maps[MT_MAP_GREY][i], i, 3);
    /* violet at 315°, through blue, green, to yellow at 105° */
    colour(0.26 + 0.66 * t, 0.13 + 0.05 * t, 315 - 207 * pow(t, 0.85),
           maps[MT_MAP_VIRIDIS][i]);
    colour(0.97 - 0.57 * away, 0.21 * away, t < 0.5 ? 256 : 27,
           maps[MT_MAP_DIVERGING][i]);
  }
}

const uint8_t (*mt_map_colours(mt_ColourMap map))[3] {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_maps);
  return maps[map < MT_MAPS ? map : MT_MAP_GREY];
}

/* ------------------------------------------------------------------- fields */

enum { BLOCK = 512 }; /* numbers converted at a time */

static unsigned channels_of(const mt_NumberField *f) {
  return f->channels ? f->channels : 1;
}
static unsigned step_of(const mt_NumberField *f) {
  return f->step ? f->step : channels_of(f);
}

bool mt_field_range(const mt_NumberField *f, double *low, double *high) {
  double block[BLOCK];
  unsigned step = step_of(f), used = channels_of(f);
  size_t n = (size_t)f->width * f->height * step,
         size = mt_scalar_size(f->scalar);
  *low = INFINITY, *high = -INFINITY;
  for (size_t at = 0; at < n; at += BLOCK) {
    size_t m = n - at < BLOCK ? n - at : BLOCK;
    mt_scalars_unpack(f->scalar, (const char *)f->numbers + at * size, m,
                      block);
    for (size_t i = 0; i < m; i++) {
      if (!isfinite(block[i]) || (step > used && (at + i) % step >= used))
        continue;
      if (block[i] < *low) *low = block[i];
      if (block[i] > *high) *high = block[i];
    }
  }
  return *low <= *high;
}

/* Where 'v' lies, 0 to 'most', rounded; -1 for nan. */
static int place(double v, double low, double high, int most) {
  if (isnan(v)) return -1;
  if (!(high > low)) return v > high ? most : v < low ? 0 : most / 2;
  /* halves, so that the difference of huge ones is finite */
  double t = (v / 2 - low / 2) / (high / 2 - low / 2);
  return t <= 0 ? 0 : t >= 1 ? most : (int)(t * most + 0.5);
}

static void put8(const uint8_t (*map)[3], int at, uint8_t *to) {
  static const uint8_t magenta[3] = {255, 0, 255};
  memcpy(to, at < 0 ? magenta : map[at], 3);
  to[3] = 255;
}

/* 65536 shades of grey, or two neighbouring colours of a map mixed. */
static void put16(mt_ColourMap map, int at, uint16_t *to) {
  const uint8_t (*colours)[3] = mt_map_colours(map);
  int left = at / 257, right = left < 255 ? left + 1 : left, part = at % 257;
  for (int c = 0; c < 3; c++) {
    if (at < 0) to[c] = c == 1 ? 0 : 65535;
    else if (map == MT_MAP_GREY) to[c] = (uint16_t)at;
    else
      to[c] = (uint16_t)(colours[left][c] * (257 - part) +
                         colours[right][c] * part);
  }
  to[3] = 65535;
}

/* Numbers through the map. */
static mt_Status map_numbers(const mt_NumberField *f, mt_ColourMap map,
                             double low, double high, mt_Picture *out,
                             mt_Error *err) {
  double block[BLOCK];
  size_t n = (size_t)f->width * f->height, size = mt_scalar_size(f->scalar);
  const uint8_t (*colours)[3] = mt_map_colours(map);
  bool has_nan = false, wide = out->bits == 16;
  for (size_t at = 0; at < n; at += BLOCK) {
    size_t m = n - at < BLOCK ? n - at : BLOCK;
    mt_scalars_unpack(f->scalar, (const char *)f->numbers + at * size, m,
                      block);
    for (size_t i = 0; i < m; i++) {
      int to = place(block[i], low, high, wide ? 65535 : 255);
      has_nan |= to < 0;
      if (wide) put16(map, to, (uint16_t *)(void *)out->rgba + (at + i) * 4);
      else put8(colours, to, out->rgba + (at + i) * 4);
    }
    if (mt_cancelled()) return mt_error(err, MT_CANCELLED, "interrupted");
  }
  out->channels = map == MT_MAP_GREY && !has_nan ? 1 : 3;
  return MT_OK;
}

/* One pixel of 'n' numbers as RGBA, 0 to 'most'. A nan makes it magenta. */
static void place_colours(const double *v, unsigned n, bool blue_first,
                          double low, double high, int most, int out[4]) {
  int p[4] = {0, 0, 0, most};
  bool lost = false;
  for (unsigned c = 0; c < n; c++)
    lost |= (p[c] = place(v[c], low, high, most)) < 0;
  out[3] = n == 2 ? p[1] : p[3];
  for (int c = 0; c < 3; c++)
    out[c] = n == 2 ? p[0] : p[blue_first ? 2 - c : c];
  if (lost) out[0] = out[2] = out[3] = most, out[1] = 0;
}

static mt_Status colour_numbers(const mt_NumberField *f, double low,
                                double high, mt_Picture *out, mt_Error *err) {
  double block[BLOCK];
  unsigned step = step_of(f), at_once = BLOCK / step,
           most = out->bits == 16 ? 65535 : 255;
  size_t n = (size_t)f->width * f->height,
         size = mt_scalar_size(f->scalar) * step;
  for (size_t at = 0; at < n; at += at_once) {
    size_t m = n - at < at_once ? n - at : at_once;
    mt_scalars_unpack(f->scalar, (const char *)f->numbers + at * size, m * step,
                      block);
    for (size_t i = 0; i < m; i++) {
      int v[4];
      place_colours(block + i * step, f->channels, f->blue_first, low, high,
                    (int)most, v);
      for (int c = 0; c < 4; c++)
        if (most == 255) out->rgba[(at + i) * 4 + c] = (uint8_t)v[c];
        else ((uint16_t *)(void *)out->rgba)[(at + i) * 4 + c] = (uint16_t)v[c];
    }
    if (mt_cancelled()) return mt_error(err, MT_CANCELLED, "interrupted");
  }
  out->channels = f->channels;
  return MT_OK;
}

mt_Status mt_field_picture(const mt_NumberField *f, mt_ColourMap map,
                           double low, double high, unsigned bits,
                           mt_Picture *out, mt_Error *err) {
  unsigned channels = channels_of(f);
  bool as_it_is = f->scalar == MT_UCHAR && bits == 8 && low == 0 &&
                  high == 255 && channels == 4 && step_of(f) == 4 &&
                  !f->blue_first;
  mt_Status status = mt_picture_new(f->width, f->height, bits, out, err);
  if (status != MT_OK) return status;
  if (as_it_is) memcpy(out->rgba, f->numbers, (size_t)f->width * f->height * 4);
  else if (channels > 1) status = colour_numbers(f, low, high, out, err);
  else status = map_numbers(f, map, low, high, out, err);
  if (status != MT_OK) mt_picture_free(out);
  return status;
}
