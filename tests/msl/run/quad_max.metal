// section: 6.9.3 Quad-Group Functions
// construct: quad_max of int
// grid: 64
// group: 32, 64
// in: a int 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out int 9 9 9 9 11 11 11 11 13 13 13 13 8 8 8 8 10 10 10 10 12 12 12 12 13 13 13 13 10 10
//   10 10 12 12 12 12 13 13 13 13 9 9 9 9 11 11 11 11 13 13 13 13 9 9 9 9 11 11 11 11 13 13 13 13
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_max(a[i]);
}
