/*
** texture_view.h - the layout of a kernel's texture and sampler arguments
** (docs/ir.md). The layout itself is shared with the MSL headers.
*/
#ifndef MT_TEXTURE_VIEW_H
#define MT_TEXTURE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "msl/include/metal/__texture_view"

/* The sampler's 64 bits; 'address' for all three coordinates. */
static inline uint64_t mt_sampler_bits(bool linear, bool pixel,
                                       unsigned address, unsigned compare) {
  uint64_t a = address & 7, f = linear ? 1 : 0;
  return f << MT_SAMPLER_MAG | f << MT_SAMPLER_MIN |
         (uint64_t)pixel << MT_SAMPLER_PIXEL | a << MT_SAMPLER_S |
         a << MT_SAMPLER_T | a << MT_SAMPLER_R |
         (uint64_t)(compare & 15) << MT_SAMPLER_COMPARE;
}

#endif
