/*
** vendor.h - the door between the program and the module blas.so.
**
** The vendor's library takes tens of milliseconds to load, so it is not linked
** to the program: cpu/vendor/ is built as a module that exports one function,
** which hands out this table of primitives. A member is NULL where the library
** has nothing of the kind. The module calls nothing in the program.
**
** Lengths are any size_t the caller's memory can hold: the module cuts them
** into what the library's int takes. Arrays of floats, matrices by rows,
** leading dimension = columns. Outputs overlap no input unless they are it.
*/
#ifndef MT_CPU_VENDOR_H
#define MT_CPU_VENDOR_H

#include <stddef.h>

typedef struct mt_CpuVendor {
  const char *name; /* "OpenBLAS 0.3.21" */
  void (*threads)(unsigned n); /* use so many; NULL: it decides itself */

  void (*add)(const float *a, const float *b, float *c, size_t n);
  void (*sub)(const float *a, const float *b, float *c, size_t n);
  void (*mul)(const float *a, const float *b, float *c, size_t n);
  void (*saxpy)(float k, const float *x, const float *y, float *z, size_t n);
  void (*exp)(const float *x, float *y, size_t n);
  double (*sum)(const float *x, size_t n);
  double (*dot)(const float *x, const float *y, size_t n);

  /* c[n×m] = scale · a[n×k] · b[k×m]; 'b_by_columns': b is given as m×k */
  void (*matmul)(float scale, const float *a, const float *b, float *c,
                 size_t n, size_t k, size_t m, int b_by_columns);
  /* b[m×n] = a[n×m] transposed */
  void (*transpose)(const float *a, float *b, size_t n, size_t m);
  /* y[i] = sum of w[j] · x[i + j] for i < n, j < taps */
  void (*correlate)(const float *x, const float *w, float *y, size_t n,
                    size_t taps);
} mt_CpuVendor;

/* What the module exports, by this name. */
typedef const mt_CpuVendor *(*mt_CpuVendorEntry)(void);
#define MT_CPU_VENDOR_ENTRY "mt_cpu_vendor"

#endif
