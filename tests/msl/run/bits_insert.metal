// section: 6.3 Integer Functions
// construct: insert_bits of nothing, of all, at the top
// grid: 1
// out: o uint 4660 4294967295 2147488308 4608 255
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint a = 0x1234 + i;
  o[0] = insert_bits(a, 0xffffffffu, 7, 0);
  o[1] = insert_bits(a, 0xffffffffu, 0, 32);
  o[2] = insert_bits(a, 1u, 31, 1);
  o[3] = insert_bits(a, 0xffffff00u, 0, 8);
  o[4] = insert_bits(0u + i, 0xfffu, 0, 8);
}
