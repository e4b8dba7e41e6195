// section: 6.9.3 Quad-Group Functions
// construct: quad_min of int
// grid: 64
// group: 32, 64
// in: a int 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out int 1 1 1 1 3 3 3 3 5 5 5 5 1 1 1 1 3 3 3 3 5 5 5 5 1 1 1 1 2 2 2 2 4 4 4 4 1 1 1 1 2
//   2 2 2 4 4 4 4 6 6 6 6 1 1 1 1 3 3 3 3 5 5 5 5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_min(a[i]);
}
