// section: 6.3 Integer Functions
// construct: popcount, clz, ctz and reverse_bits on vectors and zeros, char and long
// grid: 1
// in: x int 1
// out: a long 0 8 1 4 8 0 7 3 8 0 7 4 8 0 33 63 64 32 32 64 16 1 -128 32768 32769
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 25;
  uchar4 p = popcount(uchar4(0, 255, 1, 0x55)); uchar4 c = clz(uchar4(0, 255, 1, 0x10));
  uchar4 t = ctz(uchar4(0, 255, 128, 0x10));
  for (int k = 0; k < 4; k++) { a[k] = p[k]; a[4 + k] = c[k]; a[8 + k] = t[k]; }
  a[12] = popcount((char)-1); a[13] = clz((short)-1); a[14] = ctz((long)x[0] << 33); a[15] = clz((long)x[0]);
  a[16] = popcount((long)-x[0]); a[17] = clz(0u); a[18] = ctz(0u); a[19] = clz(0ul); a[20] = ctz((ushort)0);
  a[21] = reverse_bits((ulong)x[0]) == 0x8000000000000000ul; a[22] = reverse_bits((char)1);
  ushort2 r = reverse_bits(ushort2(1, 0x8001)); a[23] = r.x; a[24] = r.y;
}
