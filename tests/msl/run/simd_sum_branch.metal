// section: 6.9.2 SIMD-Group Functions
// construct: simd_sum counts the lanes of its branch
// groups: 1
// group: 32
// out: o uint = i % 3 == 0 and 11 or (i % 3 == 1 and 110 or 20)
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  uint r;
  if (l % 3 == 0) r = simd_sum(1u);
  else if (l % 3 == 1) r = simd_sum(10u);
  else r = simd_sum(2u);
  o[i] = r;
}
