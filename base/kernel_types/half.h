/*
** half.h - 16-bit floats on any CPU, without hardware support.
**
** Rounding is to nearest, ties to even, as in Metal; NaN stays NaN, values too
** large become infinity, small ones denormal or zero.
*/
#ifndef MT_HALF_H
#define MT_HALF_H

#include <stdint.h>

float mt_half_to_float(uint16_t h);
uint16_t mt_half_from_float(float f);
float mt_bfloat_to_float(uint16_t b);
uint16_t mt_bfloat_from_float(float f);
/* rounded once, not by way of float */
uint16_t mt_half_from_double(double d);
uint16_t mt_bfloat_from_double(double d);

#endif
