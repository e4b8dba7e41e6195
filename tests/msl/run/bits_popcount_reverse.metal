// section: 6.3 Integer Functions
// construct: popcount and reverse_bits of small types
// grid: 1
// in: z int 0
// out: o int 8 16 32 64 0
// out: p uint 128 1 49152 2147483648
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *z [[buffer(0)]], device int *o [[buffer(1)]], device uint *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  int x = z[0] - 1;
  o[0] = popcount(char(x));
  o[1] = popcount(ushort(x));
  o[2] = popcount(x);
  o[3] = popcount(long(x));
  o[4] = popcount(x + 1);
  p[0] = reverse_bits(uchar(x + 2));
  p[1] = reverse_bits(uchar(x + 129));
  p[2] = reverse_bits(ushort(x + 4));
  p[3] = reverse_bits(uint(x + 2));
}
