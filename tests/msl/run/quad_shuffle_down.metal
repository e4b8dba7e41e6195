// section: 6.9.3 Quad-Group Functions
// construct: quad_shuffle_down
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 8 2 9 9 10 4 11 11 12 6 13 13 1 8 2 2 3 10 4 4 5 12 6 6 7 1 8 8 9 3 10 10 11 5 12
//   12 13 7 1 1 2 9 3 3 4 11 5 5 6 13 7 7 8 2 9 9 10 4 11 11 12 6 13 13
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_shuffle_down(a[i], 1);
}
