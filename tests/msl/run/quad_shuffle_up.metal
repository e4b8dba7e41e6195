// section: 6.9.3 Quad-Group Functions
// construct: quad_shuffle_up
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 1 1 8 2 3 3 10 4 5 5 12 6 7 7 1 8 9 9 3 10 11 11 5 12 13 13 7 1 2 2 9 3 4 4 11 5
//   6 6 13 7 8 8 2 9 10 10 4 11 12 12 6 13 1 1 8 2 3 3 10 4 5 5 12 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_shuffle_up(a[i], 1);
}
