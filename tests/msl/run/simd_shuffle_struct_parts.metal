// section: 6.9.2 SIMD-Group Functions
// construct: vectors of each type are shuffled
// groups: 1
// group: 32
// out: o float = (i ~ 1) + 0.5
// out: p int = -(i ~ 2)
// out: q int = (i ~ 4) % 2
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], device int *p [[buffer(1)]], device int *q [[buffer(2)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  half2 h = half2(half(l) + 0.5h, 0);
  o[i] = simd_shuffle_xor(h, 1).x;
  short4 s = short4(0, 0, 0, -short(l));
  p[i] = simd_shuffle_xor(s, 2).w;
  bool b = l & 1;
  q[i] = simd_shuffle_xor(b, 4);
}
