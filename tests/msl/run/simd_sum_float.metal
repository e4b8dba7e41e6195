// section: 6.9.2 SIMD-Group Functions
// construct: simd_sum of float
// grid: 64
// group: 32, 64
// in: a float 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7 7.5 8 8.5 9 9.5 10 10.5 11 11.5 12 12.5
//   13 13.5 14 14.5 15 15.5 16 16.5 17 17.5 18 18.5 19 19.5 20 20.5 21 21.5 22 22.5 23 23.5 24
//   24.5 25 25.5 26 26.5 27 27.5 28 28.5 29 29.5 30 30.5 31 31.5
// out: out float 248 248 248 248 248 248 248 248 248 248 248 248 248 248 248 248 248 248 248 248
//   248 248 248 248 248 248 248 248 248 248 248 248 760 760 760 760 760 760 760 760 760 760 760
//   760 760 760 760 760 760 760 760 760 760 760 760 760 760 760 760 760 760 760 760 760
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_sum(a[i]);
}
