// section: 6.3 Integer Functions
// construct: extract_bits of signed types extends the sign; insert_bits keeps the rest; vectors
// grid: 1
// in: x int -2147483408
// out: a long -1 15 -8 240 -16776961 -1 171 18 -2147483408 0 1 8177
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 12;
  a[0] = extract_bits(x[0], 4, 4); a[1] = extract_bits((uint)x[0], 4, 4); a[2] = extract_bits(x[0], 28, 4);
  a[3] = insert_bits(0u, 0xffu, 4, 4); a[4] = insert_bits(-1, 0, 8, 16);
  a[5] = extract_bits((char)0xF0, 4, 4);
  uint2 e = extract_bits(uint2(0xABCD, 0x1234), 8, 8); a[6] = e.x; a[7] = e.y;
  a[8] = extract_bits(x[0], 0, 32); a[9] = extract_bits(7u, 3, 0);
  a[10] = insert_bits((ulong)0, ~0ul, 40, 8) == (0xfful << 40);
  a[11] = insert_bits((ushort)0x1111, (ushort)0xff, 4, 8);
}
