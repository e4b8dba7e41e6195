// section: 6.9.3 Quad-Group Functions
// construct: quad_prefix_inclusive_sum
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 1 9 11 20 3 13 17 28 5 17 23 36 7 8 16 18 9 12 22 26 11 16 28 34 13 20 21 29 2 11
//   14 24 4 15 20 32 6 19 26 27 8 10 19 22 10 14 25 30 12 18 31 38 1 9 11 20 3 13 17 28 5 17 23
//   36
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_prefix_inclusive_sum(a[i]);
}
