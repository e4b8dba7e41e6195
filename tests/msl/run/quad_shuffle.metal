// section: 6.9.3 Quad-Group Functions
// construct: quad_shuffle
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 9 2 8 1 11 4 10 3 13 6 12 5 2 8 1 7 4 10 3 9 6 12 5 11 8 1 7 13 10 3 9 2 12 5 11
//   4 1 7 13 6 3 9 2 8 5 11 4 10 7 13 6 12 9 2 8 1 11 4 10 3 13 6 12 5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_shuffle(a[i], 3 - lane % 4);
}
