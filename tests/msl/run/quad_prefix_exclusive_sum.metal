// section: 6.9.3 Quad-Group Functions
// construct: quad_prefix_exclusive_sum
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 0 1 9 11 0 3 13 17 0 5 17 23 0 7 8 16 0 9 12 22 0 11 16 28 0 13 20 21 0 2 11 14 0
//   4 15 20 0 6 19 26 0 8 10 19 0 10 14 25 0 12 18 31 0 1 9 11 0 3 13 17 0 5 17 23
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_prefix_exclusive_sum(a[i]);
}
