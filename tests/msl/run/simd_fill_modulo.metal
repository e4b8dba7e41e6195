// section: 6.9.2 SIMD-Group Functions
// construct: simd_shuffle_and_fill_up within runs of 8
// grid: 32
// group: 32
// out: o uint = i % 8 >= 2 and i - 2 or 100 + (i - i % 8) + 6 + i % 8
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  o[i] = simd_shuffle_and_fill_up(l, 100 + l, 2, 8);
}
