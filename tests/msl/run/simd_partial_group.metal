// section: 6.9.2 SIMD-Group Functions
// construct: a last SIMD-group that is not full has fewer active lanes
// grid: 40
// group: 40
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1
// out: out uint 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215
//   215 215 215 215 215 215 215 215 215 215 215 215 59 59 59 59 59 59 59 59
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_sum(a[i]);
}
