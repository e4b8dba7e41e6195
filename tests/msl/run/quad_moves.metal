// section: 6.9.2 SIMD-Group Functions
// construct: quad_shuffle_rotate, quad_broadcast and quad sums stay within four
// groups: 1
// group: 32
// out: o uint = (i - i % 4) + (i + 1) % 4
// out: p uint = (i - i % 4) * 4 + 6
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], device uint *p [[buffer(1)]], uint l [[thread_index_in_simdgroup]], uint i [[thread_position_in_grid]]) {
  o[i] = quad_shuffle_rotate_down(l, 1);
  p[i] = quad_sum(l);
}
