// section: 6.9.2 SIMD-Group Functions
// construct: simd_shuffle of bool
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out int 1 0 1 0 1 0 1 0 1 0 1 1 0 1 0 1 0 1 0 1 0 1 1 1 1 1 1 0 1 0 1 0 1 0 1 0 1 1 0 1 0
//   1 0 1 0 1 0 1 1 1 1 1 1 0 1 0 1 0 1 0 1 0 1 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_shuffle(a[i] > 5, lane ^ 1) ? 1 : 0;
}
