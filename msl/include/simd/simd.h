// -*- c++ -*-
// The names that Apple's <simd/simd.h> gives to the types that Metal and the
// host share: simd_float4, vector_float4, simd::float4, matrix_float4x4.
#ifndef METTLE_SIMD
#define METTLE_SIMD
#pragma clang system_header
#include "../metal_stdlib"

#define __MSL_SIMD(T)                       \
  typedef T simd_##T;                       \
  typedef T##2 simd_##T##2, vector_##T##2;  \
  typedef T##3 simd_##T##3, vector_##T##3;  \
  typedef T##4 simd_##T##4, vector_##T##4;  \
  typedef packed_##T##2 simd_packed_##T##2; \
  typedef packed_##T##3 simd_packed_##T##3; \
  typedef packed_##T##4 simd_packed_##T##4;
__MSL_SIMD(char) __MSL_SIMD(uchar) __MSL_SIMD(short) __MSL_SIMD(ushort)
__MSL_SIMD(int) __MSL_SIMD(uint) __MSL_SIMD(long) __MSL_SIMD(ulong)
__MSL_SIMD(half) __MSL_SIMD(float)
#undef __MSL_SIMD

#define __MSL_SIMD_MATRIX(T, C, R) \
  typedef T##C##x##R simd_##T##C##x##R, matrix_##T##C##x##R;
#define __MSL_SIMD_MATRICES(T)                          \
  __MSL_SIMD_MATRIX(T, 2, 2) __MSL_SIMD_MATRIX(T, 2, 3) \
  __MSL_SIMD_MATRIX(T, 2, 4)                            \
  __MSL_SIMD_MATRIX(T, 3, 2) __MSL_SIMD_MATRIX(T, 3, 3) \
  __MSL_SIMD_MATRIX(T, 3, 4)                            \
  __MSL_SIMD_MATRIX(T, 4, 2) __MSL_SIMD_MATRIX(T, 4, 3) \
  __MSL_SIMD_MATRIX(T, 4, 4)
__MSL_SIMD_MATRICES(float) __MSL_SIMD_MATRICES(half)
#undef __MSL_SIMD_MATRICES
#undef __MSL_SIMD_MATRIX

namespace simd {
using namespace metal;
}
#endif
