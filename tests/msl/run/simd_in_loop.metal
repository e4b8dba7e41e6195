// section: 6.9.2 SIMD-Group Functions
// construct: a SIMD sum in a loop that lanes leave one by one
// groups: 1
// group: 32
// out: o uint = (function() local s = 0 for k = 0, i do s = s + (32 - k) end return s end)()
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  uint s = 0;
  for (uint k = 0; k <= l; k++) s += simd_sum(1u);
  o[i] = s;
}
