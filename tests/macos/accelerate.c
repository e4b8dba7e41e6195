/*
** accelerate.c - the functions of Accelerate that cpu/vendor calls, by what
** Apple's documentation says of them: for the Mac that tests/macos/play plays.
** Strides and orders of arguments are what there is to get wrong.
*/
#include <Accelerate/Accelerate.h>
#include <math.h>

void vDSP_vadd(const float *a, vDSP_Stride ia, const float *b, vDSP_Stride ib,
               float *c, vDSP_Stride ic, vDSP_Length n) {
  for (long i = 0; i < (long)n; i++) c[i * ic] = a[i * ia] + b[i * ib];
}

/* C = A - B, with B first */
void vDSP_vsub(const float *b, vDSP_Stride ib, const float *a, vDSP_Stride ia,
               float *c, vDSP_Stride ic, vDSP_Length n) {
  for (long i = 0; i < (long)n; i++) c[i * ic] = a[i * ia] - b[i * ib];
}

void vDSP_vmul(const float *a, vDSP_Stride ia, const float *b, vDSP_Stride ib,
               float *c, vDSP_Stride ic, vDSP_Length n) {
  for (long i = 0; i < (long)n; i++) c[i * ic] = a[i * ia] * b[i * ib];
}

/* D = A * b + C, b a scalar */
void vDSP_vsma(const float *a, vDSP_Stride ia, const float *b, const float *c,
               vDSP_Stride ic, float *d, vDSP_Stride id, vDSP_Length n) {
  for (long i = 0; i < (long)n; i++) d[i * id] = a[i * ia] * *b + c[i * ic];
}

void vDSP_sve(const float *a, vDSP_Stride ia, float *c, vDSP_Length n) {
  double sum = 0;
  for (long i = 0; i < (long)n; i++) sum += (double)a[i * ia];
  *c = (float)sum;
}

/* correlation: C[n] = sum over p of A[n + p] * F[p]; N results, P of the
** filter */
void vDSP_conv(const float *a, vDSP_Stride ia, const float *f, vDSP_Stride jf,
               float *c, vDSP_Stride ic, vDSP_Length n, vDSP_Length p) {
  for (long i = 0; i < (long)n; i++) {
    double sum = 0;
    for (long j = 0; j < (long)p; j++)
      sum += (double)a[(i + j) * ia] * (double)f[j * jf];
    c[i * ic] = (float)sum;
  }
}

/* C has M rows and N columns, A has N rows and M columns */
void vDSP_mtrans(const float *a, vDSP_Stride ia, float *c, vDSP_Stride ic,
                 vDSP_Length m, vDSP_Length n) {
  for (long i = 0; i < (long)m; i++)
    for (long j = 0; j < (long)n; j++)
      c[(i * (long)n + j) * ic] = a[(j * (long)m + i) * ia];
}

void vvexpf(float *y, const float *x, const int *n) {
  for (int i = 0; i < *n; i++) y[i] = expf(x[i]);
}
