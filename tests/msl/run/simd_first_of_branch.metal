// section: 6.9.2 SIMD-Group Functions
// construct: the first active lane inside a branch
// groups: 1
// group: 32
// out: o uint = i == 5 and 1 or 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  uint r = 0;
  if (l >= 5) r = simd_is_first();
  o[i] = r;
}
