/*
** half.h - 16-bit floats on the CPU, whatever the CPU has.
**
** Rounding is to nearest, ties to even, as in Metal; NaN stays NaN, what is too
** large becomes infinity, what is small becomes a denormal or zero.
*/
#ifndef MT_HALF_H
#define MT_HALF_H

#include <stdint.h>

float mt_half_to_float(uint16_t h);
uint16_t mt_half_from_float(float f);
float mt_bfloat_to_float(uint16_t b);
uint16_t mt_bfloat_from_float(float f);

#endif
