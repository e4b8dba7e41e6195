// section: 6.9.3 Quad-Group Functions
// construct: quad_shuffle_rotate_down
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 8 2 9 1 10 4 11 3 12 6 13 5 1 8 2 7 3 10 4 9 5 12 6 11 7 1 8 13 9 3 10 2 11 5 12
//   4 13 7 1 6 2 9 3 8 4 11 5 10 6 13 7 12 8 2 9 1 10 4 11 3 12 6 13 5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_shuffle_rotate_down(a[i], 1);
}
