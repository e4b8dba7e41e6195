// section: 6.9.2 SIMD-Group Functions
// construct: simd_shuffle_and_fill_down takes from the second value past the end
// groups: 1
// group: 32
// out: o uint = i + 3 < 32 and i + 3 or 100 + (i + 3 - 32)
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  o[i] = simd_shuffle_and_fill_down(l, 100 + l, 3);
}
