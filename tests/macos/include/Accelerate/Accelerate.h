// What cpu/vendor needs of <Accelerate/Accelerate.h>, for cross-compiling:
// declarations as Apple documents them.
#pragma once
typedef unsigned long vDSP_Length;
typedef long vDSP_Stride;
typedef int __LAPACK_int;
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE {
  CblasNoTrans = 111,
  CblasTrans = 112,
  CblasConjTrans = 113
};
void vDSP_vadd(const float *a, vDSP_Stride ia, const float *b, vDSP_Stride ib,
               float *c, vDSP_Stride ic, vDSP_Length n);
void vDSP_vsub(const float *b, vDSP_Stride ib, const float *a, vDSP_Stride ia,
               float *c, vDSP_Stride ic, vDSP_Length n);
void vDSP_vmul(const float *a, vDSP_Stride ia, const float *b, vDSP_Stride ib,
               float *c, vDSP_Stride ic, vDSP_Length n);
void vDSP_vsma(const float *a, vDSP_Stride ia, const float *b, const float *c,
               vDSP_Stride ic, float *d, vDSP_Stride id, vDSP_Length n);
void vDSP_sve(const float *a, vDSP_Stride ia, float *c, vDSP_Length n);
void vDSP_conv(const float *a, vDSP_Stride ia, const float *f, vDSP_Stride jf,
               float *c, vDSP_Stride ic, vDSP_Length n, vDSP_Length p);
void vDSP_mtrans(const float *a, vDSP_Stride ia, float *c, vDSP_Stride ic,
                 vDSP_Length m, vDSP_Length n);
void vvexpf(float *y, const float *x, const int *n);
float cblas_sdot(int n, const float *x, int incx, const float *y, int incy);
void cblas_saxpy(int n, float alpha, const float *x, int incx, float *y,
                 int incy);
void cblas_scopy(int n, const float *x, int incx, float *y, int incy);
void cblas_sgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE ta,
                 enum CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta,
                 float *c, int ldc);
