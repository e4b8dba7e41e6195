/*
** scalar.h - arrays of scalars of any type to doubles and back.
**
** Code for all scalar types works on blocks of doubles and converts with these
** functions, so that it is written once and switches on the type once a block.
*/
#ifndef MT_SCALAR_H
#define MT_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/kernel_types/reflect.h"

/* 'f', 'i', 'u' or 'b': floating point, signed, unsigned, bool. */
char mt_scalar_kind(mt_Scalar s);
bool mt_scalar_is_float(mt_Scalar s);

/* Has NumPy such a type? */
bool mt_scalar_in_numpy(mt_Scalar s);

/* Smallest and largest value of the type; 64-bit ones rounded to double. */
double mt_scalar_lowest(mt_Scalar s);
double mt_scalar_highest(mt_Scalar s);

/* 'n' scalars at 'from' as doubles. 64-bit integers round. */
void mt_scalars_unpack(mt_Scalar s, const void *from, size_t n, double *out);

/* 'n' doubles to scalars: floats round to nearest, integers truncate and must
** be in range, bool is "not zero". */
void mt_scalars_pack(mt_Scalar s, const double *from, size_t n, void *out);

/* Exact sum of 'n' integers or bools, modulo 2^64. */
uint64_t mt_scalars_sum(mt_Scalar s, const void *from, size_t n);

#endif
