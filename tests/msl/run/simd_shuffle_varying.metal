// section: 6.9.2 SIMD-Group Functions
// construct: simd_shuffle with an index of its own in each lane
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 9 5 1 10 6 2 8 4 13 9 5 1 10 3 12 8 4 13 9 2 11 7 3 12 8 1 10 6 2 11 7 3 12 8 4
//   13 9 5 11 7 3 12 8 4 13 6 2 11 7 3 12 5 1 10 6 2 11 4 13 9 5 1 10 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_shuffle(a[i], (lane * 5 + 3) % 32);
}
