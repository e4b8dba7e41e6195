// section: 6.9.3 Quad-Group Functions
// construct: quad_shuffle_xor
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 8 1 9 2 10 3 11 4 12 5 13 6 1 7 2 8 3 9 4 10 5 11 6 12 7 13 8 1 9 2 10 3 11 4 12
//   5 13 6 1 7 2 8 3 9 4 10 5 11 6 12 7 13 8 1 9 2 10 3 11 4 12 5 13 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_shuffle_xor(a[i], 1);
}
