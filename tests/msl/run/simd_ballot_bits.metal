// section: 6.9.2 SIMD-Group Functions
// construct: the ballot of a SIMD-group as a number, and its tests
// groups: 1
// group: 32
// out: o uint 32*1431655765
// out: p int 32*1
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], device int *p [[buffer(1)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  simd_vote v = simd_ballot((l & 1) == 0);
  o[i] = uint(ulong(v));
  p[i] = v.any() && !v.all();
}
