// section: 6.3 Integer Functions
// construct: madsat saturates the whole, not the product alone
// grid: 1
// in: x int 2000000000
// out: a long 100 -128 2000000000 255 65535 65535 -32768 9223372036854775807 8589934592000000000
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 9;
  a[0] = madsat((char)100, (char)2, (char)-100); a[1] = madsat((char)-100, (char)2, (char)-1);
  a[2] = madsat(x[0], 2, -x[0]); a[3] = madsat((uchar)20, (uchar)20, (uchar)1);
  a[4] = madsat((ushort)255, (ushort)257, (ushort)0); a[5] = madsat((ushort)255, (ushort)257, (ushort)1);
  a[6] = madsat((short)-300, (short)300, (short)1);
  a[7] = madsat((long)x[0] << 31, 4L, 0L);
  a[8] = madsat((long)x[0] << 31, 4L, -((long)x[0] << 32));
}
