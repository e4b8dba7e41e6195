// section: 6.9.3 Quad-Group Functions
// construct: quad_shuffle_and_fill_up
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 109 1 8 2 111 3 10 4 113 5 12 6 102 7 1 8 104 9 3 10 106 11 5 12 108 13 7 1 110 2
//   9 3 112 4 11 5 101 6 13 7 103 8 2 9 105 10 4 11 107 12 6 13 109 1 8 2 111 3 10 4 113 5 12 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_shuffle_and_fill_up(a[i], a[i] + 100, 1);
}
