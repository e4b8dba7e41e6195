// section: 6.9.3 Quad-Group Functions
// construct: quad_sum of int
// grid: 64
// group: 32, 64
// in: a int 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out int 20 20 20 20 28 28 28 28 36 36 36 36 18 18 18 18 26 26 26 26 34 34 34 34 29 29 29
//   29 24 24 24 24 32 32 32 32 27 27 27 27 22 22 22 22 30 30 30 30 38 38 38 38 20 20 20 20 28 28
//   28 28 36 36 36 36
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_sum(a[i]);
}
