// section: 6.9.2 SIMD-Group Functions
// construct: simd_shuffle of bfloat
// grid: 64
// group: 32, 64
// in: a bfloat 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
//   31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
//   62 63
// out: out bfloat 3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12 19 18 17 16 23 22 21 20 27 26 25 24 31 30
//   29 28 35 34 33 32 39 38 37 36 43 42 41 40 47 46 45 44 51 50 49 48 55 54 53 52 59 58 57 56 63
//   62 61 60
#include <metal_stdlib>
using namespace metal;

kernel void test(device const bfloat *a [[buffer(0)]],
                 device bfloat *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_shuffle(a[i], lane ^ 3);
}
