/*
** numbers.h - floats of 16 bits and others that C lacks, and PTX's rounding.
*/
#ifndef MT_CUDA_NUMBERS_H
#define MT_CUDA_NUMBERS_H

#include "tests/cuda/ptx.h"

#define NAN_F32 0x7fffffffu
#define NAN_16 0x7fffu

/* The number nearest to 'v' in that direction, as the type's bits: f16, bf16,
** tf32 or f32. Beyond the largest: infinity, or the largest where it rounds
** towards zero. */
uint32_t narrow(double v, Type t, Rounding r);
double widen(uint64_t bits, Type t); /* f16, bf16, tf32, f32 or f64 */
/* a + b, rounded to odd where it is not exact: may be rounded once more. */
double add_odd(double a, double b);
/* 'v' as a double, rounded to odd. */
double odd_of_u64(uint64_t v);
double odd_of_s64(int64_t v);
/* 'v' without its fraction. */
double integral(double v, Rounding r);
int set_rounding(Rounding r); /* the processor's; gives what it was */
void restore_rounding(int was);

#endif
