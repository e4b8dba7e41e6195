/*
** palette.c - see palette.h.
*/
#include "pictures/palette.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 1 << 15, EXACT = 1024 /* places of the table below */ };

/* ------------------------------------------------------------ few colours */

/* A table of different colours, open addressing; false if there are too many.
** */
typedef struct Exact {
  uint32_t colour[EXACT]; /* with 1 << 24, so that none is 0 */
  uint8_t index[EXACT];
  unsigned count;
} Exact;

static uint32_t colour_of(const uint8_t *px) {
  return 1u << 24 | (uint32_t)px[0] << 16 | (uint32_t)px[1] << 8 | px[2];
}

static bool find(Exact *e, uint32_t colour, uint8_t *index) {
  unsigned at = (colour * 2654435761u) >> 22;
  while (e->colour[at] && e->colour[at] != colour) at = (at + 1) % EXACT;
  if (e->colour[at] == 0) {
    if (e->count == MT_PALETTE_MOST) return false;
    e->colour[at] = colour;
    e->index[at] = (uint8_t)e->count++;
  }
  *index = e->index[at];
  return true;
}

static bool take_exact(const uint8_t *rgba, const bool *used, size_t count,
                       uint8_t palette[][3], unsigned *colours,
                       uint8_t *indices) {
  Exact e;
  memset(&e, 0, sizeof e);
  for (size_t i = 0; i < count; i++) {
    if (used && !used[i]) continue;
    if (!find(&e, colour_of(rgba + 4 * i), &indices[i])) return false;
    memcpy(palette[indices[i]], rgba + 4 * i, 3);
  }
  *colours = e.count;
  return true;
}

/* ------------------------------------------------------------- median cut */

typedef struct Bin {
  uint32_t sum[3], pixels; /* of its pixels, eight bits a channel */
} Bin;

typedef struct Box {
  unsigned first, count; /* of 'order' */
  unsigned widest;       /* channel */
  uint64_t spread;       /* width there, times pixels; 0: cannot be cut */
} Box;

typedef struct Cut {
  Bin *bins;
  uint16_t *order; /* the bins that have pixels; a box is a piece of it */
  uint16_t *spare; /* for sorting */
  Box boxes[MT_PALETTE_MOST];
  unsigned count;
} Cut;

static unsigned bin_of(const uint8_t *px) {
  return (unsigned)(px[0] >> 3) << 10 | (unsigned)(px[1] >> 3) << 5 |
         px[2] >> 3;
}

static unsigned channel_of(unsigned bin, unsigned channel) {
  return bin >> (10 - 5 * channel) & 31;
}

/* Eyes see differences of green best, and of blue least. */
static void measure(const Cut *c, Box *b) {
  static const unsigned weight[3] = {3, 4, 2};
  unsigned low[3] = {31, 31, 31}, high[3] = {0, 0, 0};
  uint64_t pixels = 0;
  for (unsigned i = 0; i < b->count; i++) {
    unsigned bin = c->order[b->first + i];
    pixels += c->bins[bin].pixels;
    for (unsigned k = 0; k < 3; k++) {
      unsigned v = channel_of(bin, k);
      if (v < low[k]) low[k] = v;
      if (v > high[k]) high[k] = v;
    }
  }
  b->widest = 0;
  for (unsigned k = 1; k < 3; k++)
    if ((high[k] - low[k]) * weight[k] >
        (high[b->widest] - low[b->widest]) * weight[b->widest])
      b->widest = k;
  uint64_t width = (high[b->widest] - low[b->widest]) * weight[b->widest];
  b->spread = width * width * pixels;
}

/* By the widest channel, by counting. */
static void sort_box(Cut *c, const Box *b) {
  unsigned start[33] = {0};
  uint16_t *list = c->order + b->first;
  for (unsigned i = 0; i < b->count; i++)
    start[channel_of(list[i], b->widest) + 1]++;
  for (unsigned v = 0; v < 32; v++) start[v + 1] += start[v];
  for (unsigned i = 0; i < b->count; i++)
    c->spare[start[channel_of(list[i], b->widest)]++] = list[i];
  memcpy(list, c->spare, b->count * sizeof *list);
}

/* The number of bins left of the cut: half of the pixels, and one at least. */
static unsigned half_of(const Cut *c, const Box *b) {
  uint64_t all = 0, left = 0;
  unsigned n = 0;
  for (unsigned i = 0; i < b->count; i++)
    all += c->bins[c->order[b->first + i]].pixels;
  while (n + 1 < b->count && left * 2 < all)
    left += c->bins[c->order[b->first + n++]].pixels;
  return n ? n : 1;
}

static bool cut_one(Cut *c) {
  unsigned most = 0;
  for (unsigned i = 1; i < c->count; i++)
    if (c->boxes[i].spread > c->boxes[most].spread) most = i;
  Box *b = &c->boxes[most];
  if (b->spread == 0) return false;
  sort_box(c, b);
  unsigned left = half_of(c, b);
  c->boxes[c->count] =
      (Box){.first = b->first + left, .count = b->count - left};
  b->count = left;
  measure(c, b);
  measure(c, &c->boxes[c->count++]);
  return true;
}

static void fill_bins(Cut *c, const uint8_t *rgba, const bool *used,
                      size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (used && !used[i]) continue;
    Bin *b = &c->bins[bin_of(rgba + 4 * i)];
    for (unsigned k = 0; k < 3; k++) b->sum[k] += rgba[4 * i + k];
    b->pixels++;
  }
  unsigned n = 0;
  for (unsigned i = 0; i < BINS; i++)
    if (c->bins[i].pixels) c->order[n++] = (uint16_t)i;
  c->boxes[0] = (Box){.count = n};
  c->count = 1;
  measure(c, &c->boxes[0]);
}

/* The mean of each box; and in 'index', the box of each bin. */
static void name_boxes(const Cut *c, uint8_t palette[][3], uint8_t *index) {
  for (unsigned i = 0; i < c->count; i++) {
    uint64_t sum[3] = {0, 0, 0}, pixels = 0;
    for (unsigned k = 0; k < c->boxes[i].count; k++) {
      unsigned bin = c->order[c->boxes[i].first + k];
      for (unsigned j = 0; j < 3; j++) sum[j] += c->bins[bin].sum[j];
      pixels += c->bins[bin].pixels;
      index[bin] = (uint8_t)i;
    }
    for (unsigned j = 0; j < 3; j++)
      palette[i][j] = (uint8_t)(pixels ? (sum[j] + pixels / 2) / pixels : 0);
  }
}

mt_Status mt_palette_make(const uint8_t *rgba, const bool *used, size_t count,
                          uint8_t palette[MT_PALETTE_MOST][3],
                          unsigned *colours, uint8_t *indices, mt_Error *err) {
  if (take_exact(rgba, used, count, palette, colours, indices)) return MT_OK;
  static const size_t room = BINS * (sizeof(Bin) + 2 * sizeof(uint16_t) + 1);
  Bin *bins = calloc(1, room);
  if (bins == NULL)
    return mt_error(err, MT_FAIL, "not enough memory to choose colours");
  Cut c = {.bins = bins, .order = (uint16_t *)(bins + BINS)};
  c.spare = c.order + BINS;
  uint8_t *index = (uint8_t *)(c.spare + BINS);
  fill_bins(&c, rgba, used, count);
  while (c.count < MT_PALETTE_MOST && cut_one(&c)) continue;
  name_boxes(&c, palette, index);
  for (size_t i = 0; i < count; i++)
    if (!used || used[i]) indices[i] = index[bin_of(rgba + 4 * i)];
  *colours = c.count;
  free(bins);
  return MT_OK;
}
