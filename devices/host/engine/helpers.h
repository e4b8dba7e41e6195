/*
** helpers.h - C functions that generated code calls by name.
*/
#ifndef MT_HOST_HELPERS_H
#define MT_HOST_HELPERS_H

#include "devices/host/engine/engine.h"

/* All of them; the table lives as long as the program. */
size_t mt_helpers(const mt_Helper **out);

/* Conversions of half and bfloat, as bits. */
uint16_t mt_float_half(float f);
float mt_half_float(uint16_t h);
uint16_t mt_float_bfloat(float f);

#endif
