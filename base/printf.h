/*
** printf.h - functions whose arguments the compiler checks against a format.
*/
#ifndef MT_PRINTF_H
#define MT_PRINTF_H

#if defined(__GNUC__)
#define MT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MT_PRINTF(fmt, args)
#endif

#endif
