// section: 6.3 Integer Functions
// construct: extract_bits, signed and unsigned, at the edges
// grid: 1
// out: o int -1 7 0 -2147483648 1 -1
// out: p uint 15 0 4294967295 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], device uint *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int a = 0xf7;
  int m = int(0x80000000u) + int(i);
  o[0] = extract_bits(a, 4, 4);
  o[1] = extract_bits(a, 0, 4);
  o[2] = extract_bits(a, 3, 0);
  o[3] = extract_bits(m, 0, 32);
  o[4] = extract_bits(a, 0, 2) + 2;
  o[5] = extract_bits(m, 31, 1);
  p[0] = extract_bits(uint(a), 4, 4);
  p[1] = extract_bits(uint(a), 31, 0);
  p[2] = extract_bits(0xffffffffu + i, 0, 32);
  p[3] = extract_bits(uint(m), 31, 1);
}
