// section: 6.9.2 SIMD-Group Functions
// construct: simd_min and simd_max of char, half, long
// groups: 1
// group: 32
// out: o int 32*-32
// out: p float 32*15.5
// out: q long 32*-31000000000
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], device float *p [[buffer(1)]], device long *q [[buffer(2)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  o[i] = simd_min(char(-1 - int(l)));
  p[i] = simd_max(half(l) / 2);
  q[i] = simd_min(-long(l) * 1000000000);
}
