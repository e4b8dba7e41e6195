// section: 6.9.2 SIMD-Group Functions
// construct: simd_shuffle of a negative char
// grid: 64
// group: 32, 64
// in: a char 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 -14 -15 -16 -17 -18 -19 -20 -21 -22 -23
//   -24 -25 -26 -27 -28 -29 -30 -31 -32 -33 -34 -35 -36 -37 -38 -39 -40 -41 -42 -43 -44 -45 -46
//   -47 -48 -49 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13
// out: out char -2 -3 0 -1 -6 -7 -4 -5 -10 -11 -8 -9 -14 -15 -12 -13 -18 -19 -16 -17 -22 -23 -20
//   -21 -26 -27 -24 -25 -30 -31 -28 -29 -34 -35 -32 -33 -38 -39 -36 -37 -42 -43 -40 -41 -46 -47
//   -44 -45 0 -1 -48 -49 -4 -5 -2 -3 -8 -9 -6 -7 -12 -13 -10 -11
#include <metal_stdlib>
using namespace metal;

kernel void test(device const char *a [[buffer(0)]],
                 device char *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_shuffle(a[i], lane ^ 2);
}
